package export

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
)

// A track is a line of the timeline on which slices nest.
type track struct {
	id      uint64 // from 1
	process trace.GlobalID
	thread  trace.GlobalID // 0 for a track of a GPU
	name    string
}

// A slice is a stretch of a track.
type slice struct {
	start, end int64 // ns
	name       trace.Sym
	category   string
	flow       uint64 // ties a call to its work; 0: none
	work       bool   // the end of the flow, not its beginning
}

// A sink takes a timeline: each track before its slices, the slices of a track
// by start, outer before inner, properly nested.
type sink interface {
	track(t *track) error
	slice(t *track, s *slice) error
	end(t *track) error
	counter(c *counter) error
}

// A row set that becomes slices.
type source struct {
	table    string
	name     string // column with the name; "" for a fixed one
	fixed    string
	category string
	columns  []string
}

var sources = []source{
	{table: trace.TableRuntime, name: "nameId", category: "api"},
	{table: trace.TableKernel, name: "shortName", category: "kernel", columns: []string{"deviceId", "streamId"}},
	{table: trace.TableMemcpy, category: "memcpy", columns: []string{"deviceId", "streamId", "copyKind"}},
	{table: trace.TableMemset, fixed: "[CUDA memset]", category: "memset", columns: []string{"deviceId", "streamId"}},
	{table: trace.TableGraph, fixed: "CUDA graph", category: "graph", columns: []string{"deviceId", "streamId"}},
	{table: "OSRT_API", name: "nameId", category: "osrt"},
	{table: "MPI_COLLECTIVES_EVENTS", name: "textId", category: "mpi"},
	{table: "MPI_P2P_EVENTS", name: "textId", category: "mpi"},
	{table: "MPI_OTHER_EVENTS", name: "textId", category: "mpi"},
}

// A walker hands a trace to a sink.
type walker struct {
	ctx  context.Context
	tr   *trace.Trace
	out  sink
	next uint64
	pids map[int64]uint64 // process numbers small enough to share 64 bits with a correlation number
}

// walk hands the whole trace to out.
func walk(ctx context.Context, tr *trace.Trace, out sink) error {
	w := &walker{ctx: ctx, tr: tr, out: out, pids: map[int64]uint64{}}
	if err := tr.LoadNames(ctx); err != nil {
		return err
	}
	if err := w.ranges(); err != nil {
		return err
	}
	for _, s := range sources {
		if err := w.source(s); err != nil {
			return err
		}
	}
	for _, s := range sampledTables {
		if err := w.counters(s); err != nil {
			return err
		}
	}
	return nil
}

// earliest is the first time of all slices and samples.
func earliest(ctx context.Context, tr *trace.Trace) (int64, error) {
	first := int64(1<<63 - 1)
	times := [][2]string{{trace.TableNvtx, "start"}}
	for _, s := range sources {
		times = append(times, [2]string{s.table, "start"})
	}
	for _, s := range sampledTables {
		times = append(times, [2]string{s.table, s.at})
	}
	for _, c := range times {
		t, err := tr.Table(ctx, c[0], c[1])
		if err != nil {
			return 0, err
		}
		if t == nil {
			continue
		}
		for _, v := range t.Ints(c[1]) {
			first = min(first, v)
		}
		tr.Forget(c[0])
	}
	return first, nil
}

// processNames are the names of the processes.
func processNames(ctx context.Context, tr *trace.Trace) (map[trace.GlobalID]string, error) {
	out := map[trace.GlobalID]string{}
	t, err := tr.Table(ctx, "PROCESSES", "globalPid", "name")
	if c := t.Col("name"); err == nil && c != nil && c.Kind == trace.Texts {
		for i, g := range t.Ints("globalPid") {
			if !c.IsNull(i) {
				out[trace.GlobalID(g).Process()] = tr.Strings.Text(c.Syms[i])
			}
		}
	}
	return out, err
}

// ranges hands over the NVTX ranges.
func (w *walker) ranges() error {
	r, err := w.tr.Ranges(w.ctx)
	if err != nil || r == nil {
		return err
	}
	thread := make([]int64, r.Len())
	for i, g := range r.Thread {
		thread[i] = int64(g)
	}
	err = w.rows(r.Start, r.End, func(i int) line { return line{thread: thread[i]} }, "NVTX",
		func(i int) slice { return slice{name: r.Text[i], category: "nvtx"} })
	w.tr.Forget(trace.TableNvtx)
	return err
}

func (w *walker) source(s source) error {
	t, err := w.tr.Table(w.ctx, s.table, append([]string{"start", "end", "globalTid", "globalPid", "correlationId", s.name}, s.columns...)...)
	if err != nil || t == nil {
		return err
	}
	defer w.tr.Forget(s.table)
	start, end, tid, pid, dev, stream := t.Ints("start"), t.Ints("end"), t.Ints("globalTid"), t.Ints("globalPid"), t.Ints("deviceId"), t.Ints("streamId")
	corr, kind := t.Ints("correlationId"), t.Ints("copyKind")
	gpu := slices.Contains(s.columns, "deviceId")
	fixed := w.tr.Strings.Intern(s.fixed)
	copies := map[int64]trace.Sym{}
	name := func(i int) trace.Sym { return fixed }
	switch {
	case s.name != "":
		id := t.Ints(s.name)
		name = func(i int) trace.Sym { y, _ := w.tr.Name(id[i]); return y }
	case s.table == trace.TableMemcpy:
		name = func(i int) trace.Sym {
			y, ok := copies[kind[i]]
			if !ok {
				y = w.tr.Strings.Intern("[CUDA memcpy " + w.tr.Label(w.ctx, "ENUM_CUDA_MEMCPY_OPER", kind[i]) + "]")
				copies[kind[i]] = y
			}
			return y
		}
	}
	return w.rows(start, end, func(i int) line {
		if gpu {
			return line{process: pid[i], device: dev[i], stream: stream[i]}
		}
		return line{thread: tid[i]}
	}, label(s), func(i int) slice {
		sl := slice{name: name(i), category: s.category, work: gpu}
		if (gpu || s.table == trace.TableRuntime) && corr[i] != 0 {
			p := tid[i]
			if gpu {
				p = pid[i]
			}
			sl.flow = w.flow(p, corr[i])
		}
		return sl
	})
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

func label(s source) string {
	switch s.category {
	case "api":
		return "CUDA API"
	case "osrt":
		return "OS runtime"
	case "mpi":
		return "MPI"
	}
	return ""
}

// A line tells which track a row belongs to.
type line struct{ thread, process, device, stream int64 }

// rows sorts rows by line and start and hands them over. Slices that overlap
// without nesting go to further tracks of the line.
func (w *walker) rows(start, end []int64, lineOf func(int) line, what string, make1 func(int) slice) error {
	lines := map[line]int32{}
	var all []line
	of := make([]int32, len(start))
	for i := range start {
		l := lineOf(i)
		k, ok := lines[l]
		if !ok {
			k = int32(len(all))
			lines[l] = k
			all = append(all, l)
		}
		of[i] = k
	}
	order := make([]int32, len(start))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(of[a], of[b]), cmp.Compare(start[a], start[b]), cmp.Compare(end[b], end[a]), cmp.Compare(a, b))
	})
	for len(order) > 0 {
		n := 1
		for n < len(order) && of[order[n]] == of[order[0]] {
			n++
		}
		if err := w.line(all[of[order[0]]], what, order[:n], start, end, make1); err != nil {
			return err
		}
		order = order[n:]
	}
	return nil
}

// line hands over the rows of one line, in as many tracks as it takes.
func (w *walker) line(l line, what string, rows []int32, start, end []int64, make1 func(int) slice) error {
	for lane := 1; len(rows) > 0; lane++ {
		w.next++
		t := &track{id: w.next, process: trace.GlobalID(l.process), thread: trace.GlobalID(l.thread), name: what}
		if l.thread != 0 {
			t.process = t.thread.Process()
		} else {
			t.name = fmt.Sprintf("GPU %d stream %d", l.device, l.stream)
		}
		if lane > 1 {
			t.name += fmt.Sprintf(" (%d)", lane)
		}
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if err := w.out.track(t); err != nil {
			return err
		}
		var rest []int32
		var open []int64 // ends of the slices around
		for _, i := range rows {
			for len(open) > 0 && open[len(open)-1] <= start[i] {
				open = open[:len(open)-1]
			}
			e := max(end[i], start[i])
			if len(open) > 0 && open[len(open)-1] < e {
				rest = append(rest, i)
				continue
			}
			open = append(open, e)
			s := make1(int(i))
			s.start, s.end = start[i], e
			if err := w.out.slice(t, &s); err != nil {
				return err
			}
		}
		if err := w.out.end(t); err != nil {
			return err
		}
		rows = rest
	}
	return nil
}
