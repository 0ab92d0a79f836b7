package timeline

import (
	"context"

	"github.com/gpuprof/gpuprof/trace"
)

// A Kind tells what the slices of a track are.
type Kind string

// The kinds of tracks. The first five have no slices of their own.
const (
	kindProcess Kind = "process"
	kindThread  Kind = "thread"
	kindDevice  Kind = "device"
	kindContext Kind = "context"
	kindMetrics Kind = "metrics"
	kindAPI     Kind = "api"
	kindNvtx    Kind = "nvtx"
	kindOSRT    Kind = "osrt"
	kindMPI     Kind = "mpi"
	kindOpenMP  Kind = "openmp"
	kindOpenACC Kind = "openacc"
	kindLibrary Kind = "library"
	kindSample  Kind = "samples"
	kindStream  Kind = "stream"
	kindCounter Kind = "counter"
)

// A source is a table whose rows become slices.
type source struct {
	trace.SliceTable
	kind Kind
}

// sourcesOf are the sources of a trace, but for NVTX.
func sourcesOf(tr *trace.Trace) []source {
	var out []source
	for _, t := range tr.SliceTables() {
		s := source{t, Kind(t.Kind)}
		if t.GPU {
			s.kind = kindStream
		}
		out = append(out, s)
	}
	return out
}

// A line tells which track a row belongs to.
type line struct {
	kind, shown                     Kind // shown: what the track is called where it is beside a stream
	label                           string
	thread, pid                     trace.GlobalID
	device, context, stream, domain int64
}

// rows are the slices of one table, in the order of the file.
type rows struct {
	table      string
	start, end []int64
	name       []NameID
	line       []int32 // in builder.lines
	rowid      []int64 // numbers of the rows; nil: from 1 on
	left       int     // rows that are on no line
	noEnd      []bool  // nil, or where the file has no end
	pid, corr  []int64 // nil where nothing ties them
	gpu        bool
}

// readSource reads the rows of a source; nil where the trace has none.
func (b *builder) readSource(ctx context.Context, s source) (*rows, error) {
	t, err := b.tr.Table(ctx, s.Table, s.Start, s.End, s.Place, "globalPid", "correlationId", "deviceId", "contextId", "streamId", "copyKind",
		s.Name, s.Spare, s.Text, s.Enum, "isSchedIn", "cpu", "threadState", "rowid")
	if err != nil || t == nil || t.Rows == 0 || t.Col(s.Start) == nil {
		return nil, err
	}
	defer b.tr.Forget(s.Table)
	switch s.Table {
	case trace.TableRuntime:
		s.Label = b.words.api
	case trace.TableMemset:
		s.Fixed = b.words.set
	}
	clear(b.recent[:])
	if s.Table == trace.TableRuntime || s.GPU && s.Label == "" {
		b.ties += t.Rows
		b.work = b.work || s.GPU
	}
	r := &rows{table: s.Table, start: t.Ints(s.Start), rowid: rowIDs(t), line: make([]int32, t.Rows), gpu: s.GPU}
	if s.Until {
		r.end = trace.UntilNext(t, s.Start, s.Place)
	} else {
		r.end = t.Ints(s.End)
		if c := t.Col(s.End); c == nil || c.Kind != trace.Integers {
			r.end = r.start
		} else {
			r.noEnd = c.Null
		}
	}
	r.name = b.names(ctx, s, t)
	switch {
	case s.GPU:
		pid, dev, cx, stream := t.Ints("globalPid"), t.Ints("deviceId"), t.Ints("contextId"), t.Ints("streamId")
		for i := range r.line {
			k := place{pid[i], dev[i], cx[i], stream[i]}
			if r.line[i] = b.lately(s.kind, k); r.line[i] < 0 {
				r.line[i] = b.lineOf(line{kind: s.kind, shown: b.beside(s), label: s.Label, pid: trace.GlobalID(pid[i]), device: dev[i], context: cx[i], stream: stream[i]}, k)
			}
		}
		r.pid = pid
	default:
		tid := t.Ints(s.Place)
		for i := range r.line {
			k := place{tid[i]}
			if r.line[i] = b.lately(s.kind, k); r.line[i] < 0 {
				r.line[i] = b.lineOf(line{kind: s.kind, label: s.Label, thread: trace.GlobalID(tid[i])}, k)
			}
		}
		r.pid = tid
	}
	if (s.GPU && s.kind == kindStream && s.Label == "" || s.Table == trace.TableRuntime) && t.Col("correlationId") != nil {
		r.corr = t.Ints("correlationId")
	}
	if null := t.Col(s.Start).Null; null != nil {
		for i := range r.line {
			if t.Col(s.Start).IsNull(i) {
				r.line[i] = -1
				r.left++
			}
		}
	}
	return r, nil
}

// beside is the kind of a track beside a stream, "" for that of a stream itself.
func (b *builder) beside(s source) Kind {
	if s.Label == "" {
		return ""
	}
	return Kind(s.SliceTable.Kind)
}

// rowIDs are the numbers of rows, nil where they go from 1 on.
func rowIDs(t *trace.Table) []int64 {
	ids := t.Ints("rowid")
	for i, id := range ids {
		if id != int64(i)+1 {
			return ids
		}
	}
	return nil
}

// readRanges reads the NVTX ranges; ranges of a domain have a track of their own.
func (b *builder) readRanges(ctx context.Context) (*rows, error) {
	n, err := b.tr.Ranges(ctx)
	if err != nil || n == nil || n.Len() == 0 {
		return nil, err
	}
	clear(b.recent[:])
	r := &rows{table: trace.TableNvtx, start: n.Start, end: make([]int64, n.Len()), name: b.namer.ofSyms(n.Text), line: make([]int32, n.Len())}
	for i := range r.line {
		r.end[i] = n.End[i]
		k := place{int64(n.Thread[i]), n.Domain[i]}
		if r.line[i] = b.lately(kindNvtx, k); r.line[i] < 0 {
			r.line[i] = b.lineOf(line{kind: kindNvtx, label: b.words.ranges, thread: n.Thread[i], domain: n.Domain[i]}, k)
		}
	}
	r.rowid = n.Row
	return r, nil
}

// readMarks reads the NVTX marks, which have tracks below those of the ranges.
func (b *builder) readMarks(ctx context.Context) (*rows, error) {
	m, err := b.tr.Marks(ctx)
	if err != nil || m == nil || len(m.At) == 0 {
		return nil, err
	}
	r := &rows{table: trace.TableNvtx, start: m.At, end: m.At, name: b.namer.ofSyms(m.Text), line: make([]int32, len(m.At))}
	for i := range r.line {
		r.line[i] = b.lineOf(line{kind: kindNvtx, label: b.words.marks, thread: m.Thread[i], domain: m.Domain[i]}, place{})
	}
	r.rowid = m.Row
	return r, nil
}

// A place is what tells lines of a kind apart, as rows have it.
type place [4]int64

// A seen is a line that a row had lately. Rows of a few lines follow each other,
// and to look here is quicker than to ask the map of all.
type seen struct {
	kind Kind
	at   place
	line int32
}

func (b *builder) slot(k place) *seen {
	h := uint64(k[0])*0x9e3779b97f4a7c15 ^ uint64(k[1])*0xff51afd7ed558ccd ^ uint64(k[2])*0xc4ceb9fe1a85ec53 ^ uint64(k[3])*0xd6e8feb86659fd93
	return &b.recent[h>>58]
}

// lately is the line of a place that was met lately, or -1.
func (b *builder) lately(kind Kind, k place) int32 {
	if s := b.slot(k); s.at == k && s.kind == kind {
		return s.line
	}
	return -1
}

// lineOf numbers a line.
func (b *builder) lineOf(l line, at place) int32 {
	k, ok := b.number[l]
	if !ok {
		k = int32(len(b.lines))
		b.lines = append(b.lines, l)
		b.number[l] = k
	}
	*b.slot(at) = seen{l.kind, at, k}
	return k
}
