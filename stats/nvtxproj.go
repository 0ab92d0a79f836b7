package stats

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
	"github.com/gpuprof/gpuprof/trace/projection"
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

// A projected is what the GPU did for a range: the span from the first to the
// last operation whose API call lies within the range on its thread.
type projected struct {
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

// An outside is the work that a thread caused outside of all ranges.
type outside struct {
	thread trace.GlobalID
	projected
}

// project finds the projection of each range that has one, and what lies outside
// of all ranges. A sweep of each
// thread finds for every call the ranges around it: push/pop ranges by a stack,
// start/end ranges, which need not nest, by a list of those that are open.
func project(ctx context.Context, q *Request, r *trace.Ranges) ([]projected, []outside, error) {
	out := make([]projected, r.Len())
	for i := range out {
		out[i] = projected{start: math.MaxInt64, end: math.MinInt64}
	}
	var rest []outside
	err := enclose(ctx, q, r, func(i int32, c *gpuCall) {
		if i >= 0 {
			out[i].add(c)
			return
		}
		if n := len(rest); n == 0 || rest[n-1].thread != c.thread {
			rest = append(rest, outside{thread: c.thread, projected: projected{start: math.MaxInt64, end: math.MinInt64}})
		}
		rest[len(rest)-1].add(c)
	})
	return out, rest, err
}

func (p *projected) add(c *gpuCall) {
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
	projection.Sweep(c, r, func(row int) bool { return end[row] >= start[row] }, func(i, row int32) {
		if g.row != row {
			*g = gpuCall{row: row, thread: trace.GlobalID(tid[row]), start: start[row], end: end[row]}
		}
		visit(i, g)
	})
	return nil
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
func projections(ctx context.Context, q *Request) (r *trace.Ranges, p []projected, rest []outside, n *trace.Nesting, name func(int) string, err error) {
	if r, err = q.ranges(ctx); err != nil {
		return
	}
	if name, err = rangeNames(ctx, q.Trace, r); err != nil {
		return
	}
	if p, rest, err = project(ctx, q, r); err != nil {
		return
	}
	if !slices.ContainsFunc(p, func(p projected) bool { return p.ops > 0 }) {
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
