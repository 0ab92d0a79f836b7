package timeline

import "github.com/gpuprof/gpuprof/trace"

// words are what a maker of GPUs calls the things of a timeline.
type words struct {
	api, ranges, marks, stream, copied, set string
}

var (
	nvidiaWords = words{api: "CUDA API", ranges: "NVTX", marks: "NVTX marks", stream: "Stream %d", copied: "[CUDA memcpy ", set: "[CUDA memset]"}
	rocmWords   = words{api: "HIP API", ranges: "ROCTx", marks: "ROCTx marks", stream: "Queue %d", copied: "[copy ", set: "[fill]"}
	amdWords    = words{api: "API", ranges: "Markers", marks: "Marks", stream: "Queue %d", copied: "[copy ", set: "[fill]"}
)

// wordsOf tells by the tool that made a file, and by tables that only files of
// AMD's tools fill, whose words to use.
func wordsOf(tr *trace.Trace) *words {
	switch {
	case tr.OfROCm():
		return &rocmWords
	case tr.OfAMD():
		return &amdWords
	}
	return &nvidiaWords
}
