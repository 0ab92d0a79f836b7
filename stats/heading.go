package stats

import (
	"strings"

	"github.com/gpuprof/gpuprof/trace"
)

// rocmWords are what ROCm calls what CUDA's reports are about.
var rocmWords = strings.NewReplacer("CUDA GPU ", "GPU ", "CUDA Kernel", "Kernel", "CUDA Memory", "Memory", "CUDA Synchronization", "HIP Synchronization",
	"CUDA Copies", "Copies", "NVTX", "ROCTx", "CUDA ", "")

// amdWords are those for CodeXL and the Radeon compute profiler, whose calls are of
// OpenCL or HSA.
var amdWords = strings.NewReplacer("CUDA ", "", "NVTX", "Marker")

// Heading is the title of the report over the rows of a timeline, in the words of who
// made that.
func (r *Report) Heading(tr *trace.Trace) string {
	switch {
	case tr.OfROCm():
		return rocmWords.Replace(strings.ReplaceAll(r.Title, "CUDA API", tr.Words().API))
	case tr.OfAMD():
		return amdWords.Replace(r.Title)
	}
	return r.Title
}

// rocmProse are the words of ROCm in sentences.
var rocmProse = strings.NewReplacer("cudaStreamWaitEvent", "hipStreamWaitEvent", "CUDA", "HIP", "NVTX", "ROCTx")

// InWords is a sentence of a report over the rows of a timeline, in the words of who
// made that. Names of tables stay.
func InWords(tr *trace.Trace, text string) string {
	switch {
	case tr.OfROCm():
		for _, table := range []string{"NVTX_EVENTS", "NVTX_PAYLOAD"} {
			if strings.Contains(text, table) {
				return strings.ReplaceAll(text, "CUDA API", tr.Words().API)
			}
		}
		return rocmProse.Replace(strings.ReplaceAll(text, "CUDA API", tr.Words().API))
	case tr.OfAMD():
		return amdWords.Replace(text)
	}
	return text
}
