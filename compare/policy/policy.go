package policy

import (
	_ "embed"
	"fmt"
	"regexp"

	"github.com/gpuprof/gpuprof/compare"
)

// Schema is the JSON Schema of the policy file.
//
//go:embed schema.json
var Schema []byte

// A Policy is what check judges by.
type Policy struct {
	File       string
	Defaults   Defaults
	Baseline   []string // patterns of files; empty: the command line names them
	Rename     []compare.Rename
	Allow      []string // differences between the sides that are allowed
	Kernels    []Kernel
	Timeline   []Timeline
	Benchmarks []Benchmark
}

// Defaults hold where a rule says nothing else.
type Defaults struct {
	Alpha       float64
	MaxIncrease Bound
	Least       int
	Undecided   Action
	Missing     Action
	New         Action
	AllowSingle bool // one run a side is judged by its ratio alone
	SkipSteps   int  // of timelines
}

// Action is what happens on a finding that is no broken limit.
type Action string

// The actions.
const (
	Fail Action = "fail"
	Warn Action = "warn"
	Note Action = "note"
)

// A Place is where something stands in the policy file.
type Place struct{ Line, Column int }

// A Pattern chooses names.
type Pattern struct {
	Text string
	re   *regexp.Regexp
}

// Match reports whether any of the names, which are forms of one, is chosen.
func (p Pattern) Match(names ...string) bool {
	for _, n := range names {
		if n != "" && p.re.MatchString(n) {
			return true
		}
	}
	return false
}

func (p Pattern) String() string { return p.Text }

// A Kernel is a rule for the kernels that it matches.
type Kernel struct {
	Place
	Match    Pattern
	Ignore   bool
	Limits   []Limit
	Min, Max int // launches; 0: no bound
	Forbid   []Finding
	Require  []Finding
}

// A Finding is a rule's finding that a kernel must not have, or must.
type Finding struct {
	Place
	Rule       string
	MinSpeedup float64 // percent; smaller ones are let pass
}

// A Limit bounds a metric. Bounds that are nil are not set.
type Limit struct {
	Place
	Metric      string
	MaxIncrease *Bound // relative to the baseline
	MaxDecrease *Bound
	Max, Min    *Quantity
	Equals      *Quantity
	Better      compare.Better // Higher turns max_increase into a bound on the decrease
	AllowSingle bool
}

// Relative reports whether the limit needs a baseline.
func (l *Limit) Relative() bool { return l.MaxIncrease != nil || l.MaxDecrease != nil }

// A Timeline is a rule for an entity of a timeline.
type Timeline struct {
	Place
	What  What
	Match Pattern // of ranges and kernels
	Of    string  // total, per_step, median or count; "": what the comparison takes
	Limit Limit
}

// What a rule for timelines is about.
type What string

// The kinds of rules for timelines.
const (
	Ranges     What = "range"
	Kernels    What = "kernel"
	DeviceIdle What = "device_idle"
	Exposed    What = "exposed_communication"
)

// A Benchmark is a rule for results of benchmarks.
type Benchmark struct {
	Place
	Match Pattern
	Limit Limit
}

// A Bound is a share, 0.03 for 3 %, or an amount with a unit.
type Bound struct {
	Share  float64
	Amount Quantity
	Units  bool // it is an amount
}

// String is the bound as a policy has it.
func (b Bound) String() string {
	if b.Units {
		return b.Amount.Text
	}
	return fmt.Sprintf("%g%%", b.Share*100)
}

// A Quantity is a number with a unit, as printed: "480ms", "128", "15%".
type Quantity struct {
	Text string
	V    float64 // in the base unit: ns, byte, hz, % as they are stored
	Kind string  // second, byte, hz, %, or "" for a bare number
}

// An Error is a mistake in a policy file.
type Error struct {
	File         string
	Line, Column int
	What         string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.What) }
