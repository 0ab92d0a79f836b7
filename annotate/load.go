package annotate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"

	"github.com/gpuprof/gpuprof/format/nvtxt"
)

// LoadOptions say how a file becomes events.
type LoadOptions struct {
	nvtxt.Options

	Mode Mode

	// Session is the window of the report that the events are added to, nil if
	// the file makes a session of its own. Events outside are left out, counted
	// and named.
	Session *Window
	// Widen extends the session to hold all events instead.
	Widen bool

	// Frequency is that of Qpc and CNTVCT times, in ticks a second. With 0,
	// and without a Mode, Guide takes their ticks as ns, with a warning.
	Frequency float64
	// RawOrigin is the session time, in ns, at which CLOCK_MONOTONIC_RAW was 0
	// on the target; nil if unknown.
	RawOrigin *int64
}

// ProcessName is the effect of NameProcess.
type ProcessName struct {
	Process uint32
	Name    string
	Line    int
}

// ThreadName is the effect of NameOsThread.
type ThreadName struct {
	Process, Thread uint32
	Name            string
	Line            int
}

// CategoryName is the effect of NameCategory.
type CategoryName struct {
	Process, Category uint32
	Name              string
	Line              int
}

// File is a file's contents on the timeline.
type File struct {
	Path            string
	DisplayName     string // Path unless the file sets another
	DisplayColor    uint32 // ARGB
	HasDisplayColor bool

	Events     *Events
	Processes  []ProcessName // in file order; of several names for one process the last counts
	Threads    []ThreadName
	Categories []CategoryName
	IDs        []uint32 // of the processes that have events, ascending

	// Session is the window of the report after loading: the whole
	// milliseconds around all times of the file, or the given session.
	Session     Window
	Imported    int // calls that made or ended an event; 0 leaves a report as it is
	Outside     int // calls left out because they lie outside the session
	Counts      nvtxt.Counts
	Least       int64 // ns, of all times of the file; 0 if there are none
	Greatest    int64
	Diagnostics nvtxt.Diagnostics
}

// LoadFile reads the named file, "-" for standard input, see [Load].
func LoadFile(ctx context.Context, path string, opt LoadOptions) (*File, error) {
	return loadFile(ctx, path, opt, true)
}

func loadFile(ctx context.Context, path string, opt LoadOptions, keep bool) (*File, error) {
	if path == "-" {
		return loadPipe(ctx, os.Stdin, path, opt, keep)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if st.IsDir() {
		return nil, fmt.Errorf("%s is a folder", path)
	}
	if !st.Mode().IsRegular() {
		return loadPipe(ctx, f, path, opt, keep)
	}
	return load(ctx, f, st.Size(), path, opt, keep)
}

// maxPipe is how many bytes of a pipe are held in memory.
const maxPipe = 1 << 30

// loadPipe reads what has no size before it ends, such as a pipe: it is held
// in memory, since some clocks need the whole text before its first line.
func loadPipe(ctx context.Context, src io.Reader, path string, opt LoadOptions, keep bool) (*File, error) {
	text, err := io.ReadAll(io.LimitReader(&reader{ctx: ctx, Reader: src}, maxPipe+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(text) > maxPipe {
		return nil, fmt.Errorf("%s: more than %d bytes come from what is not a file: save them first", path, maxPipe)
	}
	return load(ctx, bytes.NewReader(text), int64(len(text)), path, opt, keep)
}

// Load reads a file of the given size and joins the ends of ranges to their
// beginnings. An error is about the options or about reading; what is wrong
// with the contents is in Diagnostics. In the Nsys dialect a file with an
// error has no events.
func Load(ctx context.Context, src io.ReaderAt, size int64, path string, opt LoadOptions) (*File, error) {
	return load(ctx, src, size, path, opt, true)
}

func load(ctx context.Context, src io.ReaderAt, size int64, path string, opt LoadOptions, keep bool) (*File, error) {
	if err := opt.Mode.Validate(); err != nil {
		return nil, err
	}
	if opt.Frequency < 0 || math.IsInf(opt.Frequency, 0) || math.IsNaN(opt.Frequency) {
		return nil, fmt.Errorf("the frequency is %v: expected more than 0", opt.Frequency)
	}
	if opt.Session != nil && !opt.Widen && opt.Dialect == nvtxt.Guide {
		keep = true // which events lie outside shows only when their ends are known
	}
	l := &loader{opt: &opt, keep: keep, file: &File{Path: path, DisplayName: path, Events: &Events{clean: opt.Dialect == nvtxt.Nsys}}}
	input := func() io.Reader { return &reader{ctx: ctx, Reader: io.NewSectionReader(src, 0, size)} }
	if err := l.setClock(input, path); err != nil {
		return nil, err
	}
	l.r = nvtxt.NewReader(input(), path, opt.Options)
	for l.r.Next() {
		l.record(l.r.Record())
	}
	if err := l.r.Err(); err != nil && !errors.As(err, new(*nvtxt.Diagnostic)) {
		return nil, err
	}
	l.finish()
	if err := l.file.Diagnostics.Quote(input()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return l.file, nil
}

// reader stops when its context ends.
type reader struct {
	ctx context.Context
	io.Reader
}

func (r *reader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(b)
}

// loader makes a File of the records of a Reader.
type loader struct {
	opt    *LoadOptions
	r      *nvtxt.Reader
	file   *File
	clock  *clock
	pairs  pairer
	keep   bool // events, not only messages
	timed  bool // Least and Greatest are set
	ids    map[uint32]bool
	lastID uint32
	base   uint16 // Guide: a bit for each base whose missing relation has been mentioned
	wrong  error  // with the options and the whole file
}

// setClock finds the conversion of times, for which it reads the whole file if
// the mode needs its extreme times.
func (l *loader) setClock(input func() io.Reader, path string) error {
	var least, greatest int64
	asIs := false
	if l.opt.Mode.needsRange() {
		r, found := nvtxt.NewReader(input(), path, nvtxt.Options{Dialect: l.opt.Dialect}), false
		for r.Next() {
			rec := r.Record()
			if !rec.Command.Event() || l.opt.Dialect == nvtxt.Guide && (rec.TimeBase == nvtxt.Relative || rec.TimeBase == nvtxt.ClockMonotonicRaw) {
				continue
			}
			if !found {
				found, least, greatest = true, rec.Start, rec.Start
			}
			least, greatest = min(least, rec.Start, rec.End), max(greatest, rec.Start, rec.End)
		}
		if err := r.Err(); err != nil && !errors.As(err, new(*nvtxt.Diagnostic)) {
			return err
		}
		asIs = !found || r.Err() != nil // the error comes up again
	}
	if !asIs {
		c, err := newClock(l.opt, least, greatest)
		if err == nil {
			l.clock = c
			return nil
		}
		l.wrong = err
	}
	o := *l.opt
	o.Mode = Mode{}
	l.clock, _ = newClock(&o, 0, 0)
	return nil
}

func (l *loader) record(r *nvtxt.Record) {
	f := l.file
	switch r.Command {
	case nvtxt.CmdNameProcess:
		f.Processes = append(f.Processes, ProcessName{r.Process, string(r.Text), r.Line})
	case nvtxt.CmdNameOsThread:
		f.Threads = append(f.Threads, ThreadName{r.Process, r.Thread, string(r.Text), r.Line})
	case nvtxt.CmdNameCategory:
		f.Categories = append(f.Categories, CategoryName{r.Process, r.Category, string(r.Text), r.Line})
	case nvtxt.CmdSetFileDisplayName:
		f.DisplayName = string(r.Text)
	case nvtxt.CmdSetFileDisplayColor:
		f.DisplayColor, f.HasDisplayColor = r.Color, true
	default:
		l.event(r)
	}
}

// event places one call on the timeline.
func (l *loader) event(r *nvtxt.Record) {
	start, err := l.clock.ns(r.Start, r.TimeBase)
	end := start
	if err == nil && r.Command == nvtxt.CmdRangeStartEnd {
		end, err = l.clock.ns(r.End, r.TimeBase)
	}
	if err != nil {
		at := nvtxt.ParamTime
		if r.Command == nvtxt.CmdRangeStartEnd {
			at = nvtxt.ParamStart
		}
		l.r.Complain(nvtxt.Complaint{At: at, Found: err.Error()})
		return
	}
	nsys := l.opt.Dialect == nvtxt.Nsys
	if !nsys {
		l.warnBase(r)
		if end < start {
			l.r.Complain(nvtxt.Complaint{At: nvtxt.ParamEnd, Found: fmt.Sprintf("the range ends at %d, before its start at %d", r.End, r.Start), Want: "an End that is not before the Start"})
			return
		}
	}
	if nsys && l.opt.Session != nil && l.cut(r, start) {
		return
	}
	l.span(start, end)
	if r.Skipped {
		return
	}
	l.file.Imported++
	l.process(r.Process)
	if nsys { // the importer checks them and drops them
		r.Has &^= 1<<nvtxt.ParamCategory | 1<<nvtxt.ParamPayload
		r.Payload = nvtxt.Payload{}
	}
	switch r.Command {
	case nvtxt.CmdMarker:
		l.add(nvtxt.TypeMarker, r, start, end)
	case nvtxt.CmdRangeStartEnd:
		l.add(nvtxt.TypeStartEndRange, r, start, end)
	case nvtxt.CmdRangePush:
		l.pairs.begin(r, begun{row: l.add(nvtxt.TypePushPopRange, r, start, end), line: r.Line, start: start})
	case nvtxt.CmdRangeStart:
		l.pairs.begin(r, begun{row: l.add(nvtxt.TypeStartEndRange, r, start, end), line: r.Line, start: start})
	case nvtxt.CmdRangePop, nvtxt.CmdRangeEnd:
		l.end(r, end)
	}
}

func (l *loader) add(t nvtxt.EventType, r *nvtxt.Record, start, end int64) int {
	if !l.keep {
		return -1
	}
	return l.file.Events.add(t, r, start, end)
}

// end ends a range.
func (l *loader) end(r *nvtxt.Record, at int64) {
	b, ok := l.pairs.end(r)
	if !ok {
		if !l.r.Diagnostics().Full(nvtxt.Warning) {
			l.r.Complain(nvtxt.Complaint{Severity: nvtxt.Warning, At: nvtxt.NoParam, Found: r.Command.String() + " ends nothing: no range of this " + laneName(r) + " is open"})
		}
		return
	}
	if at < b.start {
		l.r.Complain(nvtxt.Complaint{At: nvtxt.ParamTime, Late: true,
			Found: fmt.Sprintf("the range ends at %d ns, before its start at %d ns on line %d", at, b.start, b.line), Want: "an end that is not before the start"})
		return // it keeps its start as its end
	}
	if b.row >= 0 {
		l.file.Events.close(b.row, at)
	}
}

func laneName(r *nvtxt.Record) string {
	if keyOf(r).kind == idLane {
		return "id in process " + strconv.FormatUint(uint64(r.Process), 10)
	}
	return fmt.Sprintf("thread (%d of process %d)", r.Thread, r.Process)
}

// span notes the extreme times.
func (l *loader) span(start, end int64) {
	f := l.file
	if !l.timed {
		l.timed = true
		f.Least, f.Greatest = start, end
	}
	f.Least, f.Greatest = min(f.Least, start, end), max(f.Greatest, start, end)
}

func (l *loader) process(id uint32) {
	if l.ids == nil {
		l.ids = map[uint32]bool{}
	} else if id == l.lastID {
		return
	}
	l.lastID = id
	l.ids[id] = true
}

// cut reports whether the importer leaves a call out: it judges each by its
// own first time, even the two halves of a range.
func (l *loader) cut(r *nvtxt.Record, start int64) bool {
	w := *l.opt.Session
	if l.opt.Widen {
		w = Window{Start: 0, End: math.MaxInt64}
	}
	if start >= w.Start && start <= w.End || r.Skipped {
		return false
	}
	l.outside(r.Command.String(), string(r.Text), start, start, w, r.Line)
	return true
}

func (l *loader) outside(what, text string, start, end int64, w Window, line int) {
	l.file.Outside++
	if l.r.Diagnostics().Full(nvtxt.Warning) {
		return
	}
	t := fmt.Sprintf("at %d ns", start)
	if end != start {
		t = fmt.Sprintf("from %d to %d ns", start, end)
	}
	l.r.Diagnostics().Add(nvtxt.Diagnostic{File: l.file.Path, Line: line, Class: nvtxt.Loading, Severity: nvtxt.Warning,
		Found: fmt.Sprintf("%s %s %s is left out", what, nvtxt.QuoteName(text), t),
		Want:  fmt.Sprintf("a time in the session, from %d to %d ns", w.Start, w.End)}, nil)
}

// warnBase mentions, once a file, times that are placed without knowing how
// their clock relates to the session.
func (l *loader) warnBase(r *nvtxt.Record) {
	b := r.TimeBase
	if l.base>>b&1 != 0 {
		return
	}
	l.base |= 1 << b
	switch {
	case (b == nvtxt.Qpc || b == nvtxt.CNTVCT) && l.opt.Mode.Kind == AsIs && l.opt.Frequency == 0:
		l.r.Complain(nvtxt.Complaint{Severity: nvtxt.Warning, At: nvtxt.ParamTimeBase, Found: "ticks of " + b.String() + " are taken as ns", Want: "the frequency of the clock, or mode lin"})
	case b == nvtxt.ClockMonotonicRaw && l.opt.Session != nil && l.opt.RawOrigin == nil:
		l.r.Complain(nvtxt.Complaint{Severity: nvtxt.Warning, At: nvtxt.ParamTimeBase, Found: "times of ClockMonotonicRaw are taken as session times", Want: "the session time at which that clock was 0"})
	}
}

// finish closes what is open and fits the events into the session.
func (l *loader) finish() {
	f := l.file
	f.Counts = l.r.Counts()
	if l.wrong != nil {
		l.r.Diagnostics().Add(nvtxt.Diagnostic{File: f.Path, Class: nvtxt.Loading, Found: l.wrong.Error()}, nil)
	}
	for id := range l.ids {
		f.IDs = append(f.IDs, id)
	}
	slices.Sort(f.IDs)
	f.Session = l.session()
	l.closeOpen()
	if l.opt.Dialect == nvtxt.Guide {
		l.cutEvents()
	} else if f.Session.Start > f.Least {
		// The importer loses markers before the session's start, not ranges.
		f.Events.keep(func(i int) bool {
			b, j := f.Events.row(i)
			return nvtxt.EventType(b.typ[j]) != nvtxt.TypeMarker || b.start[j] >= f.Session.Start
		})
	}
	f.Diagnostics = *l.r.Diagnostics()
	if l.opt.Dialect == nvtxt.Nsys && f.Diagnostics.Count(nvtxt.Error) > 0 {
		*f = File{Path: f.Path, DisplayName: f.DisplayName, Events: new(Events), Counts: f.Counts, Diagnostics: f.Diagnostics}
	}
}

func (l *loader) session() Window {
	own := Window{}
	if l.timed {
		own = l.clock.window(l.file.Least, l.file.Greatest)
	}
	w := l.opt.Session
	switch {
	case w == nil:
		return own
	case l.opt.Widen && l.timed:
		return Window{Start: min(own.Start, w.Start), End: max(own.End, w.End)}
	}
	return *w
}

// closeOpen ends the ranges that nothing ended.
func (l *loader) closeOpen() {
	f := l.file
	end := f.Session.End
	if l.opt.Dialect == nvtxt.Nsys {
		end = math.MaxInt64
	}
	var left []begun
	l.pairs.open(func(_ laneKey, b begun) { left = append(left, b) })
	slices.SortFunc(left, func(a, b begun) int { return a.line - b.line })
	for _, b := range left {
		if b.row >= 0 {
			f.Events.open(b.row, max(end, b.start))
		}
		if l.r.Diagnostics().Full(nvtxt.Warning) {
			continue
		}
		l.r.Diagnostics().Add(nvtxt.Diagnostic{File: f.Path, Line: b.line, Class: nvtxt.Loading, Severity: nvtxt.Warning,
			Found: fmt.Sprintf("nothing ends the range that begins at %d ns", b.start)}, nil)
	}
}

// cutEvents leaves out the events that have no instant in the session.
func (l *loader) cutEvents() {
	w, f := l.file.Session, l.file
	if l.opt.Session == nil || l.opt.Widen {
		return
	}
	f.Events.keep(func(i int) bool {
		b, j := f.Events.row(i)
		if b.start[j] <= w.End && b.end[j] >= w.Start {
			return true
		}
		e := f.Events.At(i)
		l.outside(e.Type.String(), e.Text, e.Start, e.End, w, e.Line)
		return false
	})
}
