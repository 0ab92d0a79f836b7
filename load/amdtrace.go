package load

import (
	"sort"

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

func newAMDCalls(t *amd.Trace) *amdCalls {
	calls := &amdCalls{}
	for _, module := range t.Modules() {
		for _, th := range t.Threads(module) {
			calls.threads = append(calls.threads, th)
			calls.first = append(calls.first, calls.n)
			calls.n += th.Len()
		}
	}
	return calls
}

func (c *amdCalls) at(i int) (*amd.Thread, int) {
	k := sort.SearchInts(c.first, i+1) - 1
	return c.threads[k], i - c.first[k]
}

// amdTables lays a trace out in tables: API calls, kernels, copies and markers
// in those of the Nsight Systems schema, what is AMD's own in AMD_CALLS,
// AMD_COMMANDS, AMD_PACKETS and AMD_SOURCES. docs/formats/amd.md describes them.
func amdTables(t *amd.Trace) *memory {
	m := &memory{}
	m.addAMD(t)
	return m
}

func (m *memory) addAMD(t *amd.Trace) {
	names := &ids{}
	for _, api := range t.APIs {
		names.id(api)
	}
	calls := newAMDCalls(t)
	devices := &ids{}
	c := newAMDCommands(t, calls, names, devices)
	addAMDCalls(m, t, calls)
	c.addKernels(m)
	c.addCopies(m)
	c.addAll(m)
	addAMDPackets(m, t)
	addAMDSources(m, t)
	addAMDMarkers(m, t)
	m.addGPUs(devices)
	names.addTo(m)
}

const tableGPU = "TARGET_INFO_GPU"

func (m *memory) addGPUs(devices *ids) {
	m.add(tableGPU, len(devices.list), memoryColumn{name: "id", whole: func(i int) int64 { return int64(i) }},
		memoryColumn{name: "name", text: func(i int) string { return devices.list[i] }})
}

func amdThread(tid uint64) int64 { return int64(trace.MakeGlobalID(0, 0, 0, int64(tid))) }

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
			if c := text(i); c.Failed() {
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
	m.add("AMD_PACKETS", len(list), str("type", func(p *amd.Packet) string { return p.Type }), str("kernelName", func(p *amd.Packet) string { return p.Name() }),
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
