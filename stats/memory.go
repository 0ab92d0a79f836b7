package stats

import (
	"cmp"
	"context"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
	"github.com/gpuprof/gpuprof/view"
)

// tableMemoryUsage has the allocations of device memory.
const tableMemoryUsage = "CUDA_GPU_MEMORY_USAGE_EVENTS"

// A memoryPlace is what memory is counted for.
type memoryPlace struct{ process, device, kind int64 }

// A memoryUse is the memory of one place over time.
type memoryUse struct {
	memoryPlace
	allocations, frees, unmatched int64
	allocated                     int64 // bytes, all in all
	used, peak, peakAt            int64
	held                          map[int64]int64 // bytes by address
}

// memoryUses replays the allocations in the order of time; step is told of each.
// What was allocated before the trace began is not known: freeing it changes
// nothing.
func memoryUses(ctx context.Context, q *Request, step func(t *trace.Table, i int, u *memoryUse)) ([]*memoryUse, error) {
	t, err := q.table(ctx, "allocations of device memory", tableMemoryUsage, "start", "globalPid", "deviceId", "contextId", "address", "bytes", "memKind", "memoryOperationType", "correlationId")
	if err != nil {
		return nil, err
	}
	pid, device, kind := t.Ints("globalPid"), t.Ints("deviceId"), t.Ints("memKind")
	address, size, operation := t.Ints("address"), t.Ints("bytes"), t.Ints("memoryOperationType")
	by := map[memoryPlace]*memoryUse{}
	var all []*memoryUse
	start := t.Ints("start")
	for _, i := range byTime(start) {
		p := memoryPlace{pid[i], device[i], kind[i]}
		u := by[p]
		if u == nil {
			u = &memoryUse{memoryPlace: p, held: map[int64]int64{}, peakAt: start[i]}
			by[p] = u
			all = append(all, u)
		}
		if operation[i] == 0 {
			u.allocations++
			u.allocated = interval.Plus(u.allocated, size[i])
			u.used = interval.Plus(u.used, size[i]-u.held[address[i]])
			u.held[address[i]] = size[i]
			if u.used > u.peak {
				u.peak, u.peakAt = u.used, start[i]
			}
		} else {
			u.frees++
			if bytes, ok := u.held[address[i]]; ok {
				u.used -= bytes
				delete(u.held, address[i])
			} else {
				u.unmatched++
			}
		}
		if step != nil {
			step(t, int(i), u)
		}
	}
	slices.SortStableFunc(all, func(a, b *memoryUse) int {
		return cmp.Or(cmp.Compare(b.peak, a.peak), cmp.Compare(a.process, b.process), cmp.Compare(a.device, b.device), cmp.Compare(a.kind, b.kind))
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
			out.Rows = append(out.Rows, []view.Value{view.Int(u.peak, octet), view.Int(u.peakAt, ns), view.Int(u.used, octet), view.Int(int64(len(u.held)), ""), view.Int(u.allocated, octet),
				view.Int(u.allocations, ""), view.Int(u.frees, ""), view.Int(u.unmatched, ""), view.Int(trace.GlobalID(u.process).PID(), ""), view.Int(u.device, ""),
				view.String(q.Trace.Label(ctx, "ENUM_CUDA_MEM_KIND", u.kind))})
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
		_, err := memoryUses(ctx, q, func(t *trace.Table, i int, u *memoryUse) {
			kind, ok := kinds[u.kind]
			if !ok {
				kind = view.String(q.Trace.Label(ctx, "ENUM_CUDA_MEM_KIND", u.kind))
				kinds[u.kind] = kind
			}
			out.Rows = append(out.Rows, []view.Value{view.Int(t.Ints("start")[i], ns), view.String(q.Trace.Label(ctx, "ENUM_CUDA_DEV_MEM_EVENT_OPER", t.Ints("memoryOperationType")[i])),
				view.Int(t.Ints("bytes")[i], octet), view.Int(u.used, octet), kind, view.Int(trace.GlobalID(u.process).PID(), ""), view.Int(u.device, ""),
				view.Int(t.Ints("contextId")[i], ""), view.Hex(uint64(t.Ints("address")[i])), cells(t, "correlationId", "")(i)})
		})
		return out, err
	},
}
