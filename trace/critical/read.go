package critical

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
)

// A work is a kernel, a copy, a set of memory or a graph.
type work struct {
	start, end int64
	process    trace.GlobalID
	corr       int64
	device     int64
	stream     int64
	context    int64
	row        int64 // rowid in its table
	name       int64 // number of the name, or kind of the copy
	table      uint8 // in workTables
	call       int32 // that launched it, or -1
	before     int32 // on its stream, or -1
}

// A call is a call of CUDA.
type call struct {
	start, end int64
	thread     trace.GlobalID
	row, name  int64
	before     int32 // on its thread, or -1
	waits      waiting
	stream     int64 // that it waits for
}

// waiting is what a call waits for.
type waiting uint8

const (
	nothing waiting = iota
	oneStream
	everything // of its process
)

var workTables = []string{trace.TableKernel, trace.TableMemcpy, trace.TableMemset, trace.TableGraph}

// Tables are those that [Path] reads.
var Tables = append([]string{trace.TableRuntime, tableSync}, workTables...)

// A graph is what the path is walked on.
type graph struct {
	works  []work // by start
	calls  []call // by start
	byEnd  map[trace.GlobalID][]int32
	stream map[streamKey][]int32 // works by start
	waits  map[streamKey][]int64 // when calls made the stream wait for an event
}

type streamKey struct {
	process         trace.GlobalID
	context, stream int64
}

func (w *work) key() streamKey { return streamKey{w.process, w.context, w.stream} }

// Of CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, by ENUM_CUPTI_SYNC_TYPE.
const (
	syncEvent, syncStreamWait, syncStream, syncContext = 1, 2, 3, 4
	tableSync                                          = trace.TableSync
)

func read(ctx context.Context, tr *trace.Trace) (*graph, error) {
	g := &graph{byEnd: map[trace.GlobalID][]int32{}, stream: map[streamKey][]int32{}, waits: map[streamKey][]int64{}}
	if err := tr.LoadNames(ctx); err != nil {
		return nil, err
	}
	for k, table := range workTables {
		if err := g.readWork(ctx, tr, uint8(k), table); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(g.works, func(a, b work) int { return cmp.Compare(a.start, b.start) })
	if err := g.readCalls(ctx, tr); err != nil {
		return nil, err
	}
	g.tie()
	return g, nil
}

func (g *graph) readWork(ctx context.Context, tr *trace.Trace, kind uint8, table string) error {
	t, err := tr.Table(ctx, table, "rowid", "start", "end", "globalPid", "correlationId", "deviceId", "contextId", "streamId", "shortName", "copyKind")
	if err != nil || t == nil {
		return err
	}
	start, end, pid, corr := t.Ints("start"), t.Ints("end"), t.Ints("globalPid"), t.Ints("correlationId")
	device, context, stream, row := t.Ints("deviceId"), t.Ints("contextId"), t.Ints("streamId"), t.Ints("rowid")
	name := t.Ints("shortName")
	if table == trace.TableMemcpy {
		name = t.Ints("copyKind")
	}
	g.works = slices.Grow(g.works, t.Rows)
	for i := range start {
		if interval.Sound(start[i], end[i]) {
			g.works = append(g.works, work{start[i], end[i], trace.GlobalID(pid[i]).Process(), corr[i], device[i], stream[i], context[i], row[i], name[i], kind, -1, -1})
		}
	}
	return nil
}

// readCalls reads the calls and what they waited for.
func (g *graph) readCalls(ctx context.Context, tr *trace.Trace) error {
	t, err := tr.Table(ctx, trace.TableRuntime, "rowid", "start", "end", "globalTid", "correlationId", "nameId")
	if err != nil || t == nil {
		return err
	}
	start, end, tid, row, name := t.Ints("start"), t.Ints("end"), t.Ints("globalTid"), t.Ints("rowid"), t.Ints("nameId")
	order := make([]int32, 0, t.Rows)
	for i := range start {
		if interval.Sound(start[i], end[i]) || start[i] == end[i] {
			order = append(order, int32(i))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(start[a], start[b]) })
	at := make([]int32, t.Rows) // of rows
	for i := range at {
		at[i] = -1
	}
	blocks := map[int64]bool{}
	last := map[trace.GlobalID]int32{}
	for n, i := range order {
		at[i] = int32(n)
		c := call{start: start[i], end: end[i], thread: trace.GlobalID(tid[i]), row: row[i], name: name[i], before: -1}
		if b, ok := last[c.thread]; ok {
			c.before = b
		}
		last[c.thread] = int32(n)
		does, known := blocks[c.name]
		if !known {
			does = blocking(tr.NameText(c.name))
			blocks[c.name] = does
		}
		if does {
			c.waits = everything
		}
		g.calls = append(g.calls, c)
	}
	find := trace.NewIndex(tid, t.Ints("correlationId"))
	for k := range g.works {
		w := &g.works[k]
		if r := find.Find(int64(w.process), w.corr); r >= 0 && w.corr != 0 {
			w.call = at[r]
		}
	}
	return g.readSync(ctx, tr, find, at)
}

// blocking reports whether a function holds its caller until the GPU is done, by
// its name.
func blocking(name string) bool {
	if strings.Contains(name, "Synchronize") {
		return true
	}
	for _, p := range []string{"cudaMemcpy", "cuMemcpy"} {
		if strings.HasPrefix(name, p) && !strings.Contains(name, "Async") && !strings.Contains(name, "Peer") {
			return true
		}
	}
	return strings.HasPrefix(name, "cudaFree") && !strings.Contains(name, "Async") && !strings.HasPrefix(name, "cudaFreeHost") || strings.HasPrefix(name, "cuMemFree") && !strings.Contains(name, "Async")
}

func (g *graph) readSync(ctx context.Context, tr *trace.Trace, find *trace.Index, at []int32) error {
	t, err := tr.Table(ctx, tableSync, "start", "globalPid", "correlationId", "syncType", "contextId", "streamId")
	if err != nil || t == nil {
		return err
	}
	start, pid, corr, context, stream := t.Ints("start"), t.Ints("globalPid"), t.Ints("correlationId"), t.Ints("contextId"), t.Ints("streamId")
	for i, typ := range t.Ints("syncType") {
		process := trace.GlobalID(pid[i]).Process()
		if typ == syncStreamWait {
			k := streamKey{process, context[i], stream[i]}
			g.waits[k] = append(g.waits[k], start[i])
			continue
		}
		r := find.Find(pid[i], corr[i])
		if r < 0 || at[r] < 0 {
			continue
		}
		c := &g.calls[at[r]]
		switch typ {
		case syncStream:
			c.waits, c.stream = oneStream, stream[i]
		case syncEvent, syncContext:
			c.waits = everything
		}
	}
	for _, w := range g.waits {
		slices.Sort(w)
	}
	return nil
}

// tie finds what was before on each stream, and the order of ends.
func (g *graph) tie() {
	for i := range g.works {
		w := &g.works[i]
		s := g.stream[w.key()]
		if n := len(s); n > 0 {
			w.before = s[n-1]
		}
		g.stream[w.key()] = append(s, int32(i))
		g.byEnd[w.process] = append(g.byEnd[w.process], int32(i))
	}
	for _, list := range g.byEnd {
		slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(g.works[a].end, g.works[b].end) })
	}
}
