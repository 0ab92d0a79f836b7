package ranks

import (
	"container/heap"
	"iter"
	"math"

	"github.com/gpuprof/gpuprof/steps"
)

// An account is what kept a rank from its own work, while collectives are gone
// through in the order of time.
type account struct {
	waits   []owed
	dropped int   // from the front of waits
	moved   int64 // ns of transfers beside which it computed nothing
}

// An owed is time that a rank lost because of another, or in the transfers of a
// group.
type owed struct {
	to   *Rank
	in   *Group
	lost int64
}

// mostOwed bounds what an account remembers.
const mostOwed = 1 << 9

func (a *account) add(w owed) {
	if len(a.waits) == mostOwed {
		a.waits = append(a.waits[:0], a.waits[mostOwed/2:]...)
		a.dropped += mostOwed / 2
	}
	a.waits = append(a.waits, w)
}

// A visit is where the account of a member stood after the last collective in a
// group for which its computation waited.
type visit struct {
	waits int
	moved int64
}

// since are the waits since a visit.
func (a *account) since(v visit) []owed {
	return a.waits[min(max(v.waits-a.dropped, 0), len(a.waits)):]
}

// A due is that for which ranks waited: for a rank, or for a slow communicator.
type due struct {
	rank  *Rank
	group *Group
}

// blameFor says for what the members of a collective waited: for the rank that came
// last, unless something else had kept that one since these members were last
// together: another rank, in another group, so that a whole tensor group is late in
// its data groups because of one of its members; or the transfers of a slow
// communicator. That inherits the blame if it explains at least half of the
// lateness, both beyond the mean of the other members. The rule is ours.
func (t *tally) blameFor(members []int, last int, wait int64) due {
	late, visit := t.g.members[members[last]].rank, t.visits[members[last]]
	sums, most, to := map[*Rank]int64{}, int64(0), (*Rank)(nil)
	moves, longest, in := map[*Group]int64{}, int64(0), (*Group)(nil)
	for _, w := range late.account.since(visit) {
		if w.to == nil {
			if moves[w.in] += w.lost; moves[w.in] > longest {
				longest, in = moves[w.in], w.in
			}
		} else if sums[w.to] += w.lost; sums[w.to] > most {
			most, to = sums[w.to], w.to
		}
	}
	others := int64(len(members) - 1)
	lateness, moved := wait/others, late.account.moved-visit.moved
	if 2*max(most, moved) < lateness {
		return due{rank: late}
	}
	for k, m := range members {
		if k == last {
			continue
		}
		a := &t.g.members[m].rank.account
		moved -= (a.moved - t.visits[m].moved) / others
		for _, w := range a.since(t.visits[m]) {
			if w.to == to && to != nil {
				most -= w.lost / others
			}
		}
	}
	switch {
	case 2*max(most, moved) < lateness:
		return due{rank: late}
	case most >= moved:
		return due{rank: to}
	}
	return due{group: in}
}

// settle books the time that the members of a collective lost.
func (t *tally) settle(members []int, calls []*Call, to due) {
	for k, m := range members {
		r := t.g.members[m].rank
		if lost := t.lost[k]; lost > 0 {
			switch {
			case to.group != nil:
				to.group.Caused += lost
			case to.rank != r:
				to.rank.Caused += lost
			}
			r.account.add(owed{to.rank, to.group, lost})
		}
		if t.moved[k] > 0 {
			r.account.moved += t.moved[k]
			r.account.add(owed{in: t.g, lost: t.moved[k]})
		}
		if c := calls[k]; 10*(t.lost[k]+t.moved[k]) >= 9*(c.End-c.Start) { // else it computed beside it, and was not held
			t.visits[m] = visit{r.account.dropped + len(r.account.waits), r.account.moved}
		}
	}
}

// pass books the stay of members in a call such as SendRecv, in which nobody can
// tell waiting from moving.
func (t *tally) pass(members []int, calls []*Call) {
	for k, c := range calls {
		in := steps.Span{Start: c.Start, End: c.End}
		if stay := c.End - c.Start - t.computing[members[k]].within(in); stay > 0 {
			a := &t.g.members[members[k]].rank.account
			a.moved += stay
			a.add(owed{in: t.g, lost: stay})
		}
	}
}

// A tally goes over the collectives of a group.
type tally struct {
	g         *Group
	computing []spanReader // of the members
	visits    []visit      // of the members
	kinds     map[kindKey]*kind
	order     []*kind
	lost      []int64 // of the present collective, by member that has it
	moved     []int64

	next    func() (matched, bool)
	stop    func()
	now     matched
	arrival int64 // of now, on the common clock
	number  int   // of the group
}

// A matched is a matched collective: the members of a group that have it and what
// each saw, valid until the next.
type matched struct {
	row     int
	members []int
	calls   []*Call
}

func (run *Run) tallies() (out []*tally) {
	for i, g := range run.Groups {
		t := &tally{g: g, number: i, kinds: map[kindKey]*kind{}, computing: make([]spanReader, len(g.members)), visits: make([]visit, len(g.members))}
		for k := range g.members {
			t.computing[k] = *g.members[k].rank.computing.reader()
		}
		t.next, t.stop = iter.Pull(g.all())
		out = append(out, t)
	}
	return out
}

// advance goes to the next collective of the group.
func (t *tally) advance() (ok bool) {
	if t.now, ok = t.next(); !ok {
		return false
	}
	for k, c := range t.now.calls {
		at := t.g.members[t.now.members[k]].rank.At(c.Start)
		if k == 0 || at > t.arrival {
			t.arrival = at
		}
	}
	return true
}

// inOrder calls do with the collectives of all groups in the order in which their
// last members came.
func (run *Run) inOrder(tallies []*tally, do func(*tally)) {
	q := &queue{}
	for _, t := range tallies {
		defer t.stop()
		if t.advance() {
			*q = append(*q, t)
		}
	}
	heap.Init(q)
	for q.Len() > 0 {
		t := (*q)[0]
		do(t)
		if t.advance() {
			heap.Fix(q, 0)
		} else {
			heap.Pop(q)
		}
	}
}

// A queue has the tally whose collective comes next at its head.
type queue []*tally

func (q queue) Len() int { return len(q) }
func (q queue) Less(a, b int) bool {
	return q[a].arrival < q[b].arrival || q[a].arrival == q[b].arrival && q[a].number < q[b].number
}
func (q queue) Swap(a, b int) { q[a], q[b] = q[b], q[a] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*tally)) }
func (q *queue) Pop() any {
	l := *q
	t := l[len(l)-1]
	*q = l[:len(l)-1]
	return t
}

// latest is the place of the call that began last on the common clock, and when;
// ok is false where a clock is not known.
func (g *Group) latest(members []int, calls []*Call) (place int, arrival, second int64, ok bool) {
	arrival, second = math.MinInt64/2, math.MinInt64/2
	for k, c := range calls {
		r := g.members[members[k]].rank
		if r.Error < 0 {
			return 0, 0, 0, false
		}
		if s := r.At(c.Start); s > arrival {
			arrival, second, place = s, arrival, k
		} else {
			second = max(second, s)
		}
	}
	return place, arrival, second, true
}
