package ranks

import (
	"maps"
	"math"
	"slices"

	"github.com/gpuprof/gpuprof/steps"
)

// A StepRow is a step over all ranks that have it. Times are ns.
type StepRow struct {
	Number                          int64
	Ranks                           int
	WallMin, Wall, WallMax          int64 // Wall and the next are medians of the ranks
	Compute, Communication, Exposed int64
	Copies, Idle                    int64
	Self                            int64
	Imbalance                       float64 // largest self time by the mean, less 1
	Slowest                         int64   // rank with the largest self time
	Excess                          int64   // of Slowest over the median
	Lost                            int64   // all ranks together
	Edge                            bool    // first or last, with an unusual length: left out of medians
}

// Typical are medians over the steps of a rank, or what is over its whole
// recording where it has no steps. Times are ns.
type Typical struct {
	Steps                                       int
	Wall, Busy, Compute, Communication, Exposed int64
	Copies, Idle, Self, Waits, Lost             int64
	Kernels, Launches                           int64
}

// quantities are those of a Typical, of a step.
var quantities = []struct {
	of  func(t *steps.Times) int64
	set func(*Typical) *int64
}{
	{(*steps.Times).Wall, func(t *Typical) *int64 { return &t.Wall }},
	{(*steps.Times).Busy, func(t *Typical) *int64 { return &t.Busy }},
	{func(t *steps.Times) int64 { return t.Of(steps.Compute) }, func(t *Typical) *int64 { return &t.Compute }},
	{func(t *steps.Times) int64 { return t.Of(steps.Communication) }, func(t *Typical) *int64 { return &t.Communication }},
	{(*steps.Times).Exposed, func(t *Typical) *int64 { return &t.Exposed }},
	{func(t *steps.Times) int64 { return t.Of(steps.Copy) }, func(t *Typical) *int64 { return &t.Copies }},
	{(*steps.Times).Idle, func(t *Typical) *int64 { return &t.Idle }},
	{(*steps.Times).Self, func(t *Typical) *int64 { return &t.Self }},
	{func(t *steps.Times) int64 { return int64(t.Kernels) }, func(t *Typical) *int64 { return &t.Kernels }},
	{func(t *steps.Times) int64 { return int64(t.Launches) }, func(t *Typical) *int64 { return &t.Launches }},
}

// A cell is a step of a rank.
type cell struct {
	rank *Rank
	step *Step
	lost int64
}

// edgeFactor is how much longer than usual a first or last step may be before it
// is left out of medians.
const edgeFactor = 1.5

// tabulate makes the table of steps and the typical step of each rank.
func (run *Run) tabulate() {
	by := map[int64][]cell{}
	for _, r := range run.Ranks {
		for i := range r.Steps {
			if r.alone {
				break
			}
			c := cell{rank: r, step: &r.Steps[i]}
			if r.lost != nil {
				c.lost = r.lost[i]
			}
			n := r.Steps[i].Number + r.StepShift
			by[n] = append(by[n], c)
		}
		run.Overlap = addMatrix(run.Overlap, &r.Overlap)
	}
	for _, n := range slices.Sorted(maps.Keys(by)) {
		run.Steps = append(run.Steps, stepRow(n, by[n]))
	}
	run.edges()
	run.excess(by)
	for _, r := range run.Ranks {
		r.typical(run)
	}
}

func addMatrix(a steps.Matrix, b *steps.Matrix) steps.Matrix {
	for i := range a {
		for k := range a[i] {
			a[i][k] += b[i][k]
		}
	}
	return a
}

func stepRow(n int64, cells []cell) StepRow {
	row := StepRow{Number: n, Ranks: len(cells), Slowest: -1}
	values := make([]int64, len(cells))
	of := func(f func(*steps.Times) int64) int64 {
		for i, c := range cells {
			values[i] = f(&c.step.Times)
		}
		return median(values)
	}
	row.Wall = of((*steps.Times).Wall)
	row.WallMin, row.WallMax = slices.Min(values), slices.Max(values)
	row.Compute = of(func(t *steps.Times) int64 { return t.Of(steps.Compute) })
	row.Communication = of(func(t *steps.Times) int64 { return t.Of(steps.Communication) })
	row.Exposed, row.Idle, row.Self = of((*steps.Times).Exposed), of((*steps.Times).Idle), of((*steps.Times).Self)
	row.Copies = of(func(t *steps.Times) int64 { return t.Of(steps.Copy) })
	var sum, most int64
	for _, c := range cells {
		self := c.step.Self()
		if row.Slowest < 0 || self > most {
			row.Slowest, most = c.rank.Number, self
		}
		sum += self
		row.Lost += c.lost
	}
	if sum > 0 {
		row.Imbalance = float64(most)*float64(len(cells))/float64(sum) - 1
	}
	row.Excess = most - row.Self
	return row
}

// edges flags a first or last step of unusual length.
func (run *Run) edges() {
	if len(run.Steps) < 3 {
		return
	}
	var walls []int64
	for _, s := range run.Steps {
		walls = append(walls, s.Wall)
	}
	usual := median(walls)
	for _, k := range []int{0, len(run.Steps) - 1} {
		run.Steps[k].Edge = float64(run.Steps[k].Wall) > edgeFactor*float64(usual)
	}
}

// excess finds for each step what the self time of each rank is above that of the
// median rank.
func (run *Run) excess(by map[int64][]cell) {
	for _, r := range run.Ranks {
		r.excess = map[int64]int64{}
	}
	for n, cells := range by {
		if len(cells) < 2 {
			continue
		}
		var selfs []int64
		for _, c := range cells {
			selfs = append(selfs, c.step.Self())
		}
		m := center(selfs)
		for _, c := range cells {
			c.rank.excess[n] = c.step.Self() - m
		}
	}
}

// center is the median, of two the lesser: then the other one is compared with it.
func center(v []int64) int64 { return median(v) }

// Worst is the time, on the rank's own clock, of the step whose self time is most
// above that of the median rank; of a rank without steps all of its time.
func (r *Rank) Worst() steps.Span {
	at, most := r.Span, int64(math.MinInt64)
	for i := range r.Steps {
		if e := r.excess[r.Steps[i].Number+r.StepShift]; e > most {
			at, most = r.Steps[i].Span, e
		}
	}
	return at
}

// typical takes medians over the steps that are not flagged.
func (r *Rank) typical(run *Run) {
	edge := map[int64]bool{}
	for _, s := range run.Steps {
		edge[s.Number] = s.Edge
	}
	list := []*steps.Times{&r.Whole}
	if len(r.Steps) > 0 {
		list = list[:0]
		for i := range r.Steps {
			if !edge[r.Steps[i].Number+r.StepShift] {
				list = append(list, &r.Steps[i].Times)
			}
		}
		if r.Typical.Steps = len(list); len(list) == 0 {
			list = append(list, &r.Steps[0].Times)
		}
	}
	values := make([]int64, len(list))
	for _, q := range quantities {
		for i, t := range list {
			values[i] = q.of(t)
		}
		*q.set(&r.Typical) = median(values)
	}
	if r.lost != nil {
		r.Typical.Lost, r.Typical.Waits = median(slices.Clone(r.lost)), median(slices.Clone(r.waits))
	}
}
