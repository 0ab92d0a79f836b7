package trace

import "strings"

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
