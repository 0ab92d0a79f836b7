package python

import (
	"context"

	"github.com/gpuprof/gpuprof/profile"
)

func (s *Service) place(_ context.Context, q *Request) error {
	var k struct {
		at
		Address uint64
		SASS    bool // the instruction alone, which takes a disassembler
	}
	if err := q.Decode(&k); err != nil {
		return err
	}
	a, err := s.find(k.at)
	if err != nil {
		return err
	}
	if k.SASS {
		p := placeRecord{}
		if s.SASS != nil {
			p.SASS = s.SASS(a, k.Address)
		}
		return q.Answer(p)
	}
	p, err := s.placeOf(a, k.Address)
	if err != nil {
		return &Error{"RuntimeError", err.Error()}
	}
	return q.Answer(p)
}

// placeRecord is what is known of an instruction; parts that are not known are
// "" and 0.
type placeRecord struct {
	File string `json:"file"`
	Line int    `json:"line"`
	SASS string `json:"sass"`
	PTX  string `json:"ptx"`
}

func (s *Service) placeOf(a *profile.Action, pc uint64) (placeRecord, error) {
	var p placeRecord
	c, err := a.Code()
	if c == nil {
		return p, err
	}
	if c.Lines != nil {
		if at := c.Lines.At(pc); len(at) > 0 {
			p.File, p.Line = at[0].File, at[0].Line
		}
	}
	if c.PTXLines != nil {
		if at := c.PTXLines.At(pc); len(at) > 0 && at[0].Line >= 1 && at[0].Line <= len(c.PTX) {
			p.PTX = c.PTX[at[0].Line-1]
		}
	}
	return p, nil
}

func (s *Service) sourceFiles(_ context.Context, q *Request) error {
	a, err := s.named(q)
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
