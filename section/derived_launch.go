package section

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/section/expr"
)

// A Problem says why a derived metric could not be computed, or what is doubtful
// about it.
type Problem struct {
	Section string // identifier of the section with the definition
	Metric  string
	Err     error // *MissingError, *CycleError, *AmbiguousError, *expr.SyntaxError, *expr.ValueError or else
}

func (p Problem) Error() string {
	return fmt.Sprintf("section %s: derived metric %s: %v", p.Section, p.Metric, p.Err)
}

// Unwrap returns the cause.
func (p Problem) Unwrap() error { return p.Err }

// A MissingError names the operands that a launch does not have, or has without
// a value.
type MissingError struct{ Names []string }

func (e *MissingError) Error() string { return "the launch has no " + strings.Join(e.Names, ", ") }

// A cycleError names metrics each of which needs the next, the last the first.
type cycleError struct{ Names []string }

func (e *cycleError) Error() string {
	return "needs itself: " + strings.Join(e.Names, " -> ") + " -> " + e.Names[0]
}

// An ambiguousError says that another section defines the metric differently;
// the first definition counts.
type ambiguousError struct {
	Section    string // the other one
	Used, Left string // the expressions; "" for one that could not be read
}

func (e *ambiguousError) Error() string {
	return fmt.Sprintf("section %s defines it as %q; %q is used", e.Section, e.Left, e.Used)
}

// maxChain bounds how many definitions may need one another in turn.
const maxChain = 1000

// A derivingLaunch computes the metrics of one launch, each when it is needed,
// so that the order of the definitions does not matter.
type derivingLaunch struct {
	*Deriver
	target   Target
	set      *profile.MetricSet
	states   []derivedState           // for each of Deriver.metrics; nil until the first is computed
	operands map[string]*expr.Operand // metrics of the launch that have been operands
	chain    []int                    // the metrics being computed, each for the one before it
	problems []Problem
}

type derivedState struct {
	progress progress
	result   *expr.Operand // nil if it could not be computed
	err      error         // why not
}

type progress uint8

const (
	untouched progress = iota
	begun
	done
)

// metric computes metric i of the Deriver.
func (l *derivingLaunch) metric(i int) {
	if l.states == nil {
		l.states = make([]derivedState, len(l.metrics))
	}
	s, m := &l.states[i], &l.metrics[i]
	if s.progress != untouched {
		return
	}
	s.progress = begun
	l.chain = append(l.chain, i)
	if x, other := m.choose(l.target); x != nil {
		if other != nil {
			l.fail(i, x, ambiguous(x, other))
		}
		if s.result, s.err = l.compute(i, x); s.err != nil {
			s.result = nil
			l.fail(i, x, s.err)
		}
	}
	l.chain = l.chain[:len(l.chain)-1]
	s.progress = done
}

func (l *derivingLaunch) fail(i int, x *derivation, err error) {
	l.problems = append(l.problems, Problem{Section: x.section.Identifier, Metric: l.metrics[i].name, Err: err})
}

func ambiguous(used, left *derivation) error {
	e := &ambiguousError{Section: left.section.Identifier}
	if used.expr != nil {
		e.Used = used.expr.String()
	}
	if left.expr != nil {
		e.Left = left.expr.String()
	}
	return e
}

func (l *derivingLaunch) compute(i int, x *derivation) (*expr.Operand, error) {
	switch {
	case x.err != nil:
		return nil, x.err
	case len(l.chain) > maxChain:
		return nil, fmt.Errorf("expected at most %d definitions that need one another in turn, found more", maxChain)
	}
	operands := make([]*expr.Operand, len(x.needs))
	var missing []string
	for k, name := range x.expr.Names() {
		o, err := l.operand(name, x.needs[k])
		var cycle *cycleError
		if errors.As(err, &cycle) && slices.Contains(cycle.Names, l.metrics[i].name) {
			return nil, err
		}
		if o == nil {
			missing = append(missing, name)
		}
		operands[k] = o
	}
	if missing != nil {
		return nil, &MissingError{Names: missing}
	}
	return x.expr.Eval(operands, l.options.Rules)
}

// operand finds the metric of a name, derived metric i if i is not negative; nil
// if there is none. The error is that of a derived metric, which may still be
// one that the launch has.
func (l *derivingLaunch) operand(name string, i int) (*expr.Operand, error) {
	var err error
	if i >= 0 && (l.options.Force || l.set.Lookup(name) == nil) {
		if l.states[i].progress == begun {
			return nil, l.cycle(i)
		}
		if l.metric(i); l.states[i].result != nil {
			return l.states[i].result, nil
		}
		err = l.states[i].err
	}
	if o, ok := l.operands[name]; ok {
		return o, nil
	}
	m := l.set.Lookup(name)
	if m == nil || m.Value.Kind() == metric.KindNone && m.NumInstances() == 0 {
		return nil, err
	}
	o := expr.Of(m)
	if l.operands == nil {
		l.operands = map[string]*expr.Operand{}
	}
	l.operands[name] = &o
	return &o, nil
}

// cycle is the error of metric i, which is being computed and needed again.
func (l *derivingLaunch) cycle(i int) error {
	e := &cycleError{}
	for _, k := range l.chain[slices.Index(l.chain, i):] {
		e.Names = append(e.Names, l.metrics[k].name)
	}
	return e
}
