package file

import (
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

// amdMeanings say what tables hold in timelines of AMD's profilers, in AMD's words where
// the schema speaks of CUDA.
var amdMeanings = map[string]string{
	trace.TableRuntime: "calls of HIP, HSA and OpenCL", trace.TableNvtx: "ROCTx ranges and perf markers",
	"AMD_ALLOCATIONS": "allocations of memory", "AMD_MONITORS": "values over time, unrounded", "AMD_INSTRUCTIONS": "instructions of thread traces and listings",
	"AMD_PC_SAMPLES": "samples of instructions", "AMD_WAVES": "wavefronts that a thread trace followed", "AMD_COUNTERS": "counters of dispatches",
	"AMD_TOTALS": "sums that files tell", "AMD_FACTS": "what files tell about the run", "AMD_COLUMNS": "columns that are not known",
	"AMD_AGENTS": "CPUs and GPUs", "AMD_DISPATCHES": "dispatches without times", "AMD_CALLS": "calls with arguments and results",
	"AMD_COMMANDS": "commands of OpenCL queues", "AMD_PACKETS": "packets of HSA queues", "AMD_SOURCES": "places of calls in the source",
}

// meaningOf says what a table of a timeline holds.
func meaningOf(tr *trace.Trace, table string) string {
	if text := amdMeanings[table]; text != "" && tr.OfAMD() {
		return text
	}
	if t := schema.Lookup(table); t != nil {
		return t.Meaning
	}
	return ""
}
