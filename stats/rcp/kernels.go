package rcp

import (
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/view"
)

// A kernel is a dispatch, as both APIs know it.
type kernel struct {
	name, device   string
	start, end     uint64
	context, queue uint32
	global, group  string
	thread         uint64
	index          int
}

func (a *Analysis) collectKernels() {
	var ks []kernel
	a.each(amd.OpenCL, func(c *call) {
		e := a.enqueue(c)
		if e == nil || kindOf(c.name) != kernelCommand || e.Shape != amd.Dispatch && e.Shape != amd.Native {
			return
		}
		k := kernel{name: e.KernelName, device: e.Device, start: e.Start, end: e.End, context: e.ContextID, queue: e.QueueID,
			thread: c.thread, index: c.index}
		if e.Shape == amd.Native {
			k.name = "NATIVE_KERNEL (" + e.Kernel + ")"
		} else {
			k.global, k.group = "{"+e.Global+"}", "{"+e.Local+"}"
		}
		ks = append(ks, k)
	})
	a.kernels[amd.OpenCL] = ks
	ks = nil
	for _, s := range a.trace.Sections {
		if s.Kind != amd.KernelTimestamps || s.Module != amd.HSA || a.o.Compat && strings.HasPrefix(s.Title, "AMD ") {
			continue
		}
		for i := range s.Packets {
			if p := &s.Packets[i]; p.Dispatch {
				ks = append(ks, kernel{name: amd.Unescape(p.Kernel), device: p.Agent, start: p.Start, end: p.End})
			}
		}
	}
	a.kernels[amd.HSA] = ks
}

// kernelTotal sums the dispatches of a kernel on a device.
type kernelTotal struct {
	name, device  string
	calls         uint64
	sum, max, min uint64
}

// kernelSummary is CLKernelSummary and HSAKernelSummary.
func (a *Analysis) kernelSummary(module string) *view.Table {
	type key struct{ name, device string }
	totals := map[key]*kernelTotal{}
	var all uint64
	for _, k := range a.kernels[module] {
		if module == amd.OpenCL && k.end <= k.start || !a.o.Compat && k.end < k.start {
			if a.o.Compat || k.end < k.start {
				continue
			}
		}
		d := k.end - k.start
		all += d
		t := totals[key{k.name, k.device}]
		if t == nil {
			t = &kernelTotal{name: k.name, device: k.device, max: d, min: d}
			totals[key{k.name, k.device}] = t
		}
		t.calls++
		t.sum += d
		t.max, t.min = max(t.max, d), min(t.min, d)
	}
	if len(a.kernels[module]) == 0 {
		return nil
	}
	var order []*kernelTotal
	for _, t := range totals {
		order = append(order, t)
	}
	slices.SortFunc(order, func(x, y *kernelTotal) int {
		if x.sum != y.sum {
			return descending(x.sum, y.sum)
		}
		return strings.Compare(y.name+"["+y.device+"]", x.name+"["+x.device+"]")
	})
	t := &view.Table{Columns: columns(texts("Kernel Name", "Device Name"), numbers("# of Calls", "Total Time(ms)", "% of Total Time",
		"Avg Time(ms)", "Max Time(ms)", "Min Time(ms)"))}
	for _, k := range order {
		t.Rows = append(t.Rows, []view.Value{view.String(k.name), view.String(k.device), a.count(k.calls), a.ms(k.sum),
			a.percent(k.sum, all, 2), a.ms(k.sum / k.calls), a.ms(k.max), a.ms(k.min)})
	}
	return t
}

// longestFirst orders by duration; among equals the later goes first.
func longestFirst(compat bool, n int, times func(i int) (start, end uint64)) []int {
	type place struct {
		length uint64
		i      int
	}
	places := make([]place, n)
	for i := range places {
		start, end := times(i)
		places[i] = place{end - start, i}
		if end < start && !compat {
			places[i].length = 0
		}
	}
	slices.SortFunc(places, func(x, y place) int {
		if x.length != y.length {
			return descending(x.length, y.length)
		}
		return y.i - x.i
	})
	order := make([]int, n)
	for k := range order {
		order[k] = places[k].i
	}
	return order
}

// top is how many rows the top 10 pages have.
func (a *Analysis) top() int {
	if a.o.Compat {
		return 11
	}
	return 10
}

// kernelList is the list of dispatches, longest first; limit 0 means all.
func (a *Analysis) kernelList(module string, limit int) *view.Table {
	ks := a.kernels[module]
	if len(ks) == 0 {
		return nil
	}
	order := longestFirst(a.o.Compat, len(ks), func(i int) (uint64, uint64) { return ks[i].start, ks[i].end })
	if limit > 0 {
		order = order[:min(limit, len(order))]
	}
	t := &view.Table{}
	if module == amd.HSA {
		t.Columns = columns(texts("Kernel Name", "Device Name"), numbers("Duration(ms)"))
	} else {
		t.Columns = columns(texts("Kernel Name", "Context ID", "Command Queue ID", "Device Name"), numbers("Duration(ms)"),
			texts("Global Work Size", "Work Group Size", "Thread ID", "Call Index"))
	}
	for _, i := range order {
		k := &ks[i]
		if module == amd.HSA {
			t.Rows = append(t.Rows, []view.Value{view.String(k.name), view.String(k.device), a.duration(k.start, k.end)})
			continue
		}
		t.Rows = append(t.Rows, []view.Value{view.String(k.name), a.count(uint64(k.context)), a.count(uint64(k.queue)), view.String(k.device),
			a.duration(k.start, k.end), view.String(k.global), view.String(k.group), a.count(k.thread), a.index(k.index)})
	}
	return t
}
