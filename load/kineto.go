package load

import (
	"fmt"
	"math"
	"strings"

	"github.com/gpuprof/gpuprof/format/kineto"
	"github.com/gpuprof/gpuprof/trace"
)

// isKineto matches Chrome traces, PyTorch's among them, and the JSON of
// PyTorch's surroundings that is none, so that it is called by its name.
func isKineto(head []byte, _ string) bool { return kineto.Is(head) || kineto.Neighbour(head) != "" }

func openKineto(f *File) error {
	k, err := kineto.Read(f.opening, f.in, f.Size, f.Name)
	if err != nil {
		return err
	}
	for _, p := range k.Problems {
		f.problems = append(f.problems, p.Error())
	}
	if what := placeUntimed(k); what != "" {
		f.problems = append(f.problems, f.Name+": "+what)
	}
	if k.Events == 0 {
		f.problems = append(f.problems, f.Name+": the trace is empty: nothing was recorded")
	}
	f.chrome = true
	if k.PyTorch {
		f.Format = "PyTorch trace"
	}
	if k.Ops.Rows()+k.Python.Rows() > 0 {
		f.holds |= Operators
	}
	if k.Memory.Time.Len() > 0 {
		f.holds |= Memory
	}
	f.Trace = trace.New(f.Name, kinetoTables(k))
	f.Trace.Tool = "PyTorch profiler (Kineto)"
	if !k.PyTorch {
		f.Trace.Tool = ""
	}
	return nil
}

// A kinetoAdapter lays a Kineto trace out in the tables of the Nsight Systems
// schema and in those of PyTorch. Times become ns from the first event of the
// file, as in reports of Nsight Systems; when that was stands in
// TARGET_INFO_SESSION_START_TIME.
type kinetoAdapter struct {
	memory
	k       *kineto.Trace
	origin  int64            // ns; the first time of the file
	end     int64            // ns; the last
	told    bool             // the file says which its first time was
	threads []trace.GlobalID // by track
	named   map[string]int64 // numbers of processes whose own is a name or too large
	names   []threadName
	process trace.GlobalID // that the GPU works for
	texts   []string       // names that the file does not have, numbered behind its own
	numbers map[string]int64
}

type threadName struct {
	id   trace.GlobalID
	text int64
}

func kinetoTables(k *kineto.Trace) *memory {
	a := &kinetoAdapter{k: k, numbers: map[string]int64{}}
	a.span()
	a.number()
	untangle(k)
	tieByArrows(k)
	a.kernels()
	a.copies()
	a.calls()
	a.syncs()
	a.annotations()
	a.operators()
	a.python()
	a.allocations()
	a.collectives()
	a.others()
	a.machine()
	n := k.Texts.Len()
	a.add("StringIds", n+len(a.texts), memoryColumn{name: "id", whole: func(i int) int64 { return int64(i) }},
		memoryColumn{name: "value", text: func(i int) string {
			if i < n {
				return k.Texts.Of(kineto.Text(i))
			}
			return a.texts[i-n]
		}})
	return &a.memory
}

// text numbers a text that the file does not have.
func (a *kinetoAdapter) text(s string) int64 {
	n, ok := a.numbers[s]
	if !ok {
		n = int64(a.k.Texts.Len() + len(a.texts))
		a.texts = append(a.texts, s)
		a.numbers[s] = n
	}
	return n
}

// slices are all tables of slices.
func (a *kinetoAdapter) slices() []*kineto.Slices {
	k := a.k
	return []*kineto.Slices{&k.Ops.Slices, &k.Annotations.Slices, &k.GPUSpans, &k.Python.Slices, &k.Calls.Slices, &k.Kernels.Slices, &k.Copies.Slices,
		&k.Sets.Slices, &k.Syncs.Slices, &k.Overhead, &k.Others}
}

// span finds the first and the last time of the file.
func (a *kinetoAdapter) span() {
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for _, s := range a.slices() {
		for i := range s.Rows() {
			start := s.Start.At(i)
			first, last = min(first, start), max(last, start+s.Dur.At(i))
		}
	}
	for _, c := range []*kineto.Integers[int64]{&a.k.Memory.Time, &a.k.Counters.Time} {
		for i := range c.Len() {
			first, last = min(first, c.At(i)), max(last, c.At(i))
		}
	}
	if first <= last {
		a.origin, a.end = first, last
	}
	if began, process, ok := toldOrigin(a.k); ok && (first > last || began <= a.origin) {
		a.origin, a.end, a.told, a.process = began, max(a.end, began), true, process
	}
}

// longTID is the first number for threads whose own does not fit a GlobalID, as
// that of a pthread.
const longTID = 1 << 23

// number gives each track its process and thread.
func (a *kinetoAdapter) number() {
	next := int64(longTID)
	a.nameProcesses()
	calls := map[trace.GlobalID]int{}
	for _, t := range a.k.Tracks {
		tid := t.TID
		if tid < 0 || tid >= longTID {
			tid = next
			next++
			name := t.TIDText
			if name == "" {
				name = fmt.Sprintf("thread %d", uint64(t.TID))
			}
			a.names = append(a.names, threadName{a.thread(&t, tid), a.text(name)})
		}
		a.threads = append(a.threads, a.thread(&t, tid))
	}
	for i := range a.k.Calls.Rows() {
		calls[a.threads[a.k.Calls.Track.At(i)].Process()]++
	}
	if len(calls) == 0 {
		for i := range a.k.Ops.Rows() {
			calls[a.threads[a.k.Ops.Track.At(i)].Process()]++
		}
	}
	if a.told {
		return
	}
	most := 0
	for id, n := range calls {
		if n > most || n == most && id < a.process {
			a.process, most = id, n
		}
	}
}

// times, textNumber and threaded are the columns that slices have.
func (a *kinetoAdapter) times(s *kineto.Slices) []memoryColumn {
	return []memoryColumn{{name: "start", whole: func(i int) int64 { return s.Start.At(i) - a.origin }},
		{name: "end", whole: func(i int) int64 { return s.Start.At(i) - a.origin + s.Dur.At(i) }}}
}

func (a *kinetoAdapter) threaded(s *kineto.Slices) memoryColumn {
	return memoryColumn{name: "globalTid", whole: func(i int) int64 { return int64(a.threads[s.Track.At(i)]) }}
}

func textNumber(name string, c *kineto.Integers[kineto.Text]) memoryColumn {
	return memoryColumn{name: name, whole: func(i int) int64 { return int64(c.At(i)) }}
}

// maybe is a text that a row may not have; no column where none has.
func maybe(name string, c *kineto.Integers[kineto.Text]) []memoryColumn {
	if !c.Has() {
		return nil
	}
	return []memoryColumn{{name: name, whole: func(i int) int64 { return int64(c.At(i)) }, null: func(i int) bool { return c.At(i) == 0 }}}
}

// told is a number that a row may not tell; without is what the cell then holds
// beside NULL.
func told(name string, c *kineto.Integers[int64], without int64) memoryColumn {
	return memoryColumn{name: name, null: func(i int) bool { return c.At(i) == kineto.None },
		whole: func(i int) int64 {
			if v := c.At(i); v != kineto.None {
				return v
			}
			return without
		}}
}

func small(name string, c *kineto.Integers[int32]) memoryColumn {
	return memoryColumn{name: name, whole: func(i int) int64 { return int64(max(c.At(i), 0)) }, null: func(i int) bool { return c.At(i) < 0 }}
}

func (a *kinetoAdapter) calls() {
	c := &a.k.Calls
	driver := map[kineto.Text]int64{}
	cols := append(a.times(&c.Slices), a.threaded(&c.Slices), told("correlationId", &c.Correlation, -1), textNumber("nameId", &c.Name),
		memoryColumn{name: "eventClass", whole: func(i int) int64 {
			n, ok := driver[c.Cat.At(i)]
			if !ok {
				if strings.HasSuffix(a.k.Text(c.Cat.At(i)), "_driver") {
					n = 1
				}
				driver[c.Cat.At(i)] = n
			}
			return n
		}},
		memoryColumn{name: "returnValue", whole: func(int) int64 { return 0 }}, told("externalId", &c.Linked, 0))
	a.add(trace.TableRuntime, c.Rows(), append(cols, maybe("parametersId", &c.Extra)...)...)
}

// syncTypes are those of ENUM_CUPTI_SYNC_TYPE.
var syncTypes = map[string]int64{"Event Sync": 1, "Stream Wait Event": 2, "Stream Sync": 3, "Context Sync": 4}

func (a *kinetoAdapter) syncs() {
	s := &a.k.Syncs
	var waits, records []int
	for i := range s.Rows() {
		if isRecord(a.k, i) {
			records = append(records, i)
		} else {
			waits = append(waits, i)
		}
	}
	kind := func(i int) int64 {
		if n := syncTypes[a.k.Text(s.Kind.At(i))]; n != 0 {
			return n
		}
		return syncTypes[a.k.Text(s.Name.At(i))]
	}
	cols := append(a.work(&s.Work), memoryColumn{name: "syncType", whole: kind}, told("eventId", &s.WaitEvent, 0), told("waitOnStream", &s.WaitStream, 0))
	a.add(tableSync, len(waits), pick(waits, cols)...)
	cols = append(a.work(&s.Work), told("eventId", &s.Event, 0))
	cols[0].name = "timestamp"
	a.add(tableRecord, len(records), pick(records, cols)...)
}

// pick makes columns of some rows of others.
func pick(rows []int, cols []memoryColumn) []memoryColumn {
	out := make([]memoryColumn, len(cols))
	for k, c := range cols {
		out[k] = c
		if f := c.whole; f != nil {
			out[k].whole = func(i int) int64 { return f(rows[i]) }
		}
		if f := c.text; f != nil {
			out[k].text = func(i int) string { return f(rows[i]) }
		}
		if f := c.null; f != nil {
			out[k].null = func(i int) bool { return f(rows[i]) }
		}
	}
	return out
}
