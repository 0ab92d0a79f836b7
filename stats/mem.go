package stats

import (
	"context"
	"math"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

var cudaGPUMemTimeSum = &Report{
	Name: "cuda_gpu_mem_time_sum", Old: []string{"gpumemtimesum"}, Title: "CUDA GPU MemOps Summary (by Time)",
	Short: "time in copies and memory sets, by direction",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		rows, err := memorySums(ctx, q, durations)
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 {
			return nil, skipf("the trace has no copies and no memory sets")
		}
		return sumTable("Count", rows, text("Operation")), nil
	},
}

var cudaGPUMemSizeSum = &Report{
	Name: "cuda_gpu_mem_size_sum", Old: []string{"gpumemsizesum"}, Title: "CUDA GPU MemOps Summary (by Size)",
	Short: "bytes of copies and memory sets, by direction",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		rows, err := memorySums(ctx, q, func(t *trace.Table) func(int) int64 {
			b := t.Ints("bytes")
			return func(i int) int64 {
				if t.IsNull("bytes", i) {
					return unknownSize
				}
				return b[i]
			}
		})
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 {
			return nil, skipf("the trace has no copies and no memory sets whose sizes are known")
		}
		t := table(append(append([]view.Column{bytes("Total"), count("Count")}, distColumns(bytes)...), text("Operation"))...)
		for _, i := range bySum(rows) {
			r := rows[i]
			row := append([]view.Value{view.Int(r.d.sum, octet), view.Int(r.d.n, "")}, r.d.values(octet)...)
			t.Rows = append(t.Rows, append(row, r.cells...))
		}
		return t, nil
	},
}

// unknownSize stands for a size that the trace does not tell, as those of some
// profilers of AMD do not.
const unknownSize = math.MinInt64

// known describes the values of each group that are known.
func (g grouping) known(value func(i int) int64) []dist {
	parts := g.split(value)
	out := make([]dist, len(parts))
	for i, p := range parts {
		out[i] = distOf(slices.DeleteFunc(p, func(v int64) bool { return v == unknownSize }))
	}
	return out
}

// memorySums sums up a value of copies and memory sets by operation.
func memorySums(ctx context.Context, q *Request, value func(*trace.Table) func(int) int64) ([]sumRow, error) {
	var rows []sumRow
	if t, err := q.table(ctx, "copies", trace.TableMemcpy, "start", "end", "bytes", "copyKind"); err == nil {
		g, kinds := groupInts(t.Ints("copyKind"))
		for i, d := range g.known(value(t)) {
			if n := q.Trace.CopyName(ctx, kinds[i]); d.n > 0 {
				rows = append(rows, sumRow{d: d, name: n, cells: []view.Value{view.String(n)}})
			}
		}
	} else if _, skip := err.(*Skip); !skip {
		return nil, err
	}
	if t, err := q.table(ctx, "memory sets", trace.TableMemset, "start", "end", "bytes"); err == nil {
		g := grouping{of: make([]int32, t.Rows), n: 1}
		if d := g.known(value(t))[0]; d.n > 0 {
			set := q.Trace.Words().Set
			rows = append(rows, sumRow{d: d, name: set, cells: []view.Value{view.String(set)}})
		}
	} else if _, skip := err.(*Skip); !skip {
		return nil, err
	}
	return rows, nil
}

var cudaGPUSum = &Report{
	Name: "cuda_gpu_sum", Old: []string{"gpusum"}, Title: "CUDA GPU Summary (Kernels/MemOps)",
	Short: "time in kernels and memory operations", Args: kernelArgs,
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		rows, err := gpuSums(ctx, q)
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 {
			return nil, skipf("the trace has no work of a GPU")
		}
		return sumTable("Instances", rows, text("Category"), text("Operation")), nil
	},
}

// gpuSums sums up kernels and memory operations, with their category.
func gpuSums(ctx context.Context, q *Request) ([]sumRow, error) {
	rows, err := memorySums(ctx, q, durations)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i].cells = []view.Value{view.String("MEMORY_OPER"), rows[i].cells[0]}
	}
	kernels, err := kernelSums(ctx, q)
	if _, skip := err.(*Skip); err != nil && !skip {
		return nil, err
	}
	for _, r := range kernels {
		r.cells = []view.Value{view.String("CUDA_KERNEL"), r.cells[0]}
		rows = append(rows, r)
	}
	return rows, nil
}
