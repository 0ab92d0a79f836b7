package stats

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
	"github.com/gpuprof/gpuprof/view"
)

// byStart sorts some ranges by start, then by end, then by the number of their
// row.
func byStart(rows []int32, r *trace.Ranges) []int32 {
	out := slices.Clone(rows)
	slices.SortFunc(out, func(a, b int32) int {
		return cmp.Or(cmp.Compare(r.Start[a], r.Start[b]), cmp.Compare(r.End[a], r.End[b]), cmp.Compare(r.Row[a], r.Row[b]))
	})
	return out
}

// A projection is what the GPU did for a range: the span from the first to the
// last operation whose API call lies within the range on its thread.
type projection struct {
	start, end int64
	ops        int64
}

// A gpuCall is an API call that caused work of a GPU.
type gpuCall struct {
	row        int32 // in the table of calls
	thread     trace.GlobalID
	start, end int64 // of the work
}

// gpuCalls finds for every call the span of the work that it caused; end is
// less than start where it caused none. Columns rather than structs: there are
// millions.
func gpuCalls(ctx context.Context, q *Request) (c *trace.Table, start, end []int64, err error) {
	if c, err = q.table(ctx, "CUDA API calls", trace.TableRuntime, "start", "end", "globalTid", "correlationId"); err != nil {
		return
	}
	ops, err := q.activities(ctx)
	if err != nil {
		return
	}
	x := trace.NewIndex(c.Ints("globalTid"), c.Ints("correlationId"))
	start, end = make([]int64, c.Rows), make([]int64, c.Rows)
	for i := range start {
		start[i], end[i] = math.MaxInt64, math.MinInt64
	}
	for _, t := range ops {
		s, e, pid, id := t.Ints("start"), t.Ints("end"), t.Ints("globalPid"), t.Ints("correlationId")
		for i := range s {
			for r := x.Find(pid[i], id[i]); r >= 0; r = x.Next(r) {
				start[r], end[r] = min(start[r], s[i]), max(end[r], e[i])
			}
		}
	}
	return
}

// byThread returns the rows for which use holds, by thread and start. Rows of a
// thread mostly come sorted, so they are sorted only where they do not.
func byThread(thread, start []int64, use func(i int) bool) []int32 {
	g, tids := groupInts(thread)
	rank := make([]int32, g.n)
	order := make([]int32, g.n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(uint64(tids[a]), uint64(tids[b])) })
	for k, i := range order {
		rank[i] = int32(k)
	}
	at := make([]int32, g.n+1)
	for i, x := range g.of {
		if use(i) {
			at[rank[x]+1]++
		}
	}
	for i := range g.n {
		at[i+1] += at[i]
	}
	rows := make([]int32, at[g.n])
	pos := slices.Clone(at[:g.n])
	for i, x := range g.of {
		if use(i) {
			k := rank[x]
			rows[pos[k]] = int32(i)
			pos[k]++
		}
	}
	byStart := func(a, b int32) int { return cmp.Or(cmp.Compare(start[a], start[b]), cmp.Compare(a, b)) }
	for i := range g.n {
		if part := rows[at[i]:at[i+1]]; !slices.IsSortedFunc(part, byStart) {
			slices.SortFunc(part, byStart)
		}
	}
	return rows
}

// An outside is the work that a thread caused outside of all ranges.
type outside struct {
	thread trace.GlobalID
	projection
}

// project finds the projection of each range that has one, and what lies outside
// of all ranges. A sweep of each
// thread finds for every call the ranges around it: push/pop ranges by a stack,
// start/end ranges, which need not nest, by a list of those that are open.
func project(ctx context.Context, q *Request, r *trace.Ranges) ([]projection, []outside, error) {
	out := make([]projection, r.Len())
	for i := range out {
		out[i] = projection{start: math.MaxInt64, end: math.MinInt64}
	}
	var rest []outside
	err := enclose(ctx, q, r, func(i int32, c *gpuCall) {
		if i >= 0 {
			out[i].add(c)
			return
		}
		if n := len(rest); n == 0 || rest[n-1].thread != c.thread {
			rest = append(rest, outside{thread: c.thread, projection: projection{start: math.MaxInt64, end: math.MinInt64}})
		}
		rest[len(rest)-1].add(c)
	})
	return out, rest, err
}

func (p *projection) add(c *gpuCall) {
	p.start, p.end, p.ops = min(p.start, c.start), max(p.end, c.end), p.ops+1
}

// enclose calls visit for every call that caused work and every range around it,
// or with -1 where there is none. Calls come by thread.
func enclose(ctx context.Context, q *Request, r *trace.Ranges, visit func(i int32, c *gpuCall)) error {
	c, start, end, err := gpuCalls(ctx, q)
	if err != nil {
		return err
	}
	tid := c.Ints("globalTid")
	g := &gpuCall{row: -1}
	sweep(c, r, func(row int) bool { return end[row] >= start[row] }, func(i, row int32) {
		if g.row != row {
			*g = gpuCall{row: row, thread: trace.GlobalID(tid[row]), start: start[row], end: end[row]}
		}
		visit(i, g)
	})
	return nil
}

// sweep calls visit for every call for which use holds and every range around
// it, or with -1 where there is none. Calls come by thread.
func sweep(c *trace.Table, r *trace.Ranges, use func(row int) bool, visit func(i, row int32)) {
	tid, cstart, cend := c.Ints("globalTid"), c.Ints("start"), c.Ints("end")
	calls := byThread(tid, cstart, use)
	order := make([]int32, 0, r.Len())
	for i := range r.Start {
		if r.EndThread[i] == 0 || r.PushPop[i] { // a range that another thread ended encloses nothing
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(uint64(r.Thread[a]), uint64(r.Thread[b])), cmp.Compare(r.Start[a], r.Start[b]), cmp.Compare(r.End[b], r.End[a]), cmp.Compare(a, b))
	})
	var open []int32
	next := 0
	for _, row := range calls {
		t, s, e := uint64(tid[row]), cstart[row], cend[row]
		for next < len(order) && uint64(r.Thread[order[next]]) < t {
			next++
			open = open[:0]
		}
		if len(open) > 0 && uint64(r.Thread[open[0]]) != t {
			open = open[:0]
		}
		for next < len(order) && uint64(r.Thread[order[next]]) == t && r.Start[order[next]] <= s {
			open = append(open, order[next])
			next++
		}
		kept, found := open[:0], false
		for _, i := range open {
			if r.End[i] >= s { // calls come by start, so the others are over
				kept = append(kept, i)
				if r.End[i] >= e {
					visit(i, row)
					found = true
				}
			}
		}
		open = kept
		if !found {
			visit(-1, row)
		}
	}
}

var nvtxGPUProjTrace = &Report{
	Name: "nvtx_gpu_proj_trace", Old: []string{"nvtxgpuproj"}, Title: "NVTX GPU Projection Trace",
	Short: "every NVTX range as the GPU saw it: from the first to the last operation that it caused",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		r, p, rest, n, name, err := projections(ctx, q)
		if err != nil {
			return nil, err
		}
		t := table(text("Name"), nanoseconds("Projected Start"), nanoseconds("Projected Duration"), nanoseconds("Orig Start"),
			nanoseconds("Orig Duration"), text("Style"), count("PID"), count("TID"), count("NumGPUOps"), count("Lvl"), count("NumChild"),
			count("RangeId"), count("ParentId"), text("RangeStack"))
		var order []int32
		for i := range p {
			if p[i].ops > 0 {
				order = append(order, int32(i))
			}
		}
		order = byStart(order, r)
		for _, o := range rest {
			t.Rows = append(t.Rows, []view.Value{view.Null, view.Int(o.start, ns), view.Int(interval.Lasts(o.start, o.end), ns), view.Null, view.Null, view.Null,
				view.Int(o.thread.PID(), ""), view.Int(o.thread.TID(), ""), view.Int(o.ops, ""), view.Null, view.Int(0, ""), view.Null, view.Null, view.Null})
		}
		t.More = func(yield func([]view.Value) bool) {
			row := make([]view.Value, 0, 14)
			for _, i := range order {
				row = append(row[:0], view.String(name(int(i))), view.Int(p[i].start, ns), view.Int(p[i].end-p[i].start, ns),
					view.Int(r.Start[i], ns), view.Int(r.End[i]-r.Start[i], ns), view.String(style(r.PushPop[i])),
					view.Int(r.Thread[i].PID(), ""), view.Int(r.Thread[i].TID(), ""), view.Int(p[i].ops, ""))
				row = append(row, view.Int(int64(n.Level[i]), ""))
				if !yield(append(row, nestCells(r, n, i)...)) {
					return
				}
			}
		}
		return t, nil
	},
}

// projections finds what both reports of projections rest on. The nesting
// counts only those children that are projected.
func projections(ctx context.Context, q *Request) (r *trace.Ranges, p []projection, rest []outside, n *trace.Nesting, name func(int) string, err error) {
	if r, err = q.ranges(ctx); err != nil {
		return
	}
	if name, err = rangeNames(ctx, q.Trace, r); err != nil {
		return
	}
	if p, rest, err = project(ctx, q, r); err != nil {
		return
	}
	if !slices.ContainsFunc(p, func(p projection) bool { return p.ops > 0 }) {
		err = skipf("no work of a GPU was caused within an NVTX range")
	}
	n = nestPushPop(r)
	clear(n.Children)
	for i := range p {
		if k := n.Parent[i]; k >= 0 && p[i].ops > 0 {
			n.Children[k]++
		}
	}
	return
}

var nvtxGPUProjSum = &Report{
	Name: "nvtx_gpu_proj_sum", Title: "NVTX GPU Projection Summary",
	Short: "time of NVTX ranges as the GPU saw them, by text",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		r, p, _, n, name, err := projections(ctx, q)
		if err != nil {
			return nil, err
		}
		var rows []int32
		for i := range p {
			if p[i].ops > 0 {
				rows = append(rows, int32(i))
			}
		}
		type key struct {
			name    string
			pushPop bool
		}
		// Few texts, many ranges: group by number first.
		type raw struct {
			text    trace.Sym
			domain  int64
			pid     trace.GlobalID
			pushPop bool
		}
		g, keys := groupBy(len(rows), func(k int) raw {
			i := rows[k]
			return raw{r.Text[i], r.Domain[i], r.Thread[i].Process(), r.PushPop[i]}
		})
		first := make([]int32, g.n)
		for k := len(rows) - 1; k >= 0; k-- {
			first[g.of[k]] = rows[k]
		}
		gg, names := merge(g, func(i int) key { return key{name(int(first[i])), keys[i].pushPop} })
		type extra struct{ orig, ops, level, children int64 }
		more := make([]extra, gg.n)
		for k, x := range gg.of {
			i, e := rows[k], &more[x]
			e.orig += r.End[i] - r.Start[i]
			e.ops += p[i].ops
			e.level += int64(n.Level[i])
			e.children += int64(n.Children[i])
		}
		t := table(append(append([]view.Column{text("Range"), text("Style"), nanoseconds("Total Proj Time"), nanoseconds("Total Range Time"),
			count("Range Instances")}, distColumns(func(s string) view.Column { return nanoseconds("Proj " + s) })...),
			count("Total GPU Ops"), decimal("Avg GPU Ops"), decimal("Avg Range Lvl"), decimal("Avg Num Child"))...)
		var sums []sumRow
		for i, d := range gg.dists(func(k int) int64 { p := p[rows[k]]; return interval.Lasts(p.start, p.end) }) {
			e, c := more[i], float64(d.n)
			row := []view.Value{view.String(names[i].name), view.String(style(names[i].pushPop)), view.Int(d.sum, ns), view.Int(e.orig, ns), view.Int(d.n, "")}
			row = append(append(row, d.values(ns)...), view.Int(e.ops, ""), view.Float(float64(e.ops)/c, ""), view.Float(float64(e.level)/c, ""), view.Float(float64(e.children)/c, ""))
			sums = append(sums, sumRow{d: d, name: names[i].name, cells: row})
		}
		for _, i := range bySum(sums) {
			t.Rows = append(t.Rows, sums[i].cells)
		}
		return t, nil
	},
}
