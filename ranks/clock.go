package ranks

import (
	"iter"
	"math"
	"slices"
)

// Bounds of the fit of clocks.
const (
	mostEnds    = 512    // ends of a rank that are used
	shortest    = 2000   // ns: collectives that are shorter do not synchronise
	sweeps      = 80     // of the fit
	longSpan    = 10e9   // ns: from here on clocks have rates
	mostRate    = 200e-6 // by which a rate may differ from 1
	leastError  = 1000   // ns: no error is stated below
	steepEnough = 5      // standard errors of a slope that is believed
	worthwhile  = 300    // ns at the ends of the span that a rate must mend
	biweight    = 4.685  // of Tukey's function: 95 % efficient for normal errors
	madToSigma  = 1.4826 // of normal errors
	medianError = 1.2533 // standard error of a median, times σ/√n
)

// An end is the end of a matched collective on one rank.
type end struct {
	rank int
	x    float64 // ns since the first work of the rank
	y    float64 // ns on the start clock, less origin
	w    float64
}

// A fitter solves for the offsets of ranks: all ends of a collective are one
// moment.
type fitter struct {
	run    *Run
	origin int64
	ref    int     // the reference: the first rank that shares a collective
	start  int64   // its start clock
	points [][]end // by collective
	of     [][]*end
	event  [][]int // of each of those
	offset []float64
	rate   []float64 // less 1
	scale  []float64
	mean   []float64 // middle of x

	weight, sum []float64 // by collective: of its ends, and of their places by weight
	buffer      []float64
}

// fit finds the clock of each rank: offset and, where the ends ask for it, rate.
// Every collective gives one equation for each member; the solution minimizes
// Tukey's biweight of the residuals, which an end that is late by itself does not
// move. Ranks that no collective connects keep the clock of their host and are
// named.
func (run *Run) fit() {
	f := &fitter{run: run}
	f.collect()
	f.ref = max(slices.IndexFunc(f.of, func(l []*end) bool { return len(l) > 0 }), 0)
	f.start = run.Ranks[f.ref].Offset
	n := len(run.Ranks)
	f.offset, f.rate, f.scale, f.mean = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	run.Clock = Clock{Method: "no collective connects the ranks: times are those of the hosts' clocks", Reference: run.Ranks[f.ref].Number, Before: -1, Agree: -1}
	if len(f.points) == 0 {
		f.unconnected(nil)
		return
	}
	run.Clock.Collectives = len(f.points)
	run.Clock.Before = f.apart()
	part := f.connect()
	f.solve(false)
	if f.rates() {
		f.solve(true)
	}
	f.finish(part)
	f.unconnected(part)
}

// collect gathers the ends of collectives that synchronise, evenly over each
// group, at most mostEnds of a rank.
func (f *fitter) collect() {
	run := f.run
	index := map[*Rank]int{}
	for i, r := range run.Ranks {
		index[r] = i
		if i == 0 {
			f.origin = r.Offset + r.Span.Start
		}
		f.origin = min(f.origin, r.Offset+r.Span.Start)
	}
	total := make([]int, len(run.Ranks))
	for _, g := range run.Groups {
		for k := range g.members {
			total[index[g.members[k].rank]] += g.members[k].channel.Count
		}
	}
	for _, g := range run.Groups {
		stride := 1
		for k := range g.members {
			stride = max(stride, (total[index[g.members[k].rank]]+mostEnds-1)/mostEnds)
		}
		g.each(func(row int, members []int, calls []*Call) {
			if row%stride != 0 || len(calls) < 2 {
				return
			}
			var list []end
			for k, c := range calls {
				if !c.Class.Synchronises() || c.End-c.Start < shortest {
					return
				}
				r := g.members[members[k]].rank
				list = append(list, end{rank: index[r], x: float64(c.End - r.Span.Start), y: float64(c.End + r.Offset - f.origin), w: 1})
			}
			f.points = append(f.points, list)
		})
	}
	f.of, f.event = make([][]*end, len(run.Ranks)), make([][]int, len(run.Ranks))
	for i := range f.points {
		for k := range f.points[i] {
			e := &f.points[i][k]
			f.of[e.rank], f.event[e.rank] = append(f.of[e.rank], e), append(f.event[e.rank], i)
		}
	}
}

// A Collective is a matched collective: the members that have it with what each
// saw. Both slices are valid until the next.
type Collective struct {
	Row   int // its place among those of the group
	Ranks []*Rank
	Calls []*Call
}

// Each calls do with the matched collectives of a group, in order.
func (g *Group) Each(do func(*Collective)) {
	c := &Collective{}
	g.each(func(row int, members []int, calls []*Call) {
		c.Row, c.Calls, c.Ranks = row, calls, c.Ranks[:0]
		for _, k := range members {
			c.Ranks = append(c.Ranks, g.members[k].rank)
		}
		do(c)
	})
}

// each calls do with the matched collectives of a group, in order.
func (g *Group) each(do func(row int, members []int, calls []*Call)) {
	for m := range g.all() {
		do(m.row, m.members, m.calls)
	}
}

// all are the matched collectives of a group, in order. It holds a batch of calls
// of each member.
func (g *Group) all() iter.Seq[matched] {
	return func(yield func(matched) bool) {
		type place struct {
			callBatch
			at int // of its calls
			ok bool
		}
		at := make([]place, len(g.members))
		low, high := 0, 0
		for k := range g.members {
			m := &g.members[k]
			if m.unsure {
				continue
			}
			at[k].callReader = m.channel.reader()
			at[k].ok = at[k].next()
			if m.rows == nil && m.channel.Count > 0 {
				low, high = min(low, m.shift), max(high, m.shift+m.channel.Count)
			} else {
				high = max(high, g.Rows)
			}
		}
		var x matched
		for x.row = low; x.row < high; x.row++ {
			x.members, x.calls = x.members[:0], x.calls[:0]
			for k := range g.members {
				m, c := &g.members[k], &at[k]
				for c.ok && m.row(c.at) < x.row {
					c.ok = c.next()
					c.at++
				}
				if c.ok && m.row(c.at) == x.row {
					x.members, x.calls = append(x.members, k), append(x.calls, c.Call)
				}
			}
			if len(x.calls) > 0 && !yield(x) {
				return
			}
		}
	}
}

// at is where an end lies by the present solution.
func (f *fitter) at(e *end) float64 {
	return e.y + f.offset[e.rank] + f.rate[e.rank]*(e.x-f.mean[e.rank])
}

// connect finds first offsets: from rank to rank the median distance of the ends
// that both have. It returns the part of the run that each rank is in.
func (f *fitter) connect() []int {
	part, left := make([]int, len(f.of)), len(f.of)
	for i := range part {
		part[i] = -1
		f.mean[i] = meanX(f.of[i])
	}
	for first := range f.of {
		if part[first] >= 0 {
			continue
		}
		part[first] = first
		left--
		queue := []int{first}
		for len(queue) > 0 && left > 0 {
			r := queue[0]
			queue = queue[1:]
			apart := map[int][]float64{}
			for k, e := range f.of[r] {
				for i := range f.points[f.event[r][k]] {
					if o := &f.points[f.event[r][k]][i]; part[o.rank] < 0 {
						apart[o.rank] = append(apart[o.rank], f.at(e)-o.y)
					}
				}
			}
			for o := range f.of { // in order
				if d := apart[o]; part[o] < 0 && len(d) > 0 {
					part[o] = first
					left--
					f.offset[o] = middle(d)
					queue = append(queue, o)
				}
			}
		}
	}
	return part
}

func meanX(l []*end) (m float64) {
	for _, e := range l {
		m += e.x / float64(len(l))
	}
	return m
}

// solve improves the solution rank by rank until it stands still.
func (f *fitter) solve(rates bool) {
	for sweep := range sweeps {
		f.weigh()
		moved := 0.0
		for r := range f.of {
			moved = max(moved, f.improve(r, rates && sweep > 2))
		}
		if moved < 1 && sweep > 4 {
			return
		}
	}
}

// weigh gives ends their weights: 1 at their collective's moment, less away from
// it, by the spread of the residuals of their rank.
func (f *fitter) weigh() {
	rest := make([][]float64, len(f.of))
	moments := f.moments()
	for i, list := range f.points {
		for k := range list {
			rest[list[k].rank] = append(rest[list[k].rank], math.Abs(f.at(&list[k])-moments[i]))
		}
	}
	for r := range rest {
		f.scale[r] = max(madToSigma*middle(rest[r]), 50)
	}
	f.weight, f.sum = make([]float64, len(f.points)), make([]float64, len(f.points))
	for i, list := range f.points {
		for k := range list {
			e := &list[k]
			u := (f.at(e) - moments[i]) / (biweight * f.scale[e.rank])
			e.w = 1e-6
			if u = 1 - u*u; u > 0 {
				e.w = max(u*u, 1e-6)
			}
			f.weight[i], f.sum[i] = f.weight[i]+e.w, f.sum[i]+e.w*f.at(e)
		}
	}
}

// moments are when the members of each collective ended: the median, which of two
// is their mean.
func (f *fitter) moments() []float64 {
	out := make([]float64, len(f.points))
	for i, list := range f.points {
		v := f.buffer[:0]
		for k := range list {
			v = append(v, f.at(&list[k]))
		}
		f.buffer, out[i] = v, middle(v)
	}
	return out
}

// improve moves one rank to where the others have its ends.
func (f *fitter) improve(r int, rates bool) float64 {
	var sw, swr, swx, swxx, swxr float64
	for k, e := range f.of[r] {
		i, at := f.event[r][k], f.at(e)
		ow := f.weight[i] - e.w
		w := e.w * ow / (e.w + ow) // of two ends either may be the odd one
		x, d := e.x-f.mean[r], (f.sum[i]-e.w*at)/ow-at
		sw, swr, swx, swxx, swxr = sw+w, swr+w*d, swx+w*x, swxx+w*x*x, swxr+w*x*d
	}
	if sw == 0 {
		return 0
	}
	move, turn := swr/sw, 0.0
	if det := sw*swxx - swx*swx; rates && len(f.of[r]) > 8 && det > 0 {
		turn = (sw*swxr - swx*swr) / det
		move = (swr - turn*swx) / sw
	}
	before := f.rate[r]
	f.offset[r] += move
	f.rate[r] = min(max(before+turn, -mostRate), mostRate)
	for k, e := range f.of[r] {
		f.sum[f.event[r][k]] += e.w * (move + (f.rate[r]-before)*(e.x-f.mean[r]))
	}
	return math.Abs(move) + math.Abs(turn)*longSpan/1e3
}

// rates reports whether ranks need rates: over a long span always, else if slopes
// of residuals are significant and worth it.
func (f *fitter) rates() bool {
	moments := f.moments()
	for r, list := range f.of {
		if len(list) < 8 {
			continue
		}
		var x, y []float64
		lo, hi := list[0].x, list[0].x
		var sxx float64
		for k, e := range list {
			x, y = append(x, e.x-f.mean[r]), append(y, moments[f.event[r][k]]-f.at(e))
			lo, hi = min(lo, e.x), max(hi, e.x)
			sxx += (e.x - f.mean[r]) * (e.x - f.mean[r])
		}
		if hi-lo >= longSpan {
			return true
		}
		slope, _ := line(x, y)
		sigma := max(f.scale[r], 50) / math.Sqrt(max(sxx, 1))
		if math.Abs(slope) > steepEnough*sigma && math.Abs(slope)*(hi-lo)/2 > worthwhile {
			return true
		}
	}
	return false
}

// finish puts the solution on the clock of the first rank and states errors.
func (f *fitter) finish(part []int) {
	f.run.Clock.Method = "ends of collectives that synchronise"
	moments := f.moments()
	var agree []int64
	b0, x0 := 1+f.rate[f.ref], f.run.Ranks[f.ref].Span.Start // the reference's own solution, to be undone
	c0 := f.offset[f.ref] - f.rate[f.ref]*f.mean[f.ref]
	zero := float64(f.start+x0-f.origin) + c0
	for i, r := range f.run.Ranks {
		if part[i] != part[f.ref] {
			continue
		}
		// On the fitted clock, less origin: y + offset + rate·(x - mean), with
		// y = Offset + Span.Start + x - origin.
		at0 := float64(r.Offset+r.Span.Start-f.origin) + f.offset[i] - f.rate[i]*f.mean[i]
		x := (at0 - zero) / b0 // of the reference, where x of this rank is 0
		r.Rate = (1 + f.rate[i]) / b0
		r.Offset = int64(math.Round(x)) + x0 - r.Span.Start
		var rest []float64
		for k, e := range f.of[i] {
			rest = append(rest, math.Abs(f.at(e)-moments[f.event[i][k]]))
		}
		if r.Points = len(rest); r.Points == 0 {
			continue
		}
		mad := middle(rest)
		within := medianError*madToSigma*mad/math.Sqrt(float64(len(rest))) + mad
		agree = append(agree, int64(math.Ceil(within)))
		r.Error = int64(math.Ceil(within)) + leastError
	}
	f.run.Clock.Agree = median(agree)
}

// apart is how far the first end of a collective lies from the last by the clocks
// of the hosts, in nine of ten collectives; -1 where a report does not tell its
// host's.
func (f *fitter) apart() int64 {
	var d []int64
	for _, list := range f.points {
		var lo, hi int64
		for k := range list {
			r := f.run.Ranks[list[k].rank]
			if r.UTC == 0 {
				return -1
			}
			at := r.UTC + r.Span.Start + int64(list[k].x)
			if k == 0 {
				lo, hi = at, at
			}
			lo, hi = min(lo, at), max(hi, at)
		}
		d = append(d, hi-lo)
	}
	slices.Sort(d)
	return d[len(d)*9/10]
}

// unconnected names the ranks whose clock is that of their host alone, and puts
// them on the clock of the reference as far as hosts' clocks do.
func (f *fitter) unconnected(part []int) {
	for i, r := range f.run.Ranks {
		if part == nil || part[i] != part[f.ref] {
			r.Offset -= f.start
			if i != f.ref {
				f.run.Clock.Unaligned = append(f.run.Clock.Unaligned, r.Number)
			}
		}
	}
}
