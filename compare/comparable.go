package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/compare/sample"
	"github.com/gpuprof/gpuprof/steps"
)

// A Level says what a note means for a verdict.
type Level uint8

// The levels.
const (
	Info   Level = iota // good to know
	Warn                // read the numbers with care
	Refuse              // the sides cannot be compared
)

// A Note is what a reader has to know before the numbers.
type Note struct {
	Level   Level
	Subject string // the word by which a policy allows it: device, clock, graphs, work, …
	Text    string
}

func (c *Comparison) note(l Level, subject, format string, args ...any) {
	c.Notes = append(c.Notes, Note{l, subject, fmt.Sprintf(format, args...)})
}

// differing are the facts that matter when they differ, in the order in which
// they are told.
var differing = []struct {
	what  Subject
	level Level
	allow string // word of the policy
	why   string
}{
	{GPU, Refuse, "device", "times of different GPUs are not comparable"},
	{Capability, Refuse, "device", "times of different GPUs are not comparable"},
	{SMs, Refuse, "device", "times of different GPUs are not comparable"},
	{Graphs, Refuse, "graphs", "traced whole, a graph hides its kernels, so that kernels are not comparable"},
	{Partition, Warn, "partition", "a partition has a part of the GPU"},
	{PowerLimit, Warn, "power", ""},
	{ECC, Warn, "ecc", ""},
	{ClockControl, Warn, "clock-control", "times follow the clock"},
	{CacheControl, Warn, "cache-control", "warm and cold caches differ"},
	{ReplayMode, Warn, "replay", ""},
	{BuildType, Warn, "build", ""},
	{Passes, Info, "passes", "other sets of metrics; of no matter for times"},
	{Driver, Info, "driver", ""},
	{CUDA, Info, "cuda", ""},
	{Tool, Info, "tool", "metric names may mean other things"},
	{Traced, Info, "traced", "what only one side traced is there on one side only"},
	{CommandLine, Info, "command", ""},
	{Directory, Info, "command", ""},
}

// comparability looks for what makes the sides unlike but the code.
func (c *Comparison) comparability() {
	seen := map[string]bool{}
	for _, d := range differing {
		old, new := factsOf(c.Old, d.what), factsOf(c.New, d.what)
		if len(old) == 0 || len(new) == 0 || slices.Equal(old, new) {
			if d.level == Refuse && len(old) > 1 && !seen[d.allow] {
				seen[d.allow] = true
				c.note(d.level, d.allow, "each side has several: %s %s: %s", d.what, strings.Join(old, ", "), d.why)
			}
			continue
		}
		if seen[d.allow] && d.level == Refuse {
			continue
		}
		seen[d.allow] = true
		text := fmt.Sprintf("%s: %s → %s", d.what, strings.Join(old, ", "), strings.Join(new, ", "))
		if d.what == CommandLine || d.what == Directory {
			text = string(d.what) + " differs"
		}
		if d.why != "" {
			text += ": " + d.why
		}
		c.note(d.level, d.allow, "%s", text)
	}
	for _, v := range slices.Concat(factsOf(c.Old, ClockControl), factsOf(c.New, ClockControl)) {
		if v == "none" {
			c.note(Warn, "clock-control", "the clocks were not locked (clock control none), so that times scatter more")
			break
		}
	}
	if slices.Contains(slices.Concat(factsOf(c.Old, BuildType), factsOf(c.New, BuildType)), "debug") {
		c.note(Warn, "build", "the benchmark library was built for debugging")
	}
	c.clocks()
	c.windows()
	c.works()
	c.waits()
	c.order()
	c.together()
	c.extended()
	for _, side := range [][]*Run{c.Old, c.New} {
		for _, r := range side {
			for _, n := range r.Notes {
				c.note(Info, "file", "%s: %s", r.Name, n)
			}
		}
	}
	slices.SortStableFunc(c.Notes, func(a, b Note) int { return int(b.Level) - int(a.Level) })
}

// factsOf are the values of a fact on a side, each once, in byte order.
func factsOf(runs []*Run, what Subject) []string {
	var out []string
	for _, r := range runs {
		if v := r.Fact(what); v != "" && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}

// clockMoves is the least change of the clock that is told.
const clockMoves = 0.02

// clocks tells of kernels that ran at another clock: their time moved by what
// cycles and clock did, time = cycles / clock.
func (c *Comparison) clocks() {
	var ratios []float64
	n := 0
	for _, r := range c.Rows {
		if r.Clock.Ratio.OK {
			ratios = append(ratios, r.Clock.Ratio.Value)
			if r.ClockMoved() {
				n++
			}
		}
	}
	if n == 0 {
		return
	}
	m := sample.Median(ratios)
	one, many := "kernel", "kernels"
	if c.Kind == Benchmarks {
		one, many = "benchmark", "benchmarks"
	}
	text := fmt.Sprintf("the clock of %s differs by more than 2 %%", counted(n, one, many))
	if math.Abs(m-1) > clockMoves {
		text = fmt.Sprintf("the GPU's clock differs by %s (median of %s)", Percent(m), counted(len(ratios), one, many))
	}
	c.note(Warn, "clock", "%s: time = cycles / clock, so compare cycles", text)
}

// ClockMoved reports whether the clock of a row differs by more than 2 %.
func (r *Row) ClockMoved() bool {
	return r.Clock.Ratio.OK && math.Abs(math.Log(r.Clock.Ratio.Value)) > math.Log1p(clockMoves)
}

// windows tells of timelines of which a part was cut out.
func (c *Comparison) windows() {
	if c.Kind != Timeline {
		return
	}
	if c.cut() {
		c.note(Warn, "window", "the timelines are windows cut out of longer recordings: totals and counts depend on the cut, so values are per instance")
		return
	}
	old, new := windowOf(c.Old), windowOf(c.New)
	if c.stepped() {
		c.note(Info, "window", "values are per step (%s, %s)", stepsText(c.Old), stepsText(c.New))
	} else if old > 0 && new > 0 && math.Abs(math.Log(new/old)) > math.Log(1.1) {
		c.note(Info, "window", "the recordings last %.4g s and %.4g s", old/1e9, new/1e9)
	}
}

func stepsText(runs []*Run) string {
	var n []float64
	for _, r := range runs {
		n = append(n, float64(r.Window.Steps))
	}
	return fmt.Sprintf("%g steps", sample.Median(n))
}

func windowOf(runs []*Run) float64 {
	var d []float64
	for _, r := range runs {
		if r.Window.Duration > 0 {
			d = append(d, r.Window.Duration)
		}
	}
	if len(d) == 0 {
		return 0
	}
	return sample.Median(d)
}

// otherWork is the ratio of instructions beyond which a kernel of equal launch
// had another amount of work.
const otherWork = 1.2

// OtherWork reports whether a kernel, launched alike, executed so many more or
// fewer instructions that it had something else to do.
func (r *Row) OtherWork() bool {
	old, new := r.OldEntity(), r.NewEntity()
	return r.Work.Ratio.OK && old.Shape == new.Shape && registers(old) == registers(new) &&
		math.Abs(math.Log(r.Work.Ratio.Value)) > math.Log(otherWork)
}

func registers(e *Entity) float64 {
	v, _, ok := e.Value("launch__registers_per_thread")
	if !ok {
		return 0
	}
	return v
}

// works tells of kernels that had another amount of work.
func (c *Comparison) works() {
	n := 0
	var first *Row
	for _, r := range c.Rows {
		if r.OtherWork() {
			if n == 0 {
				first = r
			}
			n++
		}
	}
	if n > 0 {
		c.note(Warn, "work", "another amount of work: %s of the same launch executed other numbers of instructions (%s: %s); their times do not compare",
			counted(n, "kernel", "kernels"), first.Any().Base, Percent(first.Work.Ratio.Value))
	}
}

// waits tells of communication for which another rank waits than before: the
// shares of ranks in the time of one kernel moved by 10 points or more.
func (c *Comparison) waits() {
	if c.Kind != Timeline {
		return
	}
	by := map[string][]*Row{}
	var names []string
	for _, r := range c.Rows {
		if r.Class == Kernel && strings.HasPrefix(r.Any().Path, "rank ") && steps.IsCommunication(r.Any().Full) {
			if by[r.Any().Full] == nil {
				names = append(names, r.Any().Full)
			}
			by[r.Any().Full] = append(by[r.Any().Full], r)
		}
	}
	for _, name := range names {
		var old, new float64
		var changes []Change
		for _, r := range by[name] {
			ch := c.change(r, TotalTime)
			a, b := ch.Medians()
			old, new, changes = old+a, new+b, append(changes, ch)
		}
		moved := false
		var parts []string
		for i, r := range by[name] {
			a, b := changes[i].Medians()
			moved = moved || math.Abs(a/old-b/new) >= 0.1
			parts = append(parts, r.Any().Path+" "+Arrow(a, b, changes[i].Unit))
		}
		if moved && len(parts) > 1 {
			c.note(Info, "waits", "who waits changed: %s: %s", by[name][0].Any().Base, strings.Join(parts[:min(len(parts), 8)], ", "))
		}
	}
}

// once drops the runs of a side that hold a measurement which is there already.
func (c *Comparison) once(side string, runs []*Run) []*Run {
	var out []*Run
	for _, r := range runs {
		if i := slices.IndexFunc(out, func(o *Run) bool { return sameMeasurement(o, r) }); i >= 0 {
			c.note(Warn, "same", "%s is the same measurement as %s and counts once (%s)", r.Name, out[i].Name, side)
			continue
		}
		out = append(out, r)
	}
	return out
}

// shared tells of measurements that are on both sides.
func (c *Comparison) shared() {
	for _, o := range c.Old {
		for _, n := range c.New {
			if sameMeasurement(o, n) {
				c.Shared = true
				c.note(Warn, "same", "%s and %s are the same measurement: their numbers are equal because nothing was measured again", o.Name, n.Name)
			}
		}
	}
}

// sameMeasurement reports whether two files hold one measurement: one session,
// or durations that are equal to the nanosecond, which two runs of a GPU never
// are.
func sameMeasurement(a, b *Run) bool {
	if a == b || a.Identity != "" && a.Identity == b.Identity {
		return true
	}
	if a.Kind == Timeline && b.Kind == Timeline {
		return sameWork(a, b)
	}
	if a.Kind != Launches || b.Kind != Launches || a.Coarse || b.Coarse {
		return false
	}
	x, y := longLaunches(a), longLaunches(b)
	return len(x) >= 3 && slices.Equal(x, y) && !slices.ContainsFunc(x, func(v float64) bool { return v != math.Trunc(v) }) &&
		slices.ContainsFunc(x, func(v float64) bool { return math.Mod(v, 1000) != 0 })
}

// sameWork reports whether two timelines hold the same kernels for the same times
// to the nanosecond, as two files of one recording do.
func sameWork(a, b *Run) bool {
	times := func(r *Run) (out []string, long int) {
		for _, e := range r.Entities {
			if e.Class != Kernel {
				continue
			}
			v, _, _ := e.Value(TotalTime)
			out = append(out, fmt.Sprintf("%s\x00%s\x00%d\x00%.0f", e.Full, e.Path, e.Launches, v))
			if v >= 10_000 {
				long += e.Launches
			}
		}
		slices.Sort(out)
		return out, long
	}
	x, long := times(a)
	y, _ := times(b)
	return long >= 3 && slices.Equal(x, y)
}

// longLaunches are the durations in ns of the launches of at least 10 us, by
// entity.
func longLaunches(r *Run) []float64 {
	var out []float64
	for _, e := range r.Entities {
		each, unit := e.Source.Each(primaryOf(e))
		if unit != nanoseconds {
			continue
		}
		for _, v := range each {
			if v >= 10_000 {
				out = append(out, v)
			}
		}
	}
	return out
}

// order tells of runs that were taken one side after the other, where a drift
// looks like a change.
func (c *Comparison) order() {
	if len(c.Old) < 2 || len(c.New) < 2 {
		return
	}
	first, last := span(c.Old)
	from, to := span(c.New)
	if first.IsZero() || from.IsZero() {
		return
	}
	switch {
	case last.Before(from):
		c.note(Warn, "order", "all old runs were taken before all new ones: a drift of clocks or heat would look like a change; take them alternately")
	case to.Before(first):
		c.note(Warn, "order", "all new runs were taken before all old ones: a drift of clocks or heat would look like a change; take them alternately")
	}
}

// span is when the first and the last of some runs began; zero where one does
// not tell.
func span(runs []*Run) (first, last time.Time) {
	for i, r := range runs {
		if r.Began.IsZero() {
			return time.Time{}, time.Time{}
		}
		if i == 0 || r.Began.Before(first) {
			first = r.Began
		}
		if i == 0 || r.Began.After(last) {
			last = r.Began
		}
	}
	return first, last
}

// together tells when everything moved by the same share.
func (c *Comparison) together() {
	var ratios, clocks []float64
	for _, r := range c.Rows {
		if (r.Class == Kernel || r.Class == Benchmark) && r.Time.Ratio.OK {
			ratios = append(ratios, r.Time.Ratio.Value)
			if r.Clock.Ratio.OK {
				clocks = append(clocks, r.Clock.Ratio.Value)
			}
		}
	}
	if len(ratios) < 5 {
		return
	}
	m := sample.Median(ratios)
	near := 0
	for _, v := range ratios {
		if math.Abs(math.Log(v/m)) <= math.Log(1.01) {
			near++
		}
	}
	if float64(near) < 0.8*float64(len(ratios)) || math.Abs(math.Log(m)) <= math.Log(1.01) {
		return
	}
	text := fmt.Sprintf("everything takes %s: clocks, power or contention rather than code", moreOrLess(m))
	if len(clocks) > 0 {
		text += fmt.Sprintf(" (clock %s)", Percent(sample.Median(clocks)))
	}
	c.note(Warn, "together", "%s", text)
}

// moreOrLess is "2.3 % more" or "2.3 % less".
func moreOrLess(ratio float64) string {
	if ratio < 1 {
		return amount(ratio) + " less"
	}
	return amount(ratio) + " more"
}

// extended tells of new kernels whose name extends that of another which takes
// less time at the same number of threads: an "Optimized" that is none.
func (c *Comparison) extended() {
	if c.Kind != Launches {
		return
	}
	for _, r := range c.OnlyNew {
		e := r.NewEntity()
		_, t := r.Time.Medians()
		var of *Row
		var least float64
		for _, o := range c.Rows {
			known := o.NewEntity()
			_, v := o.Time.Medians()
			if len(known.Base) >= 4 && len(known.Base) < len(e.Base) && strings.HasPrefix(e.Base, known.Base) && known.Size.threads() == e.Size.threads() &&
				o.Time.Unit == r.Time.Unit && v > 0 && (of == nil || v < least) {
				of, least = o, v
			}
		}
		if of != nil && t > least*(1+c.Rules.Threshold) {
			c.note(Info, "extends", "%s, which is new, takes %s time than %s (%s)", e.Base, moreOrLess(t/least), of.NewEntity().Base, Arrow(least, t, r.Time.Unit))
		}
	}
}
