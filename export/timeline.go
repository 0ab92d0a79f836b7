package export

import (
	"context"
	"fmt"
	"math"

	"github.com/gpuprof/gpuprof/trace"
)

// A track is a line of the timeline on which slices nest.
type track struct {
	id      uint64 // from 1
	process trace.GlobalID
	thread  trace.GlobalID // 0 for a track of a GPU
	gpu     bool           // a stream of device, as process sees it
	device  int64
	alone   bool // of no process
	name    string
	open    []int64 // for the sink: ends of the slices that it has not ended yet
}

// A slice is a stretch of a track.
type slice struct {
	start, end int64 // ns
	name       trace.Sym
	category   string
	flow       uint64 // ties a call to its work; 0: none
	work       bool   // the end of the flow, not its beginning
	instant    bool   // without duration
	payload    string // of an NVTX event

	args  *args        // of its table; nil: it has none
	fact  int32        // number of its facts there; -1: none
	bytes int64        // that it moved; noBytes: none
	own   []trace.Fact // beside those
}

// A sink takes a timeline: each track before its slices, the slices of a track
// by start, outer before inner, properly nested. Those of several tracks may
// alternate.
type sink interface {
	track(t *track) error
	slice(t *track, s *slice) error
	end(t *track) error
	counter(c *counter) error                   // announces it
	sample(c *counter, at int64, v int64) error // by time
}

// A walker hands a trace to a sink.
type walker struct {
	ctx    context.Context
	tr     *trace.Trace
	out    sink
	next   uint64
	held   int                 // rows of a table held at once
	copies map[int64]trace.Sym // names of copies by their kind
	pids   map[int64]uint64    // process numbers small enough to share 64 bits with a correlation number
	ties   int                 // calls and operations of GPUs that were handed over
	first  int64               // time of all slices so far
}

// walk hands the whole trace to out, with the critical path.
func walk(ctx context.Context, tr *trace.Trace, out sink) error {
	w, err := walkHolding(ctx, tr, out, heldRows)
	if err != nil {
		return err
	}
	return w.critical()
}

// walkHolding hands over all tables, and holds about so many rows of one at once.
func walkHolding(ctx context.Context, tr *trace.Trace, out sink, held int) (*walker, error) {
	w := &walker{ctx: ctx, tr: tr, out: out, held: held, copies: map[int64]trace.Sym{}, pids: map[int64]uint64{}, first: math.MaxInt64}
	return w, w.tables()
}

func (w *walker) tables() error {
	tr := w.tr
	if err := tr.LoadNames(w.ctx); err != nil {
		return err
	}
	if err := w.nvtx(); err != nil {
		return err
	}
	for _, a := range tr.SliceTables() {
		if err := w.activity(a); err != nil {
			return err
		}
	}
	for _, s := range tr.SampledTables() {
		if err := w.counters(s); err != nil {
			return err
		}
	}
	return w.projected()
}

// earliest is the first time of all slices and samples.
func earliest(ctx context.Context, tr *trace.Trace) (int64, error) {
	first := int64(1<<63 - 1)
	times := [][2]string{{trace.TableNvtx, "start"}}
	for _, a := range tr.SliceTables() {
		times = append(times, [2]string{a.Table, a.Start})
	}
	for _, s := range tr.SampledTables() {
		times = append(times, [2]string{s.Table, s.At})
	}
	for _, c := range times {
		err := tr.ScanColumns(ctx, c[0], []string{c[1]}, func(t *trace.Table) error {
			for _, v := range t.Ints(c[1]) {
				first = min(first, v)
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
	}
	return first, nil
}

// nvtx hands over the NVTX ranges and marks.
func (w *walker) nvtx() error {
	domains, err := w.tr.Domains(w.ctx)
	if err != nil {
		return err
	}
	payloads, err := w.tr.PayloadTexts(w.ctx)
	if err != nil {
		return err
	}
	tints := &args{number: map[string]int32{}}
	in := func(label string, instant bool) *sliceStream {
		return &sliceStream{w: w, stream: newStream[line](w.held), label: func(l line) string {
			if name := domains.Name(trace.GlobalID(l.thread), l.domain); name != "" {
				return label + ": " + name
			}
			return label
		}, slice: func(r row) slice {
			return slice{name: r.name, category: "nvtx", instant: instant, payload: payloads[int64(r.more)], args: tints, fact: r.fact, bytes: noBytes}
		}}
	}
	ranges, marks := in(w.tr.Words().Ranges, false), in(w.tr.Words().Marks, true)
	var lastEnd int64
	first := true
	// each calls yield for the rows of a part that are ranges or marks.
	each := func(t *trace.Table, yield func(s *sliceStream, l line, i int)) {
		tid, domain := t.Ints("globalTid"), t.Ints("domainId")
		for i, ty := range t.Ints("eventType") {
			switch l := (line{thread: tid[i], domain: domain[i], host: true}); {
			case trace.IsRange(ty):
				yield(ranges, l, i)
			case trace.IsMark(ty):
				yield(marks, l, i)
			}
		}
	}
	err = w.tr.ScanColumns(w.ctx, trace.TableNvtx, []string{"start", "end", "eventType", "globalTid", "domainId"}, func(t *trace.Table) error {
		start := t.Ints("start")
		each(t, func(s *sliceStream, l line, i int) { s.note(s.line(l, l.hash()), start[i]) })
		for i, e := range t.Ints("end") {
			if !t.IsNull("end", i) && (first || e > lastEnd) {
				lastEnd, first = e, false
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	ranges.seal()
	marks.seal()
	columns := []string{"rowid", "start", "end", "eventType", "text", "textId", "globalTid", "domainId", "category", "color"}
	err = w.tr.ScanColumns(w.ctx, trace.TableNvtx, columns, func(t *trace.Table) error {
		start, end, id, ends := t.Ints("start"), t.Ints("end"), t.Ints("rowid"), t.Col("end")
		tint := tints.ofNvtx(t, domains)
		each(t, func(s *sliceStream, l line, i int) {
			r := row{at: start[i], end: start[i], more: uint64(id[i]), fact: tint(i)}
			if s == ranges {
				if r.end = lastEnd; ends != nil && !ends.IsNull(i) {
					r.end = end[i]
				}
			}
			r.name, _ = w.tr.EventText(t, i)
			s.put(l, r)
		})
		if err := ranges.part(); err != nil {
			return err
		}
		return marks.part()
	})
	if err == nil {
		err = ranges.finish()
	}
	if err == nil {
		err = marks.finish()
	}
	return err
}

// activity hands over the rows of a table.
func (w *walker) activity(a trace.SliceTable) error {
	switch words := w.tr.Words(); a.Table {
	case trace.TableRuntime:
		a.Label = words.API
	case trace.TableMemset:
		a.Fixed = words.Set
	case trace.TableKernel:
		if c, ok := w.out.(*chrome); ok && c.torch != nil { // PyTorch has whole names
			a.Name, a.Spare = a.Spare, a.Name
		}
	}
	instant := !a.Until && !w.tr.HasColumn(a.Table, a.End)
	args := newArgs(w, a)
	s := &sliceStream{w: w, stream: newStream[line](w.held), label: func(line) string { return a.Label }, slice: func(r row) slice {
		return slice{name: r.name, category: a.Kind, flow: r.more, work: a.GPU, instant: instant, args: args, fact: r.fact, bytes: r.bytes}
	}}
	place := []string{a.Place}
	if a.GPU {
		place = []string{"globalPid", "deviceId", "streamId", "contextId"}
	}
	placeOf, err := w.placesOf(a)
	if err != nil {
		return err
	}
	err = w.tr.ScanColumns(w.ctx, a.Table, append([]string{a.Start}, place...), func(t *trace.Table) error {
		of := placeOf(t)
		if a.Table == trace.TableRuntime || a.GPU && a.Label == "" {
			w.ties += t.Rows
		}
		for i, at := range t.Ints(a.Start) {
			l := of(i)
			w.first = min(w.first, at)
			s.note(s.line(l, l.hash()), at)
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.seal()
	ends, err := w.untilNext(a)
	if err != nil {
		return err
	}
	seen := 0
	columns := append([]string{a.Start, a.End, "correlationId", "copyKind", "bytes", a.Name, a.Spare, a.Text, a.Enum, "isSchedIn", "cpu", "threadState"}, place...)
	err = w.tr.ScanColumns(w.ctx, a.Table, append(columns, w.tr.FactColumns(a)...), func(t *trace.Table) error {
		of, name, flow, end, fact := placeOf(t), w.names(a, t), w.flows(a, t), t.Ints(a.End), args.of(t)
		size := t.Col("bytes")
		for i, at := range t.Ints(a.Start) {
			r := row{at: at, end: end[i], name: name(i), more: flow(i), fact: fact(i), bytes: noBytes}
			if a.Until {
				r.end = ends[seen]
			}
			if size != nil && size.Kind == trace.Integers && !size.IsNull(i) {
				r.bytes = size.Ints[i]
			}
			seen++
			s.put(of(i), r)
		}
		return s.part()
	})
	if err != nil {
		return err
	}
	return s.finish()
}

// untilNext are the ends of the rows of a table that tells starts only.
func (w *walker) untilNext(a trace.SliceTable) ([]int64, error) {
	if !a.Until {
		return nil, nil
	}
	t, err := w.tr.Table(w.ctx, a.Table, a.Start, a.Place)
	if err != nil {
		return nil, err
	}
	defer w.tr.Forget(a.Table)
	return trace.UntilNext(t, a.Start, a.Place), nil
}

// placesOf tells the lines of the rows of a table.
func (w *walker) placesOf(a trace.SliceTable) (of func(t *trace.Table) func(i int) line, err error) {
	if !a.GPU {
		return func(t *trace.Table) func(i int) line {
			tid := t.Ints(a.Place)
			return func(i int) line { return line{thread: tid[i], host: true} }
		}, nil
	}
	device := func(_ trace.GlobalID, _, device int64) int64 { return device }
	if a.Table == trace.TableSync {
		if device, err = w.tr.ContextDevices(w.ctx); err != nil {
			return nil, err
		}
	}
	return func(t *trace.Table) func(i int) line {
		pid, dev, cx, stream := t.Ints("globalPid"), t.Ints("deviceId"), t.Ints("contextId"), t.Ints("streamId")
		return func(i int) line {
			return line{process: pid[i], device: device(trace.GlobalID(pid[i]), cx[i], dev[i]), stream: stream[i]}
		}
	}, nil
}

// flows tells the number that ties a row to the work it caused, or to its cause.
func (w *walker) flows(a trace.SliceTable, t *trace.Table) func(i int) uint64 {
	corr := t.Col("correlationId")
	if corr == nil || corr.Kind != trace.Integers || a.GPU && a.Label != "" || !a.GPU && a.Table != trace.TableRuntime {
		return func(int) uint64 { return 0 }
	}
	pid := t.Ints("globalTid")
	if a.GPU {
		pid = t.Ints("globalPid")
	}
	return func(i int) uint64 {
		if corr.IsNull(i) || corr.Ints[i] == 0 {
			return 0
		}
		return w.flow(pid[i], corr.Ints[i])
	}
}

// names returns what names the rows of a table.
func (w *walker) names(a trace.SliceTable, t *trace.Table) func(i int) trace.Sym {
	fixed := w.tr.Strings.Intern(a.Fixed)
	if other := w.tr.OtherNames(w.ctx, a, t); other != nil {
		return other
	}
	switch {
	case a.Table == trace.TableMemcpy:
		kind := t.Ints("copyKind")
		return func(i int) trace.Sym {
			y, ok := w.copies[kind[i]]
			if !ok {
				y = w.tr.Strings.Intern(w.tr.CopyName(w.ctx, kind[i]))
				w.copies[kind[i]] = y
			}
			return y
		}
	case a.Name == "":
		return func(int) trace.Sym { return fixed }
	}
	id, spare := t.Col(a.Name), t.Col(a.Spare)
	return func(i int) trace.Sym {
		for _, c := range [2]*trace.Column{id, spare} {
			if c != nil && c.Kind == trace.Integers && !c.IsNull(i) {
				if y, ok := w.tr.Name(c.Ints[i]); ok {
					return y
				}
			}
		}
		return fixed
	}
}

// flow makes one number of process and correlation number.
func (w *walker) flow(pid, correlation int64) uint64 {
	p := int64(trace.GlobalID(pid).Process())
	n, ok := w.pids[p]
	if !ok {
		n = uint64(len(w.pids) + 1)
		w.pids[p] = n
	}
	return n<<40 ^ uint64(correlation)
}

// A line tells which track a row belongs to.
type line struct {
	thread, process, device, stream, domain int64

	host bool // of a thread, whose number may be 0
}

func (l line) hash() uint64 {
	return uint64(l.thread) + uint64(l.process)*3 + uint64(l.device)*5 + uint64(l.stream)*7 + uint64(l.domain)*11
}

// newTrack announces a track of a line.
func (w *walker) newTrack(l line, what string, lane int) (*track, error) {
	w.next++
	t := &track{id: w.next, process: trace.GlobalID(l.process), thread: trace.GlobalID(l.thread), name: what}
	if l.host {
		t.process = t.thread.Process()
	} else {
		t.gpu, t.device = true, l.device
		t.name = fmt.Sprintf("Stream %d", l.stream)
		if l.stream == trace.AllStreams {
			t.name = "All streams"
		}
		if what != "" {
			t.name += " " + what
		}
	}
	if lane > 1 {
		t.name += fmt.Sprintf(" (%d)", lane)
	}
	if err := w.ctx.Err(); err != nil {
		return nil, err
	}
	return t, w.out.track(t)
}
