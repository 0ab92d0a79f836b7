package load

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/rocm"
	"github.com/gpuprof/gpuprof/trace"
)

// rocmTables lays a session out in the tables of the Nsight Systems schema. What
// that has no table for stands in tables of gpuprof's own, AMD_….
func rocmTables(s *rocm.Session) *memory {
	m, names, p := &memory{}, &ids{}, newROCmPlaces(s)
	addROCmKernels(m, s, names, p)
	addROCmCopies(m, s, p)
	addROCmCalls(m, s, names, p)
	addROCmRanges(m, s, p)
	addROCmAllocations(m, s, p)
	addROCmMonitors(m, s)
	addROCmCode(m, s)
	addROCmFacts(m, s)
	gpus := p.gpus
	m.add("TARGET_INFO_GPU", len(gpus), memoryColumn{name: "id", whole: func(i int) int64 { return int64(i) }},
		memoryColumn{name: "name", text: func(i int) string { return gpus[i].Name }},
		memoryColumn{name: "chipName", text: func(i int) string { return gpus[i].Product }},
		memoryColumn{name: "smCount", null: func(i int) bool { return gpus[i].CUs == 0 }, whole: func(i int) int64 { return int64(gpus[i].CUs) }},
		memoryColumn{name: "agentIndex", whole: func(i int) int64 { return int64(gpus[i].Index) }},
		memoryColumn{name: "host", text: func(i int) string { return p.hosts[i] }})
	names.addTo(m)
	return m
}

func addROCmCalls(m *memory, s *rocm.Session, names *ids, p *rocmPlaces) {
	calls := s.Calls
	callNames := make([]int64, len(calls))
	for i := range calls {
		callNames[i] = names.id(calls[i].Name)
	}
	m.add(trace.TableRuntime, len(calls),
		memoryColumn{name: "start", whole: func(i int) int64 { return int64(calls[i].Start) }},
		memoryColumn{name: "end", whole: func(i int) int64 { return int64(calls[i].End) }},
		memoryColumn{name: "globalTid", whole: func(i int) int64 { return p.thread(calls[i].Process, calls[i].PID, calls[i].TID) }},
		memoryColumn{name: "correlationId", whole: func(i int) int64 { return int64(calls[i].Correlation) }},
		memoryColumn{name: "nameId", whole: func(i int) int64 { return callNames[i] }},
		memoryColumn{name: "returnValue", whole: func(int) int64 { return 0 }},
		memoryColumn{name: "domain", text: func(i int) string { return calls[i].Domain }},
		memoryColumn{name: "parameters", text: func(i int) string { return calls[i].Args }})
}

// addROCmRanges adds markers as what NVTX has: ranges that nest in a thread, ranges
// that do not, marks.
func addROCmRanges(m *memory, s *rocm.Session, p *rocmPlaces) {
	list := s.Ranges
	m.add(trace.TableNvtx, len(list),
		memoryColumn{name: "start", whole: func(i int) int64 { return int64(list[i].Start) }},
		memoryColumn{name: "end", whole: func(i int) int64 { return int64(list[i].End) }, null: func(i int) bool { return list[i].Mark }},
		memoryColumn{name: "eventType", whole: func(i int) int64 {
			switch {
			case list[i].Mark:
				return trace.NvtxMark
			case list[i].Free:
				return trace.NvtxStartEnd
			}
			return trace.NvtxPushPop
		}},
		memoryColumn{name: "text", text: func(i int) string { return list[i].Text }},
		memoryColumn{name: "globalTid", whole: func(i int) int64 { return p.thread(list[i].Process, list[i].PID, list[i].TID) }},
		memoryColumn{name: "domainId", whole: func(int) int64 { return 0 }},
		memoryColumn{name: "domain", text: func(i int) string { return list[i].Domain }})
}

func addROCmAllocations(m *memory, s *rocm.Session, p *rocmPlaces) {
	list := s.Allocations
	whole := func(name string, f func(a *rocm.Allocation) int64) memoryColumn {
		return memoryColumn{name: name, whole: func(i int) int64 { return f(&list[i]) }}
	}
	device, bytes := whole("deviceId", func(a *rocm.Allocation) int64 { return p.device(a.Process, a.Agent) }), whole("bytes", func(a *rocm.Allocation) int64 { return a.Bytes })
	device.null = func(i int) bool { return !list[i].HasAgent }
	bytes.null = func(i int) bool { return list[i].Bytes < 0 }
	m.add("AMD_ALLOCATIONS", len(list), whole("start", func(a *rocm.Allocation) int64 { return int64(a.Start) }), whole("end", func(a *rocm.Allocation) int64 { return int64(a.End) }),
		memoryColumn{name: "operation", text: func(i int) string { return list[i].Operation }}, memoryColumn{name: "level", text: func(i int) string { return list[i].Level }},
		device, bytes, whole("address", func(a *rocm.Allocation) int64 { return int64(a.Address) }), whole("correlationId", func(a *rocm.Allocation) int64 { return int64(a.Correlation) }),
		whole("globalTid", func(a *rocm.Allocation) int64 { return p.thread(a.Process, a.PID, a.TID) }))
}

// addROCmMonitors adds what was watched over time as metrics of GPUs, which the
// timeline draws. The values are those of the file: numbers with a fraction stand in
// AMD_MONITORS.
func addROCmMonitors(m *memory, s *rocm.Session) {
	list := s.Monitors
	m.add("AMD_MONITORS", len(list), memoryColumn{name: "start", whole: func(i int) int64 { return int64(list[i].Start) }},
		memoryColumn{name: "end", whole: func(i int) int64 { return int64(list[i].End) }, null: func(i int) bool { return list[i].End == 0 }},
		memoryColumn{name: "device", text: func(i int) string { return list[i].Device }}, memoryColumn{name: "deviceId", whole: func(i int) int64 { return int64(list[i].ID) }},
		memoryColumn{name: "name", text: func(i int) string { return list[i].Name }}, memoryColumn{name: "value", real: func(i int) float64 { return list[i].Value }})
	type key struct {
		device uint64
		name   string
	}
	metrics := map[key]int64{}
	var order []key
	of := make([]int64, len(list))
	for i := range list {
		k := key{list[i].ID, list[i].Name}
		n, ok := metrics[k]
		if !ok {
			n = int64(len(order))
			metrics[k] = n
			order = append(order, k)
		}
		of[i] = n
	}
	m.add("GPU_METRICS", len(list), memoryColumn{name: "timestamp", whole: func(i int) int64 { return int64(list[i].Start) }},
		memoryColumn{name: "typeId", whole: func(i int) int64 { return int64(list[i].ID) }}, memoryColumn{name: "metricId", whole: func(i int) int64 { return of[i] }},
		memoryColumn{name: "value", whole: func(i int) int64 { return int64(list[i].Value) }})
	m.add("TARGET_INFO_GPU_METRICS", len(order), memoryColumn{name: "typeId", whole: func(i int) int64 { return int64(order[i].device) }},
		memoryColumn{name: "metricId", whole: func(i int) int64 { return int64(i) }}, memoryColumn{name: "metricName", text: func(i int) string { return order[i].name }})
}

// addROCmCode adds what samples and thread traces tell about instructions.
func addROCmCode(m *memory, s *rocm.Session) {
	code := s.Code
	num := func(name string, f func(x *rocm.Instruction) uint64) memoryColumn {
		return memoryColumn{name: name, whole: func(i int) int64 { return int64(f(&code[i])) }}
	}
	m.add("AMD_INSTRUCTIONS", len(code), num("codeObject", func(x *rocm.Instruction) uint64 { return uint64(x.CodeObject) }), num("address", func(x *rocm.Instruction) uint64 { return x.Address }),
		num("line", func(x *rocm.Instruction) uint64 { return uint64(x.Line) }), memoryColumn{name: "instruction", text: func(i int) string { return code[i].Text }},
		memoryColumn{name: "source", text: func(i int) string { return code[i].Source }}, num("hits", func(x *rocm.Instruction) uint64 { return x.Hits }),
		num("latency", func(x *rocm.Instruction) uint64 { return x.Latency }), num("stall", func(x *rocm.Instruction) uint64 { return x.Stall }), num("idle", func(x *rocm.Instruction) uint64 { return x.Idle }),
		num("issued", func(x *rocm.Instruction) uint64 { return x.Issued }), num("stalled", func(x *rocm.Instruction) uint64 { return x.Stalled }))
	samples := s.Samples
	m.add("AMD_PC_SAMPLES", len(samples), memoryColumn{name: "time", whole: func(i int) int64 { return int64(samples[i].Time) }},
		memoryColumn{name: "execMask", whole: func(i int) int64 { return int64(samples[i].Exec) }}, memoryColumn{name: "dispatchId", whole: func(i int) int64 { return int64(samples[i].Dispatch) }},
		memoryColumn{name: "correlationId", whole: func(i int) int64 { return int64(samples[i].Correlation) }}, memoryColumn{name: "instruction", text: func(i int) string { return samples[i].Instruction }},
		memoryColumn{name: "source", text: func(i int) string { return samples[i].Source }}, memoryColumn{name: "type", text: func(i int) string { return samples[i].Type }},
		memoryColumn{name: "stallReason", text: func(i int) string { return samples[i].Stall }})
	waves := s.Waves
	w := func(name string, f func(x *rocm.Wave) uint64) memoryColumn {
		return memoryColumn{name: name, whole: func(i int) int64 { return int64(f(&waves[i])) }}
	}
	m.add("AMD_WAVES", len(waves), w("engine", func(x *rocm.Wave) uint64 { return x.Engine }), w("cu", func(x *rocm.Wave) uint64 { return x.CU }), w("simd", func(x *rocm.Wave) uint64 { return x.SIMD }),
		w("slot", func(x *rocm.Wave) uint64 { return x.Slot }), w("begin", func(x *rocm.Wave) uint64 { return x.Begin }), w("end", func(x *rocm.Wave) uint64 { return x.End }),
		w("instructions", func(x *rocm.Wave) uint64 { return uint64(x.Instructions) }), w("stall", func(x *rocm.Wave) uint64 { return x.Stall }))
}

// addROCmFacts adds counters, totals, what files tell about the run, and what is not
// known.
func addROCmFacts(m *memory, s *rocm.Session) {
	m.add("AMD_COUNTERS", len(s.Counters), memoryColumn{name: "dispatchId", whole: func(i int) int64 { return int64(s.Counters[i].Dispatch) }},
		memoryColumn{name: "process", whole: func(i int) int64 { return int64(s.Counters[i].Process) }},
		memoryColumn{name: "name", text: func(i int) string { return s.Counters[i].Name }}, memoryColumn{name: "file", text: func(i int) string { return s.Counters[i].File }},
		memoryColumn{name: "value", real: func(i int) float64 { return s.Counters[i].Value }})
	m.add("AMD_TOTALS", len(s.Totals), memoryColumn{name: "name", text: func(i int) string { return s.Totals[i].Name }},
		memoryColumn{name: "calls", whole: func(i int) int64 { return int64(s.Totals[i].Calls) }},
		memoryColumn{name: "total", real: func(i int) float64 { return s.Totals[i].Sum }})
	m.add("AMD_FACTS", len(s.Facts), memoryColumn{name: "about", text: func(i int) string { return s.Facts[i].Of }},
		memoryColumn{name: "name", text: func(i int) string { return s.Facts[i].Name }}, memoryColumn{name: "value", text: func(i int) string { return s.Facts[i].Value }})
	m.add("AMD_COLUMNS", len(s.Kept), memoryColumn{name: "row", whole: func(i int) int64 { return int64(s.Kept[i].Row) }},
		memoryColumn{name: "column", text: func(i int) string { return s.Kept[i].Column }}, memoryColumn{name: "value", text: func(i int) string { return s.Kept[i].Value }})
	agents := s.Agents
	m.add("AMD_AGENTS", len(agents), memoryColumn{name: "host", text: func(i int) string { return s.Processes[agents[i].Process].Host }},
		memoryColumn{name: "agentId", whole: func(i int) int64 { return int64(agents[i].ID) }}, memoryColumn{name: "name", text: func(i int) string { return agents[i].Name }},
		memoryColumn{name: "product", text: func(i int) string { return agents[i].Product }}, memoryColumn{name: "computeUnits", whole: func(i int) int64 { return int64(agents[i].CUs) }},
		memoryColumn{name: "wavefront", whole: func(i int) int64 { return int64(agents[i].Wave) }}, memoryColumn{name: "maxClockMHz", whole: func(i int) int64 { return int64(agents[i].Clock) }})
	var told []rocm.Process
	for _, x := range s.Processes {
		if x.PID != 0 || x.Name != "" {
			told = append(told, x)
		}
	}
	m.add("PROCESSES", len(told), memoryColumn{name: "pid", whole: func(i int) int64 { return int64(told[i].PID) }},
		memoryColumn{name: "globalPid", whole: func(i int) int64 { return processID(s, &told[i]) }},
		memoryColumn{name: "name", text: func(i int) string { return processName(&told[i]) }})
}

func processName(x *rocm.Process) string {
	name, _, _ := strings.Cut(x.Command, " ")
	if name == "" {
		name = x.Name
	}
	if x.Host != "" {
		name = strings.TrimSpace(fmt.Sprintf("%s on %s", name, x.Host))
	}
	return name
}

// processID is the number of a process in the timeline.
func processID(s *rocm.Session, x *rocm.Process) int64 {
	p := newROCmPlaces(s)
	for i := range s.Processes {
		if s.Processes[i] == *x {
			return p.thread(i, x.PID, 0)
		}
	}
	return 0
}

// addROCmKernels adds the dispatches: those with times are kernels of the timeline,
// which those without do not take from it.
func addROCmKernels(m *memory, s *rocm.Session, names *ids, p *rocmPlaces) {
	timed, rest := s.Dispatches, []rocm.Dispatch(nil)
	without := func(d rocm.Dispatch) bool { return d.End == 0 }
	if slices.ContainsFunc(timed, without) {
		timed = nil
		for _, d := range s.Dispatches {
			if without(d) {
				rest = append(rest, d)
			} else {
				timed = append(timed, d)
			}
		}
	}
	m.add(trace.TableKernel, len(timed), kernelColumns(timed, s, names, p)...)
	m.add("AMD_DISPATCHES", len(rest), kernelColumns(rest, s, names, p)[2:]...)
}

// kernelColumns are the columns of a table of dispatches, start and end first.
func kernelColumns(list []rocm.Dispatch, s *rocm.Session, names *ids, p *rocmPlaces) []memoryColumn {
	kernel := make([]int64, len(list))
	for i := range list {
		kernel[i] = names.id(list[i].Kernel)
	}
	num := func(name string, f func(d *rocm.Dispatch) int64) memoryColumn {
		return memoryColumn{name: name, whole: func(i int) int64 { return f(&list[i]) }}
	}
	// told is a number that a file may not tell.
	told := func(name string, f func(d *rocm.Dispatch) int64) memoryColumn {
		c := num(name, f)
		c.null = func(i int) bool { return f(&list[i]) < 0 }
		return c
	}
	// sized is a size, of which 0 is not known.
	sized := func(n uint64) int64 {
		if n == 0 {
			return -1
		}
		return int64(n)
	}
	cols := []memoryColumn{num("start", func(d *rocm.Dispatch) int64 { return int64(d.Start) }), num("end", func(d *rocm.Dispatch) int64 { return int64(d.End) }),
		num("deviceId", func(d *rocm.Dispatch) int64 { return p.device(d.Process, d.Agent) }), num("contextId", func(*rocm.Dispatch) int64 { return 0 }),
		num("streamId", func(d *rocm.Dispatch) int64 { return int64(d.Queue) }), num("correlationId", func(d *rocm.Dispatch) int64 { return int64(d.Correlation) }),
		num("globalPid", func(d *rocm.Dispatch) int64 { return p.thread(d.Process, d.PID, 0) }),
		num("dispatchId", func(d *rocm.Dispatch) int64 { return int64(d.ID) }),
		told("registersPerThread", func(d *rocm.Dispatch) int64 { return d.VGPRs }), told("accumulationRegisters", func(d *rocm.Dispatch) int64 { return d.AGPRs }),
		told("scalarRegisters", func(d *rocm.Dispatch) int64 { return d.SGPRs }), told("staticSharedMemory", func(d *rocm.Dispatch) int64 { return d.LDS }),
		told("localMemoryPerThread", func(d *rocm.Dispatch) int64 { return d.Scratch }),
		{name: "duration", real: func(i int) float64 { return list[i].Duration() }},
		{name: "demangledName", whole: func(i int) int64 { return kernel[i] }}, {name: "shortName", whole: func(i int) int64 { return kernel[i] }}}
	for k, axis := range []string{"X", "Y", "Z"} {
		cols = append(cols, told("grid"+axis, func(d *rocm.Dispatch) int64 { grid, _ := groups(s, d); return sized(grid[k]) }),
			told("block"+axis, func(d *rocm.Dispatch) int64 { _, group := groups(s, d); return sized(group[k]) }))
	}
	return cols
}

func addROCmCopies(m *memory, s *rocm.Session, p *rocmPlaces) {
	var copies, sets []rocm.Copy
	for _, c := range s.Copies {
		if strings.Contains(c.Direction, "Fill") {
			sets = append(sets, c)
		} else {
			copies = append(copies, c)
		}
	}
	for _, t := range []struct {
		name string
		list []rocm.Copy
	}{{trace.TableMemcpy, copies}, {trace.TableMemset, sets}} {
		list := t.list
		m.add(t.name, len(list), memoryColumn{name: "start", whole: func(i int) int64 { return int64(list[i].Start) }},
			memoryColumn{name: "end", whole: func(i int) int64 { return int64(list[i].End) }},
			memoryColumn{name: "deviceId", whole: func(i int) int64 {
				if directionOf(list[i].Direction) == copyToHost {
					return p.device(list[i].Process, list[i].From)
				}
				return p.device(list[i].Process, list[i].To)
			}},
			memoryColumn{name: "streamId", whole: func(i int) int64 { return int64(list[i].Queue) }},
			memoryColumn{name: "correlationId", whole: func(i int) int64 { return int64(list[i].Correlation) }},
			memoryColumn{name: "globalPid", whole: func(i int) int64 { return p.thread(list[i].Process, list[i].PID, 0) }},
			memoryColumn{name: "bytes", whole: func(i int) int64 { return list[i].Bytes }, null: func(i int) bool { return list[i].Bytes < 0 }},
			memoryColumn{name: "copyKind", whole: func(i int) int64 { return directionOf(list[i].Direction) }})
	}
}

// directionOf reads MEMORY_COPY_HOST_TO_DEVICE and CopyHostToDevice alike.
func directionOf(s string) int64 {
	s = strings.ToLower(strings.ReplaceAll(s, "_", ""))
	switch {
	case strings.Contains(s, "hosttodevice"):
		return copyToGPU
	case strings.Contains(s, "devicetohost"):
		return copyToHost
	case strings.Contains(s, "devicetodevice"):
		return copyOnGPU
	}
	return copyUnknown
}
