package stats

import (
	"context"
	"strings"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

var dx12MemOps = &Report{
	Name: "dx12_mem_ops", Title: "DX12 Memory Operations", Rule: true, Args: []Arg{rowsArg},
	Short: "memory operations of Direct3D 12 that may hold the host",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		ops, err := q.table(ctx, "memory operations of Direct3D 12", "DX12_MEMORY_OPERATION",
			"gpu", "rangeStart", "rangeEnd", "heapType", "heapFlags", "cpuPageProperty", "traceEventId")
		if err != nil {
			return nil, err
		}
		calls, err := q.table(ctx, "calls of Direct3D 12", "DX12_API", "id", "start", "end", "globalTid", "nameId")
		if err != nil {
			return nil, err
		}
		row := make(map[int64]int, calls.Rows)
		for i, id := range calls.Ints("id") {
			row[id] = i
		}
		start, end, tid, name := calls.Ints("start"), calls.Ints("end"), calls.Ints("globalTid"), calls.Ints("nameId")
		var found []int32
		warning := map[int32]string{}
		call := make([]int, ops.Rows)
		from, to := make([]int64, ops.Rows), make([]int64, ops.Rows)
		for i, id := range ops.Ints("traceEventId") {
			c, ok := row[id]
			if !ok {
				continue
			}
			if w := dx12Warning(q.Trace.NameText(name[c]), ops, i); w != "" {
				found = append(found, int32(i))
				warning[int32(i)], call[i] = w, c
				from[i], to[i] = start[c], end[c]
			}
		}
		longestFirst(found, from, to)
		t := table(nanoseconds("Duration"), nanoseconds("Start"), count("TID"), count("Device ID"), text("Warning Type"))
		gpu := cells(ops, "gpu", "")
		for _, i := range found {
			t.Rows = append(t.Rows, []view.Value{view.Int(to[i]-from[i], ns), view.Int(from[i], ns),
				view.Int(trace.GlobalID(tid[call[i]]).TID(), ""), gpu(int(i)), view.String(warning[i])})
		}
		return q.limit(t), nil
	},
}

// Values of Direct3D 12: D3D12_HEAP_TYPE, D3D12_CPU_PAGE_PROPERTY and
// D3D12_HEAP_FLAGS.
const (
	heapUpload       = 2
	heapReadback     = 3
	pageWriteCombine = 2
	pageWriteBack    = 3
	heapNotZeroed    = 0x1000
)

// dx12Warning is what speaks against a memory operation that a call made, or "".
// What is not told, such as the type of the heap, warns of nothing.
func dx12Warning(call string, ops *trace.Table, i int) string {
	heap, page, flags := ops.Col("heapType"), ops.Col("cpuPageProperty"), ops.Col("heapFlags")
	zeroed := flags != nil && !flags.IsNull(i) && flags.Ints[i]&heapNotZeroed == 0
	from, to := ops.Col("rangeStart"), ops.Col("rangeEnd")
	mapped := from != nil && to != nil && !from.IsNull(i) && !to.IsNull(i) && from.Ints[i] < to.Ints[i]
	class, method, _ := strings.Cut(call, "::")
	switch {
	case strings.HasPrefix(class, "ID3D12Device") && strings.HasPrefix(method, "CreateHeap") && zeroed:
		return "D3D12_HEAP_CREATED_WITH_ZEROING"
	case strings.HasPrefix(class, "ID3D12Device") && strings.HasPrefix(method, "CreateCommittedResource") && zeroed:
		return "D3D12_COMMITTED_RESOURCE_CREATED_WITH_ZEROING"
	case !strings.HasPrefix(class, "ID3D12Resource"):
		return ""
	}
	switch upload, readback, combine, back := is(heap, i, heapUpload), is(heap, i, heapReadback), is(page, i, pageWriteCombine), is(page, i, pageWriteBack); {
	case method == "Map" && mapped && upload:
		return "D3D12_NONEMPTY_MAP_FROM_UPLOAD_HEAP"
	case method == "Map" && mapped && combine:
		return "D3D12_NONEMPTY_MAP_TO_WRITE_COMBINE_PAGE"
	case method == "Unmap" && mapped && readback:
		return "D3D12_NONEMPTY_UNMAP_TO_READBACK_HEAP"
	case method == "Unmap" && mapped && back:
		return "D3D12_NONEMPTY_UNMAP_FROM_WRITE_BACK_PAGE"
	case method == "ReadFromSubresource" && upload:
		return "D3D12_READ_FROM_UPLOAD_HEAP_SUBRESOURCE"
	case method == "ReadFromSubresource" && combine:
		return "D3D12_READ_FROM_SUBRESOURCE_TO_WRITE_COMBINE_PAGE"
	case method == "WriteToSubresource" && readback:
		return "D3D12_WRITE_TO_READBACK_HEAP_SUBRESOURCE"
	case method == "WriteToSubresource" && back:
		return "D3D12_WRITE_TO_SUBRESOURCE_FROM_WRITE_BACK_PAGE"
	}
	return ""
}
