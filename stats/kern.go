package stats

import (
	"context"
	"fmt"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// kernelArgs choose the name of kernels.
var kernelArgs = []Arg{
	{Name: "base", Help: "names without template and function arguments"},
	{Name: "mangled", Help: "names as the linker knows them"},
	{Name: "nvtx-name", Help: "the innermost NVTX range before the name"},
}

// kernelColumn is the column that holds the name asked for. Exports before 2.9
// have no mangled names; there the full name stands in.
func kernelColumn(q *Request) string {
	switch {
	case q.flag("base"):
		return "shortName"
	case q.flag("mangled") && q.Trace.HasColumn(trace.TableKernel, "mangledName"):
		return "mangledName"
	}
	return "demangledName"
}

var cudaGPUKernSum = &Report{
	Name: "cuda_gpu_kern_sum", Old: []string{"gpukernsum"}, Title: "CUDA GPU Kernel Summary",
	Short: "time in kernels, by name", Args: kernelArgs,
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		rows, err := kernelSums(ctx, q)
		if err != nil {
			return nil, err
		}
		return sumTable("Instances", rows, kernelName), nil
	},
}

// kernelSums sums up kernels by the name asked for.
func kernelSums(ctx context.Context, q *Request) ([]sumRow, error) {
	col := kernelColumn(q)
	cols := []string{"start", "end", col}
	if col == "mangledName" {
		cols = append(cols, "demangledName")
	}
	p, err := rangePrefixes(ctx, q)
	if err != nil {
		return nil, err
	}
	t, err := q.table(ctx, "kernels", trace.TableKernel, cols...)
	if err != nil {
		return nil, err
	}
	if p.of != nil {
		return nvtxKernelSums(q, t, p, col), nil
	}
	return namedSums(q.Trace, mangledOr(t, col), col, same), nil
}

// mangledOr puts the full name where the mangled one is NULL.
func mangledOr(t *trace.Table, col string) *trace.Table {
	c := t.Col(col)
	if c == nil || col != "mangledName" || c.Null == nil {
		return t
	}
	full := t.Ints("demangledName")
	ids := make([]int64, t.Rows)
	for i := range ids {
		ids[i] = c.Ints[i]
		if c.Null[i] {
			ids[i] = full[i]
		}
	}
	out := &trace.Table{Name: t.Name, Rows: t.Rows}
	for _, o := range t.Columns {
		if o != c {
			out.Columns = append(out.Columns, o)
		}
	}
	out.AddInts(col, ids, nil)
	return out
}

// dim prints three sizes as nsys does.
func dim(x, y, z int64) string { return fmt.Sprintf("%4d %4d %4d", x, y, z) }

// shapeColumn numbers the grids and blocks of kernels.
const shapeColumn = "(grid, block)"

// A shape is a grid and a block, as nsys prints them.
type shape struct{ grid, block view.Value }

// kernelShapes are the shapes that kernels have, by their number. Those of a trace
// are few, and its kernels many.
func kernelShapes(ctx context.Context, q *Request) ([]shape, error) {
	t, err := q.Trace.Combine(ctx, trace.TableKernel, shapeColumn, "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ")
	if err != nil || t == nil {
		return nil, err
	}
	gx, gy, gz := t.Ints("gridX"), t.Ints("gridY"), t.Ints("gridZ")
	bx, by, bz := t.Ints("blockX"), t.Ints("blockY"), t.Ints("blockZ")
	out := make([]shape, t.Rows)
	for i := range out {
		out[i] = shape{view.Missing("n/a"), view.Missing("n/a")} // an AMD file may not tell them
		if !t.IsNull("gridX", i) {
			out[i].grid = view.String(dim(gx[i], gy[i], gz[i]))
		}
		if !t.IsNull("blockX", i) {
			out[i].block = view.String(dim(bx[i], by[i], bz[i]))
		}
	}
	return out, nil
}

var cudaGPUKernGBSum = &Report{
	Name: "cuda_gpu_kern_gb_sum", Old: []string{"gpukerngbsum"}, Title: "CUDA GPU Kernel/Grid/Block Summary",
	Short: "time in kernels, by name, grid and block", Args: kernelArgs,
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		p, err := rangePrefixes(ctx, q)
		if err != nil {
			return nil, err
		}
		shapes, err := kernelShapes(ctx, q)
		if err != nil {
			return nil, err
		}
		col := kernelColumn(q)
		t, err := q.table(ctx, "kernels", trace.TableKernel, "start", "end", col, "demangledName", shapeColumn)
		if err != nil {
			return nil, err
		}
		id, shape := mangledOr(t, col).Ints(col), t.Ints(shapeColumn)
		g := together(t.Rows, id, p.of, shape)
		first := g.first()
		var rows []sumRow
		for i, d := range g.dists(durations(t)) {
			k := first[i]
			rows = append(rows, sumRow{d: d, name: p.at(int(k)) + q.Trace.NameText(id[k]), at: k})
		}
		return lateSumTable("Instances", rows, func(r *sumRow) []view.Value {
			k := shapes[shape[r.at]]
			return []view.Value{k.grid, k.block, view.String(r.name)}
		}, text("GridXYZ"), text("BlockXYZ"), kernelName), nil
	},
}
