package stats

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

var cudaGPUTrace = &Report{
	Name: "cuda_gpu_trace", Old: []string{"gputrace"}, Title: "CUDA GPU Trace",
	Short: "every kernel, copy and memory set", Args: kernelArgs,
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		name := kernelColumn(q)
		ts, err := q.activities(ctx, "deviceId", "contextId", "greenContextId", "streamId", "bytes", name, "demangledName",
			"gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ", "registersPerThread", "staticSharedMemory", "dynamicSharedMemory",
			"copyKind", "srcKind", "dstKind", "memKind")
		if err != nil {
			return nil, err
		}
		if len(ts) == 0 {
			return nil, skipf("the trace has no work of a GPU")
		}
		gpus, err := q.Trace.GPUs(ctx)
		if err != nil {
			return nil, err
		}
		throughput := bytes("Throughput")
		throughput.Label, throughput.Unit = "Throughput (MB/s)", "byte_per_second"
		size := func(label string) view.Column { return bytes(label) }
		out := table(nanoseconds("Start"), nanoseconds("Duration"), count("CorrId"), count("GrdX"), count("GrdY"), count("GrdZ"),
			count("BlkX"), count("BlkY"), count("BlkZ"), count("Reg/Trd"), size("StcSMem"), size("DymSMem"), size("Bytes"), throughput,
			text("SrcMemKd"), text("DstMemKd"), text("Device"), count("Ctx"), count("GreenCtx"), count("Strm"), text("Name"))
		w := &gpuTracer{ctx: ctx, q: q, gpus: gpus, labels: map[string]string{}}
		for _, t := range ts {
			w.parts = append(w.parts, w.part(t, name))
		}
		out.More = w.rows
		return out, nil
	},
}

// A gpuTracer makes the rows of cuda_gpu_trace.
type gpuTracer struct {
	ctx    context.Context
	q      *Request
	gpus   map[int64]string
	labels map[string]string
	parts  []func(i int, row []view.Value) []view.Value
	tables []*trace.Table
	prefix func(int) string
}

// rows merges the tables by start.
func (w *gpuTracer) rows(yield func([]view.Value) bool) {
	var order [][2]int32 // part, row
	for p, t := range w.tables {
		for i := range t.Rows {
			order = append(order, [2]int32{int32(p), int32(i)})
		}
	}
	start := make([][]int64, len(w.tables))
	for p, t := range w.tables {
		start[p] = t.Ints("start")
	}
	slices.SortStableFunc(order, func(a, b [2]int32) int { return cmp.Compare(start[a[0]][a[1]], start[b[0]][b[1]]) })
	row := make([]view.Value, 0, 21)
	for _, o := range order {
		if row = w.parts[o[0]](int(o[1]), row[:0]); !yield(row) {
			return
		}
	}
}

// part returns a function that makes the row for a row of t.
func (w *gpuTracer) part(t *trace.Table, name string) func(i int, row []view.Value) []view.Value {
	w.tables = append(w.tables, t)
	start, end := t.Ints("start"), t.Ints("end")
	corr, dev, cx, green, stream := cells(t, "correlationId", ""), t.Ints("deviceId"), cells(t, "contextId", ""), greenContext(t), cells(t, "streamId", "")
	size := t.Ints("bytes")
	names := mangledOr(t, name).Ints(name)
	var grid []func(int) view.Value
	for _, c := range []string{"gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ", "registersPerThread"} {
		grid = append(grid, cells(t, c, ""))
	}
	grid = append(grid, cells(t, "staticSharedMemory", octet), cells(t, "dynamicSharedMemory", octet))
	kind, src, dst := t.Ints("copyKind"), w.memory(t, "srcKind"), w.memory(t, "dstKind")
	if t.Name == trace.TableMemset {
		src, dst = w.memory(t, "memKind"), func(int) view.Value { return view.Null }
	}
	prefix := func(int) string { return "" }
	if w.q.flag("nvtx-name") && t.Name == trace.TableKernel {
		if p, err := rangePrefix(w.ctx, w.q, t); err == nil {
			prefix = p
		}
	}
	kernel := t.Name == trace.TableKernel
	return func(i int, row []view.Value) []view.Value {
		d := end[i] - start[i]
		row = append(row, view.Int(start[i], ns), view.Int(d, ns), corr(i))
		if kernel {
			for _, g := range grid {
				row = append(row, g(i))
			}
			row = append(row, view.Null, view.Null, view.Null, view.Null)
		} else {
			row = append(row, view.Null, view.Null, view.Null, view.Null, view.Null, view.Null, view.Null, view.Null, view.Null)
			row = append(row, view.Int(size[i], octet), throughputOf(size[i], d), src(i), dst(i))
		}
		device := w.gpus[dev[i]]
		row = append(row, view.String(w.device(device, dev[i])), cx(i), green(i), stream(i))
		switch {
		case kernel:
			return append(row, view.String(prefix(i)+w.q.Trace.NameText(names[i])))
		case t.Name == trace.TableMemset:
			return append(row, view.String(setName))
		}
		return append(row, view.String(w.label("", "copy", kind[i])))
	}
}

// throughputOf is bytes a second. nsys divides whole numbers, so that slow
// copies come out up to some percent too low; so do we.
func throughputOf(size, d int64) view.Value {
	if d <= 0 {
		return view.Null
	}
	return view.Int(size*(1_000_000_000/d), "byte_per_second")
}

func (w *gpuTracer) device(name string, id int64) string {
	k := name + "\x00" + strconv.FormatInt(id, 10)
	s, ok := w.labels[k]
	if !ok {
		s = fmt.Sprintf("%s (%d)", name, id)
		w.labels[k] = s
	}
	return s
}

// label is the label of an enumeration, or of the kind of a copy.
func (w *gpuTracer) label(enum, what string, id int64) string {
	k := what + enum + strconv.FormatInt(id, 10)
	s, ok := w.labels[k]
	if !ok {
		if enum == "" {
			s = copyName(w.ctx, w.q.Trace, id)
		} else {
			s = w.q.Trace.Label(w.ctx, enum, id)
		}
		w.labels[k] = s
	}
	return s
}

// memory makes cells of a kind of memory.
func (w *gpuTracer) memory(t *trace.Table, column string) func(i int) view.Value {
	c := t.Col(column)
	return func(i int) view.Value {
		if c == nil || c.IsNull(i) || c.Kind != trace.Integers {
			return view.Null
		}
		return view.String(w.label("ENUM_CUDA_MEM_KIND", "memory", c.Ints[i]))
	}
}

// cells makes cells of a column of integers; NULL where the trace has none.
func cells(t *trace.Table, column, unit string) func(i int) view.Value {
	c := t.Col(column)
	if c == nil || c.Kind != trace.Integers {
		return func(int) view.Value { return view.Null }
	}
	return func(i int) view.Value {
		if c.IsNull(i) {
			return view.Null
		}
		return view.Int(c.Ints[i], unit)
	}
}

// greenContext makes cells of the green context; 0 means that there is none.
func greenContext(t *trace.Table) func(i int) view.Value {
	c := t.Col("greenContextId")
	return func(i int) view.Value {
		if c == nil || c.IsNull(i) || c.Kind != trace.Integers || c.Ints[i] == 0 {
			return view.Null
		}
		return view.Int(c.Ints[i], "")
	}
}
