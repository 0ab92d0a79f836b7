package load

import (
	"sort"
	"strings"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/trace"
)

// amdCalls are the calls of all threads in one row of numbers. A call's number
// plus one is its correlation number.
type amdCalls struct {
	threads []*amd.Thread
	first   []int // number of the first call of each thread
	n       int
}

func (c *amdCalls) at(i int) (*amd.Thread, int) {
	k := sort.SearchInts(c.first, i+1) - 1
	return c.threads[k], i - c.first[k]
}

// amdCommand is a command that ran, tied to the call that enqueued it.
type amdCommand struct {
	call   int   // -1: none, as of packets of HSA
	name   int64 // of a kernel
	device int64
	e      *amd.Enqueue
	start  uint64
	end    uint64
	queue  int64
	from   int64 // of a copy: its kind
	bytes  int64
}

// amdTables lays a trace out in tables: API calls, kernels, copies and markers
// in those of the Nsight Systems schema, what is AMD's own in AMD_CALLS,
// AMD_COMMANDS, AMD_PACKETS and AMD_SOURCES. docs/formats/amd.md describes them.
func amdTables(t *amd.Trace) *memory {
	m, names := &memory{}, &ids{}
	for _, api := range t.APIs {
		names.id(api)
	}
	calls := &amdCalls{}
	for _, module := range t.Modules() {
		for _, th := range t.Threads(module) {
			calls.threads = append(calls.threads, th)
			calls.first = append(calls.first, calls.n)
			calls.n += th.Len()
		}
	}
	devices := &ids{}
	kernels, copies := amdCommands(t, calls, names, devices)
	addAMDCalls(m, t, calls)
	addAMDKernels(m, kernels)
	addAMDCopies(m, copies)
	addAMDCommands(m, amdEnqueues(calls))
	addAMDPackets(m, t)
	addAMDSources(m, t)
	addAMDMarkers(m, t)
	m.add("TARGET_INFO_GPU", len(devices.list), memoryColumn{name: "id", whole: func(i int) int64 { return int64(i) }},
		memoryColumn{name: "name", text: func(i int) string { return devices.list[i] }})
	names.addTo(m)
	return m
}

func amdThread(tid uint64) int64 { return int64(trace.MakeGlobalID(0, 0, 0, int64(tid))) }

// An amdEnqueue is a command of OpenCL with the call that enqueued it.
type amdEnqueue struct {
	call int
	e    *amd.Enqueue
}

// amdEnqueues lists all commands of OpenCL. There may be millions, so the list is
// made as long as it will be at once, as are those of amdCommands.
func amdEnqueues(calls *amdCalls) []amdEnqueue {
	n := 0
	for _, th := range calls.threads {
		for i := range th.Len() {
			if th.Enqueue(i) != nil {
				n++
			}
		}
	}
	list := make([]amdEnqueue, 0, n)
	for k, th := range calls.threads {
		for i := range th.Len() {
			if e := th.Enqueue(i); e != nil {
				list = append(list, amdEnqueue{calls.first[k] + i, e})
			}
		}
	}
	return list
}

// countAMDCommands tells how long the lists of amdCommands become.
func countAMDCommands(t *amd.Trace, calls *amdCalls) (kernels, copies int) {
	for _, th := range calls.threads {
		for i := range th.Len() {
			e := th.Enqueue(i)
			switch {
			case e != nil && (e.Shape == amd.Dispatch || e.Shape == amd.Native):
				kernels++
			case e != nil && e.Shape == amd.Transfer, e == nil && th.Copy(i) != nil:
				copies++
			}
		}
	}
	for _, s := range t.Sections {
		kernels += len(s.Packets)
	}
	return kernels, copies
}

// amdCommands finds kernels and copies.
func amdCommands(t *amd.Trace, calls *amdCalls, names, devices *ids) (kernels, copies []amdCommand) {
	nk, nc := countAMDCommands(t, calls)
	kernels, copies = make([]amdCommand, 0, nk), make([]amdCommand, 0, nc)
	for k, th := range calls.threads {
		for i := range th.Len() {
			x := amdCommand{call: calls.first[k] + i}
			if e := th.Enqueue(i); e != nil {
				x.e, x.start, x.end, x.queue, x.device = e, e.Start, e.End, int64(e.QueueID), devices.id(e.Device)
				switch e.Shape {
				case amd.Dispatch:
					x.name = names.id(e.KernelName)
					kernels = append(kernels, x)
				case amd.Native:
					x.name = names.id("NATIVE_KERNEL (" + e.Kernel + ")")
					kernels = append(kernels, x)
				case amd.Transfer:
					x.from, x.bytes = copyKind(e.CommandName), int64(e.Bytes)
					copies = append(copies, x)
				}
			} else if c := th.Copy(i); c != nil {
				x.start, x.end = c.Start, c.End
				args := amd.SplitArgs(nil, amd.Unescape(th.Call(i).Args))
				if s, ok := amd.NamedArg(args, "size"); ok {
					for _, d := range s {
						if d >= '0' && d <= '9' && x.bytes < 1<<59 {
							x.bytes = x.bytes*10 + int64(d-'0')
						}
					}
				}
				copies = append(copies, x)
			}
		}
	}
	for _, s := range t.Sections {
		for i := range s.Packets {
			if p := &s.Packets[i]; p.Dispatch {
				kernels = append(kernels, amdCommand{call: -1, name: names.id(amd.Unescape(p.Kernel)), device: devices.id(amd.Unescape(p.Agent)), start: p.Start, end: p.End})
			}
		}
	}
	return kernels, copies
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

// commonColumns are those that kernels and copies share.
func commonColumns(list []amdCommand) []memoryColumn {
	return []memoryColumn{
		{name: "start", whole: func(i int) int64 { return int64(list[i].start) }},
		{name: "end", whole: func(i int) int64 { return int64(list[i].end) }},
		{name: "deviceId", whole: func(i int) int64 { return list[i].device }},
		{name: "contextId", whole: func(i int) int64 {
			if list[i].e == nil {
				return 0
			}
			return int64(list[i].e.ContextID)
		}},
		{name: "streamId", whole: func(i int) int64 { return list[i].queue }},
		{name: "correlationId", whole: func(i int) int64 { return int64(list[i].call) + 1 }, null: func(i int) bool { return list[i].call < 0 }},
		{name: "globalPid", whole: func(int) int64 { return 0 }},
	}
}

func addAMDKernels(m *memory, list []amdCommand) {
	cols := commonColumns(list)
	name := func(i int) int64 { return list[i].name }
	cols = append(cols, memoryColumn{name: "demangledName", whole: name}, memoryColumn{name: "shortName", whole: name})
	sizes := func(i int) (global, local [3]uint64) {
		if list[i].e == nil {
			return global, local
		}
		global, _, _ = amd.ParseDims(list[i].e.Global)
		local, _, ok := amd.ParseDims(list[i].e.Local)
		if !ok {
			local = [3]uint64{1, 1, 1}
		}
		return global, local
	}
	for d, axis := range []string{"X", "Y", "Z"} {
		// Grids are counted in work-groups, as CUDA counts them.
		cols = append(cols, memoryColumn{name: "grid" + axis, whole: func(i int) int64 {
			g, l := sizes(i)
			return int64((g[d] + max(l[d], 1) - 1) / max(l[d], 1))
		}}, memoryColumn{name: "block" + axis, whole: func(i int) int64 { _, l := sizes(i); return int64(l[d]) }})
	}
	m.add(trace.TableKernel, len(list), cols...)
}

func addAMDCopies(m *memory, list []amdCommand) {
	m.add(trace.TableMemcpy, len(list), append(commonColumns(list),
		memoryColumn{name: "bytes", whole: func(i int) int64 { return list[i].bytes }},
		memoryColumn{name: "copyKind", whole: func(i int) int64 { return list[i].from }})...)
}

func addAMDCalls(m *memory, t *amd.Trace, calls *amdCalls) {
	timed := func(i int) bool { th, k := calls.at(i); _, _, _, ok := th.Times(k); return ok }
	text := func(i int) amd.Call { th, k := calls.at(i); return th.Call(k) }
	thread := func(i int) int64 { th, _ := calls.at(i); return amdThread(th.ID) }
	correlation := memoryColumn{name: "correlationId", whole: func(i int) int64 { return int64(i) + 1 }}
	untimed := func(i int) bool { return !timed(i) }
	m.add(trace.TableRuntime, calls.n,
		memoryColumn{name: "start", whole: func(i int) int64 { th, k := calls.at(i); _, start, _, _ := th.Times(k); return int64(start) }, null: untimed},
		memoryColumn{name: "end", whole: func(i int) int64 { th, k := calls.at(i); _, _, end, _ := th.Times(k); return int64(end) }, null: untimed},
		memoryColumn{name: "globalTid", whole: thread}, correlation,
		memoryColumn{name: "nameId", whole: func(i int) int64 { th, k := calls.at(i); api, _, _, _ := th.Times(k); return int64(api) }},
		memoryColumn{name: "returnValue", whole: func(i int) int64 {
			if r := text(i).Result; strings.HasPrefix(r, "CL_") && r != "CL_SUCCESS" || strings.HasPrefix(r, "HSA_STATUS_ERROR") {
				return 1 // the text is in AMD_CALLS
			}
			return 0
		}})
	m.add("AMD_CALLS", calls.n, correlation,
		memoryColumn{name: "interface", text: func(i int) string { th, _ := calls.at(i); return th.Module }},
		memoryColumn{name: "threadId", whole: func(i int) int64 { th, _ := calls.at(i); return int64(th.ID) }},
		memoryColumn{name: "callIndex", whole: func(i int) int64 { _, k := calls.at(i); return int64(k) }},
		memoryColumn{name: "name", text: func(i int) string { return text(i).Name }},
		memoryColumn{name: "parameters", text: func(i int) string { return text(i).Args }},
		memoryColumn{name: "result", text: func(i int) string { return text(i).Result }},
		memoryColumn{name: "repeat", whole: func(i int) int64 { return int64(text(i).Repeat) }},
		memoryColumn{name: "line", whole: func(i int) int64 { return int64(text(i).Line) }})
}

func addAMDCommands(m *memory, list []amdEnqueue) {
	num := func(name string, f func(e *amd.Enqueue) uint64) memoryColumn {
		return memoryColumn{name: name, whole: func(i int) int64 { return int64(f(list[i].e)) }}
	}
	str := func(name string, f func(e *amd.Enqueue) string) memoryColumn {
		return memoryColumn{name: name, text: func(i int) string { return f(list[i].e) }}
	}
	m.add("AMD_COMMANDS", len(list), memoryColumn{name: "correlationId", whole: func(i int) int64 { return int64(list[i].call) + 1 }},
		num("command", func(e *amd.Enqueue) uint64 { return uint64(e.Command) }), str("commandName", func(e *amd.Enqueue) string { return e.CommandName }),
		num("queued", func(e *amd.Enqueue) uint64 { return e.Queued }), num("submit", func(e *amd.Enqueue) uint64 { return e.Submit }),
		num("start", func(e *amd.Enqueue) uint64 { return e.Start }), num("end", func(e *amd.Enqueue) uint64 { return e.End }),
		num("queueId", func(e *amd.Enqueue) uint64 { return uint64(e.QueueID) }), str("queue", func(e *amd.Enqueue) string { return e.Queue }),
		num("contextId", func(e *amd.Enqueue) uint64 { return uint64(e.ContextID) }), str("context", func(e *amd.Enqueue) string { return e.Context }),
		str("device", func(e *amd.Enqueue) string { return e.Device }), str("kernel", func(e *amd.Enqueue) string { return e.Kernel }),
		str("kernelName", func(e *amd.Enqueue) string { return e.KernelName }), str("globalWorkSize", func(e *amd.Enqueue) string { return e.Global }),
		str("workGroupSize", func(e *amd.Enqueue) string { return e.Local }), num("bytes", func(e *amd.Enqueue) uint64 { return e.Bytes }))
}

func addAMDPackets(m *memory, t *amd.Trace) {
	var list []*amd.Packet
	for _, s := range t.Sections {
		for i := range s.Packets {
			list = append(list, &s.Packets[i])
		}
	}
	str := func(name string, f func(p *amd.Packet) string) memoryColumn {
		return memoryColumn{name: name, text: func(i int) string { return f(list[i]) }}
	}
	none := func(i int) bool { return !list[i].Dispatch }
	m.add("AMD_PACKETS", len(list), str("type", func(p *amd.Packet) string { return p.Type }), str("kernelName", func(p *amd.Packet) string { return amd.Unescape(p.Kernel) }),
		str("kernelObject", func(p *amd.Packet) string { return p.Object }),
		memoryColumn{name: "start", whole: func(i int) int64 { return int64(list[i].Start) }, null: none},
		memoryColumn{name: "end", whole: func(i int) int64 { return int64(list[i].End) }, null: none},
		str("agent", func(p *amd.Packet) string { return amd.Unescape(p.Agent) }), str("agentHandle", func(p *amd.Packet) string { return p.AgentHandle }),
		str("queueIndex", func(p *amd.Packet) string { return p.QueueIndex }), str("queue", func(p *amd.Packet) string { return p.Queue }),
		str("packetId", func(p *amd.Packet) string { return p.ID }), str("dump", func(p *amd.Packet) string { return p.Dump }))
}

func addAMDSources(m *memory, t *amd.Trace) {
	type place struct {
		module string
		thread uint64
		index  int
		frame  amd.Frame
	}
	var list []place
	for _, s := range t.Sections {
		if s.Kind == amd.StackTrace {
			for _, b := range s.Blocks {
				for i, l := range b.Lines {
					list = append(list, place{s.Module, b.Thread, i, amd.ParseFrame(l)})
				}
			}
		}
	}
	m.add("AMD_SOURCES", len(list), memoryColumn{name: "interface", text: func(i int) string { return list[i].module }},
		memoryColumn{name: "threadId", whole: func(i int) int64 { return int64(list[i].thread) }},
		memoryColumn{name: "callIndex", whole: func(i int) int64 { return int64(list[i].index) }},
		memoryColumn{name: "name", text: func(i int) string { return list[i].frame.API }},
		memoryColumn{name: "symbol", text: func(i int) string { return list[i].frame.Symbol }},
		memoryColumn{name: "line", whole: func(i int) int64 { return int64(list[i].frame.Line) }, null: func(i int) bool { return list[i].frame.Line == 0 }},
		memoryColumn{name: "file", text: func(i int) string { return list[i].frame.File }})
}

// addAMDMarkers makes ranges of begins and ends, which nest within a thread. A
// range that nobody ended stays open.
func addAMDMarkers(m *memory, t *amd.Trace) {
	type span struct {
		thread      uint64
		name, group string
		start, end  uint64
		open        bool
	}
	var list []span
	for _, s := range t.Sections {
		if s.Kind != amd.PerfMarkers {
			continue
		}
		for _, b := range s.Blocks {
			var stack []int
			for _, l := range b.Lines {
				x, ok := amd.ParseMarker(l)
				switch {
				case !ok:
				case x.Begin:
					stack = append(stack, len(list))
					list = append(list, span{b.Thread, x.Name, x.Group, x.Time, 0, true})
				case len(stack) > 0:
					p := &list[stack[len(stack)-1]]
					stack = stack[:len(stack)-1]
					p.end, p.open = x.Time, false
					if x.Name != "" {
						p.name = x.Name
					}
				}
			}
		}
	}
	m.add(trace.TableNvtx, len(list), memoryColumn{name: "start", whole: func(i int) int64 { return int64(list[i].start) }},
		memoryColumn{name: "end", whole: func(i int) int64 { return int64(list[i].end) }, null: func(i int) bool { return list[i].open }},
		memoryColumn{name: "eventType", whole: func(int) int64 { return trace.NvtxPushPop }},
		memoryColumn{name: "text", text: func(i int) string { return list[i].name }},
		memoryColumn{name: "group", text: func(i int) string { return list[i].group }},
		memoryColumn{name: "globalTid", whole: func(i int) int64 { return amdThread(list[i].thread) }},
		memoryColumn{name: "domainId", whole: func(int) int64 { return 0 }})
}
