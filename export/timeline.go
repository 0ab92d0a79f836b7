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
	instant    bool   // without duration
}

// A sink takes a timeline: each track before its slices, the slices of a track
// by start, outer before inner, properly nested.
type sink interface {
	track(t *track) error
	slice(t *track, s *slice) error
	end(t *track) error
	counter(c *counter) error
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
	if err := w.nvtx(); err != nil {
		return err
	}
	for _, a := range tr.SliceTables() {
		if err := w.activity(a); err != nil {
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
	for _, a := range tr.SliceTables() {
		times = append(times, [2]string{a.Table, "start"})
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

// nvtx hands over the NVTX ranges and marks.
func (w *walker) nvtx() error {
	defer w.tr.Forget(trace.TableNvtx)
	r, err := w.tr.Ranges(w.ctx)
	if err != nil || r == nil {
		return err
	}
	domains, err := w.tr.Domains(w.ctx)
	if err != nil {
		return err
	}
	in := func(label string) func(line) string {
		return func(l line) string {
			if name := domains.Name(trace.GlobalID(l.thread), l.domain); name != "" {
				return label + ": " + name
			}
			return label
		}
	}
	err = w.rows(r.Start, r.End, func(i int) line { return line{thread: int64(r.Thread[i]), domain: r.Domain[i]} }, in("NVTX"),
		func(i int) slice { return slice{name: r.Text[i], category: "nvtx"} })
	if err != nil {
		return err
	}
	m, err := w.tr.Marks(w.ctx)
	if err != nil || len(m.At) == 0 {
		return err
	}
	return w.rows(m.At, m.At, func(i int) line { return line{thread: int64(m.Thread[i]), domain: m.Domain[i]} }, in("NVTX marks"),
		func(i int) slice { return slice{name: m.Text[i], category: "nvtx", instant: true} })
}

// activity hands over the rows of a table.
func (w *walker) activity(a trace.SliceTable) error {
	t, err := w.tr.Table(w.ctx, a.Table, "start", "end", "globalTid", "globalPid", "correlationId", "deviceId", "streamId", "copyKind", a.Name, a.Spare)
	if err != nil || t == nil || t.Col("start") == nil {
		return err
	}
	defer w.tr.Forget(a.Table)
	start, end, tid, pid, dev, stream := t.Ints("start"), t.Ints("end"), t.Ints("globalTid"), t.Ints("globalPid"), t.Ints("deviceId"), t.Ints("streamId")
	corr := t.Ints("correlationId")
	name, instant := w.names(a, t), t.Col("end") == nil
	return w.rows(start, end, func(i int) line {
		if a.GPU {
			return line{process: pid[i], device: dev[i], stream: stream[i]}
		}
		return line{thread: tid[i]}
	}, func(line) string { return a.Label }, func(i int) slice {
		sl := slice{name: name(i), category: a.Kind, work: a.GPU, instant: instant}
		if (a.GPU || a.Table == trace.TableRuntime) && corr[i] != 0 {
			p := tid[i]
			if a.GPU {
				p = pid[i]
			}
			sl.flow = w.flow(p, corr[i])
		}
		return sl
	})
}

// names returns what names the rows of a table.
func (w *walker) names(a trace.SliceTable, t *trace.Table) func(i int) trace.Sym {
	fixed := w.tr.Strings.Intern(a.Fixed)
	switch {
	case a.Table == trace.TableMemcpy:
		kind, copies := t.Ints("copyKind"), map[int64]trace.Sym{}
		return func(i int) trace.Sym {
			y, ok := copies[kind[i]]
			if !ok {
				y = w.tr.Strings.Intern("[CUDA memcpy " + w.tr.Label(w.ctx, "ENUM_CUDA_MEMCPY_OPER", kind[i]) + "]")
				copies[kind[i]] = y
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
type line struct{ thread, process, device, stream, domain int64 }

// rows sorts rows by line and start and hands them over. Slices that overlap
// without nesting go to further tracks of the line.
func (w *walker) rows(start, end []int64, lineOf func(int) line, what func(line) string, make1 func(int) slice) error {
	lines := map[line]int32{}
	var all []line
	of := make([]int32, len(start))
	for i := range start {
		l := lineOf(i)
		if i > 0 && l == all[of[i-1]] { // rows of a line often follow each other
			of[i] = of[i-1]
			continue
		}
		k, ok := lines[l]
		if !ok {
			k = int32(len(all))
			lines[l] = k
			all = append(all, l)
		}
		of[i] = k
	}
	order, ends := byLine(of, len(all))
	byStart := func(a, b int32) int {
		return cmp.Or(cmp.Compare(start[a], start[b]), cmp.Compare(end[b], end[a]), cmp.Compare(a, b))
	}
	from := int32(0)
	for k, to := range ends {
		rows := order[from:to]
		from = to
		if !slices.IsSortedFunc(rows, byStart) {
			slices.SortFunc(rows, byStart)
		}
		if err := w.line(all[k], what(all[k]), rows, start, end, make1); err != nil {
			return err
		}
	}
	return nil
}

// byLine gives the rows of each line, in their order, and where those of each end.
func byLine(of []int32, lines int) (order, ends []int32) {
	ends = make([]int32, lines+1)
	for _, k := range of {
		ends[k+1]++
	}
	for k := range lines {
		ends[k+1] += ends[k]
	}
	order = make([]int32, len(of))
	for i, k := range of {
		order[ends[k]] = int32(i)
		ends[k]++
	}
	return order, ends[:lines]
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
