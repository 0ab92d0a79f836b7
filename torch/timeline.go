package torch

import (
	"cmp"
	"context"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
)

// A Kind is what a host slice is.
type Kind uint8

// The kinds of host slices.
const (
	Range  Kind = iota // user_annotation, NVTX
	Python             // a Python call
	Op                 // an operator
	Call               // a call of the runtime or driver
)

// Host are the slices of threads, an element for each in every slice, sorted by
// thread, then start; what encloses comes before what it encloses.
type Host struct {
	Kind       []Kind
	Row        []int32 // of the table of its kind
	Start, End []int64 // ns
	Thread     []trace.GlobalID
	Name       []int64 // StringId
	Parent     []int32 // the slice that was open when this one began; -1: none
}

// A workKind is what a piece of GPU work is.
type workKind uint8

// The kinds of GPU work.
const (
	Kernel workKind = iota
	Copy
	Set
)

// Work is the work of GPUs, sorted by start.
type Work struct {
	Kind       []workKind
	Row        []int32
	Start, End []int64          // ns
	Process    []trace.GlobalID // that it was for: traces of several ranks in one file may each have a GPU 0
	Device     []int64
	Stream     []int64
	Name       []int64 // StringId; -1: none
	Bytes      []int64 // of copies and sets; -1: not told
	Call       []int32 // host slice; -1: its call is not in the file
	Owner      []int32 // innermost operator or other slice around the call; -1: none
}

// A Timeline is a timeline of PyTorch, joined.
type Timeline struct {
	Trace    *trace.Trace
	Host     Host
	Work     Work
	Unlinked int // pieces of work without a call
	waits    []wait
}

// A wait is a synchronization as the profiler laid it on a stream.
type wait struct {
	interval.Span
	of     gpu
	stream int64
}

// A gpu is one as a process counts it.
type gpu struct {
	process trace.GlobalID
	device  int64
}

func (a gpu) compare(b gpu) int {
	return cmp.Or(cmp.Compare(a.process, b.process), cmp.Compare(a.device, b.device))
}

// A stream is one of a process.
type stream struct {
	gpu
	stream int64
}

func (a stream) compare(b stream) int {
	return cmp.Or(a.gpu.compare(b.gpu), cmp.Compare(a.stream, b.stream))
}

// streamOf is where a piece of work ran.
func (w *Work) streamOf(i int) stream { return stream{gpu{w.Process[i], w.Device[i]}, w.Stream[i]} }

// readWaits reads synchronizations; those of no stream have stream -1.
func (t *Timeline) readWaits(ctx context.Context) error {
	s, err := t.Trace.Table(ctx, trace.TableSync, "start", "end", "globalPid", "deviceId", "streamId")
	if err != nil || s == nil {
		return err
	}
	start, end, pid, device, stream := s.Ints("start"), s.Ints("end"), s.Ints("globalPid"), s.Ints("deviceId"), s.Ints("streamId")
	for i := range start {
		t.waits = append(t.waits, wait{interval.Span{Start: start[i], End: end[i]}, gpu{trace.GlobalID(pid[i]), device[i]}, stream[i]})
	}
	return nil
}

// Name is the text of a StringId.
func (t *Timeline) Name(id int64) string { return t.Trace.NameText(id) }

// Read joins a timeline. Without Python the calls of Python functions are left
// out, most of a file that has them.
func Read(ctx context.Context, tr *trace.Trace, python bool) (*Timeline, error) {
	t := &Timeline{Trace: tr}
	if err := tr.LoadNames(ctx); err != nil {
		return nil, err
	}
	if err := t.readHost(ctx, python); err != nil {
		return nil, err
	}
	if err := t.readWaits(ctx); err != nil {
		return nil, err
	}
	return t, t.readWork(ctx)
}

func (t *Timeline) readHost(ctx context.Context, python bool) error {
	tables := []struct {
		kind  Kind
		table string
		name  string
	}{{Range, trace.TableNvtx, "textId"}, {Python, trace.TablePython, "nameId"}, {Op, trace.TableOps, "nameId"}, {Call, trace.TableRuntime, "nameId"}}
	h := &t.Host
	for _, x := range tables {
		if x.kind == Python && !python {
			continue
		}
		s, err := t.Trace.Table(ctx, x.table, "start", "end", "globalTid", x.name, "eventType")
		if err != nil {
			return err
		}
		if s == nil || s.Rows == 0 {
			continue
		}
		types := s.Col("eventType")
		start, end, thread, name := s.Ints("start"), s.Ints("end"), s.Ints("globalTid"), s.Ints(x.name)
		for i := range s.Rows {
			if x.kind == Range && types != nil && types.Ints[i] != trace.NvtxPushPop {
				continue
			}
			h.Kind, h.Row = append(h.Kind, x.kind), append(h.Row, int32(i))
			h.Start, h.End = append(h.Start, start[i]), append(h.End, max(start[i], end[i]))
			h.Thread, h.Name = append(h.Thread, trace.GlobalID(thread[i])), append(h.Name, name[i])
		}
	}
	h.nest()
	return nil
}

// slack is how much later than the slice around it one may end, ns: clocks are
// read one after the other, and old traces have whole microseconds.
const slack = 2000

// nest sorts the slices and finds parents: the innermost that was open when a
// slice began and lasts as long. A range that the program opened inside a call of
// Python and closed in another lies in what is around both.
func (h *Host) nest() {
	order := make([]int32, len(h.Start))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(uint64(h.Thread[a]), uint64(h.Thread[b])), cmp.Compare(h.Start[a], h.Start[b]), cmp.Compare(h.End[b], h.End[a]),
			cmp.Compare(h.Kind[a], h.Kind[b]), cmp.Compare(a, b))
	})
	permute(order, h.Kind, h.Row, h.Start, h.End, h.Thread, h.Name, h)
	h.Parent = make([]int32, len(order))
	var open []int32
	for i := range h.Start {
		if i > 0 && h.Thread[i] != h.Thread[i-1] {
			open = open[:0]
		}
		for len(open) > 0 {
			top := open[len(open)-1]
			if h.End[top] > h.Start[i] || h.End[top] == h.Start[i] && h.Start[top] == h.Start[i] {
				break
			}
			open = open[:len(open)-1]
		}
		h.Parent[i] = -1
		for k := len(open) - 1; k >= 0; k-- {
			if h.End[open[k]]+slack >= h.End[i] {
				h.Parent[i] = open[k]
				break
			}
		}
		open = append(open, int32(i))
	}
}

func permute(order []int32, kind []Kind, row []int32, start, end []int64, thread []trace.GlobalID, name []int64, to *Host) {
	n := len(order)
	to.Kind, to.Row, to.Start, to.End, to.Thread, to.Name = make([]Kind, n), make([]int32, n), make([]int64, n), make([]int64, n), make([]trace.GlobalID, n), make([]int64, n)
	for k, i := range order {
		to.Kind[k], to.Row[k], to.Start[k], to.End[k], to.Thread[k], to.Name[k] = kind[i], row[i], start[i], end[i], thread[i], name[i]
	}
}

func (t *Timeline) readWork(ctx context.Context) error {
	calls, err := t.Trace.Table(ctx, trace.TableRuntime, "globalTid", "correlationId")
	if err != nil {
		return err
	}
	var index *trace.Index
	sliceOf := map[int32]int32{}
	if calls != nil && calls.Rows > 0 {
		index = trace.NewIndex(calls.Ints("globalTid"), calls.Ints("correlationId"))
		for i, k := range t.Host.Kind {
			if k == Call {
				sliceOf[t.Host.Row[i]] = int32(i)
			}
		}
	}
	byExternal, err := t.externals(ctx)
	if err != nil {
		return err
	}
	w := &t.Work
	for kind, table := range []string{trace.TableKernel, trace.TableMemcpy, trace.TableMemset} {
		name := "nameId"
		if kind == int(Kernel) {
			name = "demangledName"
		}
		s, err := t.Trace.Table(ctx, table, "start", "end", "deviceId", "streamId", "globalPid", "correlationId", "externalId", "bytes", name)
		if err != nil {
			return err
		}
		if s == nil {
			continue
		}
		start, end, device, stream, pid := s.Ints("start"), s.Ints("end"), s.Ints("deviceId"), s.Ints("streamId"), s.Ints("globalPid")
		names, bytes := s.Ints(name), s.Ints("bytes")
		corr, ext := s.Col("correlationId"), s.Col("externalId")
		for i := range s.Rows {
			call, owner := int32(-1), int32(-1)
			if index != nil && corr != nil && !corr.IsNull(i) {
				if row := index.Find(pid[i], corr.Ints[i]); row >= 0 {
					call = sliceOf[row]
					owner = t.Host.Parent[call]
				}
			}
			if call < 0 {
				t.Unlinked++
				if ext != nil && !ext.IsNull(i) && ext.Ints[i] > 0 && (corr == nil || corr.IsNull(i) || ext.Ints[i] != corr.Ints[i]) {
					if k, ok := byExternal[ext.Ints[i]]; ok {
						owner = k
					}
				}
			}
			size := int64(-1)
			if kind != int(Kernel) && !s.IsNull("bytes", i) {
				size = bytes[i]
			}
			id := names[i]
			if s.Col(name) == nil {
				id = -1
			}
			w.Kind, w.Row = append(w.Kind, workKind(kind)), append(w.Row, int32(i))
			w.Start, w.End = append(w.Start, start[i]), append(w.End, max(start[i], end[i]))
			w.Process = append(w.Process, trace.GlobalID(pid[i]))
			w.Device, w.Stream, w.Name, w.Bytes = append(w.Device, device[i]), append(w.Stream, stream[i]), append(w.Name, id), append(w.Bytes, size)
			w.Call, w.Owner = append(w.Call, call), append(w.Owner, owner)
		}
	}
	w.sort()
	return nil
}

// externals are the operators by External id.
func (t *Timeline) externals(ctx context.Context) (map[int64]int32, error) {
	out := map[int64]int32{}
	ops, err := t.Trace.Table(ctx, trace.TableOps, "externalId")
	if err != nil || ops == nil {
		return out, err
	}
	c := ops.Col("externalId")
	for i, k := range t.Host.Kind {
		if row := int(t.Host.Row[i]); k == Op && c != nil && !c.IsNull(row) && c.Ints[row] > 0 {
			out[c.Ints[row]] = int32(i)
		}
	}
	return out, nil
}

func (w *Work) sort() {
	order := make([]int32, len(w.Start))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(w.Start[a], w.Start[b]), cmp.Compare(w.End[a], w.End[b]))
	})
	from := *w
	*w = Work{}
	for _, i := range order {
		w.Kind, w.Row = append(w.Kind, from.Kind[i]), append(w.Row, from.Row[i])
		w.Start, w.End = append(w.Start, from.Start[i]), append(w.End, from.End[i])
		w.Process = append(w.Process, from.Process[i])
		w.Device, w.Stream, w.Name, w.Bytes = append(w.Device, from.Device[i]), append(w.Stream, from.Stream[i]), append(w.Name, from.Name[i]), append(w.Bytes, from.Bytes[i])
		w.Call, w.Owner = append(w.Call, from.Call[i]), append(w.Owner, from.Owner[i])
	}
}

// operator is the innermost operator around a host slice, itself included; -1 if
// there is none.
func (t *Timeline) operator(slice int32) int32 {
	for ; slice >= 0; slice = t.Host.Parent[slice] {
		if t.Host.Kind[slice] == Op {
			return slice
		}
	}
	return -1
}

// line is the innermost line of Python around a host slice that is not of PyTorch
// itself, else the innermost; -1 if there is none.
func (t *Timeline) line(slice int32) int32 {
	inner := int32(-1)
	for ; slice >= 0; slice = t.Host.Parent[slice] {
		if t.Host.Kind[slice] != Python {
			continue
		}
		if inner < 0 {
			inner = slice
		}
		if isUserLine(t.Name(t.Host.Name[slice])) {
			return slice
		}
	}
	return inner
}
