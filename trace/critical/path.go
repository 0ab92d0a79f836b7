package critical

import (
	"context"
	"slices"
	"sort"

	"github.com/gpuprof/gpuprof/trace"
)

// A Kind says what a step of the path is.
type Kind uint8

// The kinds.
const (
	Kernel  Kind = iota
	Copy         // its name is the kind of the copy
	Set          // of memory
	Graph        // launched as a whole
	Call         // of CUDA
	Launch       // from the beginning of the call that launched work to the work
	Between      // from the end of work to that which waited for it
	Host         // between two calls of a thread
)

var kindWords = [...]string{"kernel", "copy", "memory set", "graph", "call", "launch", "between", "host"}

func (k Kind) String() string { return kindWords[k] }

// A Step is a stretch of the path.
type Step struct {
	Start, End int64 // ns
	Kind       Kind
	Name       string
	Table      string // of what it is, or for Launch of the call; "" for none
	Row        int64  // rowid there
	Device     int64  // -1: none
	Stream     int64  // -1: none
	Thread     trace.GlobalID
}

// Path returns the critical path of a trace in the order of time. Its steps meet;
// it is empty where there is no work and no call.
func Path(ctx context.Context, tr *trace.Trace) ([]Step, error) {
	g, err := read(ctx, tr)
	if err != nil {
		return nil, err
	}
	w := &walker{graph: g, tr: tr, ctx: ctx, copies: map[int64]string{}}
	w.walk()
	slices.Reverse(w.out)
	return w.out, ctx.Err()
}

// A walker goes back along the path. It is at time t, either at a work or a call.
type walker struct {
	*graph
	ctx    context.Context
	tr     *trace.Trace
	out    []Step
	t      int64
	work   int32 // or -1
	call   int32 // or -1
	copies map[int64]string
}

func (w *walker) walk() {
	w.work, w.call = -1, -1
	for i := range w.works {
		if w.work < 0 || w.works[i].end > w.t {
			w.work, w.t = int32(i), w.works[i].end
		}
	}
	for i := range w.calls {
		if w.work < 0 && w.call < 0 || w.calls[i].end > w.t {
			w.work, w.call, w.t = -1, int32(i), w.calls[i].end
		}
	}
	for left := 2 * (len(w.works) + len(w.calls)); left > 0 && (w.work >= 0 || w.call >= 0); left-- {
		if w.work >= 0 {
			w.fromWork()
		} else {
			w.fromCall()
		}
	}
}

// step adds a stretch up to t, and goes to its beginning.
func (w *walker) step(from int64, s Step) {
	if from < w.t {
		s.Start, s.End = from, w.t
		w.out = append(w.out, s)
		w.t = from
	}
}

// fromWork goes from work to what it waited for.
func (w *walker) fromWork() {
	x := &w.works[w.work]
	w.step(x.start, w.stepOf(x))
	before, launched := x.before, x.call
	if other := w.awaited(x); other >= 0 && (before < 0 || w.works[other].end > w.works[before].end) {
		before = other
	}
	if before >= 0 && (launched < 0 || w.works[before].end >= w.calls[launched].start) {
		p := &w.works[before]
		w.step(p.end, Step{Kind: Between, Name: "from work to work", Device: x.device, Stream: x.stream})
		w.work, w.call = before, -1
		return
	}
	w.work, w.call = -1, launched
	if launched < 0 {
		return // nothing is known of its cause
	}
	c := &w.calls[launched]
	w.step(c.start, Step{Kind: Launch, Name: w.tr.NameText(c.name), Table: trace.TableRuntime, Row: c.row, Device: x.device, Stream: x.stream, Thread: c.thread})
	w.toCallBefore(c)
}

func (w *walker) stepOf(x *work) Step {
	s := Step{Table: workTables[x.table], Row: x.row, Device: x.device, Stream: x.stream, Kind: Kind(x.table)}
	switch s.Kind {
	case Kernel:
		s.Name = w.tr.NameText(x.name)
	case Copy:
		name, ok := w.copies[x.name]
		if !ok {
			name = w.tr.Label(w.ctx, "ENUM_CUDA_MEMCPY_OPER", x.name)
			w.copies[x.name] = name
		}
		s.Name = name
	case Set:
		s.Name = "memset"
	case Graph:
		s.Name = "CUDA graph"
	}
	return s
}

// awaited is the work of other streams that work waited for, if a call made its
// stream wait for an event since the work before it was launched; else -1.
func (w *walker) awaited(x *work) int32 {
	waits := w.waits[x.key()]
	if len(waits) == 0 || x.call < 0 {
		return -1
	}
	since := int64(-1 << 63)
	if x.before >= 0 && w.works[x.before].call >= 0 {
		since = w.calls[w.works[x.before].call].start
	}
	launch := w.calls[x.call].start
	i := sort.Search(len(waits), func(k int) bool { return waits[k] > launch })
	if i == 0 || waits[i-1] < since {
		return -1
	}
	return w.lastEnded(w.byEnd[x.process], x.start, func(o *work) bool { return o.key() != x.key() })
}

// mostLooked bounds how many works are looked at for one that fits.
const mostLooked = 1000

// lastEnded is that of a list of works by end which ended last, at or before a
// time; -1: none.
func (w *walker) lastEnded(list []int32, at int64, fits func(*work) bool) int32 {
	i := sort.Search(len(list), func(k int) bool { return w.works[list[k]].end > at })
	for k := i - 1; k >= 0 && k >= i-mostLooked; k-- {
		if fits(&w.works[list[k]]) {
			return list[k]
		}
	}
	return -1
}

// fromCall goes from a call to the work that it waited for, or to the call before.
func (w *walker) fromCall() {
	c := &w.calls[w.call]
	s := Step{Kind: Call, Name: w.tr.NameText(c.name), Table: trace.TableRuntime, Row: c.row, Device: -1, Stream: -1, Thread: c.thread}
	if c.waits != nothing {
		done := w.lastEnded(w.byEnd[c.thread.Process()], w.t, func(o *work) bool { return c.waits == everything || o.stream == c.stream })
		if done >= 0 && w.works[done].end > c.start {
			w.step(w.works[done].end, s)
			w.work, w.call = done, -1
			return
		}
	}
	w.step(c.start, s)
	w.toCallBefore(c)
}

// toCallBefore goes to the call before on the thread; on the first, to the last of
// its process that began before it.
func (w *walker) toCallBefore(c *call) {
	w.work, w.call = -1, c.before
	if w.call < 0 {
		i := sort.Search(len(w.calls), func(k int) bool { return w.calls[k].start >= c.start })
		for k := i - 1; k >= 0 && k >= i-mostLooked; k-- {
			if w.calls[k].thread.Process() == c.thread.Process() {
				w.call = int32(k)
				break
			}
		}
	}
	if w.call >= 0 {
		w.step(w.calls[w.call].end, Step{Kind: Host, Name: "between calls", Device: -1, Stream: -1, Thread: c.thread})
	}
}
