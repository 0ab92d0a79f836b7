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
	kind   Kind
	device func(process trace.GlobalID, context, device int64) int64 // where it is not what rows say; nil: it is
}

// sourcesOf are the sources of a trace, but for NVTX.
func sourcesOf(tr *trace.Trace) []source {
	var out []source
	for _, t := range tr.SliceTables() {
		s := source{SliceTable: t, kind: Kind(t.Kind)}
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

// rows are the slices of one table.
type rows struct {
	table string
	parts []part // in the order of the file
	n     int
	rowid []int64 // numbers of the rows; nil: from 1 on
	left  int     // rows that are on no line
	tied  bool    // correlation numbers tie them to the rows of others
	gpu   bool
}

// whole makes rows of a table that is one part.
func whole(table string, p part) *rows {
	return &rows{table: table, parts: []part{p}, n: len(p.start)}
}

// readSource reads the rows of a source; nil where the trace has none. A table
// whose rows last until the next is needed as a whole, others come in parts.
func (b *builder) readSource(ctx context.Context, s source) (*rows, error) {
	switch s.Table {
	case trace.TableRuntime:
		s.Label = b.words.API
	case trace.TableMemset:
		s.Fixed = b.words.Set
	}
	if s.Table == trace.TableSync {
		var err error
		if s.device, err = b.tr.ContextDevices(ctx); err != nil {
			return nil, err
		}
	}
	clear(b.recent[:])
	clear(b.namer.recent[:])
	r := &rows{table: s.Table, gpu: s.GPU, tied: s.GPU && s.kind == kindStream && s.Label == "" || s.Table == trace.TableRuntime}
	columns := []string{s.Start, s.End, s.Place, "globalPid", "correlationId", "deviceId", "contextId", "streamId", "copyKind",
		s.Name, s.Spare, s.Text, s.Enum, "isSchedIn", "cpu", "threadState", "rowid"}
	if s.Until {
		defer b.tr.Forget(s.Table)
		t, err := b.tr.Table(ctx, s.Table, columns...)
		if err != nil || t == nil {
			return nil, err
		}
		b.addPart(ctx, s, r, t)
	} else if err := b.tr.ScanColumns(ctx, s.Table, columns, func(t *trace.Table) error {
		b.addPart(ctx, s, r, t)
		return ctx.Err()
	}); err != nil {
		return nil, err
	}
	if r.n == 0 {
		return nil, nil
	}
	if s.Table == trace.TableRuntime || s.GPU && s.Label == "" {
		b.ties += r.n
		b.work = b.work || s.GPU
	}
	return r, nil
}

// addPart adds a part of a table to its rows. It is valid until then only, so
// what stays is copied.
func (b *builder) addPart(ctx context.Context, s source, r *rows, t *trace.Table) {
	start := t.Col(s.Start)
	if t.Rows == 0 || start == nil {
		return
	}
	p := part{start: t.Ints(s.Start), name: b.names(ctx, s, t), line: b.linesOf(s, t)}
	for i := range start.Null {
		if start.Null[i] {
			p.line[i] = -1
			r.left++
		}
	}
	p.end = p.start
	var noEnd []bool
	if c := t.Col(s.End); s.Until {
		p.end = trace.UntilNext(t, s.Start, s.Place)
	} else if c != nil && c.Kind == trace.Integers {
		p.end, noEnd = c.Ints, c.Null
	}
	b.odd.mend(&p, noEnd)
	p.pack()
	if r.tied = r.tied && t.Col("correlationId") != nil; r.tied {
		p.corr = packed(t.Ints("correlationId"))
	}
	r.number(t.Ints("rowid"))
	r.parts, r.n = append(r.parts, p), r.n+t.Rows
}

// linesOf are the lines of the rows of a source.
func (b *builder) linesOf(s source, t *trace.Table) []int32 {
	out := make([]int32, t.Rows)
	if !s.GPU {
		tid := t.Ints(s.Place)
		for i := range out {
			k := place{tid[i]}
			if out[i] = b.lately(s.kind, k); out[i] < 0 {
				out[i] = b.lineOf(line{kind: s.kind, label: s.Label, thread: trace.GlobalID(tid[i])}, k)
			}
		}
		return out
	}
	pid, dev, cx, stream := t.Ints("globalPid"), t.Ints("deviceId"), t.Ints("contextId"), t.Ints("streamId")
	for i := range out {
		k := place{pid[i], dev[i], cx[i], stream[i]}
		if out[i] = b.lately(s.kind, k); out[i] < 0 {
			l := line{kind: s.kind, shown: b.beside(s), label: s.Label, pid: trace.GlobalID(pid[i]), device: dev[i], context: cx[i], stream: stream[i]}
			if s.device != nil {
				l.device = s.device(l.pid, l.context, l.device)
			}
			out[i] = b.lineOf(l, k)
		}
	}
	return out
}

// number takes the numbers of the rows of the next part. They are kept from the
// first on that is not one more than the one before.
func (r *rows) number(ids []int64) {
	for i := 0; r.rowid == nil && i < len(ids); i++ {
		if ids[i] != int64(r.n+i)+1 {
			for k := range r.n {
				r.rowid = append(r.rowid, int64(k)+1)
			}
			r.rowid = append(r.rowid, ids...)
			return
		}
	}
	if r.rowid != nil {
		r.rowid = append(r.rowid, ids...)
	}
}

// beside is the kind of a track beside a stream, "" for that of a stream itself.
func (b *builder) beside(s source) Kind {
	if s.Label == "" {
		return ""
	}
	return Kind(s.SliceTable.Kind)
}

// readRanges reads the NVTX ranges; ranges of a domain have a track of their own.
func (b *builder) readRanges(ctx context.Context) (*rows, error) {
	n, err := b.tr.Ranges(ctx)
	if err != nil || n == nil || n.Len() == 0 {
		return nil, err
	}
	clear(b.recent[:])
	p := part{start: n.Start, end: n.End, name: b.namer.ofSyms(n.Text), line: make([]int32, n.Len())}
	for i := range p.line {
		k := place{int64(n.Thread[i]), n.Domain[i]}
		if p.line[i] = b.lately(kindNvtx, k); p.line[i] < 0 {
			p.line[i] = b.lineOf(line{kind: kindNvtx, label: b.words.Ranges, thread: n.Thread[i], domain: n.Domain[i]}, k)
		}
	}
	b.odd.mend(&p, nil)
	r := whole(trace.TableNvtx, p)
	r.rowid = n.Row
	return r, nil
}

// readMarks reads the NVTX marks, which have tracks below those of the ranges.
func (b *builder) readMarks(ctx context.Context) (*rows, error) {
	m, err := b.tr.Marks(ctx)
	if err != nil || m == nil || len(m.At) == 0 {
		return nil, err
	}
	p := part{start: m.At, end: m.At, name: b.namer.ofSyms(m.Text), line: make([]int32, len(m.At))}
	for i := range p.line {
		p.line[i] = b.lineOf(line{kind: kindNvtx, label: b.words.Marks, thread: m.Thread[i], domain: m.Domain[i]}, place{})
	}
	b.odd.mend(&p, nil)
	r := whole(trace.TableNvtx, p)
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
