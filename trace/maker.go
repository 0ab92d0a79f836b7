package trace

import (
	"context"
	"strings"
)

// OfROCm reports whether a profiler of ROCm made the timeline: its calls are of HIP
// and HSA, what a kernel is launched on is a queue, ranges are ROCTx.
func (t *Trace) OfROCm() bool {
	for _, prefix := range []string{"roc", "ROCm", "RPD", "Perfetto trace of ROCm"} {
		if strings.HasPrefix(t.Tool, prefix) {
			return true
		}
	}
	return false
}

// OfAMD reports whether a profiler of AMD made the timeline, of ROCm or older: only
// their files fill tables AMD_….
func (t *Trace) OfAMD() bool {
	if t.OfROCm() {
		return true
	}
	for _, info := range t.Tables() {
		if strings.HasPrefix(info.Name, "AMD_") {
			return true
		}
	}
	return false
}

// Words are what a maker of GPUs calls the things of a timeline.
type Words struct {
	API, Ranges, Marks, Stream string
	Copied                     string // before what a copy is from and to, and "]"
	Set                        string // a memory that is filled
}

// Words tells by the tool that made the timeline, and by tables that only files of
// AMD's tools fill, whose words to use.
func (t *Trace) Words() Words {
	switch {
	case t.OfROCm():
		return Words{API: t.api(), Ranges: "ROCTx", Marks: "ROCTx marks", Stream: "Queue %d", Copied: "[copy ", Set: "[fill]"}
	case t.OfAMD():
		return Words{API: "API", Ranges: "Markers", Marks: "Marks", Stream: "Queue %d", Copied: "[copy ", Set: "[fill]"}
	}
	return Words{API: "CUDA API", Ranges: "NVTX", Marks: "NVTX marks", Stream: "Stream %d", Copied: "[CUDA memcpy ", Set: "[CUDA memset]"}
}

// api names the APIs that calls are of: "HIP API", "HIP and HSA API".
func (t *Trace) api() string {
	n := len(t.APIs)
	switch n {
	case 0:
		return "HIP API"
	case 1:
		return t.APIs[0] + " API"
	}
	return strings.Join(t.APIs[:n-1], ", ") + " and " + t.APIs[n-1] + " API"
}

// CopyName is the name of copies of a kind of ENUM_CUDA_MEMCPY_OPER.
func (t *Trace) CopyName(ctx context.Context, kind int64) string {
	return t.Words().Copied + t.Label(ctx, "ENUM_CUDA_MEMCPY_OPER", kind) + "]"
}
