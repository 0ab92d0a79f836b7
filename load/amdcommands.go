package load

import (
	"strings"
	"sync"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/trace"
)

// amdCommands are the commands of a trace. There may be millions, of which most
// questions ask nothing: they are counted, and where each is found is noted when
// a table of them is read.
type amdCommands struct {
	calls          *amdCalls
	packets        []*amd.Packet // dispatches of HSA
	names, devices *ids

	nKernels, nCopies, nAll int // of OpenCL, and copies of both
}

// newAMDCommands counts commands and numbers the names of kernels and devices.
func newAMDCommands(t *amd.Trace, calls *amdCalls, names, devices *ids) *amdCommands {
	c := &amdCommands{calls: calls, names: names, devices: devices}
	for p := range amd.Walk(calls.threads...) {
		th, i := calls.threads[p.Thread], int(p.Call)
		e := th.Enqueue(i)
		switch {
		case e == nil && th.Copy(i) != nil:
			c.nCopies++
		case e != nil:
			c.nAll++
			devices.id(e.Device)
			if e.IsKernel() {
				c.nKernels++
				names.id(e.Name())
			} else if e.Shape == amd.Transfer {
				c.nCopies++
			}
		}
	}
	for _, s := range t.Sections {
		for p := range s.Dispatches() {
			c.packets = append(c.packets, p)
			names.id(p.Name())
			devices.id(amd.Unescape(p.Agent))
		}
	}
	return c
}

// find lists the calls with a command, or a copy of HSA, that want wants, of
// which there are n.
func (c *amdCommands) find(n int, want func(e *amd.Enqueue, copies bool) bool) []uint32 {
	out := make([]uint32, 0, n)
	for p := range amd.Walk(c.calls.threads...) {
		th, i := c.calls.threads[p.Thread], int(p.Call)
		e := th.Enqueue(i)
		if e == nil && th.Copy(i) == nil {
			continue
		}
		if want(e, e == nil) {
			out = append(out, uint32(c.calls.first[p.Thread]+i))
		}
	}
	return out
}

// kernelCalls are the calls that ran kernels of OpenCL, and copyCalls those that
// copied.
func (c *amdCommands) kernelCalls() []uint32 {
	return c.find(c.nKernels, func(e *amd.Enqueue, copies bool) bool { return !copies && e.IsKernel() })
}

func (c *amdCommands) copyCalls() []uint32 {
	return c.find(c.nCopies, func(e *amd.Enqueue, copies bool) bool { return copies || e.Shape == amd.Transfer })
}

// enqueue returns the command of a call.
func (c *amdCommands) enqueue(call uint32) *amd.Enqueue {
	th, i := c.calls.at(int(call))
	return th.Enqueue(i)
}

// times are those of a command or of a copy of HSA.
func (c *amdCommands) times(call uint32) (start, end uint64) {
	th, i := c.calls.at(int(call))
	if e := th.Enqueue(i); e != nil {
		return e.Start, e.End
	}
	x := th.Copy(i)
	return x.Start, x.End
}

// place are the columns that tell where a command ran. list gives its calls.
func (c *amdCommands) place(list func() []uint32) []memoryColumn {
	of := func(f func(e *amd.Enqueue) int64) func(i int) int64 {
		return func(i int) int64 {
			if e := c.enqueue(list()[i]); e != nil {
				return f(e)
			}
			return 0
		}
	}
	return []memoryColumn{
		{name: "start", whole: func(i int) int64 { start, _ := c.times(list()[i]); return int64(start) }},
		{name: "end", whole: func(i int) int64 { _, end := c.times(list()[i]); return int64(end) }},
		{name: "deviceId", whole: of(func(e *amd.Enqueue) int64 { return c.devices.of[e.Device] })},
		{name: "contextId", whole: of(func(e *amd.Enqueue) int64 { return int64(e.ContextID) })},
		{name: "streamId", whole: of(func(e *amd.Enqueue) int64 { return int64(e.QueueID) })},
		{name: "correlationId", whole: func(i int) int64 { return int64(list()[i]) + 1 }},
		{name: "globalPid", whole: func(int) int64 { return 0 }},
	}
}

// addKernels adds dispatches of OpenCL and, behind them, of HSA.
func (c *amdCommands) addKernels(m *memory) {
	list := sync.OnceValue(c.kernelCalls)
	n := c.nKernels
	packet := func(i int) *amd.Packet { return c.packets[i-n] }
	cols := c.place(list)
	byPacket := map[string]func(p *amd.Packet) int64{
		"start":    func(p *amd.Packet) int64 { return int64(p.Start) },
		"end":      func(p *amd.Packet) int64 { return int64(p.End) },
		"deviceId": func(p *amd.Packet) int64 { return c.devices.of[amd.Unescape(p.Agent)] },
	}
	for k := range cols {
		of, ofPacket := cols[k].whole, byPacket[cols[k].name]
		cols[k].whole = func(i int) int64 {
			switch {
			case i < n:
				return of(i)
			case ofPacket != nil:
				return ofPacket(packet(i))
			}
			return 0
		}
		if cols[k].name == "correlationId" {
			cols[k].null = func(i int) bool { return i >= n }
		}
	}
	name := func(i int) int64 {
		if i >= n {
			return c.names.of[packet(i).Name()]
		}
		return c.names.of[c.enqueue(list()[i]).Name()]
	}
	cols = append(cols, memoryColumn{name: "demangledName", whole: name}, memoryColumn{name: "shortName", whole: name})
	// sizes are 0 where the trace does not tell them: the driver chose the work-group.
	sizes := func(i int) (grid, group [3]uint64) {
		if i >= n {
			return grid, group
		}
		e := c.enqueue(list()[i])
		global, _, told := amd.ParseDims(e.Global)
		local, _, ok := amd.ParseDims(e.Local)
		if !ok {
			return grid, group
		}
		if told {
			grid = groupsOf(global, local) // in work-groups, as CUDA counts them
		}
		return grid, local
	}
	for d, axis := range []string{"X", "Y", "Z"} {
		grid := func(i int) int64 { g, _ := sizes(i); return int64(g[d]) }
		group := func(i int) int64 { _, l := sizes(i); return int64(l[d]) }
		cols = append(cols, memoryColumn{name: "grid" + axis, whole: grid, null: func(i int) bool { return grid(i) == 0 }},
			memoryColumn{name: "block" + axis, whole: group, null: func(i int) bool { return group(i) == 0 }})
	}
	m.add(trace.TableKernel, n+len(c.packets), cols...)
}

// addCopies adds transfers of OpenCL and copies of HSA.
func (c *amdCommands) addCopies(m *memory) {
	list := sync.OnceValue(c.copyCalls)
	m.add(trace.TableMemcpy, c.nCopies, append(c.place(list),
		memoryColumn{name: "bytes", whole: func(i int) int64 {
			if e := c.enqueue(list()[i]); e != nil {
				return int64(e.Bytes)
			}
			th, k := c.calls.at(int(list()[i]))
			return hsaCopySize(th.Call(k).Args)
		}},
		memoryColumn{name: "copyKind", whole: func(i int) int64 {
			if e := c.enqueue(list()[i]); e != nil {
				return copyKind(e.CommandName)
			}
			return copyUnknown
		}})...)
}

// hsaCopySize is the argument size of a copy of HSA.
func hsaCopySize(arguments string) int64 {
	size, ok := amd.NamedArg(amd.SplitArgs(nil, amd.Unescape(arguments)), "size")
	if !ok {
		return 0
	}
	n := int64(0)
	for _, d := range size {
		if d >= '0' && d <= '9' && n < 1<<59 {
			n = n*10 + int64(d-'0')
		}
	}
	return n
}

func copyKind(command string) int64 {
	switch {
	case strings.Contains(command, "COPY"), strings.Contains(command, "_TO_"):
		return copyOnGPU
	case strings.Contains(command, "WRITE"):
		return copyToGPU
	case strings.Contains(command, "READ"), strings.Contains(command, "_MAP"):
		return copyToHost
	}
	return copyUnknown
}

// addAll adds the commands of OpenCL with all that the file tells.
func (c *amdCommands) addAll(m *memory) {
	list := sync.OnceValue(func() []uint32 { return c.find(c.nAll, func(_ *amd.Enqueue, copies bool) bool { return !copies }) })
	num := func(name string, f func(e *amd.Enqueue) uint64) memoryColumn {
		return memoryColumn{name: name, whole: func(i int) int64 { return int64(f(c.enqueue(list()[i]))) }}
	}
	str := func(name string, f func(e *amd.Enqueue) string) memoryColumn {
		return memoryColumn{name: name, text: func(i int) string { return f(c.enqueue(list()[i])) }}
	}
	m.add("AMD_COMMANDS", c.nAll, memoryColumn{name: "correlationId", whole: func(i int) int64 { return int64(list()[i]) + 1 }},
		num("command", func(e *amd.Enqueue) uint64 { return uint64(e.Command) }), str("commandName", func(e *amd.Enqueue) string { return e.CommandName }),
		num("queued", func(e *amd.Enqueue) uint64 { return e.Queued }), num("submit", func(e *amd.Enqueue) uint64 { return e.Submit }),
		num("start", func(e *amd.Enqueue) uint64 { return e.Start }), num("end", func(e *amd.Enqueue) uint64 { return e.End }),
		num("queueId", func(e *amd.Enqueue) uint64 { return uint64(e.QueueID) }), str("queue", func(e *amd.Enqueue) string { return e.Queue }),
		num("contextId", func(e *amd.Enqueue) uint64 { return uint64(e.ContextID) }), str("context", func(e *amd.Enqueue) string { return e.Context }),
		str("device", func(e *amd.Enqueue) string { return e.Device }), str("kernel", func(e *amd.Enqueue) string { return e.Kernel }),
		str("kernelName", func(e *amd.Enqueue) string { return e.KernelName }), str("globalWorkSize", func(e *amd.Enqueue) string { return e.Global }),
		str("workGroupSize", func(e *amd.Enqueue) string { return e.Local }), num("bytes", func(e *amd.Enqueue) uint64 { return e.Bytes }))
}
