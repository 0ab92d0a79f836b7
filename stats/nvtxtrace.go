package stats

import (
	"context"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// nestPushPop finds the nesting of the push/pop ranges.
func nestPushPop(r *trace.Ranges) *trace.Nesting {
	return trace.Nest(r.Thread, r.Start, r.End, func(i int) bool { return r.PushPop[i] })
}

var nvtxPushPopTrace = &Report{
	Name: "nvtx_pushpop_trace", Old: []string{"nvtxpptrace"}, Title: "NVTX Push/Pop Range Trace",
	Short: "every NVTX push/pop range with its place in the nesting",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		r, err := q.ranges(ctx)
		if err != nil {
			return nil, err
		}
		name, err := rangeNames(ctx, q.Trace, r)
		if err != nil {
			return nil, err
		}
		n := nestPushPop(r)
		if len(n.Order) == 0 {
			return nil, skipf("the trace has no NVTX push/pop ranges")
		}
		inside := make([]int64, r.Len())
		for _, i := range n.Order {
			if p := n.Parent[i]; p >= 0 {
				inside[p] += r.End[i] - r.Start[i]
			}
		}
		t := table(nanoseconds("Start"), nanoseconds("End"), nanoseconds("Duration"), nanoseconds("DurChild"), nanoseconds("DurNonChild"),
			text("Name"), count("PID"), count("TID"), count("Lvl"), count("NumChild"), count("RangeId"), count("ParentId"), text("RangeStack"), text("NameTree"))
		order := byStart(n.Order, r)
		t.More = func(yield func([]view.Value) bool) {
			row := make([]view.Value, 0, 14)
			for _, i := range order {
				d := r.End[i] - r.Start[i]
				label := name(int(i))
				row = append(row[:0], view.Int(r.Start[i], ns), view.Int(r.End[i], ns), view.Int(d, ns), view.Int(inside[i], ns),
					view.Int(d-inside[i], ns), view.String(label))
				row = append(row, view.Int(r.Thread[i].PID(), ""), view.Int(r.Thread[i].TID(), ""), view.Int(int64(n.Level[i]), ""))
				row = append(row, nestCells(r, n, i)...)
				if !yield(append(row, view.String(strings.Repeat("--", int(n.Level[i]))+label))) {
					return
				}
			}
		}
		return t, nil
	},
}

// nestCells are the number of children, the number of the range and of its
// parent, and the numbers from the outermost range to this one.
func nestCells(r *trace.Ranges, n *trace.Nesting, i int32) []view.Value {
	parent := view.Null
	if p := n.Parent[i]; p >= 0 {
		parent = view.Int(r.Row[p], "")
	}
	return []view.Value{view.Int(int64(n.Children[i]), ""), view.Int(r.Row[i], ""), parent, view.String(string(rangeStack(nil, r, n, i)))}
}

func rangeStack(b []byte, r *trace.Ranges, n *trace.Nesting, i int32) []byte {
	path := make([]int32, 0, 16)
	for k := i; k >= 0; k = n.Parent[k] {
		path = append(path, k)
	}
	for k := len(path) - 1; k >= 0; k-- {
		b = strconv.AppendInt(append(b, ':'), r.Row[path[k]], 10)
	}
	return b
}
