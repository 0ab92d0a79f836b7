package ranks

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gpuprof/gpuprof/steps"
)

// Bounds of the inference of groups.
const (
	leastPoints = 12   // matched ends below which two ranks are not compared
	mostPoints  = 60   // that a line is laid through
	mostPairs   = 256  // ranks of which every two are compared
	clearGap    = 1.5  // how much less alike ends of other groups must be
	sameEnd     = 2500 // ns: ends of one group are alike to this, by half of them
)

// A family are the channels of all ranks that may be one dimension of
// parallelism: the same kind of call, in steps or outside.
type family struct {
	class   steps.Class
	inSteps bool
	place   int // among the streams of the rank with this kind
}

// infer finds groups among collectives of unknown communicators: members of a
// collective that synchronises end together, whatever their clocks say. A family
// is accepted only if its ranks fall apart into groups of one size within which
// all ends agree clearly better than with others; else its groups stay unknown.
func (run *Run) infer(o *Options) {
	families := map[family][]member{}
	var order []family
	for _, r := range run.Ranks {
		place := map[family]int{}
		for k := range r.Channels {
			c := &r.Channels[k]
			if c.Communicator != 0 {
				continue
			}
			f := family{class: c.Class, inSteps: c.InSteps}
			f.place = place[f]
			place[family{class: c.Class, inSteps: c.InSteps}]++
			if families[f] == nil {
				order = append(order, f)
			}
			families[f] = append(families[f], member{rank: r, channel: c})
		}
	}
	slices.SortFunc(order, func(a, b family) int {
		return cmp.Or(cmp.Compare(a.class, b.class), -compareBool(a.inSteps, b.inSteps), cmp.Compare(a.place, b.place))
	})
	var made []*Group
	for _, f := range order {
		members := families[f]
		pair := run.Size == 2 && len(members) == 2 // then there is nobody else
		if !f.class.Synchronises() && !pair || len(members) < 2 {
			continue
		}
		var parts [][]int
		if pair {
			parts = [][]int{{0, 1}}
		} else if o.Layout != nil {
			parts = layout(o.Layout, f, members)
		} else {
			parts = run.partition(members)
		}
		for _, part := range parts {
			g := &Group{Class: f.class, InSteps: f.inSteps}
			for _, k := range part {
				g.join(members[k].rank, members[k].channel)
				run.Unknown -= members[k].channel.Count
			}
			made = append(made, g)
		}
	}
	run.align(made)
	run.Groups = append(run.Groups, made...)
	run.Inferred = len(made) > 0
	if run.Unknown > 0 {
		run.Notes = append(run.Notes, fmt.Sprintf("%d collectives are of unknown groups: reports that keep NCCL's payloads (--include-blobs=true when exporting) tell them", run.Unknown))
	}
}

// layout puts ranks into the groups of a layout: AllReduce goes with the last
// dimension, everything else with the first.
func layout(dims []Dimension, f family, members []member) (out [][]int) {
	pick := 0
	if f.class == steps.AllReduce {
		pick = len(dims) - 1
	}
	stride := int64(1)
	for _, d := range dims[:pick] {
		stride *= int64(max(d.Size, 1))
	}
	size := int64(max(dims[pick].Size, 1))
	index := map[int64]int{}
	for k, m := range members {
		n := m.rank.Number
		id := n/(stride*size)*stride + n%stride
		g, ok := index[id]
		if !ok {
			g = len(out)
			index[id] = g
			out = append(out, nil)
		}
		out[g] = append(out[g], k)
	}
	return slices.DeleteFunc(out, func(p []int) bool { return len(p) < 2 })
}

// A likeness is how far apart the ends of two members are once their clocks are
// set by a robust line: quantiles of the absolute residuals, ns.
type likeness [3]float64

// quantiles are those of likeness. The last bears ends of which many are late by
// themselves.
var quantiles = [...]float64{0.9, 0.75, 0.5}

// partition finds the groups among the members of a family; nil if they are not
// clear.
func (run *Run) partition(members []member) [][]int {
	n := len(members)
	if n > mostPairs {
		return nil
	}
	calls := make([][]Call, n)
	for k := range members {
		if members[k].channel.Count < leastPoints {
			return nil
		}
	}
	for k := range members {
		calls[k] = members[k].channel.Calls()
	}
	like := make([]likeness, n*n)
	for a := range n {
		for b := a + 1; b < n; b++ {
			like[a*n+b] = run.alike(members[a].rank, members[b].rank, calls[a], calls[b])
			like[b*n+a] = like[a*n+b]
		}
	}
	var best [][]int
	clear := clearGap
	for q := range quantiles {
		if parts, gap := cliques(n, func(a, b int) float64 { return like[a*n+b][q] }, func(a, b int) bool { return like[a*n+b][2] < sameEnd }); gap > clear {
			best, clear = parts, gap
		}
	}
	return best
}

// cliques cuts ranks apart at the distance where they fall into groups of one
// size, all of whose members are nearer to each other than to others by the
// greatest factor, which it returns.
func cliques(n int, distance func(a, b int) float64, near func(a, b int) bool) (best [][]int, gap float64) {
	for size := 2; size <= n; size++ {
		if n%size != 0 {
			continue
		}
		parts, inside, outside := cut(n, size, distance)
		if parts == nil {
			continue
		}
		all := true
		for _, p := range parts {
			for i, a := range p {
				for _, b := range p[:i] {
					all = all && near(a, b)
				}
			}
		}
		factor := outside / max(inside, 1)
		if size == n {
			factor = sameEnd * clearGap / max(inside, 1) // there is nobody else to compare with
		}
		if all && factor > gap {
			best, gap = parts, factor
		}
	}
	return best, gap
}

// cut gives each rank its size-1 nearest; nil if these are not the same for all of
// a group. inside is the greatest distance in a group, outside the least between
// groups.
func cut(n, size int, distance func(a, b int) float64) (parts [][]int, inside, outside float64) {
	of := make([]int, n)
	for i := range of {
		of[i] = -1
	}
	outside = math.Inf(1)
	for a := range n {
		if of[a] >= 0 {
			continue
		}
		others := make([]int, 0, n-1)
		for b := range n {
			if b != a {
				others = append(others, b)
			}
		}
		slices.SortStableFunc(others, func(x, y int) int { return cmp.Compare(distance(a, x), distance(a, y)) })
		part := append([]int{a}, others[:size-1]...)
		slices.Sort(part)
		for _, k := range part {
			if of[k] >= 0 {
				return nil, 0, 0
			}
			of[k] = len(parts)
		}
		parts = append(parts, part)
	}
	for a := range n {
		for b := range a {
			if d := distance(a, b); of[a] == of[b] {
				inside = max(inside, d)
			} else {
				outside = min(outside, d)
			}
		}
	}
	return parts, inside, outside
}

// alike compares the ends of two members. Lists that differ are compared where
// they overlap, if the clocks tell how.
func (run *Run) alike(p, q *Rank, a, b []Call) likeness {
	far := likeness{math.Inf(1), math.Inf(1), math.Inf(1)}
	shift := 0
	if !equalCalls(a, b) || contradict(p, q, a, b) {
		fits := run.fits(p, q, a, b)
		k := choose(fits, p.host == q.host)
		if k < 0 {
			if k = byNumbers(fits, p, q, a, b); k < 0 {
				return far
			}
		}
		shift = fits[k].shift
	}
	var x, y []float64
	from, to := max(0, -shift), min(len(b), len(a)-shift)
	if to-from < leastPoints {
		return far
	}
	for i := from; i < to; i++ {
		x = append(x, float64(b[i].End-b[from].End))
		y = append(y, float64((a[i+shift].End-a[from+shift].End)-(b[i].End-b[from].End)))
	}
	slope, offset := line(x, y)
	for i := range y {
		y[i] = math.Abs(y[i] - offset - slope*x[i])
	}
	slices.Sort(y)
	var out likeness
	for k, q := range quantiles {
		out[k] = y[min(int(q*float64(len(y))), len(y)-1)]
	}
	return out
}

// line lays a line through points by Theil and Sen: the median of the slopes of
// pairs, then that of the residuals; of many points it takes mostPoints, evenly.
func line(x, y []float64) (slope, offset float64) {
	step := (len(x) + mostPoints - 1) / mostPoints
	var slopes []float64
	for i := 0; i < len(x); i += step {
		for k := 0; k < i; k += step {
			if d := x[i] - x[k]; d != 0 {
				slopes = append(slopes, (y[i]-y[k])/d)
			}
		}
	}
	slope = middle(slopes)
	rest := make([]float64, len(x))
	for i := range x {
		rest[i] = y[i] - slope*x[i]
	}
	return slope, middle(rest)
}

// middle is the median; it sorts its argument. 0 of none.
func middle(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}
