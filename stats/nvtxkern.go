package stats

import (
	"cmp"
	"context"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// kernelRanges calls visit for every kernel and every range around the call that
// launched it, with the thread of the call. The ranges of one kernel come
// together, outermost first; a kernel without a range is visited once with -1,
// and with thread 0 where its call is not in the trace.
func kernelRanges(ctx context.Context, q *Request, r *trace.Ranges, kernels *trace.Table, visit func(kernel, rng int32, thread trace.GlobalID)) error {
	c, err := q.table(ctx, "CUDA API calls", trace.TableRuntime, "start", "end", "globalTid", "correlationId")
	if err != nil {
		return err
	}
	around := map[int32][]int32{} // ranges of a call
	if r != nil {
		err = enclose(ctx, q, r, func(i int32, g *gpuCall) {
			if i >= 0 {
				around[g.row] = append(around[g.row], i)
			}
		})
		if err != nil {
			return err
		}
	}
	tid := c.Ints("globalTid")
	x := trace.NewIndex(tid, c.Ints("correlationId"))
	pid, corr := kernels.Ints("globalPid"), kernels.Ints("correlationId")
	for i := range kernels.Rows {
		found, thread := false, trace.GlobalID(0)
		for row := x.Find(pid[i], corr[i]); row >= 0; row = x.Next(row) {
			thread = trace.GlobalID(tid[row])
			for _, k := range around[row] {
				visit(int32(i), k, thread)
				found = true
			}
		}
		if !found {
			visit(int32(i), -1, thread)
		}
	}
	return nil
}

// rangePrefix returns the name of the innermost NVTX push/pop range around the
// launch of each kernel, with a slash, or "".
func rangePrefix(ctx context.Context, q *Request, kernels *trace.Table) (func(i int) string, error) {
	r, err := q.ranges(ctx)
	if _, skip := err.(*Skip); skip {
		return func(int) string { return "" }, nil
	}
	if err != nil {
		return nil, err
	}
	name, err := rangeNames(ctx, q.Trace, r)
	if err != nil {
		return nil, err
	}
	inner := make([]int32, kernels.Rows)
	for i := range inner {
		inner[i] = -1
	}
	err = kernelRanges(ctx, q, r, kernels, func(k, i int32, _ trace.GlobalID) {
		if i >= 0 && r.PushPop[i] && (inner[k] < 0 || r.Start[i] >= r.Start[inner[k]]) {
			inner[k] = i
		}
	})
	return func(i int) string {
		if inner[i] < 0 {
			return ""
		}
		return name(int(inner[i])) + "/"
	}, err
}

// nvtxKernelSums sums up kernels by range and name.
func nvtxKernelSums(ctx context.Context, q *Request, t *trace.Table, col string) ([]sumRow, error) {
	prefix, err := rangePrefix(ctx, q, t)
	if err != nil {
		return nil, err
	}
	id := mangledOr(t, col).Ints(col)
	g, names := groupBy(t.Rows, func(i int) string { return prefix(i) + q.Trace.NameText(id[i]) })
	var rows []sumRow
	for i, d := range g.dists(durations(t)) {
		rows = append(rows, sumRow{d: d, name: names[i], cells: []view.Value{view.String(names[i])}})
	}
	return rows, nil
}

var nvtxKernSum = &Report{
	Name: "nvtx_kern_sum", Old: []string{"nvtxkernsum"}, Title: "NVTX Range Kernel Summary",
	Short: "time in kernels by every NVTX range around their launch", Args: kernelArgs[:2],
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		r, err := q.ranges(ctx)
		if err != nil {
			return nil, err
		}
		name, err := rangeNames(ctx, q.Trace, r)
		if err != nil {
			return nil, err
		}
		col := kernelColumn(q)
		k, err := q.table(ctx, "kernels", trace.TableKernel, "start", "end", "globalPid", "correlationId", "demangledName", col)
		if err != nil {
			return nil, err
		}
		id := mangledOr(k, col).Ints(col)
		type key struct {
			rng     string
			some    bool
			pushPop bool
			thread  trace.GlobalID
			kernel  int64
		}
		type pair struct {
			kernel, rng int32
			thread      trace.GlobalID
		}
		var pairs []pair
		if err := kernelRanges(ctx, q, r, k, func(kernel, rng int32, th trace.GlobalID) { pairs = append(pairs, pair{kernel, rng, th}) }); err != nil {
			return nil, err
		}
		g, keys := groupBy(len(pairs), func(i int) key {
			p := pairs[i]
			if p.rng < 0 {
				return key{kernel: id[p.kernel], thread: p.thread}
			}
			return key{name(int(p.rng)), true, r.PushPop[p.rng], r.Thread[p.rng], id[p.kernel]}
		})
		instances := make([]map[int32]bool, g.n)
		for i, x := range g.of {
			if pairs[i].rng >= 0 {
				if instances[x] == nil {
					instances[x] = map[int32]bool{}
				}
				instances[x][pairs[i].rng] = true
			}
		}
		t := table(append(append([]view.Column{text("NVTX Range"), text("Style"), count("PID"), count("TID"), count("NVTX Inst"), count("Kern Inst"),
			nanoseconds("Total Time")}, distColumns(nanoseconds)...), text("Kernel Name"))...)
		duration := durations(k)
		d := g.dists(func(i int) int64 { return duration(int(pairs[i].kernel)) })
		order := make([]int, g.n)
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Or(cmp.Compare(keys[a].rng, keys[b].rng), cmp.Compare(keys[a].thread, keys[b].thread), cmp.Compare(d[b].sum, d[a].sum))
		})
		for _, i := range order {
			k := keys[i]
			row := []view.Value{view.Null, view.Null, view.Null, view.Null}
			if !k.some && k.thread != 0 {
				row[2], row[3] = view.Int(k.thread.PID(), ""), view.Int(k.thread.TID(), "")
			}
			if k.some {
				row = []view.Value{view.String(k.rng), view.String(style(k.pushPop)), view.Int(k.thread.PID(), ""), view.Int(k.thread.TID(), "")}
			}
			row = append(append(row, view.Int(int64(len(instances[i])), ""), view.Int(d[i].n, ""), view.Int(d[i].sum, ns)), d[i].values(ns)...)
			t.Rows = append(t.Rows, append(row, view.String(q.Trace.NameText(k.kernel))))
		}
		return t, nil
	},
}
