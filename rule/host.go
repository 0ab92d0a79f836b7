package rule

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/rule/python"
)

// Options of a Host; the zero value is good.
type Options struct {
	// Python is the path of the user's own Python, 3.11 or later; "" means the
	// one that gpuprof carries.
	Python string
	// Cache is the folder for compiled code; python.CacheDir is the usual one,
	// "" keeps nothing.
	Cache string
	// Launcher is the command that confines the user's own Python; see
	// python.NewNative.
	Launcher []string
	Memory   int64         // bytes that rules may take together; 0: 256 MB
	Time     time.Duration // that one rule may take for a launch; 0: 10 s
	Printed  int           // bytes that one rule may print for a launch; 0: 1 MB
	// SASS returns the instruction at an address of an action's code as text; may
	// be nil.
	SASS func(a *profile.Action, address uint64) string
	// Warn is told once if rules run unconfined, and of rules that are turned off;
	// may be nil.
	Warn func(string)
}

func (o Options) withDefaults() Options {
	if o.Memory == 0 {
		o.Memory = python.DefaultMemory
	}
	if o.Time == 0 {
		o.Time = 10 * time.Second
	}
	if o.Printed == 0 {
		o.Printed = 1 << 20
	}
	return o
}

// A Host runs rules. It is for one goroutine at a time.
type Host struct {
	options Options
	start   func(context.Context, python.Program) (*python.Process, error)
	close   func() error
	code    func(path string, source []byte) []byte // compiled form of a stock rule, nil if there is none
	mapped  bool                                    // folders are seen under rulesDir rather than under their own names

	rules  []*Rule // by number
	loaded []load
	mounts []python.File
	run    *session
	off    map[*Rule]error // rules that took too long, and are not run again
}

// load is a file to be loaded into a new interpreter.
type load struct {
	file   ruleFile
	number int
}

// NewHost prepares a host. The first one of a machine compiles the interpreter,
// which takes a second or two; ctx ends that, not the host.
func NewHost(ctx context.Context, o Options) (*Host, error) {
	h := &Host{options: o.withDefaults()}
	if o.Python != "" {
		n, err := python.NewNative(ctx, o.Python, o.Cache, o.Launcher, python.Limits{Memory: h.options.Memory})
		if err != nil {
			return nil, err
		}
		if n.Unconfined() != "" && o.Warn != nil {
			o.Warn(n.Unconfined())
		}
		h.start, h.close = n.Start, n.Close
		return h, nil
	}
	e, err := python.NewEngine(ctx, o.Cache, python.Limits{Memory: h.options.Memory})
	if err != nil {
		return nil, err
	}
	h.start, h.close, h.code, h.mapped = e.Start, e.Close, e.Code, true
	return h, nil
}

// Close ends the interpreter.
func (h *Host) Close() error {
	if h.run != nil {
		h.run.stop()
	}
	return h.close()
}

// Load loads the rules of sources, in addition to those loaded before, and
// returns the rules of these sources. Of two rules of one identifier the later
// one counts: a folder can replace a stock rule. Err is about the host; what is
// wrong with a file is a problem in the Set.
func (h *Host) Load(ctx context.Context, sources ...Source) (*Set, error) {
	s := &Set{}
	var files []ruleFile
	for _, src := range sources {
		fs, mounts, err := src.files(len(h.mounts), h.mapped)
		if err != nil {
			return nil, err
		}
		files = append(files, fs...)
		h.mounts = append(h.mounts, mounts...)
	}
	h.reset() // another interpreter sees the new folders
	byID := map[string]int{}
	for _, f := range files {
		r, problem, err := h.loadFile(ctx, f)
		switch {
		case err != nil:
			return nil, err
		case problem != nil:
			s.Problems = append(s.Problems, problem)
		case r != nil:
			if i, ok := byID[r.ID]; ok {
				s.Rules[i] = r
				continue
			}
			byID[r.ID] = len(s.Rules)
			s.Rules = append(s.Rules, r)
		}
	}
	var circles []*LoadError
	s.Rules, circles = inOrder(s.Rules)
	s.Problems = append(s.Problems, circles...)
	return s, nil
}

// loadFile returns the rule in a file, or the problem, or neither if the file is
// a module without a rule.
func (h *Host) loadFile(ctx context.Context, f ruleFile) (*Rule, *LoadError, error) {
	if err := h.ready(ctx); err != nil {
		return nil, nil, err
	}
	l := load{file: f, number: len(h.rules)}
	a, stopped, err := h.run.load(ctx, l)
	switch {
	case err != nil:
		return nil, nil, err
	case stopped != nil:
		h.reset()
		return nil, &LoadError{File: f.shown, Text: stopped.Error()}, nil
	case a.Error != nil:
		return nil, &LoadError{File: f.shown, Line: a.Error.Line, Text: a.Error.Text}, nil
	case a.Rule == nil:
		return nil, nil, nil
	}
	r := &Rule{ID: a.Rule.ID, Name: a.Rule.Name, Description: a.Rule.Description, Section: a.Rule.Section,
		Parents: a.Rule.Parents, Metrics: a.Rule.Metrics, Rules: a.Rule.Rules, File: f.shown, Stock: f.stock, number: l.number}
	h.rules = append(h.rules, r)
	h.loaded = append(h.loaded, l)
	return r, nil, nil
}

func (h *Host) reset() {
	if h.run != nil {
		h.run.stop()
		h.run = nil
	}
}

// ready starts an interpreter with all rules if none runs.
func (h *Host) ready(ctx context.Context) error {
	if h.run != nil {
		return nil
	}
	s, err := newSession(ctx, h)
	if err != nil {
		return err
	}
	for i := range h.loaded {
		a, stopped, err := s.load(ctx, h.loaded[i])
		if err == nil && stopped != nil {
			err = stopped
		}
		if err == nil && a.Error != nil {
			err = errors.New(a.Error.Text)
		}
		if err != nil {
			s.stop()
			return fmt.Errorf("%s loaded once and not again: %w", h.loaded[i].file.shown, err)
		}
	}
	h.run = s
	return nil
}

// A slowError is why a rule was stopped that took longer than it may.
type slowError struct{ limit time.Duration }

func (e *slowError) Error() string { return fmt.Sprintf("took more than %v", e.limit) }

var errGone = errors.New("the interpreter ended by itself")
