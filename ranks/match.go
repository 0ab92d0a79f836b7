package ranks

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gpuprof/gpuprof/steps"
)

// A Group is a communicator, or ranks that seem to share one.
type Group struct {
	ID       uint64  // of the communicator; 0: inferred
	Ranks    []int64 // of which there are reports, ascending
	Size     int64   // as initialization gave it, else len(Ranks)
	Nodes    int     // hosts
	Rows     int     // collectives, in the order of the communicator
	Unsure   []int64 // ranks whose collectives could not be matched, and why
	Class    steps.Class
	InSteps  bool
	Name     string // of its dimension, where a layout was given
	Kinds    []KindRow
	Caused   int64 // ns that ranks lost because its transfers kept members from other groups
	members  []member
	complete bool // there are reports of all ranks
}

// A KindRow sums up the collectives of a group of one call and size.
type KindRow struct {
	Class    steps.Class
	Bytes    int64   // of one rank's part; 0: not known
	Count    int     // with reports of all members
	Partly   int     // without
	Calls    int64   // API calls in them, of one rank: several where they were fused
	Transfer int64   // ns, median: from the last arrival to the first end
	Stay     int64   // ns, median: shortest stay of a member, which needs no clocks
	Wait     int64   // ns, mean of all members
	AtLeast  int64   // ns, mean: what the members of incomplete ones waited at least, for the last that there is a report of
	Skew     int64   // ns, median: from the first arrival to the last
	AlgBW    float64 // 10^9 bytes/s; 0: not known
	BusBW    float64
	Last     int64 // rank that came last most often, -1: none
	LastOf   int   // how often
	Together int   // how often nobody was last by more than the error of the clocks
	Negative int   // transfers that end before the last arrival: the clocks are wrong there
}

// A member is a rank in a group.
type member struct {
	rank    *Rank
	channel *Channel
	shift   int     // row of its first collective
	rows    []int32 // or the row of each, -1: none; nil: shift says it
	unsure  bool
}

type membership struct {
	group  *Group
	member int
}

// row is the row of collective i of the member, or -1.
func (m *member) row(i int) int {
	switch {
	case m.unsure:
		return -1
	case m.rows != nil:
		return int(m.rows[i])
	}
	return i + m.shift
}

// token is what has to agree for two calls to be of the same collective.
type token struct {
	class steps.Class
	bytes int64
	calls int32
	size  int32
}

// tokenOf leaves out the grid where bytes are known: it may differ between GPUs.
func tokenOf(c *Call) token {
	t := token{class: c.Class, bytes: c.Bytes, calls: c.Calls}
	if c.Bytes == 0 {
		t.size = c.Size
	}
	if c.Class == steps.SendRecv { // the two sides may differ
		t.bytes, t.calls, t.size = 0, 0, 0
	}
	return t
}

// match makes the groups and finds which collectives belong together.
func (run *Run) match(o *Options) {
	run.hosts()
	known := map[uint64]*Group{}
	for _, r := range run.Ranks {
		for k := range r.Channels {
			c := &r.Channels[k]
			if c.Communicator == 0 {
				run.Unknown += c.Count
				continue
			}
			g := known[c.Communicator]
			if g == nil {
				g = &Group{ID: c.Communicator, InSteps: true}
				known[c.Communicator] = g
				run.Groups = append(run.Groups, g)
			}
			g.Size = max(g.Size, c.Ranks)
			g.join(r, c)
		}
	}
	run.align(run.Groups)
	if run.Unknown > 0 {
		run.infer(o)
	}
	for _, g := range run.Groups {
		g.Size = max(g.Size, int64(len(g.Ranks)), 2) // a communicator of one rank runs no kernels
		g.complete = int64(len(g.Ranks)) == g.Size && len(g.Unsure) == 0
		hosts := map[int]bool{}
		for k, m := range g.members {
			hosts[m.rank.host] = true
			m.rank.groups = append(m.rank.groups, membership{g, k})
		}
		g.Nodes = len(hosts)
	}
	slices.SortFunc(run.Groups, func(a, b *Group) int {
		return cmp.Or(-cmp.Compare(a.Size, b.Size), slices.Compare(a.Ranks, b.Ranks), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Class, b.Class))
	})
	run.shiftSteps()
}

func (g *Group) join(r *Rank, c *Channel) {
	g.members = append(g.members, member{rank: r, channel: c})
	g.Ranks = append(g.Ranks, r.Number)
}

// hosts numbers clocks: ranks of one host share one if the report tells the host's
// clock since its start. Offset begins as the time of the host.
func (run *Run) hosts() {
	type clock struct {
		host string
		base int64
	}
	var list []clock
	for i, r := range run.Ranks {
		r.host, r.Offset = -1, r.UTC
		if r.Host == "" || r.Boot == 0 || r.UTC == 0 {
			r.host = len(run.Ranks) + i // of its own
			continue
		}
		base := r.UTC - r.Boot
		for k, c := range list {
			if d := base - c.base; c.host == r.Host && d > -1e9 && d < 1e9 {
				r.host = k
				break
			}
		}
		if r.host < 0 {
			r.host = len(list)
			list = append(list, clock{r.Host, base})
		}
		r.Offset = list[r.host].base + r.Boot
	}
}

// A pending is a member whose list differs from that of the reference.
type pending struct {
	group     *Group
	member    int
	reference int
}

// A link says that two host clocks differ by so much, as seen by matched
// collectives.
type link struct {
	a, b int   // hosts
	diff int64 // to add to b's times
}

// align matches the lists of the members of each group. Equal lists match by
// their order; others by a shift, and where several shifts fit by the clocks, if
// these can tell them apart.
func (run *Run) align(groups []*Group) {
	var open []pending
	var links []link
	var a, b []Call
	for _, g := range groups {
		ref := g.longest()
		a = g.members[ref].channel.appendTo(a[:0])
		g.Rows = len(a)
		for k := range g.members {
			if k == ref {
				continue
			}
			m := &g.members[k]
			b = m.channel.appendTo(b[:0])
			if !equalCalls(a, b) || contradict(g.members[ref].rank, m.rank, a, b) {
				open = append(open, pending{g, k, ref})
				continue
			}
			if g.synchronises(a) {
				links = append(links, link{g.members[ref].rank.host, m.rank.host, run.diff(g.members[ref].rank, m.rank, a, b, 0)})
			}
		}
	}
	run.anchor(links)
	for pass := 0; len(open) > 0; pass++ {
		var still []pending
		links = links[:0]
		for _, p := range open {
			ok, l := run.shift(p, pass > 0)
			if !ok {
				still = append(still, p)
			} else if l != nil {
				links = append(links, *l)
			}
		}
		if len(still) == len(open) && pass > 0 {
			for _, p := range still {
				m := &p.group.members[p.member]
				m.unsure = true
				p.group.Unsure = append(p.group.Unsure, m.rank.Number)
				run.Problems = append(run.Problems, fmt.Sprintf("rank %d: %d collectives of %s fit those of the others in several ways, and the clocks do not tell which: left out",
					m.rank.Number, m.channel.Count, p.group.Label(run)))
			}
			return
		}
		run.anchor(links)
		open = still
	}
}

// longest is the member with most collectives, the first of equals.
func (g *Group) longest() (k int) {
	for i := range g.members {
		if g.members[i].channel.Count > g.members[k].channel.Count {
			k = i
		}
	}
	return k
}

func (g *Group) synchronises(calls []Call) bool {
	return slices.ContainsFunc(calls, func(c Call) bool { return c.Class.Synchronises() })
}

func equalCalls(a, b []Call) bool {
	return slices.EqualFunc(a, b, func(x, y Call) bool { return tokenOf(&x) == tokenOf(&y) })
}

// contradict reports whether numbers of steps say that equal lists are shifted.
func contradict(p, q *Rank, a, b []Call) bool {
	if !p.Numbered || !q.Numbered {
		return false
	}
	differ, n := 0, 0
	for i := range a {
		if x, y := a[i].Step, b[i].Step; x >= 0 && y >= 0 {
			n++
			if p.Steps[x].Number != q.Steps[y].Number {
				differ++
			}
		}
	}
	return 2*differ > n
}

// diff is the median of what the clock of q has to be put forward by so that ends
// of collectives agree with those of p: call i of b is call i+shift of a.
func (run *Run) diff(p, q *Rank, a, b []Call, shift int) int64 {
	d := run.buffer[:0]
	for i := range b {
		if k := i + shift; k >= 0 && k < len(a) {
			d = append(d, (a[k].End+p.Offset)-(b[i].End+q.Offset))
		}
	}
	run.buffer = d
	return median(d)
}

// median is the lower median; it sorts its argument. 0 of none.
func median(v []int64) int64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[(len(v)-1)/2]
}

// anchor moves the clocks of hosts so that linked ones agree with those that are
// anchored already or, at first, with the first of the links.
func (run *Run) anchor(links []link) {
	by := map[int][]link{}
	for _, l := range links {
		if l.a != l.b {
			by[l.a], by[l.b] = append(by[l.a], l), append(by[l.b], link{l.b, l.a, -l.diff})
		}
	}
	if len(by) == 0 {
		return
	}
	move := map[int]int64{} // of the hosts that are anchored
	var queue []int
	for _, r := range run.Ranks {
		if _, seen := move[r.host]; r.anchor && !seen {
			move[r.host] = 0
			queue = append(queue, r.host)
		}
	}
	if len(queue) == 0 {
		first := slices.IndexFunc(links, func(l link) bool { return l.a != l.b })
		move[links[first].a] = 0
		queue = append(queue, links[first].a)
	}
	for len(queue) > 0 {
		h := queue[0]
		queue = queue[1:]
		for _, l := range by[h] {
			if _, seen := move[l.b]; !seen {
				move[l.b] = move[h] + l.diff
				queue = append(queue, l.b)
			}
		}
	}
	for _, r := range run.Ranks {
		if d, ok := move[r.host]; ok {
			r.Offset += d
			r.anchor = true
		}
	}
}

// shift finds how the list of a member lies in that of the reference; byNumber
// lets numbers of steps decide where clocks do not. It returns a link if the
// member's host was not anchored before.
func (run *Run) shift(p pending, byNumber bool) (bool, *link) {
	m, ref := &p.group.members[p.member], &p.group.members[p.reference]
	a, b := ref.channel.Calls(), m.channel.Calls()
	fits := run.fits(ref.rank, m.rank, a, b)
	sure := ref.rank.host == m.rank.host || ref.rank.anchor && m.rank.anchor
	choice := choose(fits, sure)
	if choice < 0 && byNumber {
		choice = byNumbers(fits, ref.rank, m.rank, a, b)
	}
	switch {
	case choice >= 0:
		m.shift = fits[choice].shift
		if !sure && p.group.synchronises(a) {
			return true, &link{ref.rank.host, m.rank.host, fits[choice].diff}
		}
		return true, nil
	case len(fits) == 0 && sure:
		m.rows = byTime(ref.rank, m.rank, a, b)
		return true, nil
	}
	return false, nil
}

// A fit is a shift by which two lists agree where they overlap.
type fit struct {
	shift, overlap int
	diff           int64 // between the clocks, if this is it
}

// fits are all shifts by which the lists agree where they overlap, if that is at
// least half of the shorter one.
func (run *Run) fits(p, q *Rank, a, b []Call) (out []fit) {
	least := (min(len(a), len(b)) + 1) / 2
	for shift := least - len(b); shift <= len(a)-least; shift++ {
		from, to := max(0, -shift), min(len(b), len(a)-shift)
		ok := to-from >= least
		for i := from; i < to && ok; i++ {
			ok = tokenOf(&a[i+shift]) == tokenOf(&b[i])
		}
		if ok {
			out = append(out, fit{shift, to - from, run.diff(p, q, a, b, shift)})
		}
	}
	return out
}

// choose takes the shift by which the clocks agree, if the next best is clearly
// worse: by clocks that matched collectives anchored, or by those of the hosts if
// these are right to a quarter of the distance of the shifts. A single shift
// needs no clocks.
func choose(fits []fit, sure bool) int {
	if len(fits) == 0 {
		return -1
	}
	if len(fits) == 1 {
		return 0
	}
	order := make([]int, len(fits))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(abs(fits[a].diff), abs(fits[b].diff)) })
	best, next := abs(fits[order[0]].diff), abs(fits[order[1]].diff)
	limit := int64(4)
	if sure {
		limit = 2
	}
	if best < math.MaxInt64/8 && best*limit < best+next {
		return order[0]
	}
	return -1
}

func abs(v int64) int64 { return max(v, -v) }

// byNumbers takes the shift by which numbers of steps agree, if it is the only one.
func byNumbers(fits []fit, p, q *Rank, a, b []Call) int {
	choice := -1
	for k, f := range fits {
		from, to := max(0, -f.shift), min(len(b), len(a)-f.shift)
		if !p.Numbered || !q.Numbered || from+f.shift < 0 || contradict(p, q, a[from+f.shift:to+f.shift], b[from:to]) {
			continue
		}
		if choice >= 0 {
			return -1
		}
		choice = k
	}
	return choice
}

// byTime matches lists that have holes by times, which must be on anchored
// clocks: each call goes with the nearest of its kind, if that is nearer than a
// third of the usual distance of calls.
func byTime(p, q *Rank, a, b []Call) []int32 {
	var gaps []int64
	for i := 1; i < len(a); i++ {
		gaps = append(gaps, a[i].End-a[i-1].End)
	}
	limit := max(median(gaps)/3, 1000)
	rows := make([]int32, len(b))
	at := 0
	for i := range b {
		rows[i] = -1
		t := b[i].End + q.Offset
		best, found := limit, -1
		for k := at; k < len(a) && a[k].End+p.Offset <= t+limit; k++ {
			if d := abs(a[k].End + p.Offset - t); d < best && tokenOf(&a[k]) == tokenOf(&b[i]) {
				best, found = d, k
			}
		}
		if found >= 0 {
			rows[i], at = int32(found), found+1
		}
	}
	return rows
}

// Label names a group in words.
func (g *Group) Label(run *Run) string {
	switch {
	case int64(len(g.Ranks)) == run.Size && run.Size > 1:
		return "all ranks"
	case len(g.Ranks) == 1:
		return "rank " + list(g.Ranks) + " and others"
	case int64(len(g.Ranks)) < g.Size:
		return "ranks " + list(g.Ranks) + " and others"
	}
	return "ranks " + list(g.Ranks)
}

// shiftSteps finds what is to be added to the numbers of steps of each rank so
// that they agree in matched collectives: a rank that began late may count from 0
// as the others do. Most ranks keep their numbers.
func (run *Run) shiftSteps() {
	type edge struct {
		to  *Rank
		add int64 // to numbers of to so that they agree
	}
	edges := map[*Rank][]edge{}
	var a, b []Call
	for _, g := range run.Groups {
		ref := g.longest()
		a = g.members[ref].channel.appendTo(a[:0])
		for k := range g.members {
			m := &g.members[k]
			if k == ref || m.unsure {
				continue
			}
			b = m.channel.appendTo(b[:0])
			if add, ok := stepDifference(g.members[ref].rank, m, a, b); ok {
				p := g.members[ref].rank
				edges[p], edges[m.rank] = append(edges[p], edge{to: m.rank, add: add}), append(edges[m.rank], edge{to: p, add: -add})
			}
		}
	}
	var parts [][]*Rank
	seen := map[*Rank]bool{}
	for _, first := range run.Ranks {
		if seen[first] {
			continue
		}
		seen[first] = true
		part := []*Rank{first}
		for i := 0; i < len(part); i++ {
			for _, e := range edges[part[i]] {
				if !seen[e.to] {
					seen[e.to] = true
					e.to.StepShift = part[i].StepShift + e.add
					part = append(part, e.to)
				}
			}
		}
		settleShifts(part)
		parts = append(parts, part)
	}
	slices.SortStableFunc(parts, func(a, b []*Rank) int { return -cmp.Compare(len(a), len(b)) })
	for _, part := range parts[1:] {
		run.joinSteps(parts[0][0], part)
	}
	for _, r := range run.Ranks {
		if r.StepShift != 0 && len(r.Steps) > 0 {
			run.Notes = append(run.Notes, fmt.Sprintf("rank %d numbers its steps from another one: its step %d is step %d of the others",
				r.Number, r.Steps[0].Number, r.Steps[0].Number+r.StepShift))
		}
	}
}

// settleShifts lets most of the ranks that collectives tie together keep their
// numbers.
func settleShifts(part []*Rank) {
	count := map[int64]int{}
	common := part[0].StepShift
	for _, r := range part {
		count[r.StepShift]++
	}
	for s, n := range count {
		if n > count[common] || n == count[common] && s < common {
			common = s
		}
	}
	for _, r := range part {
		r.StepShift -= common
	}
}

// joinSteps finds the numbers of steps of ranks that share no collective with the
// first: the program's own, else by the clock of the host if it is the same. Others
// are not compared.
func (run *Run) joinSteps(first *Rank, part []*Rank) {
	for _, r := range part {
		switch {
		case len(r.Steps) == 0 || first.Numbered && r.Numbered:
		case first.host != r.host || len(first.Steps) == 0:
			r.alone = true
		default:
			shift, ok := shiftByTime(first, r)
			r.StepShift, r.alone = shift+first.StepShift, !ok
		}
		if r.alone {
			run.Notes = append(run.Notes, fmt.Sprintf("rank %d: nothing tells which of its steps are which of the others': it is not compared", r.Number))
		}
	}
}

// shiftByTime matches steps of ranks of one host by their starts, which must agree
// to a quarter of a step.
func shiftByTime(p, q *Rank) (int64, bool) {
	var walls []int64
	for i := range p.Steps {
		walls = append(walls, p.Steps[i].Wall())
	}
	at := q.Steps[0].Start + q.Offset
	best, off := 0, int64(math.MaxInt64)
	for i := range p.Steps {
		if d := abs(p.Steps[i].Start + p.Offset - at); d < off {
			best, off = i, d
		}
	}
	return p.Steps[best].Number - q.Steps[0].Number, off < median(walls)/4
}

// stepDifference is the usual difference of numbers of steps in matched calls.
func stepDifference(p *Rank, m *member, a, b []Call) (int64, bool) {
	count := map[int64]int{}
	best, n := int64(0), 0
	for i := range b {
		k := m.row(i)
		if k < 0 || k >= len(a) || a[k].Step < 0 || b[i].Step < 0 {
			continue
		}
		d := p.Steps[a[k].Step].Number - m.rank.Steps[b[i].Step].Number
		if count[d]++; count[d] > n || count[d] == n && d < best {
			best, n = d, count[d]
		}
	}
	return best, n > 0
}
