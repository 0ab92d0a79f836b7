package timeline

import (
	"strings"

	"github.com/gpuprof/gpuprof/trace"
)

// words are what a maker of GPUs calls the things of a timeline.
type words struct {
	api, ranges, marks, stream, copied, set string
}

var (
	nvidiaWords = words{api: "CUDA API", ranges: "NVTX", marks: "NVTX marks", stream: "Stream %d", copied: "[CUDA memcpy ", set: "[CUDA memset]"}
	amdWords    = words{api: "API", ranges: "Markers", marks: "Marks", stream: "Queue %d", copied: "[copy ", set: "[fill]"}
)

// wordsOf tells by the tool that made a file, and by tables that only files of
// AMD's tools fill, whose words to use.
func wordsOf(tr *trace.Trace) *words {
	if strings.HasPrefix(tr.Tool, "roc") || strings.HasPrefix(tr.Tool, "RPD") {
		return &amdWords
	}
	for _, t := range tr.Tables() {
		if strings.HasPrefix(t.Name, "AMD_") {
			return &amdWords
		}
	}
	return &nvidiaWords
}
