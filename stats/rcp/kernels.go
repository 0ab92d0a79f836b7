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
	global, group  string // without the braces
	sized          bool   // has them
	thread         uint64
	index          int
}

// kernels are the dispatches of a module, in file order.
type kernels struct {
	a       *Analysis
	calls   []amd.Place   // of OpenCL
	packets []*amd.Packet // of HSA
}

// kernels finds the dispatches of a module.
func (a *Analysis) kernels(module string) *kernels {
	ks := a.kernelLists[module]
	if ks != nil {
		return ks
	}
	ks = &kernels{a: a}
	a.kernelLists[module] = ks
	if module == amd.OpenCL {
		ks.calls = a.commands(kernelCommand, func(e *amd.Enqueue) bool { return e.IsKernel() })
		return ks
	}
	for _, s := range a.trace.Sections {
		if s.Kind != amd.KernelTimestamps || s.Module != amd.HSA || a.o.Compat && strings.HasPrefix(s.Title, "AMD ") {
			continue
		}
		ks.packets = slices.AppendSeq(ks.packets, s.Dispatches())
	}
	return ks
}

// commands lists the commands of a kind that want wants. It counts them first:
// there may be millions.
func (a *Analysis) commands(kind enqueueKind, want func(*amd.Enqueue) bool) []amd.Place {
	kinds := make([]enqueueKind, len(a.trace.APIs))
	for api, name := range a.trace.APIs {
		kinds[api] = kindOf(name)
	}
	threads, n := a.threads[amd.OpenCL], 0
	for _, th := range threads {
		for i := range th.Len() {
			if kinds[th.API(i)] == kind {
				n++
			}
		}
	}
	list := make([]amd.Place, 0, n)
	for p := range amd.Walk(threads...) {
		th, i := threads[p.Thread], int(p.Call)
		api := th.API(i)
		if kinds[api] != kind {
			continue
		}
		if e := a.command(th, i, a.role(amd.OpenCL, th, i, api)); e != nil && want(e) && (!a.o.Compat || th.Timed(i)) {
			list = append(list, p)
		}
	}
	return list
}

// placed returns the command of a place.
func (a *Analysis) placed(p amd.Place) (*amd.Thread, *amd.Enqueue) {
	th := a.threads[amd.OpenCL][p.Thread]
	return th, th.Enqueue(int(p.Call))
}

func (ks *kernels) len() int { return len(ks.calls) + len(ks.packets) }

func (ks *kernels) times(i int) (start, end uint64) {
	if i >= len(ks.calls) {
		p := ks.packets[i-len(ks.calls)]
		return p.Start, p.End
	}
	_, e := ks.a.placed(ks.calls[i])
	return e.Start, e.End
}

// at returns kernel i.
func (ks *kernels) at(i int) kernel {
	if i >= len(ks.calls) {
		p := ks.packets[i-len(ks.calls)]
		return kernel{name: p.Name(), device: p.Agent, start: p.Start, end: p.End}
	}
	th, e := ks.a.placed(ks.calls[i])
	k := kernel{name: e.Name(), device: e.Device, start: e.Start, end: e.End, context: e.ContextID, queue: e.QueueID,
		thread: th.ID, index: int(ks.calls[i].Index)}
	if e.Shape != amd.Native {
		k.global, k.group, k.sized = e.Global, e.Local, true
	}
	return k
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
	ks := a.kernels(module)
	for i := range ks.len() {
		k := ks.at(i)
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
	if ks.len() == 0 {
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

// A ranked is the place of a command in a list, with its duration.
type ranked struct {
	length uint64
	i      int
}

// longestFirst orders n commands by duration; among equals the later goes first.
// A limit above 0 is how many are wanted.
func longestFirst(compat bool, n, limit int, times func(i int) (start, end uint64)) []ranked {
	if limit == 0 {
		limit = n
	}
	order := firsts[ranked]{n: limit, cmp: func(x, y ranked) int {
		if x.length != y.length {
			return descending(x.length, y.length)
		}
		return y.i - x.i
	}}
	for i := range n {
		start, end := times(i)
		r := ranked{end - start, i}
		if end < start && !compat {
			r.length = 0
		}
		order.add(r)
	}
	return order.sorted()
}

// firsts keeps the first n in an order of what is added.
type firsts[T any] struct {
	n    int
	cmp  func(x, y T) int
	list []T
}

func (f *firsts[T]) add(x T) {
	switch {
	case len(f.list) < f.n:
		if f.list == nil {
			f.list = make([]T, 0, min(f.n, 1<<24))
		}
		if f.list = append(f.list, x); len(f.list) == f.n {
			slices.SortFunc(f.list, f.cmp)
		}
	case f.n > 0 && f.cmp(x, f.list[f.n-1]) < 0:
		at, _ := slices.BinarySearchFunc(f.list, x, f.cmp)
		copy(f.list[at+1:], f.list[at:])
		f.list[at] = x
	}
}

func (f *firsts[T]) sorted() []T {
	if len(f.list) < f.n {
		slices.SortFunc(f.list, f.cmp)
	}
	return f.list
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
	ks := a.kernels(module)
	if ks.len() == 0 {
		return nil
	}
	order := longestFirst(a.o.Compat, ks.len(), limit, ks.times)
	t := &view.Table{}
	if module == amd.HSA {
		t.Columns = columns(texts("Kernel Name", "Device Name"), numbers("Duration(ms)"))
	} else {
		t.Columns = columns(texts("Kernel Name", "Context ID", "Command Queue ID", "Device Name"), numbers("Duration(ms)"),
			texts("Global Work Size", "Work Group Size", "Thread ID", "Call Index"))
	}
	t.More = func(yield func([]view.Value) bool) {
		for _, r := range order {
			if !yield(a.kernelRow(module, ks.at(r.i))) {
				return
			}
		}
	}
	return t
}

func (a *Analysis) kernelRow(module string, k kernel) []view.Value {
	if module == amd.HSA {
		return []view.Value{view.String(k.name), view.String(k.device), a.duration(k.start, k.end)}
	}
	global, group := "", ""
	if k.sized {
		global, group = "{"+k.global+"}", "{"+k.group+"}"
	}
	return []view.Value{view.String(k.name), a.count(uint64(k.context)), a.count(uint64(k.queue)), view.String(k.device),
		a.duration(k.start, k.end), view.String(global), view.String(group), a.count(k.thread), a.index(k.index)}
}
