package timeline

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
)

// A node is a track before it has rows; line is -1 for one that only groups.
type node struct {
	Track
	line int
}

var kindOrder = []Kind{kindProcess, kindThread, kindDevice, kindContext, kindNvtx, "python", "op", kindAPI, kindLibrary, "graph", kindMPI, "ucx", kindOpenMP, kindOpenACC,
	"opengl", "vulkan", "direct3d", "video", kindOSRT, "sched", kindSample, "switch", "etw", "generic", "other", kindOverhead, kindStream}

const kindOverhead Kind = "overhead"

// tree lists the tracks of all lines, parents before children.
func (b *builder) tree() []node {
	order := make([]int, len(b.lines))
	for i := range order {
		order[i] = i
	}
	idle := b.idle()
	slices.SortFunc(order, func(i, j int) int {
		x, y := b.lines[i], b.lines[j]
		return cmp.Or(idle.compare(x, y, line.process), idle.compare(x, y, func(l line) trace.GlobalID { return l.thread }), compareLines(x, y))
	})
	var out []node
	known := map[string]int{}
	group := func(parent int, key, name string, k Kind, l line) int {
		at, ok := known[key]
		if !ok {
			at = len(out)
			known[key] = at
			out = append(out, node{Track{Key: key, Parent: parent, Name: name, Kind: k, Process: l.process(), Thread: l.thread, Device: l.device}, -1})
		}
		return at
	}
	for _, i := range order {
		l := b.lines[i]
		if l.kind == kindCritical {
			continue
		}
		var parent int
		var key, name string
		if l.kind == kindStream {
			dev := group(-1, fmt.Sprintf("d%d", l.device), b.deviceName(l.device), kindDevice, line{device: l.device})
			key = fmt.Sprintf("d%d/p%x/c%d", l.device, uint64(l.pid), l.context)
			parent = group(dev, key, fmt.Sprintf("Context %d of %s %d", l.context, cmp.Or(b.programs[l.pid.Process()], "process"), l.pid.PID()), kindContext, l)
			key, name = fmt.Sprintf("%s/s%d", key, l.stream), fmt.Sprintf(b.words.Stream, l.stream)
			if l.stream == trace.AllStreams {
				name = "All streams"
			}
			if l.label != "" {
				key, name = key+"/"+l.label, name+" "+l.label
			}
		} else {
			p := group(-1, fmt.Sprintf("p%x", uint64(l.process())), b.processName(l.process()), kindProcess, line{pid: l.process()})
			key = fmt.Sprintf("t%x", uint64(l.thread))
			parent = group(p, key, b.threadName(l.thread), kindThread, l)
			key, name = fmt.Sprintf("%s/%s", key, l.label), l.label
			if l.domain != 0 {
				key = fmt.Sprintf("%s/%d", key, l.domain)
				name = fmt.Sprintf("%s %s", l.label, cmp.Or(b.domains.Name(l.thread, l.domain), fmt.Sprintf("domain %d", l.domain)))
			}
		}
		out = append(out, node{Track{Key: key, Parent: parent, Name: name, Kind: cmp.Or(l.shown, l.kind), Process: l.process(), Thread: l.thread, Device: l.device, Derived: l.kind == kindStream && l.shown == kindNvtx}, i})
	}
	for i, l := range b.lines { // the path goes through all of them
		if l.kind == kindCritical {
			out = append(out, node{Track{Key: "critical", Parent: -1, Name: l.label, Kind: kindCritical, Derived: true}, i})
		}
	}
	return out
}

// An idleSet has the processes and threads of which nothing is known but what
// the profiler did in them. They come after the others.
type idleSet map[trace.GlobalID]bool

func (b *builder) idle() idleSet {
	s := idleSet{}
	for _, l := range b.lines {
		for _, g := range [2]trace.GlobalID{l.process(), l.thread} {
			only, known := s[g]
			s[g] = l.kind == kindOverhead && (only || !known)
		}
	}
	return s
}

// compare compares the lines of threads by the idleness of their processes or
// threads. Those that are alike in it are sorted so that each of these stays
// together.
func (s idleSet) compare(a, b line, of func(line) trace.GlobalID) int {
	if a.kind == kindStream || b.kind == kindStream {
		return cmp.Compare(gpuRank(a), gpuRank(b))
	}
	x, y := of(a), of(b)
	switch {
	case s[x] == s[y]:
		return cmp.Compare(uint64(x), uint64(y))
	case s[x]:
		return 1
	}
	return -1
}

func gpuRank(l line) int {
	if l.kind == kindStream {
		return 1
	}
	return 0
}

func compareLines(a, b line) int {
	return cmp.Or(cmp.Compare(gpuRank(a), gpuRank(b)), cmp.Compare(a.device, b.device), cmp.Compare(uint64(a.pid), uint64(b.pid)), cmp.Compare(a.context, b.context),
		cmp.Compare(a.stream, b.stream), cmp.Compare(uint64(a.thread), uint64(b.thread)),
		cmp.Compare(slices.Index(kindOrder, a.kind), slices.Index(kindOrder, b.kind)), cmp.Compare(a.label, b.label), cmp.Compare(a.domain, b.domain))
}

func (l line) process() trace.GlobalID {
	if l.thread != 0 {
		return l.thread.Process()
	}
	return l.pid
}

func (b *builder) processName(g trace.GlobalID) string {
	if n := b.programs[g]; n != "" {
		return fmt.Sprintf("%s %d", n, g.PID())
	}
	if g == 0 {
		return "System"
	}
	return fmt.Sprintf("Process %d", g.PID())
}

func (b *builder) threadName(g trace.GlobalID) string {
	switch n := b.threads[g].Name; {
	case g == 0:
		return "No process"
	case g.TID() == 0:
		return "All threads"
	case n != "":
		return fmt.Sprintf("%s %d", n, g.TID())
	}
	return fmt.Sprintf("Thread %d", g.TID())
}

func (b *builder) deviceName(d int64) string {
	if n := b.gpus[d]; n != "" {
		return fmt.Sprintf("GPU %d: %s", d, n)
	}
	return fmt.Sprintf("GPU %d", d)
}

// counters adds a track for each counter that was sampled.
func (b *builder) counters(ctx context.Context) error {
	for _, s := range b.tr.SampledTables() {
		if err := b.counter(ctx, s); err != nil {
			return err
		}
		b.tr.Forget(s.Table)
	}
	return nil
}

func (b *builder) counter(ctx context.Context, s trace.SampledTable) error {
	of := map[trace.CounterKey]*counter{}
	var keys []trace.CounterKey
	err := b.tr.Samples(ctx, s, func(k trace.CounterKey, at, value int64) {
		c := of[k]
		if c == nil {
			c = &counter{}
			of[k] = c
			keys = append(keys, k)
		}
		c.at, c.value = append(c.at, at), append(c.value, float64(value))
	})
	if err != nil {
		return err
	}
	name, err := b.tr.CounterNames(ctx, s)
	if err != nil {
		return err
	}
	slices.SortFunc(keys, func(a, b trace.CounterKey) int {
		return cmp.Or(cmp.Compare(a.Device, b.Device), cmp.Compare(a.List, b.List), cmp.Compare(a.Metric, b.Metric))
	})
	parent, last := -1, trace.CounterKey{}
	for _, k := range keys {
		list := k.List
		if s.Names == "" { // one track of the device holds the counters
			list = k.Device
		}
		key := fmt.Sprintf("m%x", uint64(list))
		if s.Table != "GPU_METRICS" {
			key = fmt.Sprintf("m%s/%x/%x", s.Table, uint64(k.Device), uint64(list))
		}
		if parent < 0 || k.Device != last.Device || s.Names != "" && k.List != last.List {
			parent, last = len(b.x.Tracks), k
			b.x.Tracks = append(b.x.Tracks, Track{Key: key, Parent: -1, Name: fmt.Sprintf("%s %d", s.Label, k.Device), Kind: kindMetrics, Device: k.Device})
		}
		c := of[k]
		c.finish()
		if len(b.x.start) == 0 && b.x.First == 0 && b.x.End == 0 {
			b.x.First, b.x.End = c.at[0], c.at[len(c.at)-1]
		}
		b.x.First, b.x.End = min(b.x.First, c.at[0]), max(b.x.End, c.at[len(c.at)-1])
		b.x.Tracks = append(b.x.Tracks, Track{Key: counterKey(s, key, k), Parent: parent, Name: name(k), Kind: kindCounter, Device: k.Device, Counter: c})
	}
	return nil
}

// counterKey is the key of a counter's track.
func counterKey(s trace.SampledTable, group string, k trace.CounterKey) string {
	if s.Table == "GPU_METRICS" {
		return fmt.Sprintf("%s/%d", group, k.Metric)
	}
	return fmt.Sprintf("%s/%d/%d", group, k.List, k.Metric)
}
