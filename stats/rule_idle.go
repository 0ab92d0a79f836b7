package stats

import (
	"context"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
	"github.com/gpuprof/gpuprof/view"
)

var launchBound = &Report{
	Name: "launch_bound", Title: "Launch-Bound Stretches", Rule: true, Cost: "duration",
	Args:   []Arg{rowsArg, {Name: "chunks", Value: true, Default: "30", Help: "cut the time into so many pieces"}, leastArg("4")},
	Short:  "stretches in which most kernels began as soon as they were launched, so that the GPU waited for the host; a rule of gpuprof's own",
	Advice: "The GPU waits for the next launch. Launch ahead of it, without waits in between, or put the launches into a CUDA graph.",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		l, err := kernelLaunches(ctx, q, "rowid")
		if err != nil {
			return nil, err
		}
		// A kernel that starts within this time of the end of its launch found
		// the stream empty: about what a launch takes to reach the GPU.
		const prompt = 10_000
		pid := l.kernels.Ints("globalPid")
		g := together(l.kernels.Rows, pid, l.device)
		first := g.first()
		g, keys := merge(g, func(x int) device { return device{trace.GlobalID(pid[first[x]]).Process(), l.device[first[x]]} })
		parts := make([]launchPart, g.n)
		var devices []int32 // as their first launches come
		for _, e := range l.all {
			x := g.of[e.kernel]
			p := &parts[x]
			if p.n++; p.n == 1 {
				devices = append(devices, x)
				p.lo, p.hi = l.kstart[e.kernel], l.kend[e.kernel]
			}
			p.lo, p.hi = min(p.lo, l.kstart[e.kernel]), max(p.hi, l.kend[e.kernel])
		}
		t := table(percent("Prompt"), count("Prompt Kernels"), count("Kernels"), percent("Busy"), nanoseconds("Duration"), nanoseconds("Start"), count("PID"), count("Device ID"),
			count("First Row"), count("Last Row"))
		row := l.kernels.Ints("rowid")
		chunks := max(1, min(q.integer("chunks", 30), 100_000))
		order, at := make([]int32, len(l.all)), int32(0) // launches by device
		for _, x := range devices {
			parts[x].from, at = at, at+parts[x].n
			parts[x].n = 0
		}
		for i, e := range l.all {
			p := &parts[g.of[e.kernel]]
			order[p.from+p.n] = int32(i)
			p.n++
		}
		for _, x := range devices {
			p, d := &parts[x], keys[x]
			all := make([]launchChunk, chunks)
			size := (p.hi - p.lo + chunks) / chunks
			for _, i := range order[p.from : p.from+p.n] {
				e := l.all[i]
				c := &all[(l.kstart[e.kernel]-p.lo)/size]
				if c.kernels == 0 {
					c.first = row[e.kernel]
				}
				c.last = row[e.kernel]
				c.kernels++
				c.used = interval.Plus(c.used, l.kend[e.kernel]-l.kstart[e.kernel])
				if w, _ := l.queue(e); w < prompt {
					c.prompt++
				}
			}
			for i := range all {
				all[i].start, all[i].size = p.lo+int64(i)*size, size
			}
			for _, c := range bound(all, q.integer("least", 4)) {
				t.Rows = append(t.Rows, []view.Value{share(c.prompt, c.kernels), view.Int(c.prompt, ""), view.Int(c.kernels, ""),
					share(c.used, c.size), view.Int(c.size, ns), view.Int(c.start, ns), view.Int(d.process.PID(), ""), view.Int(d.id, ""),
					view.Int(c.first, ""), view.Int(c.last, "")})
			}
		}
		return q.limit(t), nil
	},
}

// A launchPart is what was launched on a device.
type launchPart struct {
	from, n int32 // launches
	lo, hi  int64 // from when to when their kernels ran
}

// A launchChunk is a piece of the time of a device.
type launchChunk struct {
	start, size, used int64
	kernels, prompt   int64
	first, last       int64 // rows of kernels
}

// bound keeps the pieces in which the GPU waited for launches; neighbours are one.
func bound(all []launchChunk, least int64) []launchChunk {
	var out []launchChunk
	open := false
	for _, c := range all {
		is := c.kernels > 0 && c.kernels >= least && 2*c.prompt > c.kernels && 2*c.used < c.size
		switch {
		case is && open:
			o := &out[len(out)-1]
			o.size, o.used, o.kernels, o.prompt, o.last = o.size+c.size, interval.Plus(o.used, c.used), o.kernels+c.kernels, o.prompt+c.prompt, c.last
		case is:
			out = append(out, c)
		}
		open = is
	}
	return out
}

var gpuIdle = &Report{
	Name: "gpu_idle", Title: "GPU Idle Time by Cause", Rule: true, Fact: true, Cost: "idle_time",
	Short:  "idle time of each GPU while the host waited, while it was launching, or neither; a rule of gpuprof's own",
	Advice: "Idle while the host waits: the wait came too early, see cuda_api_sync and sync_points. Idle while it launches: launches are too slow for the kernels, see launch_bound. Neither: the host did something else; samples and NVTX ranges tell what.",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		q = q.with("graphs")
		devices, err := work(ctx, q)
		if err != nil {
			return nil, err
		}
		c, err := q.table(ctx, "CUDA API calls, without which the cause of idle time cannot be told", trace.TableRuntime, "start", "end", "nameId", "globalTid")
		if err != nil {
			return nil, err
		}
		calls := hostCallsOf(q, c)
		t := table(percent("Idle"), nanoseconds("Idle Time"), nanoseconds("Host Waits"), nanoseconds("Host Launches"), nanoseconds("Neither"), nanoseconds("Span"), count("PID"), count("Device ID"),
			nanoseconds("Longest Gap"), nanoseconds("Gap Start"))
		for _, d := range devices {
			u := interval.Union(d.spans)
			idle, whole := interval.Gaps(u), u[len(u)-1].End-u[0].Start
			if whole == 0 {
				continue
			}
			waits := interval.Overlap(idle, calls.union(d.process, callWaits))
			// What is both is waiting: a launch that blocks.
			either := interval.Overlap(idle, calls.union(d.process, callWaits, callLaunches))
			total := interval.Length(idle)
			var gap span
			for _, s := range idle {
				if s.End-s.Start > gap.End-gap.Start {
					gap = s
				}
			}
			t.Rows = append(t.Rows, []view.Value{view.Float(100*float64(total)/float64(whole), "%"), view.Int(total, ns), view.Int(waits, ns), view.Int(either-waits, ns),
				view.Int(total-either, ns), view.Int(whole, ns), view.Int(d.process.PID(), ""), view.Int(d.id, ""),
				view.Int(gap.End-gap.Start, ns), view.Int(gap.Start, ns)})
		}
		return t, nil
	},
}

// hostCalls are the calls of a trace by process and what they mean.
type hostCalls struct {
	start, end []int64
	g          grouping // of calls by thread and function
	process    []trace.GlobalID
	kind       []int // of each group
}

func hostCallsOf(q *Request, c *trace.Table) *hostCalls {
	id, tid := c.Ints("nameId"), c.Ints("globalTid")
	h := &hostCalls{start: c.Ints("start"), end: c.Ints("end"), g: together(c.Rows, tid, id)}
	for _, i := range h.g.first() {
		h.process = append(h.process, trace.GlobalID(tid[i]).Process())
		h.kind = append(h.kind, callKind(q.Trace.NameText(id[i])))
	}
	return h
}

// union is when a process was in a call of one of these kinds.
func (h *hostCalls) union(process trace.GlobalID, kinds ...int) []span {
	n, take := 0, make([]bool, h.g.n)
	for x := range take {
		take[x] = h.process[x] == process && slices.Contains(kinds, h.kind[x])
	}
	for _, x := range h.g.of {
		if take[x] {
			n++
		}
	}
	spans := make([]span, 0, n)
	for i, x := range h.g.of {
		if take[x] {
			spans = append(spans, span{Start: h.start[i], End: h.end[i]})
		}
	}
	return interval.UnionOf(spans)
}

// What a call of CUDA means for a GPU without work.
const (
	callOther = iota
	callWaits
	callLaunches
)

func callKind(name string) int {
	switch {
	case strings.Contains(name, "Synchronize"), strings.HasPrefix(name, "cudaMemcpy") && !strings.Contains(name, "Async"), strings.HasPrefix(name, "cuMemcpy") && !strings.Contains(name, "Async"):
		return callWaits
	case strings.Contains(name, "Launch"), strings.Contains(name, "Async"):
		return callLaunches
	}
	return callOther
}
