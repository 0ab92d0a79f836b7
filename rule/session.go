package rule

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/internal/carry"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/rule/python"
)

// session is a running interpreter: jobs go in, events come out.
type session struct {
	host    *Host
	process *python.Process
	service *python.Service
	reports map[*profile.Report]int
	places  map[*profile.Action]place
	cancel  context.CancelFunc
	jobs    chan any
	events  chan event
	ended   chan struct{}
	err     error // how the interpreter ended
	printed strings.Builder
	over    bool // printed more than it may
}

// place is how the program names an action.
type place struct {
	Report int `json:"report"`
	Range  int `json:"range"`
	Action int `json:"action"`
}

// An event is what the program told. One field is set.
type event struct {
	begun   bool
	loaded  *loadedRecord
	applied *appliedRecord
}

func newSession(ctx context.Context, h *Host) (*session, error) {
	p, err := h.start(ctx, python.Program{Main: "gpuprof_rules", Files: h.mounts})
	if err != nil {
		return nil, err
	}
	s := &session{host: h, process: p, service: &python.Service{SASS: h.options.SASS}, reports: map[*profile.Report]int{},
		places: map[*profile.Action]place{}, jobs: make(chan any), events: make(chan event), ended: make(chan struct{})}
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.cancel = cancel
	go func() {
		defer close(s.ended)
		if fault := carry.Catch(func() { s.err = p.Serve(run, s, python.Output{Print: s.print}) }); fault != nil {
			s.err = fault
		}
	}()
	return s, nil
}

func (s *session) stop() {
	s.cancel()
	<-s.ended
}

// print keeps what the program prints, until that is too much.
func (s *session) print(_ string, text []byte) error {
	if s.printed.Len()+len(text) > s.host.options.Printed {
		s.over = true
		return fmt.Errorf("printed more than %d bytes", s.host.options.Printed)
	}
	s.printed.Write(text)
	return nil
}

// Handle implements python.Handler.
func (s *session) Handle(ctx context.Context, q *python.Request) error {
	var e event
	switch q.Op {
	case "next":
		select {
		case job := <-s.jobs:
			if a, ok := job.(*applyJob); ok {
				s.service.Overlay = a.overlay
			}
			return q.Answer(job)
		case <-ctx.Done():
			return python.Stop(context.Cause(ctx))
		}
	case "begin":
		e.begun = true
	case "loaded":
		e.loaded = &loadedRecord{}
		if err := q.Decode(e.loaded); err != nil {
			return python.Stop(err)
		}
	case "applied":
		e.applied = &appliedRecord{}
		if err := q.Decode(e.applied); err != nil {
			return python.Stop(err)
		}
		e.applied.printed = s.printed.String()
		s.printed.Reset()
	default:
		return s.service.Handle(ctx, q)
	}
	select {
	case s.events <- e:
		return nil
	case <-ctx.Done():
		return python.Stop(context.Cause(ctx))
	}
}

// send hands a job to the program.
func (s *session) send(ctx context.Context, job any) error {
	select {
	case s.jobs <- job:
		return nil
	case <-s.ended:
		return s.gone()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// gone says why the interpreter ended.
func (s *session) gone() error {
	if s.err != nil {
		return s.err
	}
	return errGone
}

// next waits for an event. Stopped is why the program could not go on: it took
// too long or ended; err is the end of ctx.
func (s *session) next(ctx context.Context, deadline <-chan time.Time) (e event, stopped, err error) {
	select {
	case e = <-s.events:
		return e, nil, nil
	case <-ctx.Done():
		return e, nil, context.Cause(ctx)
	case <-deadline:
		s.stop()
		return e, &slowError{s.host.options.Time}, nil
	case <-s.ended:
		return e, s.gone(), nil
	}
}

// load has the program load a file.
func (s *session) load(ctx context.Context, l load) (a *loadedRecord, stopped, err error) {
	job := struct {
		Job    string `json:"job"`
		Path   string `json:"path"`
		Text   string `json:"text,omitempty"`
		Code   []byte `json:"code,omitempty"`
		Number int    `json:"number"`
	}{"load", l.file.guest, l.file.text, nil, l.number}
	if l.file.stock && s.host.code != nil {
		if job.Code = s.host.code(l.file.guest, []byte(l.file.text)); job.Code != nil {
			job.Text = ""
		}
	}
	if err := s.send(ctx, job); err != nil {
		return nil, nil, err
	}
	timer := time.NewTimer(s.host.options.Time)
	defer timer.Stop()
	for {
		e, stopped, err := s.next(ctx, timer.C)
		if stopped != nil || err != nil {
			return nil, stopped, err
		}
		if e.loaded != nil {
			s.printed.Reset()
			return e.loaded, nil, nil
		}
	}
}

// place names an action to the program.
func (s *session) place(r *profile.Report, a *profile.Action) (place, error) {
	if _, ok := s.reports[r]; !ok {
		n := s.service.Add(r)
		s.reports[r] = n
		for i := range r.Ranges {
			for k, a := range r.Ranges[i].Actions {
				s.places[a] = place{n, i, k}
			}
		}
	}
	p, ok := s.places[a]
	if !ok {
		return p, errors.New("the action is not of the report")
	}
	return p, nil
}
