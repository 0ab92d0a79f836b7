package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/compare/sample"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// Counts are how many entities of a class got each word.
type Counts struct {
	More, Less, Same, NotClear, CannotTell, OnlyOld, OnlyNew int
}

// Count counts the words of the entities of some classes.
func (c *Comparison) Count(classes ...Class) Counts {
	var n Counts
	is := func(r *Row) bool {
		for _, k := range classes {
			if r.Class == k {
				return true
			}
		}
		return false
	}
	for _, r := range c.Rows {
		if !is(r) {
			continue
		}
		switch r.Time.Word {
		case sample.TakesMore:
			n.More++
		case sample.TakesLess:
			n.Less++
		case sample.Same:
			n.Same++
		case sample.NotClear:
			n.NotClear++
		default:
			n.CannotTell++
		}
	}
	for _, r := range c.OnlyOld {
		if is(r) {
			n.OnlyOld++
		}
	}
	for _, r := range c.OnlyNew {
		if is(r) {
			n.OnlyNew++
		}
	}
	return n
}

// noise is what is said where noise cannot be known.
const noise = "one run each: noise is unknown; the typical run-to-run spread of ncu with locked clocks is 0.2-0.4 %, of timelines 1-3 %"

// Verdict is the first line of a comparison.
func (c *Comparison) Verdict() string {
	if c.Paired {
		return c.pairVerdict()
	}
	var parts []string
	why := ""
	noun, nouns := "kernel", "kernels"
	classes := []Class{Kernel}
	if c.Kind == Benchmarks {
		noun, nouns, classes = "benchmark", "benchmarks", []Class{Benchmark}
	}
	n := c.Count(classes...)
	matched := n.More + n.Less + n.Same + n.NotClear + n.CannotTell
	switch {
	case c.Shared && c.Equal():
		parts = append(parts, "nothing differs: both sides hold the same measurement")
	case matched == 0:
		parts = append(parts, "no "+noun+" is on both sides"+c.others())
	case c.Verdicts():
		if n.More > 0 {
			parts = append(parts, counted(n.More, noun+" takes", nouns+" take")+" more time")
		}
		if n.Less > 0 {
			if n.More > 0 {
				parts = append(parts, strconv.Itoa(n.Less)+" less")
			} else {
				parts = append(parts, counted(n.Less, noun+" takes", nouns+" take")+" less time")
			}
		}
		if n.Same > 0 {
			parts = append(parts, strconv.Itoa(n.Same)+" the same")
		}
		if n.NotClear > 0 {
			parts = append(parts, strconv.Itoa(n.NotClear)+" not clear")
		}
		if n.CannotTell > 0 {
			parts = append(parts, strconv.Itoa(n.CannotTell)+" without a verdict")
		}
	default:
		up, down := 0, 0
		for _, r := range c.Rows {
			if (r.Class == Kernel || r.Class == Benchmark) && r.Time.Ratio.OK {
				switch {
				case r.Time.Ratio.Value >= 1+c.Rules.Threshold:
					up++
				case r.Time.Ratio.Value <= 1/(1+c.Rules.Threshold):
					down++
				}
			}
		}
		untimed := c.untimed()
		if untimed == matched {
			parts = append(parts, fmt.Sprintf("no times: %s on both sides, of which nothing tells how long; --metrics compares what was measured", counted(matched, noun+" is", nouns+" are")))
			break
		}
		parts = append(parts, fmt.Sprintf("of %s %d measured more time and %d less, by %s or beyond", counted(matched, noun, nouns), up, down, percentOf(c.Rules.Threshold)))
		if untimed > 0 {
			parts = append(parts, strconv.Itoa(untimed)+" without a time")
		}
		why = c.cannotTell()
	}
	if n.OnlyOld > 0 {
		parts = append(parts, strconv.Itoa(n.OnlyOld)+" only old")
	}
	if n.OnlyNew > 0 {
		parts = append(parts, strconv.Itoa(n.OnlyNew)+" only new")
	}
	text := strings.Join(parts, ", ")
	if why != "" {
		text += "; " + why
	}
	if s := c.clockShare(); s != "" {
		text += "; " + s
	}
	return text
}

// others tells what else is on both sides.
func (c *Comparison) others() string {
	var parts []string
	for _, k := range []struct {
		class     Class
		one, many string
	}{{API, "call", "calls"}, {Range, "range", "ranges"}, {Copy, "kind of copy", "kinds of copies"}} {
		n := 0
		for _, r := range c.Rows {
			if r.Class == k.class {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, counted(n, k.one, k.many))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ", but " + strings.Join(parts, ", ")
}

// untimed counts the matched kernels and benchmarks of which a side has no value.
func (c *Comparison) untimed() int {
	n := 0
	for _, r := range c.Rows {
		if old, new := r.Time.Medians(); (r.Class == Kernel || r.Class == Benchmark) && (math.IsNaN(old) || math.IsNaN(new)) {
			n++
		}
	}
	return n
}

func percentOf(share float64) string {
	return strconv.FormatFloat(math.Round(share*1e4)/100, 'g', -1, 64) + " %"
}

// cannotTell says why there is no verdict and how many runs would give one.
func (c *Comparison) cannotTell() string {
	if c.Shared {
		return "a measurement is on both sides, so no verdict"
	}
	if c.Single() {
		if c.Old[0].Coarse && c.New[0].Coarse {
			return "no verdict, one run each"
		}
		return "no verdict, " + noise
	}
	need := c.Rules.RunsToDecide()
	old, new := max(0, need-len(c.Old)), max(0, need-len(c.New))
	return fmt.Sprintf("cannot tell, needs %s (has %d + %d, %d a side decide)", moreRuns(old, new), len(c.Old), len(c.New), need)
}

func moreRuns(old, new int) string {
	switch {
	case old > 0 && new > 0:
		return fmt.Sprintf("%d more old and %d more new runs", old, new)
	case old > 0:
		return counted(old, "more old run", "more old runs")
	}
	return counted(new, "more new run", "more new runs")
}

// Equal reports whether every value is the same on both sides.
func (c *Comparison) Equal() bool {
	for _, r := range c.Rows {
		if old, new := r.Time.Medians(); old != new && !(math.IsNaN(old) && math.IsNaN(new)) {
			return false
		}
	}
	return len(c.OnlyOld)+len(c.OnlyNew) == 0
}

// clockShare says how much of the change of all time the clock explains: what
// the new side would have taken at the old clock is its time times the ratio of
// clocks.
func (c *Comparison) clockShare() string {
	var old, new, atOld float64
	moved := false
	for _, r := range c.Rows {
		if r.Class != Kernel && r.Class != Benchmark || !r.Clock.Ratio.OK || !r.Time.IsTime() {
			continue
		}
		o, n := r.Time.Medians()
		if math.IsNaN(o) || math.IsNaN(n) {
			continue
		}
		a, b := r.Calls()
		old, new, atOld = old+o*a, new+n*b, atOld+n*b*r.Clock.Ratio.Value
		moved = moved || r.ClockMoved()
	}
	if !moved || old == 0 || new == 0 {
		return ""
	}
	whole, clock := 100*(new/old-1), 100*(new/atOld-1)
	if math.Abs(whole) < 0.05 || whole*clock < 0 {
		return fmt.Sprintf("the clock differs by %s, without which all would take %s", Percent(atOld/new), moreOrLess(atOld/old))
	}
	return fmt.Sprintf("the clock explains %.1f of %.1f %%", math.Abs(clock), math.Abs(whole))
}

// Total is the time of all matched kernels a side, in the unit of the first.
func (c *Comparison) Total() (old, new float64, unit string) {
	for _, r := range c.Rows {
		if r.Class != Kernel && r.Class != Benchmark {
			continue
		}
		o, n := r.Time.Medians()
		if math.IsNaN(o) || math.IsNaN(n) || unit != "" && r.Time.Unit != unit {
			continue
		}
		a, b := 1.0, 1.0
		if c.Kind == Launches {
			a, b = r.Calls()
		}
		old, new, unit = old+o*a, new+n*b, r.Time.Unit
	}
	return old, new, unit
}

// Scaled writes two numbers of a unit in one scale: "291.9", "309.4", "ms".
func Scaled(old, new float64, unit string) (a, b, scaled string) {
	u := metric.ParseUnit(unit)
	top := 0.0
	for _, v := range []float64{old, new} {
		if math.Abs(v) > top {
			top = math.Abs(v)
		}
	}
	s := u.Auto(top)
	return short(s.Apply(old)), short(s.Apply(new)), s.UnitString(metric.Current)
}

// short writes a number with four digits at least.
func short(v float64) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case math.Abs(v) >= 1000 || v == math.Trunc(v):
		return strconv.FormatFloat(v, 'f', 0, 64)
	case math.Abs(v) >= 100:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case math.Abs(v) >= 10:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case math.Abs(v) >= 1:
		return strconv.FormatFloat(v, 'f', 3, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// Arrow writes a change as "291.9 → 309.4 ms".
func Arrow(old, new float64, unit string) string {
	a, b, u := Scaled(old, new, unit)
	return strings.TrimSpace(a + " → " + b + " " + u)
}

// IntervalText writes the interval of a ratio: "+5.1 … +6.9 %".
func IntervalText(e sample.Estimate) string {
	if !e.Interval.OK {
		return ""
	}
	low, high := Percent(e.Low), Percent(e.High)
	if strings.HasSuffix(low, " %") && strings.HasSuffix(high, " %") {
		low = strings.TrimSuffix(low, " %")
	}
	return low + " … " + high
}

// Text is a detail in a few words: "registers 128 → 168".
func (d *Detail) Text() string {
	switch d.Kind {
	case FindingGained, FindingLost:
		s := string(d.Kind) + ": " + d.What
		if d.Finding.Speedup > 0 {
			s += fmt.Sprintf(" (est. %.0f %%)", d.Finding.Speedup)
		}
		return s
	case LineMoved:
		return fmt.Sprintf("%s:%d %.1f → %.1f %% of stalls", d.File, d.Line, d.Old, d.New)
	}
	if len(d.Texts) == 2 {
		return d.What + " " + d.Texts[0] + " → " + d.Texts[1]
	}
	if d.Kind == MetricMoved && !math.IsNaN(d.Ratio) && !strings.Contains(d.Unit, "%") {
		return d.What + " " + Percent(d.Ratio)
	}
	return d.What + " " + Arrow(d.Old, d.New, d.Unit)
}

// sortByWord puts what takes more first, then less, then what is not clear;
// within one word by how far it moved.
func sortByWord(rows []*Row) {
	rank := map[sample.Verdict]int{sample.TakesMore: 0, sample.TakesLess: 1, sample.NotClear: 2}
	slices.SortStableFunc(rows, func(a, b *Row) int {
		return cmp.Or(cmp.Compare(rank[a.Time.Word], rank[b.Time.Word]), cmp.Compare(math.Abs(math.Log(b.Time.Ratio.Value)), math.Abs(math.Log(a.Time.Ratio.Value))))
	})
}
