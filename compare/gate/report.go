package gate

import (
	"cmp"
	"slices"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/compare/policy"
)

// Status is how a result ended.
type Status uint8

// The statuses, the worst first.
const (
	Broken        Status = iota // a limit is broken, or a finding forbidden
	Missing                     // a rule names what is not there
	NotComparable               // the sides differ in more than the code
	Undecided                   // too few runs to call anything
	Warning                     // what the policy asks only to warn of
	NotClear                    // neither broken nor shown to hold: no alarm
	Note
	Passed
)

// String is the status in a word.
func (s Status) String() string {
	return [...]string{"broken", "missing", "not comparable", "undecided", "warning", "not clear", "note", "passed"}[min(s, Passed)]
}

// Rule is the kind of a limit, by which alerts are grouped.
type Rule string

// The rules.
const (
	Increase      Rule = "time-increase"
	Decrease      Rule = "decrease"
	Absolute      Rule = "absolute-limit"
	Exact         Rule = "exact-value"
	Launched      Rule = "launch-count"
	Forbidden     Rule = "forbidden-finding"
	Required      Rule = "required-finding"
	MissingKernel Rule = "missing-kernel"
	MissingMetric Rule = "missing-metric"
	NewKernel     Rule = "new-kernel"
	Unlike        Rule = "not-comparable"
	TooFew        Rule = "undecided"
)

// rules are all rules with what they say.
var rules = []struct {
	Rule Rule
	Text string
}{
	{Increase, "A metric increased over the baseline by more than the limit"},
	{Decrease, "A metric decreased below the baseline by more than the limit"},
	{Absolute, "A metric is beyond an absolute limit"},
	{Exact, "An attribute of the launch or a count is not what the policy says"},
	{Launched, "A kernel was launched more or less often than the policy says"},
	{Forbidden, "A rule of the profiler found what the policy forbids"},
	{Required, "A rule of the profiler did not find what the policy requires"},
	{MissingKernel, "A rule of the policy matches no kernel, range or benchmark"},
	{MissingMetric, "A metric that the policy names was not collected"},
	{NewKernel, "A kernel that no rule and no baseline knows"},
	{Unlike, "The sides differ in more than the code, so that they cannot be compared"},
	{TooFew, "Too few runs to call anything"},
}

// A Result is what became of one limit for one kernel.
type Result struct {
	Status  Status
	Rule    Rule
	Section string // kernels, timeline, benchmarks
	Name    string // of the kernel, range or benchmark; of a missing one the pattern
	Launch  string // grid × block
	Metric  string
	Limit   string // in words: "max_increase 3%"
	Text    string // one line
	Change  *compare.Change
	Row     *compare.Row // nil where there is none
	Policy  policy.Place // of the limit
	File    string       // source, "" where the report has none
	Line    int
	Related *compare.Comparison
}

// A Report is the answer of the gate.
type Report struct {
	Policy      *policy.Policy
	Comparisons []*compare.Comparison // by kind of runs; of a kind without baseline none
	Results     []Result              // the worst first
	Old, New    int                   // runs a side, of all kinds
}

// The exit statuses of check.
const (
	exitPassed    = 0
	ExitBroken    = 1
	ExitUndecided = 4
)

// Exit is the status that check ends with.
func (r *Report) Exit() int {
	undecided := false
	for i := range r.Results {
		switch r.Results[i].Status {
		case Broken, Missing, NotComparable:
			return ExitBroken
		case Undecided:
			undecided = true
		}
	}
	if undecided {
		return ExitUndecided
	}
	return exitPassed
}

// count is how many results have a status.
func (r *Report) count(s Status) int {
	n := 0
	for i := range r.Results {
		if r.Results[i].Status == s {
			n++
		}
	}
	return n
}

// sort puts the worst first, and among equals those that moved most.
func (r *Report) sort() {
	slices.SortStableFunc(r.Results, func(a, b Result) int {
		return cmp.Or(cmp.Compare(a.Status, b.Status), cmp.Compare(weight(&b), weight(&a)))
	})
}

// weight is how much a result moved.
func weight(r *Result) float64 {
	if r.Change == nil || !r.Change.Ratio.OK {
		return 0
	}
	return r.Change.Ratio.Value
}

// First is the verdict in a line.
func (r *Report) First() string {
	word := func(n int, one, many string) string {
		if n == 1 {
			return "1 " + one
		}
		return itoa(n) + " " + many
	}
	var parts []string
	add := func(n int, one, many string) {
		if n > 0 {
			parts = append(parts, word(n, one, many))
		}
	}
	add(r.count(Broken), "limit broken", "limits broken")
	add(r.count(Missing), "missing", "missing")
	add(r.count(NotComparable), "not comparable", "not comparable")
	add(r.count(Undecided), "undecided", "undecided")
	add(r.count(Warning), "warning", "warnings")
	add(r.count(NotClear), "not clear", "not clear")
	add(r.count(Passed), "passed", "passed")
	head := "failed"
	switch r.Exit() {
	case exitPassed:
		head = "passed"
	case ExitUndecided:
		head = "undecided"
	}
	text := head
	for i, p := range parts {
		if i == 0 {
			text += ": " + p
		} else {
			text += ", " + p
		}
	}
	return text
}
