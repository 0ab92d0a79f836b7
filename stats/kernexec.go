package stats

import (
	"cmp"
	"context"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
	"github.com/gpuprof/gpuprof/view"
)

// A launch is a kernel with the call that launched it, by their rows.
type launch struct{ kernel, call int32 }

// A launches holds kernels with their calls, and the columns of both.
type launches struct {
	all                []launch
	kernels, calls     *trace.Table
	kstart, kend       []int64
	cstart, cend, ctid []int64
	device, name, api  []int64
}

// queue is the time from the end of the call to the start of the kernel; ok is
// false where the kernel began before the call had returned.
func (l *launches) queue(e launch) (d int64, ok bool) {
	d = interval.Lasts(l.cend[e.call], l.kstart[e.kernel])
	return d, d >= 0
}

// total is the time from the start of the call to the end of both.
func (l *launches) total(e launch) int64 {
	return interval.Lasts(l.cstart[e.call], max(l.cend[e.call], l.kend[e.kernel]))
}

// kernelLaunches ties kernels to the calls that launched them, in the order of
// the calls.
func kernelLaunches(ctx context.Context, q *Request, columns ...string) (*launches, error) {
	k, err := q.table(ctx, "kernels", trace.TableKernel, append(columns, "start", "end", "globalPid", "correlationId", "deviceId")...)
	if err != nil {
		return nil, err
	}
	c, err := q.table(ctx, "CUDA API calls", trace.TableRuntime, "start", "end", "globalTid", "correlationId")
	if err != nil {
		return nil, err
	}
	l := &launches{kernels: k, calls: c, kstart: k.Ints("start"), kend: k.Ints("end"), cstart: c.Ints("start"), cend: c.Ints("end"),
		ctid: c.Ints("globalTid"), device: k.Ints("deviceId")}
	l.all = make([]launch, 0, k.Rows)
	x := trace.NewIndex(l.ctid, c.Ints("correlationId"))
	pid, corr := k.Ints("globalPid"), k.Ints("correlationId")
	for i := range pid {
		for r := x.Find(pid[i], corr[i]); r >= 0; r = x.Next(r) {
			l.all = append(l.all, launch{int32(i), r})
		}
	}
	if len(l.all) == 0 {
		return nil, skipf("no kernel of the trace can be tied to the call that launched it")
	}
	byCall := func(a, b launch) int { return cmp.Compare(l.cstart[a.call], l.cstart[b.call]) }
	if !slices.IsSortedFunc(l.all, byCall) {
		slices.SortStableFunc(l.all, byCall)
	}
	return l, nil
}

// namedLaunches are launches with the names of kernels and calls.
func namedLaunches(ctx context.Context, q *Request, columns ...string) (*launches, error) {
	l, err := kernelLaunches(ctx, q, columns...)
	if err != nil {
		return nil, err
	}
	name := kernelColumn(q)
	k, err := q.table(ctx, "kernels", trace.TableKernel, "demangledName", name, "start", "end") // the filter wants times
	if err != nil {
		return nil, err
	}
	c, err := q.table(ctx, "CUDA API calls", trace.TableRuntime, "nameId", "start", "end")
	if err != nil {
		return nil, err
	}
	l.name, l.api = mangledOr(k, name).Ints(name), c.Ints("nameId")
	return l, nil
}

var cudaKernExecTrace = &Report{
	Name: "cuda_kern_exec_trace", Old: []string{"kernexectrace"}, Title: "CUDA Kernel Launch & Exec Time Trace",
	Short: "every kernel with the call that launched it and the time between", Args: kernelArgs,
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		prefix, err := rangePrefixes(ctx, q)
		if err != nil {
			return nil, err
		}
		shapes, err := kernelShapes(ctx, q)
		if err != nil {
			return nil, err
		}
		l, err := namedLaunches(ctx, q, shapeColumn)
		if err != nil {
			return nil, err
		}
		t := table(nanoseconds("API Start"), nanoseconds("API Dur"), nanoseconds("Queue Start"), nanoseconds("Queue Dur"),
			nanoseconds("Kernel Start"), nanoseconds("Kernel Dur"), nanoseconds("Total Dur"), count("PID"), count("TID"), count("DevId"),
			text("API Function"), text("GridXYZ"), text("BlockXYZ"), text("Kernel Name"))
		number := l.kernels.Ints(shapeColumn)
		t.More = func(yield func([]view.Value) bool) {
			row := make([]view.Value, 0, 14)
			for _, e := range l.all {
				k, c := e.kernel, e.call
				shape := shapes[number[k]]
				row = append(row[:0], view.Int(l.cstart[c], ns), view.Int(interval.Lasts(l.cstart[c], l.cend[c]), ns))
				if wait, ok := l.queue(e); ok {
					row = append(row, view.Int(l.cend[c], ns), view.Int(wait, ns))
				} else {
					row = append(row, view.Null, view.Null)
				}
				g := trace.GlobalID(l.ctid[c])
				row = append(row, view.Int(l.kstart[k], ns), view.Int(interval.Lasts(l.kstart[k], l.kend[k]), ns), view.Int(l.total(e), ns),
					view.Int(g.PID(), ""), view.Int(g.TID(), ""), view.Int(l.device[k], ""), view.String(apiName(q.Trace.NameText(l.api[c]))),
					shape.grid, shape.block, view.String(prefix.name(q.Trace, int(k), l.name[k])))
				if !yield(row) {
					return
				}
			}
		}
		return t, nil
	},
}

var cudaKernExecSum = &Report{
	Name: "cuda_kern_exec_sum", Old: []string{"kernexecsum"}, Title: "CUDA Kernel Launch & Exec Time Summary",
	Short: "launches by thread, device, call and kernel: whole, call, queue and kernel time", Args: kernelArgs,
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		prefix, err := rangePrefixes(ctx, q)
		if err != nil {
			return nil, err
		}
		l, err := namedLaunches(ctx, q)
		if err != nil {
			return nil, err
		}
		calls := together(l.calls.Rows, l.ctid, l.api)
		kernels := together(l.kernels.Rows, l.device, l.name, prefix.of)
		pair := make([]int64, len(l.all))
		for i, e := range l.all {
			pair[i] = int64(calls.of[e.call])*int64(kernels.n) + int64(kernels.of[e.kernel])
		}
		return kernelExecTable(q, l, together(len(l.all), pair), prefix), nil
	},
}

// kernelExecTable describes the four times of each group, the group with the
// longest average first.
func kernelExecTable(q *Request, l *launches, g grouping, prefix *prefixes) *view.Table {
	columns := []view.Column{count("PID"), count("TID"), count("DevId"), count("Count"), count("QCount")}
	for _, what := range []string{"T", "A", "Q", "K"} {
		columns = append(columns, distColumns(func(s string) view.Column { return nanoseconds(what + s) })...)
	}
	t := table(append(columns, text("API Name"), text("Kernel Name"))...)
	total := g.dists(func(i int) int64 { return l.total(l.all[i]) })
	api := g.dists(func(i int) int64 { c := l.all[i].call; return interval.Lasts(l.cstart[c], l.cend[c]) })
	kern := g.dists(func(i int) int64 { k := l.all[i].kernel; return interval.Lasts(l.kstart[k], l.kend[k]) })
	queued := grouping{n: g.n}
	var wait []int64
	for i, e := range l.all {
		if d, ok := l.queue(e); ok {
			queued.of = append(queued.of, g.of[i])
			wait = append(wait, d)
		}
	}
	queue := queued.dists(func(i int) int64 { return wait[i] })
	first := g.first()
	order := make([]int, g.n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(total[b].avg, total[a].avg) })
	addRows(t, g.n, func(row []view.Value, at int) []view.Value {
		i := order[at]
		k, c := l.all[first[i]].kernel, l.all[first[i]].call
		tid := trace.GlobalID(l.ctid[c])
		row = append(row, view.Int(tid.PID(), ""), view.Int(tid.TID(), ""), view.Int(l.device[k], ""), view.Int(total[i].n, ""), view.Int(queue[i].n, ""))
		row = api[i].addTo(total[i].addTo(row, ns), ns)
		if queue[i].n > 0 {
			row = queue[i].addTo(row, ns)
		} else {
			row = append(row, view.Null, view.Null, view.Null, view.Null, view.Float(0, ns))
		}
		row = kern[i].addTo(row, ns)
		return append(row, view.String(apiName(q.Trace.NameText(l.api[c]))), view.String(prefix.name(q.Trace, int(k), l.name[k])))
	})
	return t
}
