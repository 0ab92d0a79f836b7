package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/compare/sample"
)

// Options say how sides are compared.
type Options struct {
	Rules   sample.Rules // zero: those of a comparison, two-sided
	Strict  bool         // do not match kernels whose template arguments differ
	Metric  string       // compare this in place of the time; "" for the time
	MostOfK int          // kernels that are tested together at most; 0: 500
	Pair    bool         // each side is one launch, and they are compared whatever they are called
}

// Rules are those of a comparison that lists and does not judge: two-sided, and
// the least number of runs is what the test itself needs.
var Rules = sample.Rules{Alpha: 0.05, Threshold: 0.02, Least: 2, TwoSided: true}

// A Comparison is what two sides have in common and what they do not.
type Comparison struct {
	Kind             Kind
	Old, New         []*Run // that count: a measurement that is there twice counts once
	Rules            sample.Rules
	Notes            []Note
	Rows             []*Row // matched, in the order of the old side
	OnlyOld, OnlyNew []*Row
	Shared           bool // a measurement is on both sides, so that nothing can be told
	Drawn            bool // relabellings were drawn
	Paired           bool // two launches that were named
}

// A Row is an entity of both sides, or of one.
type Row struct {
	Class    Class
	Old, New []*Entity // by run; nil where a run lacks it; the side is nil where the entity is on one only
	Loose    bool      // matched by name without template arguments or parameters
	Time     Change    // of the primary metric: its time
	Cycles   Change    // zero Metric: not known
	Clock    Change
	Work     Change // instructions executed
}

// First is the entity as the first run that has it has it; of the new side where
// both have it and new is asked for.
func (r *Row) first(side []*Entity) *Entity {
	for _, e := range side {
		if e != nil {
			return e
		}
	}
	return nil
}

// OldEntity is the entity of the first old run that has it; nil if none has.
func (r *Row) OldEntity() *Entity { return r.first(r.Old) }

// NewEntity is the entity of the first new run that has it; nil if none has.
func (r *Row) NewEntity() *Entity { return r.first(r.New) }

// Any is the entity of the new side, else of the old.
func (r *Row) Any() *Entity {
	if e := r.NewEntity(); e != nil {
		return e
	}
	return r.OldEntity()
}

// Calls are the numbers of launches a side, the median over runs.
func (r *Row) Calls() (old, new float64) { return calls(r.Old), calls(r.New) }

func calls(side []*Entity) float64 {
	var n []float64
	for _, e := range side {
		if e != nil {
			n = append(n, float64(e.Launches))
		}
	}
	if len(n) == 0 {
		return 0
	}
	return sample.Median(n)
}

// A Change is how the values of a metric differ between sides.
type Change struct {
	Metric string
	Unit   string
	Old    []float64       // by run; NaN where there is none
	New    []float64       //
	Ratio  sample.Estimate // not OK where a value is missing, zero or negative
	P      float64         // of the test over all kernels; NaN: not tested
	Word   sample.Verdict
	Runs   int // about how many a side would make NotClear clear; 0: not known
	Rank   sample.Rank
}

// Medians are the middle values of both sides, NaN where there are none.
func (c *Change) Medians() (old, new float64) {
	return sample.Median(numbers(c.Old)), sample.Median(numbers(c.New))
}

func numbers(v []float64) []float64 {
	var out []float64
	for _, x := range v {
		if !math.IsNaN(x) {
			out = append(out, x)
		}
	}
	return out
}

// Compare compares runs. The order of runs within a side makes no difference,
// and swapping the sides inverts every answer. It returns nil where a side is
// empty or the kinds differ.
func Compare(old, new []*Run, opt Options) *Comparison {
	if len(old) == 0 || len(new) == 0 || old[0].Kind != new[0].Kind {
		return nil
	}
	if opt.Rules == (sample.Rules{}) {
		opt.Rules = Rules
	}
	c := &Comparison{Kind: old[0].Kind, Rules: opt.Rules}
	c.Old, c.New = c.once("old", canonical(old)), c.once("new", canonical(new))
	c.shared()
	if c.Paired = opt.Pair && c.pair(); !c.Paired {
		c.match(!opt.Strict)
	}
	metric := c.primary(opt.Metric)
	for _, r := range c.Rows {
		r.Time = c.change(r, metric(r))
		if r.Class == Kernel || r.Class == Benchmark {
			r.Cycles = c.changeOf(r, cycleMetrics)
			r.Clock = c.changeOf(r, clockMetrics)
			r.clockFromCycles()
		}
		if r.Class == Kernel && c.Kind == Launches {
			r.Work = c.changeOf(r, workMetrics)
		}
	}
	for _, list := range [][]*Row{c.OnlyOld, c.OnlyNew} {
		for _, r := range list {
			r.Time = c.change(r, metric(r))
		}
	}
	c.judge(opt)
	c.comparability()
	if c.Paired {
		c.pairNotes()
	}
	return c
}

// match pairs the members of both sides.
func (c *Comparison) match(loose bool) {
	old, new := members(c.Old, loose), members(c.New, loose)
	list := func(side []*member) (out []*Entity, of map[*Entity]*member) {
		of = map[*Entity]*member{}
		for _, m := range side {
			out = append(out, m.first)
			of[m.first] = m
		}
		return out, of
	}
	oldList, ofOld := list(old)
	newList, ofNew := list(new)
	partner := map[*member]*Row{}
	for _, p := range pairs(oldList, newList, loose) {
		r := &Row{Class: p.old.Class, Old: ofOld[p.old].runs, New: ofNew[p.new].runs, Loose: p.loose}
		partner[ofOld[p.old]], partner[ofNew[p.new]] = r, r
	}
	for _, m := range old {
		if r := partner[m]; r != nil {
			c.Rows = append(c.Rows, r)
		} else {
			c.OnlyOld = append(c.OnlyOld, &Row{Class: m.first.Class, Old: m.runs})
		}
	}
	for _, m := range new {
		if partner[m] == nil {
			c.OnlyNew = append(c.OnlyNew, &Row{Class: m.first.Class, New: m.runs})
		}
	}
}

// workMetrics tell how much a kernel had to do.
var workMetrics = []string{"smsp__inst_executed.sum", "sm__inst_executed.sum", "inst_executed", "smsp__thread_inst_executed.sum"}

// primary chooses the metric that stands for an entity: of timelines the total,
// or per step where all know their steps, or per instance where a window was
// cut; else the first time that both sides have.
func (c *Comparison) primary(asked string) func(*Row) string {
	if asked != "" {
		return func(*Row) string { return asked }
	}
	return func(r *Row) string {
		if c.Kind == Timeline {
			switch {
			case r.Class == Device && c.cut():
				return IdleShare
			case r.Class == Device:
				return IdleTime
			case c.cut():
				return MedianTime
			case c.stepped():
				return StepTime
			}
			return TotalTime
		}
		old, new := r.OldEntity(), r.NewEntity()
		for _, name := range timeMetrics {
			if (old == nil || has(old, name)) && (new == nil || has(new, name)) {
				return name
			}
		}
		return timeMetrics[0]
	}
}

func has(e *Entity, metric string) bool {
	each, _ := e.Source.Each(metric)
	return len(each) > 0
}

// cut reports whether a window was cut out of a longer recording.
func (c *Comparison) cut() bool {
	return slices.ContainsFunc(c.Old, isCut) || slices.ContainsFunc(c.New, isCut)
}

func isCut(r *Run) bool { return r.Window.Cut }

// stepped reports whether every run knows its steps.
func (c *Comparison) stepped() bool {
	unknown := func(r *Run) bool { return r.Window.Steps == 0 }
	return !slices.ContainsFunc(c.Old, unknown) && !slices.ContainsFunc(c.New, unknown)
}

// Change compares a metric of a row.
func (c *Comparison) Change(r *Row, metric string) Change {
	ch := c.change(r, metric)
	ch.P = math.NaN()
	return ch
}

func (c *Comparison) change(r *Row, metric string) Change {
	ch := Change{Metric: metric, P: math.NaN()}
	ch.Old, ch.Unit = valuesOf(r.Old, len(c.Old), metric)
	var unit string
	ch.New, unit = valuesOf(r.New, len(c.New), metric)
	ch.Unit = cmp.Or(ch.Unit, unit)
	if len(numbers(ch.Old)) == len(c.Old) && len(numbers(ch.New)) == len(c.New) {
		ch.Ratio = sample.Ratio(ch.Old, ch.New, sample.Level)
	} else {
		ch.Ratio = sample.Ratio(numbers(ch.Old), numbers(ch.New), sample.Level)
	}
	return ch
}

// valuesOf are the values of a side by run.
func valuesOf(side []*Entity, runs int, metric string) (v []float64, unit string) {
	v = make([]float64, runs)
	for i := range v {
		v[i] = math.NaN()
		if i < len(side) && side[i] != nil {
			x, u, ok := side[i].Value(metric)
			if ok {
				v[i] = x
			}
			unit = cmp.Or(unit, u)
		}
	}
	return v, unit
}

// changeOf compares the first of some metrics that both sides have.
func (c *Comparison) changeOf(r *Row, metrics []string) Change {
	for _, m := range metrics {
		if has(r.OldEntity(), m) && has(r.NewEntity(), m) {
			return c.change(r, m)
		}
	}
	return Change{P: math.NaN()}
}

// clockFromCycles fills in what follows of the other two where one of time,
// cycles and clock was not measured: time = cycles / clock.
func (r *Row) clockFromCycles() {
	switch {
	case r.Time.Unit != nanoseconds:
	case r.Cycles.Metric != "" && r.Clock.Metric == "":
		r.Clock = combined("cycles / time", hertz, r.Cycles, r.Time, func(cycles, time float64) float64 { return cycles / (time * 1e-9) })
	case r.Cycles.Metric == "" && r.Clock.Metric != "":
		r.Cycles = combined("time × clock", "cycle", r.Time, r.Clock, func(time, clock float64) float64 { return time * 1e-9 * clock })
	}
}

func combined(name, unit string, a, b Change, f func(a, b float64) float64) Change {
	c := Change{Metric: name, Unit: unit, P: math.NaN()}
	for i := range a.Old {
		c.Old = append(c.Old, f(a.Old[i], b.Old[i]))
	}
	for i := range a.New {
		c.New = append(c.New, f(a.New[i], b.New[i]))
	}
	c.Ratio = sample.Ratio(numbers(c.Old), numbers(c.New), sample.Level)
	return c
}

// Single reports whether neither side has more than one run.
func (c *Comparison) Single() bool { return len(c.Old) == 1 && len(c.New) == 1 }

// Verdicts reports whether there are runs enough to call anything.
func (c *Comparison) Verdicts() bool {
	return c.Rules.Decides(len(c.Old), len(c.New)) && !c.Shared
}

// judge gives every row its word. Kernels and benchmarks are one family; other
// classes are families of their own, so that long lists of calls do not weigh
// upon kernels.
func (c *Comparison) judge(opt Options) {
	most := cmp.Or(opt.MostOfK, 500)
	families := map[Class][]*Row{}
	for _, r := range c.Rows {
		families[r.Class] = append(families[r.Class], r)
	}
	for _, rows := range families {
		rows = slices.Clone(rows)
		slices.SortStableFunc(rows, func(a, b *Row) int { return cmp.Compare(weight(b), weight(a)) })
		f := sample.NewFamily(len(c.Old), len(c.New))
		for i, r := range rows {
			if i < most {
				f.AddRatio(r.Time.Old, r.Time.New)
			}
		}
		var p []float64
		if c.Verdicts() {
			var drawn bool
			p, drawn = f.P(sample.Either)
			c.Drawn = c.Drawn || drawn
		}
		for i, r := range rows {
			t := &r.Time
			t.Rank = sample.MannWhitney(numbers(t.Old), numbers(t.New))
			if i >= most || !f.Tested(i) || p == nil {
				t.Word = sample.CannotTell
				continue
			}
			t.P = p[i]
			t.Word = c.Rules.Judge(len(c.Old), len(c.New), t.Ratio, t.P, t.P)
			if t.Word == sample.NotClear {
				t.Runs = c.Rules.RunsToTell(f.Spread(i))
			}
		}
	}
}

// weight is the larger time of a row, by which rows are listed.
func weight(r *Row) float64 {
	old, new := r.Time.Medians()
	w := 0.0
	for _, v := range []float64{old, new} {
		if v > w {
			w = v
		}
	}
	return w
}

// Name is how a row is called: by its old and its new name where they differ.
func (r *Row) Name() string {
	old, new := r.OldEntity(), r.NewEntity()
	if old != nil && new != nil && old.Full != new.Full && old.Base != new.Base {
		return old.Name + " → " + new.Name
	}
	return r.Any().Name
}

// Shapes is the launch's grid and block, old and new where they differ.
func (r *Row) Shapes() string {
	old, new := r.OldEntity(), r.NewEntity()
	if old != nil && new != nil && old.Shape != new.Shape {
		return cmp.Or(old.Shape, "n/a") + " → " + cmp.Or(new.Shape, "n/a")
	}
	return r.Any().Shape
}

// IsTime reports whether the change is of a time.
func (c *Change) IsTime() bool {
	return strings.HasPrefix(c.Metric, "time.") || DirectionOf(c.Metric).Class == "time" || c.Unit == nanoseconds
}
