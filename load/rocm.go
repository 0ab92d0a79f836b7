package load

import (
	"bytes"
	"path"
	"strings"

	"github.com/gpuprof/gpuprof/format/rocm"
	"github.com/gpuprof/gpuprof/trace"
)

// packedROCm matches profiles that are kept compressed, by their names.
func packedROCm(head []byte, name string) bool {
	inner := strings.ToLower(strings.TrimSuffix(strings.ToLower(name), ".gz"))
	switch path.Ext(inner) {
	case ".rpd", ".db", ".json", ".csv":
		return bytes.HasPrefix(head, []byte{0x1f, 0x8b})
	}
	return false
}

func openROCm(f *File) error {
	s, err := rocm.Options{MaxUnpacked: f.maxUnpacked}.Open(f.opening, f.in, f.Size, f.Name)
	if err != nil {
		return err
	}
	for _, p := range s.Problems {
		f.problems = append(f.problems, p.Error())
	}
	f.Trace = trace.New(f.Name, rocmTables(s))
	f.Trace.Tool = string(s.Kind)
	if len(s.Dispatches) > 0 {
		f.Report = rocmReport(f, s)
	}
	return nil
}

// rocmTables lays a session out in the tables of the Nsight Systems schema.
// Counters stand in AMD_COUNTERS, totals of a statistics file in AMD_TOTALS.
func rocmTables(s *rocm.Session) *memory {
	m, names := &memory{}, &ids{}
	gpu := map[uint64]int64{}
	var gpus []rocm.Agent
	for _, a := range s.Agents {
		if a.GPU {
			gpu[a.ID] = int64(len(gpus))
			gpus = append(gpus, a)
		}
	}
	device := func(id uint64) int64 {
		if n, ok := gpu[id]; ok {
			return n
		}
		return int64(id)
	}
	thread := func(pid, tid uint64) int64 { return int64(trace.MakeGlobalID(0, 0, int64(pid), int64(tid))) }
	addROCmKernels(m, s, names, device)
	addROCmCopies(m, s, device)
	calls := s.Calls
	callNames := make([]int64, len(calls))
	for i := range calls {
		callNames[i] = names.id(calls[i].Name)
	}
	m.add(trace.TableRuntime, len(calls),
		memoryColumn{name: "start", whole: func(i int) int64 { return int64(calls[i].Start) }},
		memoryColumn{name: "end", whole: func(i int) int64 { return int64(calls[i].End) }},
		memoryColumn{name: "globalTid", whole: func(i int) int64 { return thread(calls[i].PID, calls[i].TID) }},
		memoryColumn{name: "correlationId", whole: func(i int) int64 { return int64(calls[i].Correlation) }},
		memoryColumn{name: "nameId", whole: func(i int) int64 { return callNames[i] }},
		memoryColumn{name: "returnValue", whole: func(int) int64 { return 0 }},
		memoryColumn{name: "domain", text: func(i int) string { return calls[i].Domain }},
		memoryColumn{name: "parameters", text: func(i int) string { return calls[i].Args }})
	m.add("AMD_COUNTERS", len(s.Counters), memoryColumn{name: "dispatchId", whole: func(i int) int64 { return int64(s.Counters[i].Dispatch) }},
		memoryColumn{name: "name", text: func(i int) string { return s.Counters[i].Name }},
		memoryColumn{name: "value", real: func(i int) float64 { return s.Counters[i].Value }})
	m.add("AMD_TOTALS", len(s.Totals), memoryColumn{name: "name", text: func(i int) string { return s.Totals[i].Name }},
		memoryColumn{name: "calls", whole: func(i int) int64 { return int64(s.Totals[i].Calls) }},
		memoryColumn{name: "total", whole: func(i int) int64 { return int64(s.Totals[i].Sum) }})
	m.add("TARGET_INFO_GPU", len(gpus), memoryColumn{name: "id", whole: func(i int) int64 { return int64(i) }},
		memoryColumn{name: "name", text: func(i int) string { return gpus[i].Name }},
		memoryColumn{name: "chipName", text: func(i int) string { return gpus[i].Product }},
		memoryColumn{name: "smCount", whole: func(i int) int64 { return int64(gpus[i].CUs) }})
	names.addTo(m)
	return m
}

func addROCmKernels(m *memory, s *rocm.Session, names *ids, device func(uint64) int64) {
	list := s.Dispatches
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
	cols := []memoryColumn{num("start", func(d *rocm.Dispatch) int64 { return int64(d.Start) }), num("end", func(d *rocm.Dispatch) int64 { return int64(d.End) }),
		num("deviceId", func(d *rocm.Dispatch) int64 { return device(d.Agent) }), num("contextId", func(*rocm.Dispatch) int64 { return 0 }),
		num("streamId", func(d *rocm.Dispatch) int64 { return int64(d.Queue) }), num("correlationId", func(d *rocm.Dispatch) int64 { return int64(d.Correlation) }),
		num("globalPid", func(d *rocm.Dispatch) int64 { return int64(trace.MakeGlobalID(0, 0, int64(d.PID), 0)) }),
		num("dispatchId", func(d *rocm.Dispatch) int64 { return int64(d.ID) }),
		told("registersPerThread", func(d *rocm.Dispatch) int64 { return d.VGPRs }), told("accumulationRegisters", func(d *rocm.Dispatch) int64 { return d.AGPRs }),
		told("scalarRegisters", func(d *rocm.Dispatch) int64 { return d.SGPRs }), told("staticSharedMemory", func(d *rocm.Dispatch) int64 { return d.LDS }),
		told("localMemoryPerThread", func(d *rocm.Dispatch) int64 { return d.Scratch }),
		{name: "demangledName", whole: func(i int) int64 { return kernel[i] }}, {name: "shortName", whole: func(i int) int64 { return kernel[i] }}}
	for k, axis := range []string{"X", "Y", "Z"} {
		cols = append(cols, num("grid"+axis, func(d *rocm.Dispatch) int64 {
			if s.Kind == rocm.KindRPD {
				return int64(d.Grid[k]) // in work-groups already
			}
			return int64((d.Grid[k] + max(d.Group[k], 1) - 1) / max(d.Group[k], 1))
		}), num("block"+axis, func(d *rocm.Dispatch) int64 { return int64(d.Group[k]) }))
	}
	timed := len(list)
	for i := range list {
		if list[i].End == 0 {
			timed = 0 // a file of counters without times: no timeline
			break
		}
	}
	m.add(trace.TableKernel, timed, cols...)
	if timed == 0 {
		m.add("AMD_DISPATCHES", len(list), cols[2:]...)
	}
}

func addROCmCopies(m *memory, s *rocm.Session, device func(uint64) int64) {
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
					return device(list[i].From)
				}
				return device(list[i].To)
			}},
			memoryColumn{name: "streamId", whole: func(int) int64 { return 0 }},
			memoryColumn{name: "correlationId", whole: func(i int) int64 { return int64(list[i].Correlation) }},
			memoryColumn{name: "globalPid", whole: func(int) int64 { return 0 }},
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
