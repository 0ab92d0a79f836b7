package python

import (
	"context"

	"github.com/gpuprof/gpuprof/profile"
)

func (s *Service) place(_ context.Context, q *Request) error {
	var k struct {
		at
		Address uint64
	}
	if err := q.Decode(&k); err != nil {
		return err
	}
	a, err := s.find(k.at)
	if err != nil {
		return err
	}
	p, err := s.placeOf(a, k.Address)
	if err != nil {
		return &Error{"RuntimeError", err.Error()}
	}
	return q.Answer(p)
}

func (s *Service) placeOf(a *profile.Action, address uint64) (Place, error) {
	if s.Source != nil {
		return s.Source(a, address)
	}
	var p Place
	c, err := a.Code()
	if c == nil {
		return p, err
	}
	if c.Lines != nil {
		if file, line, ok := c.Lines.Line(address); ok {
			p.File, p.Line = file, line
		}
	}
	return p, nil
}

func (s *Service) sourceFiles(_ context.Context, q *Request) error {
	var k at
	if err := q.Decode(&k); err != nil {
		return err
	}
	a, err := s.find(k)
	if err != nil {
		return err
	}
	files := map[string]string{}
	c, err := a.Code()
	if c == nil && err != nil {
		return &Error{"RuntimeError", err.Error()}
	}
	if c != nil {
		for _, f := range c.Files {
			files[f.Path] = f.Text
		}
	}
	return q.Answer(files)
}
