package torch

import (
	"cmp"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
)

// A Distribution sums up values. Quantiles are those of the nearest rank.
type Distribution struct {
	Count                     int
	Total, Min, Max           int64
	Median, Quarter, Quarter3 int64
}

// Mean is the arithmetic mean; 0 of nothing.
func (d *Distribution) Mean() float64 {
	if d.Count == 0 {
		return 0
	}
	return float64(d.Total) / float64(d.Count)
}

func distribution(v []int64) Distribution {
	d := Distribution{Count: len(v)}
	if len(v) == 0 {
		return d
	}
	slices.Sort(v)
	for _, x := range v {
		d.Total += x
	}
	at := func(share float64) int64 { return v[min(int(share*float64(len(v))), len(v)-1)] }
	d.Min, d.Max, d.Median, d.Quarter, d.Quarter3 = v[0], v[len(v)-1], at(0.5), at(0.25), at(0.75)
	return d
}

// shortKernel is the duration below which a kernel is short: about what its
// launch takes on the host. TraceLens has the same bound.
const shortKernel = 10_000 // ns

// Launches say how kernels were launched. Times are ns.
type Launches struct {
	Linked    int          // kernels whose call is known
	Call      Distribution // time of calls
	Kernel    Distribution
	Delay     Distribution // from the end of the call to the start of the work; below 0: it began first
	Short     int          // kernels below ShortKernel
	ShortTime int64
	ShortCall int // that took less time than their call
	Queue     []queue
	Graphs    int // calls that launched more than one kernel
	InGraphs  int // kernels of those
}

// A queue is the number of pieces of work of a stream that were launched and had
// not begun, at each launch and each beginning.
type queue struct {
	Process        trace.GlobalID
	Device, Stream int64
	Length         Distribution
	// Clamped are the moments at which more had begun than were launched, as when a
	// call launches a graph of many kernels; they count as 0.
	Clamped int
}

// Launches says how the kernels were launched.
func (t *Timeline) Launches() Launches {
	var l Launches
	var calls, kernels, delays []int64
	w, h := &t.Work, &t.Host
	perCall := map[int32]int{}
	for i := range w.Start {
		if w.Kind[i] != Kernel {
			continue
		}
		dur := w.End[i] - w.Start[i]
		kernels = append(kernels, dur)
		if dur < shortKernel {
			l.Short++
			l.ShortTime += dur
		}
		c := w.Call[i]
		if c < 0 {
			continue
		}
		l.Linked++
		if perCall[c]++; perCall[c] > 1 {
			continue // a graph has one call
		}
		call := h.End[c] - h.Start[c]
		calls, delays = append(calls, call), append(delays, w.Start[i]-h.End[c])
		if dur < call {
			l.ShortCall++
		}
	}
	for _, n := range perCall {
		if n > 1 {
			l.Graphs++
			l.InGraphs += n
		}
	}
	l.Call, l.Kernel, l.Delay = distribution(calls), distribution(kernels), distribution(delays)
	l.Queue = t.queues()
	return l
}

func (t *Timeline) queues() []queue {
	type change struct {
		at    int64
		delta int64
	}
	changes := map[stream][]change{}
	w := &t.Work
	for i := range w.Start {
		if c := w.Call[i]; c >= 0 {
			k := w.streamOf(i)
			changes[k] = append(changes[k], change{t.Host.Start[c], 1}, change{w.Start[i], -1})
		}
	}
	var out []queue
	for k, list := range changes {
		slices.SortStableFunc(list, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(b.delta, a.delta)) })
		q := queue{Process: k.process, Device: k.device, Stream: k.stream}
		now, lengths := int64(0), make([]int64, 0, len(list))
		for _, c := range list {
			if now += c.delta; now < 0 {
				now = 0
				q.Clamped++
			}
			lengths = append(lengths, now)
		}
		q.Length = distribution(lengths)
		out = append(out, q)
	}
	slices.SortFunc(out, func(a, b queue) int {
		return stream{gpu{a.Process, a.Device}, a.Stream}.compare(stream{gpu{b.Process, b.Device}, b.Stream})
	})
	return out
}

// kernelGap is the gap below which a stream between two kernels that were both
// launched in time counts as waiting for the hardware: HTA's bound.
const kernelGap = 30 // ns, as HTA has it

// Gap kinds, by HTA's definition: the host had not launched the next kernel when
// the last ended; the next was there and began within kernelGap; other.
type Idle struct {
	Process                         trace.GlobalID
	Device, Stream                  int64
	Host, Kernel, Other             int64 // ns
	HostGaps, KernelGaps, OtherGaps int
	Causes                          []cause // of gaps that waited for the host, the largest first
}

// A cause is what the host did while the GPU waited for it: the operator, else
// the innermost slice, in which the launch that ended the gap lies.
type cause struct {
	Name string
	Time int64 // ns
	Gaps int
}

// Idle says what streams waited for. bound is the gap, in ns, below which a
// kernel that was launched in time waited for the hardware.
func (t *Timeline) Idle(bound int64) []Idle {
	last := map[stream]int{}
	idle := map[stream]*Idle{}
	causes := map[stream]map[string]*cause{}
	w := &t.Work
	for i := range w.Start {
		k := w.streamOf(i)
		p, ok := last[k]
		if !ok {
			idle[k], causes[k], last[k] = &Idle{Process: k.process, Device: k.device, Stream: k.stream}, map[string]*cause{}, i
			continue
		}
		gap := w.Start[i] - w.End[p]
		if w.End[i] >= w.End[p] {
			last[k] = i
		}
		if gap <= 0 {
			continue
		}
		x := idle[k]
		switch {
		case w.Call[i] >= 0 && t.Host.Start[w.Call[i]] > w.End[p]:
			x.Host += gap
			x.HostGaps++
			name := t.owner(i)
			c := causes[k][name]
			if c == nil {
				c = &cause{Name: name}
				causes[k][name] = c
			}
			c.Time, c.Gaps = c.Time+gap, c.Gaps+1
		case gap < bound:
			x.Kernel += gap
			x.KernelGaps++
		default:
			x.Other += gap
			x.OtherGaps++
		}
	}
	var out []Idle
	for k, x := range idle {
		for _, c := range causes[k] {
			x.Causes = append(x.Causes, *c)
		}
		slices.SortFunc(x.Causes, func(a, b cause) int { return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Name, b.Name)) })
		out = append(out, *x)
	}
	slices.SortFunc(out, func(a, b Idle) int {
		return stream{gpu{a.Process, a.Device}, a.Stream}.compare(stream{gpu{b.Process, b.Device}, b.Stream})
	})
	return out
}
