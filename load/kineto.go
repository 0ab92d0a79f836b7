package load

import (
	"fmt"
	"math"
	"strings"
	"time"

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
	if k.Events == 0 {
		f.problems = append(f.problems, f.Name+": the trace is empty: nothing was recorded")
	}
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
	threads []trace.GlobalID // by track
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
	for _, c := range []*kineto.Column[int64]{&a.k.Memory.Time, &a.k.Counters.Time} {
		for i := range c.Len() {
			first, last = min(first, c.At(i)), max(last, c.At(i))
		}
	}
	if first <= last {
		a.origin, a.end = first, last
	}
}

// longTID is the first number for threads whose own does not fit a GlobalID, as
// that of a pthread.
const longTID = 1 << 23

// number gives each track its process and thread.
func (a *kinetoAdapter) number() {
	next := int64(longTID)
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
			a.names = append(a.names, threadName{trace.MakeGlobalID(0, 0, max(t.PID, 0), tid), a.text(name)})
		}
		a.threads = append(a.threads, trace.MakeGlobalID(0, 0, max(t.PID, 0), tid))
	}
	for i := range a.k.Calls.Rows() {
		calls[a.threads[a.k.Calls.Track.At(i)].Process()]++
	}
	if len(calls) == 0 {
		for i := range a.k.Ops.Rows() {
			calls[a.threads[a.k.Ops.Track.At(i)].Process()]++
		}
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

func textNumber(name string, c *kineto.Column[kineto.Text]) memoryColumn {
	return memoryColumn{name: name, whole: func(i int) int64 { return int64(c.At(i)) }}
}

// maybe is a text that a row may not have; no column where none has.
func maybe(name string, c *kineto.Column[kineto.Text]) []memoryColumn {
	if !c.Has() {
		return nil
	}
	return []memoryColumn{{name: name, whole: func(i int) int64 { return int64(c.At(i)) }, null: func(i int) bool { return c.At(i) == 0 }}}
}

// told is a number that a row may not tell; without is what the cell then holds
// beside NULL.
func told(name string, c *kineto.Column[int64], without int64) memoryColumn {
	return memoryColumn{name: name, null: func(i int) bool { return c.At(i) == kineto.None },
		whole: func(i int) int64 {
			if v := c.At(i); v != kineto.None {
				return v
			}
			return without
		}}
}

func small(name string, c *kineto.Column[int32]) memoryColumn {
	return memoryColumn{name: name, whole: func(i int) int64 { return int64(max(c.At(i), 0)) }, null: func(i int) bool { return c.At(i) < 0 }}
}

// work are the columns that all work of the GPU has.
func (a *kinetoAdapter) work(w *kineto.Work) []memoryColumn {
	owner := a.owners(w)
	return append(a.times(&w.Slices), told("deviceId", &w.Device, 0), told("contextId", &w.Context, 0), told("streamId", &w.Stream, 0),
		told("correlationId", &w.Correlation, 0), memoryColumn{name: "globalPid", whole: owner},
		told("externalId", &w.Linked, 0))
}

// owners tells the process of each piece of work: that of the call with its
// correlation number, where the file has calls of more than one.
func (a *kinetoAdapter) owners(w *kineto.Work) func(i int) int64 {
	several := map[int64]trace.GlobalID{}
	for i := range a.k.Calls.Rows() {
		if p := a.threads[a.k.Calls.Track.At(i)].Process(); p != a.process {
			several[a.k.Calls.Correlation.At(i)] = p
		}
	}
	return func(i int) int64 {
		if p, ok := several[w.Correlation.At(i)]; ok {
			return int64(p)
		}
		return int64(a.process)
	}
}

func (a *kinetoAdapter) kernels() {
	k := &a.k.Kernels
	short := map[kineto.Text]int64{}
	for i := range k.Rows() {
		n := k.Name.At(i)
		if _, ok := short[n]; !ok {
			short[n] = int64(n)
			if s := a.k.Text(n); shortName(s) != s {
				short[n] = a.text(shortName(s))
			}
		}
	}
	cols := append(a.work(&k.Work), textNumber("demangledName", &k.Name), memoryColumn{name: "shortName", whole: func(i int) int64 { return short[k.Name.At(i)] }},
		small("registersPerThread", &k.Registers), memoryColumn{name: "staticSharedMemory", whole: func(int) int64 { return 0 }},
		told("dynamicSharedMemory", &k.Shared, 0))
	for d, axis := range []string{"X", "Y", "Z"} {
		cols = append(cols, memoryColumn{name: "grid" + axis, whole: func(i int) int64 { return int64(k.Grid.At(i)[d]) }},
			memoryColumn{name: "block" + axis, whole: func(i int) int64 { return int64(k.Block.At(i)[d]) }})
	}
	if k.GraphNode.Has() {
		cols = append(cols, told("graphNodeId", &k.GraphNode, 0), told("graphId", &k.GraphID, 0))
	}
	if k.Occupancy.Has() {
		cols = append(cols, small("estimatedOccupancy", &k.Occupancy))
	}
	if k.Collective.Has() {
		cols = append(cols, collectiveColumn(&k.Collective))
	}
	a.add(trace.TableKernel, k.Rows(), append(cols, maybe("extraId", &k.Extra)...)...)
}

func collectiveColumn(c *kineto.Column[uint32]) memoryColumn {
	return memoryColumn{name: "collective", whole: func(i int) int64 { return int64(c.At(i)) }, null: func(i int) bool { return c.At(i) == 0 }}
}

// shortName is the name of a kernel without its type, spaces and parameters.
func shortName(s string) string {
	s = strings.TrimPrefix(s, "void ")
	s = strings.ReplaceAll(s, "(anonymous namespace)::", "")
	if i := strings.IndexAny(s, "<("); i > 0 {
		s = s[:i]
	}
	if i := strings.LastIndex(s, "::"); i >= 0 && i+2 < len(s) {
		s = s[i+2:]
	}
	return s
}

// copyKinds are those of ENUM_CUDA_MEMCPY_OPER as traces spell them.
var copyKinds = map[string]int64{"HtoD": 1, "DtoH": 2, "HtoA": 3, "AtoH": 4, "AtoA": 5, "AtoD": 6, "DtoA": 7, "DtoD": 8, "HtoH": 9, "PtoP": 10}

// memoryKinds are those of ENUM_CUDA_MEM_KIND.
var memoryKinds = map[string]int64{"Pageable": 0, "Pinned": 1, "Device": 2, "Array": 3, "Managed": 4, "Unified": 4}

// A copyWay is what the name of a copy tells: "Memcpy HtoD (Pageable -> Device)".
type copyWay struct{ kind, from, to int64 }

func copyWayOf(name, kind string) copyWay {
	w := copyWay{from: 7, to: 7}
	rest, _ := strings.CutPrefix(name, "Memcpy ")
	word, ends, _ := strings.Cut(rest, " (")
	w.kind = copyKinds[word]
	if w.kind == 0 {
		w.kind = copyKinds[kind]
	}
	if from, to, ok := strings.Cut(strings.TrimSuffix(ends, ")"), " -> "); ok {
		if n, ok := memoryKinds[from]; ok {
			w.from = n
		}
		if n, ok := memoryKinds[to]; ok {
			w.to = n
		}
	}
	return w
}

func (a *kinetoAdapter) copies() {
	c := &a.k.Copies
	type key struct{ name, kind kineto.Text }
	ways := map[key]copyWay{}
	way := func(i int) copyWay {
		k := key{c.Name.At(i), c.Kind.At(i)}
		w, ok := ways[k]
		if !ok {
			w = copyWayOf(a.k.Text(k.name), a.k.Text(k.kind))
			ways[k] = w
		}
		return w
	}
	cols := append(a.work(&c.Work), told("bytes", &c.Bytes, 0), textNumber("nameId", &c.Name),
		memoryColumn{name: "copyKind", whole: func(i int) int64 { return way(i).kind }},
		memoryColumn{name: "srcKind", whole: func(i int) int64 { return way(i).from }},
		memoryColumn{name: "dstKind", whole: func(i int) int64 { return way(i).to }})
	if c.From.Has() {
		cols = append(cols, told("srcDeviceId", &c.From, 0), told("dstDeviceId", &c.To, 0))
	}
	a.add(trace.TableMemcpy, c.Rows(), cols...)
	s := &a.k.Sets
	a.add(trace.TableMemset, s.Rows(), append(a.work(&s.Work), told("bytes", &s.Bytes, 0), textNumber("nameId", &s.Name),
		memoryColumn{name: "memKind", whole: func(int) int64 { return memoryKinds["Device"] }})...)
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
		if a.k.Text(s.Cat.At(i)) == "cuda_event" {
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
	a.add("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", len(waits), pick(waits, cols)...)
	cols = append(a.work(&s.Work), told("eventId", &s.Event, 0))
	cols[0].name = "timestamp"
	a.add("CUPTI_ACTIVITY_KIND_CUDA_EVENT", len(records), pick(records, cols)...)
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

// machine tells of the GPUs, the processes and the recording.
func (a *kinetoAdapter) machine() {
	d := a.k.Devices
	num := func(name string, f func(d *kineto.Device) int64) memoryColumn {
		return memoryColumn{name: name, whole: func(i int) int64 { return f(&d[i]) }}
	}
	a.add("TARGET_INFO_GPU", len(d), num("id", func(d *kineto.Device) int64 { return d.ID }), num("cuDevice", func(d *kineto.Device) int64 { return d.ID }),
		memoryColumn{name: "name", text: func(i int) string { return d[i].Name }},
		num("totalMemory", func(d *kineto.Device) int64 { return d.Memory }), num("smCount", func(d *kineto.Device) int64 { return d.SMs }),
		num("smMajor", func(d *kineto.Device) int64 { return d.Major }), num("smMinor", func(d *kineto.Device) int64 { return d.Minor }),
		num("threadsPerWarp", func(d *kineto.Device) int64 { return d.Warp }), num("maxRegistersPerBlock", func(d *kineto.Device) int64 { return d.RegistersBlock }),
		num("maxRegistersPerSm", func(d *kineto.Device) int64 { return d.RegistersSM }), num("maxShmemPerBlock", func(d *kineto.Device) int64 { return d.SharedBlock }),
		num("maxShmemPerBlockOptin", func(d *kineto.Device) int64 { return d.SharedBlockOptin }), num("maxShmemPerSm", func(d *kineto.Device) int64 { return d.SharedSM }))
	a.labels()
	if a.k.Rank >= 0 || a.k.World >= 0 {
		a.add("PYTORCH_RANKS", 1, memoryColumn{name: "globalPid", whole: func(int) int64 { return int64(a.process) }},
			memoryColumn{name: "rank", whole: func(int) int64 { return a.k.Rank }, null: func(int) bool { return a.k.Rank < 0 }},
			memoryColumn{name: "worldSize", whole: func(int) int64 { return a.k.World }, null: func(int) bool { return a.k.World < 0 }})
	}
	var meta []kineto.Entry
	for _, e := range a.k.Meta {
		if len(e.Value) < 64<<10 {
			meta = append(meta, e)
		}
	}
	a.add("META_DATA_CAPTURE", len(meta), memoryColumn{name: "name", text: func(i int) string { return meta[i].Key }},
		memoryColumn{name: "value", text: func(i int) string { return strings.Trim(meta[i].Value, `"`) }})
	if a.k.Events == 0 {
		return
	}
	a.add("ANALYSIS_DETAILS", 1, memoryColumn{name: "startTime", whole: func(int) int64 { return 0 }},
		memoryColumn{name: "stopTime", whole: func(int) int64 { return a.end - a.origin }}, memoryColumn{name: "duration", whole: func(int) int64 { return a.end - a.origin }})
	if began := a.k.Base + a.origin; began > 1e18 { // since 2001: not the clock of a machine since it was switched on
		a.add("TARGET_INFO_SESSION_START_TIME", 1, memoryColumn{name: "utcEpochNs", whole: func(int) int64 { return began }},
			memoryColumn{name: "utcTime", text: func(int) string { return time.Unix(0, began).UTC().Format("2006-01-02T15:04:05.000Z") }})
	}
}

// labels are the names of processes and threads, but of those that stand for a
// GPU.
func (a *kinetoAdapter) labels() {
	gpu := map[int64]bool{}
	for _, w := range []*kineto.Work{&a.k.Kernels.Work, &a.k.Copies.Work, &a.k.Sets.Work} {
		for i := range w.Rows() {
			gpu[a.k.Tracks[w.Track.At(i)].PID] = true
		}
	}
	host := map[int64]bool{}
	for _, s := range []*kineto.Slices{&a.k.Calls.Slices, &a.k.Ops.Slices, &a.k.Others} {
		for i := range s.Rows() {
			host[a.k.Tracks[s.Track.At(i)].PID] = true
		}
	}
	type process struct {
		id   trace.GlobalID
		name string
	}
	var processes []process
	seen := map[trace.GlobalID]bool{}
	for _, l := range a.k.Labels {
		if gpu[l.Track.PID] && !host[l.Track.PID] || l.Track.PIDText != "" {
			continue
		}
		id := trace.MakeGlobalID(0, 0, max(l.Track.PID, 0), 0)
		switch {
		case l.Kind == "process_name" && !seen[id]:
			seen[id] = true
			processes = append(processes, process{id, l.Text})
		case l.Kind == "thread_name" && l.Track.TID >= 0 && l.Track.TID < longTID && l.Track.TIDText == "":
			a.names = append(a.names, threadName{trace.MakeGlobalID(0, 0, max(l.Track.PID, 0), l.Track.TID), a.text(threadLabel(l.Text, l.Track.TID))})
		}
	}
	a.add("PROCESSES", len(processes), memoryColumn{name: "globalPid", whole: func(i int) int64 { return int64(processes[i].id) }},
		memoryColumn{name: "pid", whole: func(i int) int64 { return processes[i].id.PID() }}, memoryColumn{name: "name", text: func(i int) string { return processes[i].name }})
	a.add("ThreadNames", len(a.names), memoryColumn{name: "nameId", whole: func(i int) int64 { return a.names[i].text }},
		memoryColumn{name: "globalTid", whole: func(i int) int64 { return int64(a.names[i].id) }})
}

// threadLabel takes the number out of "thread 77 (python3)".
func threadLabel(s string, tid int64) string {
	if name, ok := strings.CutPrefix(s, fmt.Sprintf("thread %d (", tid)); ok {
		if name = strings.TrimSuffix(name, ")"); name != "" {
			return name
		}
	}
	return s
}
