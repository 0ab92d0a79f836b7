package compare

import (
	"fmt"
	"math"
	"strings"

	"github.com/gpuprof/gpuprof/compare/sample"
)

// pair makes one row of two runs that hold one launch each, whatever these are
// called, and reports whether it did: who names two launches wants them beside each other.
func (c *Comparison) pair() bool {
	if len(c.Old) != 1 || len(c.New) != 1 || len(c.Old[0].Entities) != 1 || len(c.New[0].Entities) != 1 {
		return false
	}
	old, new := c.Old[0].Entities[0], c.New[0].Entities[0]
	c.Rows = []*Row{{Class: Kernel, Old: []*Entity{old}, New: []*Entity{new}, Loose: old.Full != new.Full}}
	return true
}

// pairVerdict is the first line where two launches are compared: "tiled takes 53.4 %
// less time than naive (210.5 → 98.08 us)".
func (c *Comparison) pairVerdict() string {
	r := c.Rows[0]
	before := "before"
	if old, new := r.OldEntity(), r.NewEntity(); old.Base != new.Base {
		before = old.Base
	}
	old, new := r.Time.Medians()
	arrow := Arrow(old, new, r.Time.Unit)
	switch {
	case c.Shared && c.Equal():
		return "nothing differs: both are the same measurement"
	case !r.Time.Ratio.OK:
		missing := "neither was"
		if !math.IsNaN(new) && math.IsNaN(old) {
			missing = "the old launch was not"
		} else if math.IsNaN(new) && !math.IsNaN(old) {
			missing = "the new launch was not"
		}
		return r.NewEntity().Base + ": times cannot be compared, " + missing + " measured"
	case math.Abs(math.Log(r.Time.Ratio.Value)) < math.Log1p(c.Rules.Threshold):
		return fmt.Sprintf("%s takes the same time as %s within %s (%s)", r.NewEntity().Base, before, percentOf(c.Rules.Threshold), arrow)
	}
	word, than := sample.TakesMore, " than "
	switch {
	case r.Time.Ratio.Value < 1:
		word = sample.TakesLess
	case r.Time.Ratio.Value >= 3 && before == "before":
		than = " "
	case r.Time.Ratio.Value >= 3:
		than = " of "
	}
	return r.NewEntity().Base + " " + Sentence(word, r.Time.Ratio.Value, true) + than + before + " (" + arrow + ")"
}

// The metrics whose shares of a peak say what bounds a launch.
const (
	computePeak = "sm__throughput.avg.pct_of_peak_sustained_elapsed"
	memoryPeak  = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
)

// closest is which peak a launch comes closest to: compute or memory, "" where
// it was not measured.
func closest(e *Entity) string {
	compute, _, ok1 := e.Value(computePeak)
	memory, _, ok2 := e.Value(memoryPeak)
	switch {
	case !ok1 || !ok2:
		return ""
	case memory >= compute:
		return "memory"
	}
	return "compute"
}

// pairNotes tell what else a reader of two launches asks first: was it the same
// work, and what bounds it.
func (c *Comparison) pairNotes() {
	r := c.Rows[0]
	switch old, new := r.OldEntity(), r.NewEntity(); {
	case old.Shape != new.Shape:
		c.note(Info, "launch", "grid and block %s", r.Shapes())
	case new.Shape != "":
		c.note(Info, "launch", "the same grid and block: %s", new.Shape)
	}
	switch old, new := closest(r.OldEntity()), closest(r.NewEntity()); {
	case old == "" || new == "":
	case old == new:
		c.note(Info, "bound", "both come closest to the peak of %s", new)
	default:
		c.note(Info, "bound", "it came closest to the peak of %s, now of %s", old, new)
	}
	if !c.Shared && r.Time.Ratio.OK {
		c.note(Info, "noise", "one measurement of each: noise is unknown")
	}
}

// leastPoints is below how many points of percent a share is within the noise,
// a quarter of the threshold in percent at most. It is this project's own choice.
const leastPoints = 0.5

// Word says in one or two words how a value differs from a former one: "the same",
// "within noise", "more" or "less", or where one way is the better one "better" or
// "worse". threshold is the least change that matters, as a share.
func Word(old, new float64, unit string, better Better, threshold float64) string {
	switch {
	case math.IsNaN(old) || math.IsNaN(new):
		return ""
	case old == new:
		return "the same"
	case quiet(old, new, unit, threshold):
		return "within noise"
	case better == Neither && new > old:
		return "more"
	case better == Neither:
		return "less"
	case (new > old) == (better == Higher):
		return "better"
	}
	return "worse"
}

// quiet reports whether a difference is below what matters.
func quiet(old, new float64, unit string, threshold float64) bool {
	if unit == "%" {
		return math.Abs(new-old) < min(leastPoints, 100*threshold/4)
	}
	return new/old > 0 && math.Abs(math.Log(new/old)) < math.Log1p(threshold)
}

// Difference writes how a value differs from a former one, with its sign and in its
// unit: "−112.4 us", "+0.5 pp" of percentages, "=" of equal ones.
func Difference(old, new float64, unit string) string {
	d := new - old
	if math.IsNaN(d) || math.IsInf(d, 0) {
		return ""
	}
	sign := "+"
	switch {
	case d == 0:
		return "="
	case d < 0:
		sign = "−"
	}
	if unit == "%" {
		if math.Abs(d) < 0.05 {
			return "≈"
		}
		return signed(d) + " pp"
	}
	size, _, u := Scaled(math.Abs(d), math.Abs(d), unit)
	return strings.TrimSpace(sign + size + " " + u)
}
