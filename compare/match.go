package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// mostCells bounds the table of one alignment; longer lists are matched by
// ordinal.
const mostCells = 4_000_000

// A member is an entity of one side in each of its runs.
type member struct {
	runs  []*Entity // nil where a run lacks it
	first *Entity   // of the first run that has it
	order float64   // place among the side's entities
}

// canonical puts the runs of a side into an order that their files, not the
// command line, decide.
func canonical(runs []*Run) []*Run {
	out := slices.Clone(runs)
	slices.SortStableFunc(out, func(a, b *Run) int {
		return cmp.Or(a.Began.Compare(b.Began), cmp.Compare(a.Name, b.Name), cmp.Compare(len(a.Entities), len(b.Entities)))
	})
	return out
}

// members joins the entities of the runs of a side.
func members(runs []*Run, loose bool) []*member {
	var side []*member
	byKey := map[string]*member{}
	for i, r := range runs {
		taken := map[*member]bool{}
		var left []*Entity
		last := -1.0
		place := make(map[*Entity]float64, len(r.Entities))
		for _, e := range r.Entities {
			m := byKey[e.exact()]
			if m == nil || taken[m] {
				left = append(left, e)
				last += 1e-6
				place[e] = last
				continue
			}
			m.runs[i] = e
			taken[m] = true
			last = m.order
		}
		if i > 0 && len(left) > 0 {
			var open []*Entity
			of := map[*Entity]*member{}
			for _, m := range side {
				if !taken[m] {
					open = append(open, m.first)
					of[m.first] = m
				}
			}
			var still []*Entity
			with := map[*Entity]*Entity{}
			for _, p := range pairs(open, left, loose) {
				with[p.new] = p.old
			}
			for _, e := range left {
				if o := with[e]; o != nil {
					of[o].runs[i] = e
				} else {
					still = append(still, e)
				}
			}
			left = still
		}
		for _, e := range left {
			m := &member{runs: make([]*Entity, len(runs)), first: e, order: float64(len(side))}
			if i > 0 {
				m.order = place[e]
			}
			m.runs[i] = e
			if byKey[e.exact()] == nil {
				byKey[e.exact()] = m
			}
			side = append(side, m)
		}
	}
	slices.SortStableFunc(side, func(a, b *member) int { return cmp.Compare(a.order, b.order) })
	return side
}

// A pair is two entities that are taken for the same thing.
type pair struct {
	old, new *Entity
	loose    bool // template arguments or parameters differ
}

// pairs matches entities in passes, the strictest first; what one pass matches
// the next does not look at.
func pairs(old, new []*Entity, loose bool) []pair {
	passes := []func(*Entity) string{
		(*Entity).exact,
		func(e *Entity) string { return string(e.Class) + "\x00" + e.Full + "\x00" + e.Path },
		func(e *Entity) string { // where the ranges differ; a rank or a kind of call is no range
			if e.Shape == "" {
				return ""
			}
			return string(e.Class) + "\x00" + e.Full
		},
	}
	if loose {
		passes = append(passes, func(e *Entity) string {
			if e.Class != Kernel || e.Base == "" {
				return ""
			}
			if e.Shape == "" {
				return e.Base + "\x00" + e.Path
			}
			return e.Base
		})
	}
	out := inOrder(&old, &new, loose)
	for i, key := range passes {
		out = append(out, pass(&old, &new, key, i == 3)...)
	}
	return out
}

// pass matches the entities of equal keys by order, and takes them off the lists.
func pass(old, new *[]*Entity, key func(*Entity) string, loose bool) []pair {
	if len(*old) == 0 || len(*new) == 0 {
		return nil
	}
	buckets := map[string][]*Entity{}
	for _, e := range *new {
		if k := key(e); k != "" {
			buckets[k] = append(buckets[k], e)
		}
	}
	mine := map[string][]*Entity{}
	var keys []string
	for _, e := range *old {
		k := key(e)
		if k == "" || buckets[k] == nil {
			continue
		}
		if mine[k] == nil {
			keys = append(keys, k)
		}
		mine[k] = append(mine[k], e)
	}
	var out []pair
	done := map[*Entity]bool{}
	for _, k := range keys {
		for _, p := range align(mine[k], buckets[k], cost) {
			out = append(out, pair{p[0], p[1], loose})
			done[p[0]], done[p[1]] = true, true
		}
	}
	rest := func(list []*Entity) []*Entity {
		var left []*Entity
		for _, e := range list {
			if !done[e] {
				left = append(left, e)
			}
		}
		return left
	}
	*old, *new = rest(*old), rest(*new)
	return out
}

// inOrder matches launches by themselves by the order in which the reports have
// them, and takes those that match off the lists: what stands between two launches
// tells which of many equal ones is missing, their number does not. Lists that are
// too long once their common beginning and end are off are left to the passes.
func inOrder(old, new *[]*Entity, loose bool) (out []pair) {
	a, b := *old, *new
	if len(a) == 0 || len(b) == 0 || !a[0].Alone || !b[0].Alone {
		return nil
	}
	equal := func(x, y *Entity) bool { return x.Class == y.Class && x.Full == y.Full && x.Shape == y.Shape }
	from, to := 0, 0
	for from < min(len(a), len(b)) && equal(a[from], b[from]) {
		from++
	}
	for to < min(len(a), len(b))-from && equal(a[len(a)-1-to], b[len(b)-1-to]) {
		to++
	}
	a, b = a[from:len(a)-to], b[from:len(b)-to]
	if len(b) > 0 && len(a) > mostCells/len(b) {
		return nil
	}
	done := map[*Entity]bool{}
	take := func(x, y *Entity) {
		out = append(out, pair{x, y, x.Full != y.Full})
		done[x], done[y] = true, true
	}
	for i := range from {
		take((*old)[i], (*new)[i])
	}
	for _, p := range align(a, b, func(x, y *Entity) float64 {
		if x.Class != y.Class || x.Full != y.Full && (!loose || x.Base == "" || x.Base != y.Base) {
			return math.Inf(1)
		}
		return cost(x, y)
	}) {
		take(p[0], p[1])
	}
	for i := range to {
		take((*old)[len(*old)-to+i], (*new)[len(*new)-to+i])
	}
	matched := func(e *Entity) bool { return done[e] }
	*old, *new = slices.DeleteFunc(slices.Clone(*old), matched), slices.DeleteFunc(slices.Clone(*new), matched)
	return out
}

// align pairs two lists in their order, at the least cost: a gap costs 1, a pair
// what cost says. Which list is which makes no difference.
func align(a, b []*Entity, cost func(x, y *Entity) float64) [][2]*Entity {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	if len(a) == 1 && len(b) == 1 {
		if cost(a[0], b[0]) < 2 {
			return [][2]*Entity{{a[0], b[0]}}
		}
		return nil
	}
	if swapped(a, b) {
		out := align(b, a, func(x, y *Entity) float64 { return cost(y, x) })
		for i := range out {
			out[i][0], out[i][1] = out[i][1], out[i][0]
		}
		return out
	}
	if len(a) > mostCells/len(b) {
		var out [][2]*Entity
		for i := range min(len(a), len(b)) {
			out = append(out, [2]*Entity{a[i], b[i]})
		}
		return out
	}
	width := len(b) + 1
	table := make([]float64, (len(a)+1)*width)
	for i := range len(a) + 1 {
		for j := range width {
			switch {
			case i == 0:
				table[j] = float64(j)
			case j == 0:
				table[i*width] = float64(i)
			default:
				table[i*width+j] = min(table[(i-1)*width+j-1]+cost(a[i-1], b[j-1]), table[(i-1)*width+j]+1, table[i*width+j-1]+1)
			}
		}
	}
	var out [][2]*Entity
	for i, j := len(a), len(b); i > 0 && j > 0; {
		switch at := table[i*width+j]; {
		case at == table[(i-1)*width+j]+1:
			i--
		case at == table[i*width+j-1]+1:
			j--
		default:
			out = append(out, [2]*Entity{a[i-1], b[j-1]})
			i, j = i-1, j-1
		}
	}
	slices.Reverse(out)
	return out
}

// swapped reports whether b comes before a in an order that both sides agree on.
func swapped(a, b []*Entity) bool {
	if len(a) != len(b) {
		return len(a) > len(b)
	}
	for i := range a {
		if c := strings.Compare(a[i].exact(), b[i].exact()); c != 0 {
			return c > 0
		}
	}
	return false
}

// cost tells how unlike two entities of one key are: another grid or block 0.5,
// the more the more the number of threads differs; other template arguments
// 0.75, the more the fewer of them are the same. The finer steps are this
// project's own: they decide among launches that the coarse ones leave equal.
func cost(a, b *Entity) float64 {
	c := 0.0
	if a.Shape != b.Shape {
		c += 0.4
		if a.Size.Block != b.Size.Block {
			c += 0.05
		}
		c += 0.1 * min(1, math.Abs(math.Log(a.Size.threads()/b.Size.threads()))/math.Log(16))
	}
	if a.Full != b.Full {
		c += 0.75 + 0.75*unlike(a.Full, b.Full)
	}
	return c
}

// unlike is the share of words that two names do not have in common.
func unlike(a, b string) float64 {
	split := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("<>(),*& ", r) })
	}
	count := map[string]int{}
	wa, wb := split(a), split(b)
	for _, w := range wa {
		count[w]++
	}
	same := 0
	for _, w := range wb {
		if count[w] > 0 {
			count[w]--
			same++
		}
	}
	return 1 - 2*float64(same)/float64(max(1, len(wa)+len(wb)))
}
