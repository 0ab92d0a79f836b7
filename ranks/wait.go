package ranks

import (
	"cmp"
	"math"
	"slices"

	"github.com/gpuprof/gpuprof/steps"
)

// measure computes waits, transfers and bandwidths of the collectives of all
// groups, and for whom time was lost.
func (run *Run) measure() {
	tallies := run.tallies()
	run.inOrder(tallies, (*tally).add)
	for _, t := range tallies {
		for _, x := range t.order {
			t.g.Kinds = append(t.g.Kinds, x.finish(t.g))
		}
		slices.SortFunc(t.g.Kinds, func(a, b KindRow) int { return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Bytes, b.Bytes)) })
	}
	for _, r := range run.Ranks {
		run.LostTime += r.LostTime
		r.account = account{}
		for i := range r.Steps {
			run.Wall += r.Steps[i].Wall()
		}
		if len(r.Steps) == 0 {
			run.Wall += r.Whole.Wall()
		}
	}
}

// kind collects the collectives of a group of one call and size.
type kind struct {
	row                  KindRow
	transfer, stay, skew []int64
	wait, waits          int64
	least, leasts        int64 // of incomplete ones
	last                 map[int64]int
}

type kindKey struct {
	class steps.Class
	bytes int64
}

// kind is that of the present collective.
func (t *tally) kind() *kind {
	c := t.now.calls[0]
	k := kindKey{c.Class, c.Bytes}
	if c.Class == steps.SendRecv {
		k.bytes = 0
	}
	x := t.kinds[k]
	if x == nil {
		x = &kind{row: KindRow{Class: k.class, Bytes: k.bytes, Last: -1}, last: map[int64]int{}}
		t.kinds[k] = x
		t.order = append(t.order, x)
	}
	return x
}

// add takes the present collective. Of one of which reports of members lack nobody
// knows who came last, but all that are there waited for the last of them at least.
func (t *tally) add() {
	x, g, members, calls := t.kind(), t.g, t.now.members, t.now.calls
	complete := int64(len(calls)) >= g.Size
	if !complete {
		x.row.Partly++
	} else {
		x.row.Count++
		x.row.Calls += int64(calls[0].Calls)
		stay := calls[0].End - calls[0].Start
		for _, c := range calls {
			stay = min(stay, c.End-c.Start)
		}
		x.stay = append(x.stay, stay)
	}
	if !x.row.Class.Synchronises() {
		t.pass(members, calls)
		return
	}
	last, arrival, second, ok := g.latest(members, calls)
	if !ok || len(calls) < 2 {
		return
	}
	if complete {
		x.come(g, members, calls, last, arrival, second)
	}
	t.lost, t.moved = t.lost[:0], t.moved[:0]
	sum := int64(0)
	for k, c := range calls {
		wait, lost, moved := g.members[members[k]].rank.waited(c, arrival, &t.computing[members[k]])
		sum += wait
		t.lost, t.moved = append(t.lost, lost), append(t.moved, moved)
	}
	to := due{}
	if slices.Max(t.lost) > 0 {
		to = t.blameFor(members, last, sum)
	}
	t.settle(members, calls, to)
	if complete {
		x.wait, x.waits = x.wait+sum, x.waits+int64(len(calls))
	} else {
		x.least, x.leasts = x.least+sum, x.leasts+int64(len(calls))
	}
}

// come takes when the members of a collective came and left.
func (x *kind) come(g *Group, members []int, calls []*Call, last int, arrival, second int64) {
	first, leave, off := arrival, int64(math.MaxInt64), int64(0)
	for k, c := range calls {
		r := g.members[members[k]].rank
		first, leave, off = min(first, r.At(c.Start)), min(leave, r.At(c.End)), max(off, r.Error)
	}
	x.transfer, x.skew = append(x.transfer, leave-arrival), append(x.skew, arrival-first)
	if leave < arrival {
		x.row.Negative++
	}
	if arrival-second > 2*off {
		x.last[g.members[members[last]].rank.Number]++
	} else {
		x.row.Together++
	}
}

// waited counts the wait of a rank in a collective for an arrival on the common
// clock, and returns it, the part of it beside which the rank computed nothing, and
// that of what followed.
func (r *Rank) waited(c *Call, arrival int64, computing *spanReader) (wait, lost, moved int64) {
	wait = arrival - r.At(c.Start)
	r.Wait += wait
	r.Waited++
	in := steps.Span{Start: c.Start, End: min(c.Start+max(wait, 0), c.End)}
	if wait > 0 {
		lost = in.End - in.Start - computing.within(in)
	}
	in.Start, in.End = in.End, c.End
	moved = in.End - in.Start - computing.within(in)
	r.LostTime += lost
	if c.Step >= 0 {
		if r.lost == nil {
			r.lost = make([]int64, len(r.Steps))
			r.waits = make([]int64, len(r.Steps))
		}
		r.lost[c.Step] += lost
		r.waits[c.Step] += wait
	}
	return wait, lost, moved
}

func (x *kind) finish(g *Group) KindRow {
	row := x.row
	row.Stay, row.Transfer, row.Skew = median(x.stay), median(x.transfer), median(x.skew)
	if x.waits > 0 {
		row.Wait = x.wait / x.waits
	}
	if x.leasts > 0 {
		row.AtLeast = x.least / x.leasts
	}
	for r, n := range x.last {
		if n > row.LastOf || n == row.LastOf && r < row.Last {
			row.Last, row.LastOf = r, n
		}
	}
	if row.Bytes > 0 && row.Stay > 0 && row.Count > 0 {
		size, factor := bandwidth(row.Class, float64(row.Bytes), float64(g.Size))
		row.AlgBW = size / float64(row.Stay)
		row.BusBW = row.AlgBW * factor
	}
	return row
}

// bandwidth returns the size that bandwidths of a collective are of, and the
// factor from that of the algorithm to that of the bus, as nccl-tests have them;
// bytes is what one of n ranks sends or receives.
func bandwidth(c steps.Class, bytes, n float64) (size, factor float64) {
	switch c {
	case steps.AllReduce:
		return bytes, 2 * (n - 1) / n
	case steps.AllGather, steps.ReduceScatter:
		return n * bytes, (n - 1) / n
	case steps.AllToAll:
		return n * bytes, (n - 1) / n
	}
	return bytes, 1
}

// A SlowGroup is a communicator that takes longer than others like it.
type SlowGroup struct {
	Group  *Group
	Class  steps.Class
	Bytes  int64
	Stay   int64   // ns, median
	Others int64   // ns, that of the others: median
	Ratio  float64 // Stay by Others
	Of     int     // how many others
}

// slowBelow is the bandwidth, as a share of that of others, below which a group is
// slow; leastSlow how many collectives tell.
const (
	slowBelow = 0.7
	leastSlow = 4
)

// slowGroups finds groups whose collectives take longer than those of groups of
// the same size, span of hosts, call and bytes. Each group is named once, for the
// kind of which it has most.
func (run *Run) slowGroups() {
	type key struct {
		size     int64
		nodes    int
		class    steps.Class
		bytes    int64
		inferred bool
	}
	type entry struct {
		group *Group
		row   *KindRow
	}
	like := map[key][]entry{}
	var order []key
	for _, g := range run.Groups {
		for i := range g.Kinds {
			row := &g.Kinds[i]
			if row.Count < leastSlow || row.Stay < shortest || len(g.Ranks) < 2 {
				continue
			}
			k := key{g.Size, g.Nodes, row.Class, row.Bytes, g.ID == 0}
			if like[k] == nil {
				order = append(order, k)
			}
			like[k] = append(like[k], entry{g, row})
		}
	}
	found := map[*Group]SlowGroup{}
	for _, k := range order {
		list := like[k]
		for i, e := range list {
			var others []int64
			for j, o := range list {
				if j != i {
					others = append(others, o.row.Stay)
				}
			}
			m := median(others)
			if len(others) == 0 || float64(m) >= slowBelow*float64(e.row.Stay) {
				continue
			}
			s := SlowGroup{e.group, k.class, k.bytes, e.row.Stay, m, float64(e.row.Stay) / float64(max(m, 1)), len(others)}
			if old, ok := found[e.group]; !ok || s.Stay*int64(e.row.Count) > old.Stay*int64(old.count()) {
				found[e.group] = s
			}
		}
	}
	for _, g := range run.Groups {
		if s, ok := found[g]; ok {
			run.Slow = append(run.Slow, s)
		}
	}
}

func (s *SlowGroup) count() int {
	for _, k := range s.Group.Kinds {
		if k.Class == s.Class && k.Bytes == s.Bytes {
			return k.Count
		}
	}
	return 0
}
