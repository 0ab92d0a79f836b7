package sample

import "math"

// A Verdict is the word for a kernel.
type Verdict uint8

// The verdicts, in the order in which the first that holds is taken.
const (
	CannotTell  Verdict = iota // too few runs: no result could have been called
	TakesMore                  // more, by the threshold or beyond
	TakesLess                  // less, by the threshold or beyond
	Same                       // the interval lies within the threshold
	NotClear                   // neither different nor the same
	verdictsEnd                // must be last
)

// String is the verdict in the words of oracles and of JSON.
func (v Verdict) String() string {
	if v >= verdictsEnd {
		return "not clear"
	}
	return [...]string{"cannot tell", "more", "less", "same", "not clear"}[v]
}

// Rules are what a verdict keeps to.
type Rules struct {
	Alpha     float64 // chance of calling anything of the family though nothing changed
	Threshold float64 // least change that matters: 0.02 is 2 %
	Least     int     // runs that each side must have
	TwoSided  bool    // ask whether it differs, not whether it takes more
}

// defaults are the rules of the gate.
var defaults = Rules{Alpha: 0.05, Threshold: 0.02, Least: 3}

// Level is that of the intervals which verdicts rest on.
const Level = 0.9

// Decides reports whether n old and m new runs can call anything.
func (r Rules) Decides(n, m int) bool {
	side := More
	if r.TwoSided {
		side = Either
	}
	return n >= r.Least && m >= r.Least && leastP(n, m, side) <= r.Alpha*(1+1e-12)
}

// Judge gives the verdict on an estimated ratio with its p values. Two-sided
// rules take pMore and pLess to be the two-sided p, both.
func (r Rules) Judge(n, m int, e Estimate, pMore, pLess float64) Verdict {
	top := 1 + r.Threshold
	return r.judge(n, m, e, pMore, pLess, 1/top, top)
}

// JudgeShift gives the verdict on an estimated difference, with the threshold
// in its unit.
func (r Rules) JudgeShift(n, m int, e Estimate, pMore, pLess, threshold float64) Verdict {
	return r.judge(n, m, e, pMore, pLess, -threshold, threshold)
}

func (r Rules) judge(n, m int, e Estimate, pMore, pLess, low, high float64) Verdict {
	slack := r.Alpha * (1 + 1e-12)
	switch {
	case !r.Decides(n, m) || !e.OK:
		return CannotTell
	case pMore <= slack && e.Value >= high:
		return TakesMore
	case pLess <= slack && e.Value <= low:
		return TakesLess
	case e.Interval.OK && e.Low >= low && e.High <= high:
		return Same
	}
	return NotClear
}

// RunsToTell is about how many runs a side would show a kernel of such a spread
// to be the same, in four of five cases, if nothing changed; 0 if that is not
// known. A kernel alone: with many, more.
func (r Rules) RunsToTell(spread float64) int {
	if !(spread > 0) || r.Threshold <= 0 {
		return 0
	}
	s := (1.64 + 1.28) * spread / math.Log1p(r.Threshold)
	n := math.Ceil(2 * s * s)
	if n > 1e6 {
		return 0
	}
	return max(int(n), r.Least)
}

// RunsToDecide is the least number of runs a side that can call anything.
func (r Rules) RunsToDecide() int {
	for n := max(1, r.Least); n < 64; n++ {
		if r.Decides(n, n) {
			return n
		}
	}
	return 64
}
