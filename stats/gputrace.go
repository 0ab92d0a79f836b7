package stats

import (
	"context"
	"fmt"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
	"github.com/gpuprof/gpuprof/view"
)

var cudaGPUTrace = &Report{
	Name: "cuda_gpu_trace", Old: []string{"gputrace"}, Title: "CUDA GPU Trace",
	Short: "every kernel, copy and memory set", Args: kernelArgs,
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		prefix, err := rangePrefixes(ctx, q)
		if _, skip := err.(*Skip); skip { // no kernels, perhaps copies
			prefix, err = &prefixes{}, nil
		}
		if err != nil {
			return nil, err
		}
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
		w := &gpuTracer{ctx: ctx, q: q, gpus: gpus, prefix: prefix, set: q.Trace.Words().Set, devices: map[int64]string{}, copies: map[int64]string{}, kinds: map[int64]string{}}
		for _, t := range ts {
			w.parts = append(w.parts, w.part(t, name))
		}
		out.More = w.rows
		return out, nil
	},
}

// A gpuTracer makes the rows of cuda_gpu_trace.
type gpuTracer struct {
	ctx    context.Context // of the table's making
	q      *Request
	gpus   map[int64]string
	parts  []func(i int, row []view.Value) []view.Value
	tables []*trace.Table
	prefix *prefixes
	set    string // the name of memory sets

	devices, copies, kinds map[int64]string // labels made so far
}

// rows merges the tables by start; of rows that begin together those of the
// earlier table come first.
func (w *gpuTracer) rows(yield func([]view.Value) bool) {
	start, order := make([][]int64, len(w.tables)), make([][]int32, len(w.tables))
	for p, t := range w.tables {
		start[p] = t.Ints("start")
		order[p] = byTime(start[p])
	}
	row := make([]view.Value, 0, 21)
	for {
		first := -1
		for p, o := range order {
			if len(o) > 0 && (first < 0 || start[p][o[0]] < start[first][order[first][0]]) {
				first = p
			}
		}
		if first < 0 {
			return
		}
		i := order[first][0]
		order[first] = order[first][1:]
		if row = w.parts[first](int(i), row[:0]); !yield(row) {
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
	kernel, prefix := t.Name == trace.TableKernel, &prefixes{}
	if kernel {
		prefix = w.prefix
	}
	return func(i int, row []view.Value) []view.Value {
		d := interval.Lasts(start[i], end[i])
		row = append(row, view.Int(start[i], ns), view.Int(d, ns), corr(i))
		if kernel {
			for _, g := range grid {
				row = append(row, g(i))
			}
			row = append(row, view.Null, view.Null, view.Null, view.Null)
		} else {
			row = append(row, view.Null, view.Null, view.Null, view.Null, view.Null, view.Null, view.Null, view.Null, view.Null)
			if t.IsNull("bytes", i) {
				row = append(row, view.Null, view.Null, src(i), dst(i))
			} else {
				row = append(row, view.Int(size[i], octet), throughputOf(size[i], d), src(i), dst(i))
			}
		}
		row = append(row, view.String(w.device(dev[i])), cx(i), green(i), stream(i))
		switch {
		case kernel:
			return append(row, view.String(prefix.name(w.q.Trace, i, names[i])))
		case t.Name == trace.TableMemset:
			return append(row, view.String(w.set))
		}
		return append(row, view.String(w.copy(kind[i])))
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

func (w *gpuTracer) device(id int64) string {
	s, ok := w.devices[id]
	if !ok {
		s = fmt.Sprintf("%s (%d)", w.gpus[id], id)
		w.devices[id] = s
	}
	return s
}

// copy is the name of a kind of copy.
func (w *gpuTracer) copy(kind int64) string {
	s, ok := w.copies[kind]
	if !ok {
		s = w.q.Trace.CopyName(w.ctx, kind)
		w.copies[kind] = s
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
		s, ok := w.kinds[c.Ints[i]]
		if !ok {
			s = w.q.Trace.Label(w.ctx, "ENUM_CUDA_MEM_KIND", c.Ints[i])
			w.kinds[c.Ints[i]] = s
		}
		return view.String(s)
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
