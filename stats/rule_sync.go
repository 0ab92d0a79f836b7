package stats

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
	"github.com/gpuprof/gpuprof/view"
)

// rowsArg limits how many findings a rule shows.
var rowsArg = Arg{Name: "rows", Value: true, Default: "50", Help: "show so many rows, the worst first; -1 for all"}

// integer is an argument that is a number.
func (q *Request) integer(name string, otherwise int64) int64 {
	if n, err := strconv.ParseInt(q.Args[name], 10, 64); err == nil {
		return n
	}
	return otherwise
}

// limit cuts a table of findings to the rows asked for.
func (q *Request) limit(t *view.Table) *view.Table {
	if n := q.integer("rows", 50); n >= 0 && int64(len(t.Rows)) > n {
		t.Description = strconv.Itoa(len(t.Rows)) + " findings, the first " + strconv.FormatInt(n, 10) + " shown"
		t.Rows = slices.Clone(t.Rows[:n]) // so that the others are free
	}
	return t
}

var cudaAPISync = &Report{
	Name: "cuda_api_sync", Title: "CUDA Synchronization APIs", Rule: true, Args: []Arg{rowsArg}, Cost: "duration",
	Short:  "calls that hold the host until the GPU has finished",
	Advice: "While the host waits it launches nothing, and the GPU runs dry when it is done. Events and stream waits (cudaStreamWaitEvent) order work without holding the host.",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		c, err := q.table(ctx, "CUDA API calls", trace.TableRuntime, "rowid", "start", "end", "nameId", "globalTid")
		if err != nil {
			return nil, err
		}
		start, end, id, tid, row := c.Ints("start"), c.Ints("end"), c.Ints("nameId"), c.Ints("globalTid"), c.Ints("rowid")
		var rows []int32
		holds := map[int64]bool{}
		for i := range start {
			does, known := holds[id[i]]
			if !known {
				n := q.Trace.NameText(id[i])
				does = strings.HasPrefix(n, "cudaDeviceSynchronize") || strings.HasPrefix(n, "cudaStreamSynchronize")
				holds[id[i]] = does
			}
			if does {
				rows = append(rows, int32(i))
			}
		}
		longestFirst(rows, start, end)
		t := table(nanoseconds("Duration"), nanoseconds("Start"), count("PID"), count("TID"), text("API Name"), rowColumn(trace.TableRuntime))
		for _, i := range rows {
			g := trace.GlobalID(tid[i])
			t.Rows = append(t.Rows, []view.Value{view.Int(interval.Lasts(start[i], end[i]), ns), view.Int(start[i], ns), view.Int(g.PID(), ""), view.Int(g.TID(), ""),
				view.String(q.Trace.NameText(id[i])), view.Int(row[i], "")})
		}
		return q.limit(t), nil
	},
}

// rowColumn cites the rows of a table that findings rest on, for programs: people
// see the columns that the vendor's rules have.
func rowColumn(table string) view.Column {
	return view.Column{Name: strings.ToLower(table) + "_row", Type: view.Number, For: view.Programs}
}

// longestFirst sorts rows by duration; those of equal duration stay as they are.
func longestFirst(rows []int32, start, end []int64) {
	slices.SortStableFunc(rows, func(a, b int32) int {
		return cmp.Compare(interval.Lasts(start[b], end[b]), interval.Lasts(start[a], end[a]))
	})
}

// A memoryRule finds memory operations whose call and memory do not go together.
type memoryRule struct {
	table string
	what  string
	call  string // what the call's name begins with
	async bool   // the call's name says Async, or does not
	bad   func(m *memoryOps, i int) bool
}

// memoryOps are the columns of a table of memory operations.
type memoryOps struct {
	t                    *trace.Table
	start, end, bytes    []int64
	kind                 []int64
	src, dst, mem        *trace.Column
	srcDevice, dstDevice *trace.Column
}

func is(c *trace.Column, i int, values ...int64) bool {
	return c != nil && !c.IsNull(i) && slices.Contains(values, c.Ints[i])
}

// The kinds of memory (CUpti_ActivityMemoryKind, as exported).
const (
	memPageable      = 0
	memPinned        = 1
	memManaged       = 4
	memManagedStatic = 6
)

var cudaMemcpyAsync = (&memoryRule{table: trace.TableMemcpy, what: "copies", call: "cudaMemcpy", async: true,
	bad: func(m *memoryOps, i int) bool { return is(m.src, i, memPageable) || is(m.dst, i, memPageable) },
}).report("cuda_memcpy_async", "CUDA Async Memcpy with Pageable Memory", "asynchronous copies that become synchronous because their memory is pageable",
	"Pageable memory is copied through a buffer of the driver, and the call waits. Memory of cudaMallocHost or cudaHostRegister is copied beside other work.")

// Copies from the host of at most this many bytes return before they are done.
// NVIDIA's documents say 64 KB; its rule compares with 64000.
const smallCopy = 64000

var cudaMemcpySync = (&memoryRule{table: trace.TableMemcpy, what: "copies", call: "cudaMemcpy",
	bad: func(m *memoryOps, i int) bool {
		switch m.kind[i] {
		case 1:
			return m.bytes[i] > smallCopy
		case 8: // does not hold the host within a device
			s, d := m.srcDevice, m.dstDevice
			return s == nil || d == nil || s.IsNull(i) || d.IsNull(i) || s.Ints[i] != d.Ints[i]
		}
		return true
	},
}).report("cuda_memcpy_sync", "CUDA Synchronous Memcpy", "copies that hold the host",
	"The host waits until the copy is done. cudaMemcpyAsync on a stream of its own, with pinned memory, lets it go on.")

var cudaMemsetSync = (&memoryRule{table: trace.TableMemset, what: "memory sets", call: "cudaMemset",
	bad: func(m *memoryOps, i int) bool { return is(m.mem, i, memPinned, memManaged, memManagedStatic) },
}).report("cuda_memset_sync", "CUDA Synchronous Memset", "memory sets that hold the host because their memory is pinned or managed",
	"cudaMemsetAsync does the same in the order of a stream and lets the host go on.")

func (r *memoryRule) report(name, title, short, advice string) *Report {
	return &Report{Name: name, Title: title, Short: short, Advice: advice, Rule: true, Args: []Arg{rowsArg}, Cost: "duration",
		Build: func(ctx context.Context, q *Request) (*view.Table, error) { return r.build(ctx, q) }}
}

func (r *memoryRule) build(ctx context.Context, q *Request) (*view.Table, error) {
	t, err := q.table(ctx, r.what, r.table, "rowid", "start", "end", "globalPid", "correlationId", "deviceId", "contextId", "greenContextId", "streamId",
		"bytes", "copyKind", "srcKind", "dstKind", "memKind", "srcDeviceId", "dstDeviceId")
	if err != nil {
		return nil, err
	}
	c, err := q.table(ctx, "CUDA API calls", trace.TableRuntime, "globalTid", "correlationId", "nameId")
	if err != nil {
		return nil, err
	}
	m := &memoryOps{t: t, start: t.Ints("start"), end: t.Ints("end"), bytes: t.Ints("bytes"), kind: t.Ints("copyKind"), src: t.Col("srcKind"),
		dst: t.Col("dstKind"), mem: t.Col("memKind"), srcDevice: t.Col("srcDeviceId"), dstDevice: t.Col("dstDeviceId")}
	x := trace.NewIndex(c.Ints("globalTid"), c.Ints("correlationId"))
	pid, corr, id := t.Ints("globalPid"), t.Ints("correlationId"), c.Ints("nameId")
	names := map[int32]string{}
	calls := map[int32]int32{}
	var rows []int32
	for i := range m.start {
		call := x.Find(pid[i], corr[i])
		if call < 0 {
			continue
		}
		n := q.Trace.NameText(id[call])
		if strings.HasPrefix(n, r.call) && strings.Contains(n, "Async") == r.async && r.bad(m, i) {
			rows = append(rows, int32(i))
			names[int32(i)], calls[int32(i)] = n, call
		}
	}
	slices.SortStableFunc(rows, func(a, b int32) int { return cmp.Compare(calls[a], calls[b]) })
	longestFirst(rows, m.start, m.end) // and in the order of their calls
	return q.limit(r.findings(ctx, q, m, rows, names)), nil
}

func (r *memoryRule) findings(ctx context.Context, q *Request, m *memoryOps, rows []int32, names map[int32]string) *view.Table {
	kinds := []view.Column{text("Src Kind"), text("Dst Kind")}
	if r.table == trace.TableMemset {
		kinds = []view.Column{text("Mem Kind")}
	}
	out := table(append(append([]view.Column{nanoseconds("Duration"), nanoseconds("Start")}, kinds...), bytes("Bytes"), count("PID"),
		count("Device ID"), count("Context ID"), count("Green Context ID"), count("Stream ID"), text("API Name"), rowColumn(r.table))...)
	pid, rowid := m.t.Ints("globalPid"), m.t.Ints("rowid")
	dev, cx, green, stream := cells(m.t, "deviceId", ""), cells(m.t, "contextId", ""), greenContext(m.t), cells(m.t, "streamId", "")
	label := func(c *trace.Column, i int32) view.Value {
		if c == nil || c.IsNull(int(i)) {
			return view.Null
		}
		return view.String(q.Trace.Label(ctx, "ENUM_CUDA_MEM_KIND", c.Ints[i]))
	}
	for _, i := range rows {
		row := []view.Value{view.Int(m.end[i]-m.start[i], ns), view.Int(m.start[i], ns)}
		if r.table == trace.TableMemset {
			row = append(row, label(m.mem, i))
		} else {
			row = append(row, label(m.src, i), label(m.dst, i))
		}
		k := int(i)
		out.Rows = append(out.Rows, append(row, view.Int(m.bytes[i], octet), view.Int(trace.GlobalID(pid[i]).PID(), ""), dev(k), cx(k), green(k), stream(k),
			view.String(names[i]), view.Int(rowid[i], "")))
	}
	return out
}
