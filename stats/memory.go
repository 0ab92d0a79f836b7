package stats

import (
	"cmp"
	"context"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// memoryUses replays the allocations, most at the peak first.
func memoryUses(ctx context.Context, q *Request, step func(t *trace.Table, i int, u *trace.MemoryUse)) ([]*trace.MemoryUse, error) {
	t, err := q.table(ctx, "allocations of device memory", trace.TableMemoryUsage, append([]string{"contextId", "correlationId"}, trace.MemoryColumns...)...)
	if err != nil {
		return nil, err
	}
	all := trace.ReplayMemory(t, func(i int, u *trace.MemoryUse) {
		if step != nil {
			step(t, i, u)
		}
	})
	slices.SortStableFunc(all, func(a, b *trace.MemoryUse) int {
		return cmp.Or(cmp.Compare(b.Peak, a.Peak), cmp.Compare(a.Process, b.Process), cmp.Compare(a.Device, b.Device), cmp.Compare(a.Kind, b.Kind))
	})
	return all, nil
}

var cudaMemoryUsageSum = &Report{
	Name: "cuda_memory_usage_sum", Title: "CUDA Memory Usage Summary",
	Short: "memory in use by process, device and kind: the peak and when it was, and what was not freed; a report of gpuprof's own",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		all, err := memoryUses(ctx, q, nil)
		if err != nil {
			return nil, err
		}
		peakAt := nanoseconds("Peak At")
		peakAt.Role = view.RoleTime
		out := table(bytes("Peak"), peakAt, bytes("At End"), count("Not Freed"), bytes("Allocated"), count("Allocations"), count("Frees"), count("Freed Unseen"),
			count("PID"), count("Device"), text("Kind"))
		for _, u := range all {
			out.Rows = append(out.Rows, []view.Value{view.Int(u.Peak, octet), view.Int(u.PeakAt, ns), view.Int(u.Used, octet), view.Int(int64(len(u.Held)), ""), view.Int(u.Allocated, octet),
				view.Int(u.Allocations, ""), view.Int(u.Frees, ""), view.Int(u.Unmatched, ""), view.Int(u.Process.PID(), ""), view.Int(u.Device, ""),
				view.String(q.Trace.Label(ctx, "ENUM_CUDA_MEM_KIND", u.Kind))})
		}
		return out, nil
	},
}

var cudaMemoryUsageTrace = &Report{
	Name: "cuda_memory_usage_trace", Title: "CUDA Memory Usage Trace",
	Short: "every allocation and freeing of device memory, and what was in use after it; a report of gpuprof's own",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		out := table(nanoseconds("Start"), text("Operation"), bytes("Bytes"), bytes("In Use"), text("Kind"), count("PID"), count("Device"), count("Context ID"), text("Address"), count("CorrId"))
		kinds := map[int64]view.Value{}
		_, err := memoryUses(ctx, q, func(t *trace.Table, i int, u *trace.MemoryUse) {
			kind, ok := kinds[u.Kind]
			if !ok {
				kind = view.String(q.Trace.Label(ctx, "ENUM_CUDA_MEM_KIND", u.Kind))
				kinds[u.Kind] = kind
			}
			out.Rows = append(out.Rows, []view.Value{view.Int(t.Ints("start")[i], ns), view.String(q.Trace.Label(ctx, "ENUM_CUDA_DEV_MEM_EVENT_OPER", t.Ints("memoryOperationType")[i])),
				view.Int(t.Ints("bytes")[i], octet), view.Int(u.Used, octet), kind, view.Int(u.Process.PID(), ""), view.Int(u.Device, ""),
				view.Int(t.Ints("contextId")[i], ""), view.Hex(uint64(t.Ints("address")[i])), cells(t, "correlationId", "")(i)})
		})
		return out, err
	},
}
