package ranks

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/gpuprof/gpuprof/steps"
)

// A Cause is why a rank takes longer.
type Cause uint8

// The causes.
const (
	Unclear   Cause = iota
	Device          // all its compute kernels take longer: clock, power, another user of the GPU
	OneKernel       // one of its kernels takes longer: the data
	MoreWork        // it runs more kernels
	Kernels         // several kernels, not all
	Copies          // copies
	Host            // the device was idle, and work was launched late
	Idle            // the device was idle though work had been launched
)

// String is the word that stands for a cause.
func (c Cause) String() string {
	return [...]string{"unclear", "device", "one kernel", "more work", "kernels", "copies", "host", "idle"}[min(c, Idle)]
}

// A Finding is a rank that takes longer than the median rank.
type Finding struct {
	Rank   *Rank
	Excess int64   // ns: of its self time, in a step; of a chronic one the median of steps
	Share  float64 // of the median step
	Step   int64   // of a single one
	Next   bool    // it lies at the end of the window, between Step and the next
	Since  int64   // of a chronic one: the first step
	Always bool    // from the first step on
	Of     int     // steps with the excess
	All    int     // steps that the rank has from Since on
	Cause  Cause
	Part   int64   // ns: what the cause explains
	Ratio  float64 // of kernels: how much longer they take, 1.2 for 20 % longer
	Kernel string
	Gap    steps.Span // of a single one: the idle time, on the clock of the rank
	Gain   int64      // ns: what a step would take less if the rank were as fast as the next slowest, at most; an estimate
}

// Bounds of what is told. They are ours but for the first two, from generated runs.
const (
	chronicSigma = 3    // scores beyond so many sigma of the ranks' are told
	chronicShare = 0.01 // and beyond this share of a step
	singleSigma  = 5
	singleShare  = 0.05
	fewRanks     = 4 // of fewer the spread over ranks says nothing: that over steps is taken
)

// Limits says from where on something is told, in words.
func Limits() string {
	return fmt.Sprintf("a straggler from %d sigma of the ranks and %g %% of a step on, in half of the steps; a single step from %d sigma and %g %%; "+
		"a communicator below %g of the bandwidth of those like it; groups are inferred where ends agree %g times better inside than outside",
		chronicSigma, 100*chronicShare, singleSigma, 100*singleShare, slowBelow, clearGap)
}

// blame finds the ranks that take longer, and why.
func (run *Run) blame() {
	run.slowGroups()
	if len(run.Ranks) < 2 || len(run.Steps) == 0 {
		return
	}
	usual := run.usualWall()
	run.scores()
	for _, r := range run.Ranks {
		if f, ok := run.chronic(r, usual); ok {
			run.Chronic = append(run.Chronic, f)
		}
	}
	slices.SortFunc(run.Chronic, func(a, b Finding) int {
		return cmp.Or(-cmp.Compare(a.Excess, b.Excess), cmp.Compare(a.Rank.Number, b.Rank.Number))
	})
	run.gains()
	run.singles(usual)
	for i := range run.Chronic {
		run.explain(&run.Chronic[i])
	}
	for i := range run.Single {
		run.explainSingle(&run.Single[i])
	}
}

// usualWall is the median step.
func (run *Run) usualWall() int64 {
	var walls []int64
	for _, s := range run.Steps {
		if !s.Edge {
			walls = append(walls, s.Wall)
		}
	}
	return max(median(walls), 1)
}

func (run *Run) scores() {
	for _, r := range run.Ranks {
		r.Score = median(slices.Collect(maps.Values(r.excess)))
	}
}

// spreadOf is sigma of values by their MAD.
func spreadOf(v []int64) float64 {
	m := median(v)
	d := make([]int64, len(v))
	for i, x := range v {
		d[i] = abs(x - m)
	}
	return madToSigma * float64(median(d))
}

// chronicLimit is the excess above which a score is told.
func (run *Run) chronicLimit(usual int64) int64 {
	sigma := 0.0
	if len(run.Ranks) >= fewRanks {
		var scores []int64
		for _, r := range run.Ranks {
			scores = append(scores, r.Score)
		}
		sigma = spreadOf(scores)
	} else {
		sigma = run.stepNoise()
	}
	return int64(max(chronicSigma*sigma, chronicShare*float64(usual)))
}

// stepNoise is sigma of excesses over steps, apart from the scores.
func (run *Run) stepNoise() float64 {
	var rest []int64
	for _, r := range run.Ranks {
		for _, e := range r.excess {
			rest = append(rest, e-r.Score)
		}
	}
	return spreadOf(rest)
}

// chronic judges a rank: its excess must be above the limit in at least half of
// the steps, or in all from some step to the last, which are then at least three.
func (run *Run) chronic(r *Rank, usual int64) (Finding, bool) {
	limit := run.chronicLimit(usual)
	numbers := slices.Sorted(maps.Keys(r.excess))
	if len(numbers) < 2 {
		return Finding{}, false
	}
	above := 0
	for _, n := range numbers {
		if r.excess[n] > limit {
			above++
		}
	}
	since := len(numbers) // of those above to the end
	for since > 0 && r.excess[numbers[since-1]] > limit {
		since--
	}
	late := len(numbers) - since
	f := Finding{Rank: r, Excess: r.Score, Since: numbers[0], Always: true, Of: above, All: len(numbers)}
	switch {
	case late >= 3 && since > 0 && above == late && run.turned(r, numbers, since):
		f.Since, f.Always, f.All = numbers[since], false, late
	case late == len(numbers), 2*above >= len(numbers) && r.Score > limit:
	default:
		return Finding{}, false
	}
	var excess []int64
	for _, n := range numbers {
		if n >= f.Since {
			excess = append(excess, r.excess[n])
		}
	}
	f.Excess = median(excess)
	f.Share = float64(f.Excess) / float64(usual)
	return f, true
}

// turned reports whether steps before one lack most of the excess of those from
// it on.
func (run *Run) turned(r *Rank, numbers []int64, since int) bool {
	var before, after []int64
	for i, n := range numbers {
		if i < since {
			before = append(before, r.excess[n])
		} else {
			after = append(after, r.excess[n])
		}
	}
	return 3*median(before) < median(after)
}

// gains estimates what mending each chronic rank would bring: in a step that
// waits for the slowest, no more than its distance to the next slowest.
func (run *Run) gains() {
	for i := range run.Chronic {
		f := &run.Chronic[i]
		var gain []int64
		for n, e := range f.Rank.excess {
			if n < f.Since {
				continue
			}
			next := int64(0)
			for _, r := range run.Ranks {
				if o, ok := r.excess[n]; ok && r != f.Rank {
					next = max(next, o)
				}
			}
			gain = append(gain, max(e-next, 0))
		}
		f.Gain = median(gain)
	}
}

// singles finds steps of ranks that stand out by themselves.
func (run *Run) singles(usual int64) {
	limit := int64(max(singleSigma*run.stepNoise(), singleShare*float64(usual)))
	for _, r := range run.Ranks {
		base := r.Score
		for i := range r.Steps {
			n := r.Steps[i].Number + r.StepShift
			e, ok := r.excess[n]
			if !ok {
				continue
			}
			usually := base
			for _, f := range run.Chronic {
				if f.Rank == r {
					usually = f.Excess
					if n < f.Since {
						usually = 0
					}
				}
			}
			if e-usually > limit && r.stands(i, usual) {
				run.Single = append(run.Single, Finding{Rank: r, Step: n, Excess: e - usually, Share: float64(e-usually) / float64(usual)})
			}
		}
	}
	slices.SortFunc(run.Single, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(a.Rank.Number, b.Rank.Number))
	})
}

// stands reports whether a step stands out among those of the rank itself.
func (r *Rank) stands(step int, usual int64) bool {
	var selfs []int64
	for i := range r.Steps {
		selfs = append(selfs, r.Steps[i].Self())
	}
	limit := max(singleSigma*spreadOf(slices.Clone(selfs)), singleShare*float64(usual))
	return float64(r.Steps[step].Self()-median(slices.Clone(selfs))) > limit
}

// component is one of the parts that self time is made of.
func components(t *steps.Times) [3]int64 {
	return [3]int64{t.Of(steps.Compute), t.ExposedCopies(), t.Idle()}
}

// explain finds the cause of a chronic finding: the part of self time that
// differs most from that of the median rank.
func (run *Run) explain(f *Finding) {
	all := map[*Rank][3]int64{}
	for _, r := range run.Ranks {
		var parts [3][]int64
		for i := range r.Steps {
			if r.Steps[i].Number+r.StepShift >= f.Since {
				for k, v := range components(&r.Steps[i].Times) {
					parts[k] = append(parts[k], v)
				}
			}
		}
		if len(parts[0]) > 0 {
			all[r] = [3]int64{median(parts[0]), median(parts[1]), median(parts[2])}
		}
	}
	best := -1
	for k := range 3 {
		var values []int64
		for _, v := range all {
			values = append(values, v[k])
		}
		if d := all[f.Rank][k] - median(values); best < 0 || d > f.Part {
			best, f.Part = k, d
		}
	}
	switch best {
	case 0:
		run.explainKernels(f)
	case 1:
		f.Cause = Copies
	case 2:
		f.Cause = Idle
		late, n := 0, 0
		for i := range f.Rank.Steps {
			if s := &f.Rank.Steps[i]; s.Number+f.Rank.StepShift >= f.Since && s.Gap.End > s.Gap.Start {
				n++
				late += b2i(s.HostLate)
			}
		}
		if 2*late > n {
			f.Cause = Host
		}
	}
}

// A spending is what a kernel took on a rank.
type spending struct{ count, sum int64 }

// spendings adds up compute kernels by name over steps from one on.
func (r *Rank) spendings(since int64) map[string]spending {
	out := map[string]spending{}
	sums, costs := r.Sums()
	for _, c := range costs {
		s := &sums[c.Kernel]
		if r.Steps[c.Step].Number+r.StepShift < since || s.Class.Kind() != steps.Compute {
			continue
		}
		x := out[s.Name]
		out[s.Name] = spending{x.count + c.Count, x.sum + c.Sum}
	}
	return out
}

// Shares by which kernels are told apart.
const (
	mostOfTime  = 0.8  // of the time of kernels, or of the excess
	moreCalls   = 1.02 // counts above those of the others
	ofTheExcess = 0.5  // kernels that take longer by this part of the whole do so with it
)

// explainKernels tells whether all kernels take longer, one of them, or whether
// there are more.
func (run *Run) explainKernels(f *Finding) {
	f.Cause = Kernels
	mine := f.Rank.spendings(f.Since)
	others := map[string][]spending{}
	for _, r := range run.Ranks {
		if r != f.Rank {
			for name, s := range r.spendings(f.Since) {
				others[name] = append(others[name], s)
			}
		}
	}
	type judged struct {
		name           string
		ratio          float64 // of mean durations
		sum, expect    float64 // ns
		count, counted float64
	}
	var list []judged
	var sum, expect, count, counted float64
	for _, name := range slices.Sorted(maps.Keys(mine)) {
		o := others[name]
		if len(o) == 0 {
			continue
		}
		var means, counts []float64
		for _, s := range o {
			means, counts = append(means, float64(s.sum)/float64(s.count)), append(counts, float64(s.count))
		}
		m := mine[name]
		j := judged{name: name, sum: float64(m.sum), count: float64(m.count), counted: middle(counts)}
		mean := max(middle(means), 1)
		j.ratio, j.expect = j.sum/j.count/mean, mean*j.count
		list = append(list, j)
		sum, expect, count, counted = sum+j.sum, expect+j.expect, count+j.count, counted+j.counted
	}
	if expect == 0 {
		f.Cause = Unclear
		return
	}
	f.Ratio = sum / expect
	if count > moreCalls*counted && f.Ratio < 1+chronicShare {
		f.Cause, f.Ratio = MoreWork, count/counted
		return
	}
	with := 0.0 // time of kernels that take longer
	top := judged{}
	for _, j := range list {
		if j.ratio > 1+ofTheExcess*(f.Ratio-1) {
			with += j.expect
		}
		if j.sum-j.expect > top.sum-top.expect {
			top = j
		}
	}
	switch {
	case with > mostOfTime*expect && len(list) > 1:
		f.Cause = Device
	case top.sum-top.expect > mostOfTime*math.Abs(sum-expect):
		f.Cause, f.Kernel, f.Ratio = OneKernel, top.name, top.ratio
	}
}

// explainSingle finds the cause of a single finding, by comparison with other
// steps of the rank.
func (run *Run) explainSingle(f *Finding) {
	var parts [3][]int64
	var at *Step
	for i := range f.Rank.Steps {
		s := &f.Rank.Steps[i]
		if s.Number+f.Rank.StepShift == f.Step {
			at = s
			continue
		}
		for k, v := range components(&s.Times) {
			parts[k] = append(parts[k], v)
		}
	}
	best := -1
	for k, v := range components(&at.Times) {
		if d := v - median(parts[k]); best < 0 || d > f.Part {
			best, f.Part = k, d
		}
	}
	f.Cause = [...]Cause{Kernels, Copies, Idle}[best]
	if f.Cause == Idle {
		f.Gap = at.Gap
		if at.HostLate || at.Gap.End == at.End {
			f.Cause = Host
		}
		f.Next = at.Gap.End == at.End
	}
}
