package stats

import (
	"cmp"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
	"github.com/gpuprof/gpuprof/view"
)

// A grouping puts rows into groups.
type grouping struct {
	of []int32 // group of each row
	n  int     // groups
}

// groupInts groups rows by a number. Numbers that lie close together index an
// array, which is several times faster than a map.
func groupInts(v []int64) (g grouping, keys []int64) {
	g.of = make([]int32, len(v))
	if len(v) == 0 {
		return g, nil
	}
	lo, hi := v[0], v[0]
	for _, x := range v {
		lo, hi = min(lo, x), max(hi, x)
	}
	if d := uint64(hi) - uint64(lo); d < denseCells {
		id := make([]int32, d+1)
		for i, x := range v {
			k := &id[x-lo]
			if *k == 0 {
				keys = append(keys, x)
				*k = int32(len(keys))
			}
			g.of[i] = *k - 1
		}
	} else {
		g, keys = groupBy(len(v), func(i int) int64 { return v[i] })
	}
	g.n = len(keys)
	return g, keys
}

// groupBy groups rows by any key.
func groupBy[K comparable](n int, key func(i int) K) (g grouping, keys []K) {
	g.of = make([]int32, n)
	id := map[K]int32{}
	for i := range n {
		k := key(i)
		x, ok := id[k]
		if !ok {
			x = int32(len(keys))
			keys = append(keys, k)
			id[k] = x
		}
		g.of[i] = x
	}
	g.n = len(keys)
	return g, keys
}

// denseCells is how many cells an array may have that stands in for a map.
const denseCells = 1 << 22

// refine splits the groups of g by a number of each row, so that rows by several
// numbers are grouped without a map that has all of them in its key.
func (g *grouping) refine(v []int64) {
	if len(v) == 0 {
		return
	}
	lo, hi := v[0], v[0]
	for _, x := range v {
		lo, hi = min(lo, x), max(hi, x)
	}
	width := uint64(hi) - uint64(lo) + 1
	if width == 1 {
		return
	}
	if width < denseCells && width*uint64(g.n) <= denseCells {
		id, n := make([]int32, width*uint64(g.n)), int32(0)
		for i, x := range v {
			k := &id[uint64(g.of[i])*width+uint64(x-lo)]
			if *k == 0 {
				n++
				*k = n
			}
			g.of[i] = *k - 1
		}
		g.n = int(n)
		return
	}
	type key struct {
		group int32
		v     int64
	}
	id := map[key]int32{}
	var recent [256]struct { // of the map, mostly all of it: number plus one
		key
		n int32
	}
	for i, x := range v {
		k := key{g.of[i], x}
		r := &recent[(uint64(x)*0x9e3779b97f4a7c15>>56+uint64(k.group))%256]
		if r.n == 0 || r.key != k {
			n, ok := id[k]
			if !ok {
				n = int32(len(id))
				id[k] = n
			}
			r.key, r.n = k, n+1
		}
		g.of[i] = r.n - 1
	}
	g.n = len(id)
}

// together groups n rows by several numbers of each. Groups are numbered in the
// order in which they are met.
func together(n int, columns ...[]int64) grouping {
	g := grouping{of: make([]int32, n), n: min(n, 1)}
	for _, v := range columns {
		g.refine(v)
	}
	return g
}

// first returns the first row of each group.
func (g grouping) first() []int32 {
	out := make([]int32, g.n)
	for i := len(g.of) - 1; i >= 0; i-- {
		out[g.of[i]] = int32(i)
	}
	return out
}

// merge groups the groups of g by a key of theirs.
func merge[K comparable](g grouping, key func(group int) K) (grouping, []K) {
	to, keys := groupBy(g.n, key)
	for i, x := range g.of {
		g.of[i] = to.of[x]
	}
	return grouping{g.of, to.n}, keys
}

// split sorts the values of rows by group and returns those of each group.
func (g grouping) split(value func(i int) int64) [][]int64 {
	at := make([]int, g.n+1)
	for _, x := range g.of {
		at[x+1]++
	}
	for i := range g.n {
		at[i+1] += at[i]
	}
	flat := make([]int64, len(g.of))
	pos := slices.Clone(at[:g.n])
	for i, x := range g.of {
		flat[pos[x]] = value(i)
		pos[x]++
	}
	out := make([][]int64, g.n)
	for i := range out {
		out[i] = flat[at[i]:at[i+1]:at[i+1]]
	}
	return out
}

// dists describes the values of each group.
func (g grouping) dists(value func(i int) int64) []dist {
	parts := g.split(value)
	out := make([]dist, len(parts))
	for i, p := range parts {
		out[i] = distOf(p)
	}
	return out
}

// durations returns a function that yields end less start of a row.
func durations(t *trace.Table) func(i int) int64 {
	start, end := t.Ints("start"), t.Ints("end")
	return func(i int) int64 { return interval.Lasts(start[i], end[i]) }
}

// A sumRow is a row of a summary of times or sizes.
type sumRow struct {
	d     dist
	cells []view.Value // after the distribution
	name  string       // last resort of the order
	at    int32        // what lateSumTable makes the cells of
}

// bySum is the order of a summary: the largest sum first, then by name.
func bySum(rows []sumRow) []int32 {
	order := make([]int32, len(rows))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		if c := cmp.Compare(rows[b].d.sum, rows[a].d.sum); c != 0 { // nearly always: names are long
			return c
		}
		return cmp.Or(cmp.Compare(rows[a].name, rows[b].name), cmp.Compare(a, b))
	})
	return order
}

// sumTable is the template of most summaries: share, total, count, distribution,
// then what the row is about.
func sumTable(countLabel string, rows []sumRow, what ...view.Column) *view.Table {
	return lateSumTable(countLabel, rows, func(r *sumRow) []view.Value { return r.cells }, what...)
}

// lateSumTable is sumTable with cells that are made when the row is printed.
func lateSumTable(countLabel string, rows []sumRow, cells func(*sumRow) []view.Value, what ...view.Column) *view.Table {
	t := table(append(append([]view.Column{percent("Time"), nanoseconds("Total Time"), count(countLabel)}, distColumns(nanoseconds)...), what...)...)
	order := bySum(rows)
	t.Behind = func(row int) []int64 { return rows[order[row]].d.of }
	var all int64
	for i := range rows {
		all = interval.Plus(all, rows[i].d.sum)
	}
	addRows(t, len(rows), func(row []view.Value, i int) []view.Value {
		r := &rows[order[i]]
		share := view.Null
		if all != 0 {
			share = view.Float(100*float64(r.d.sum)/float64(all), "%")
		}
		row = append(row, share, view.Int(r.d.sum, ns), view.Int(r.d.n, ""))
		return append(r.d.addTo(row, ns), cells(r)...)
	})
	return t
}

// keptRows is how many rows of a table are made at once; of more, each is made
// when it is printed.
const keptRows = 1 << 12

// addRows gives a table n rows, which row appends to what it is given.
func addRows(t *view.Table, n int, row func(to []view.Value, i int) []view.Value) {
	if n <= keptRows {
		for i := range n {
			t.Rows = append(t.Rows, row(nil, i))
		}
		return
	}
	t.More = func(yield func([]view.Value) bool) {
		var buf []view.Value
		for i := range n {
			if buf = row(buf[:0], i); !yield(buf) {
				return
			}
		}
	}
}
