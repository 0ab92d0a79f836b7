package load

import (
	"strings"
	"testing"
)

// TestUnknownSizes: from registers or sizes that a file does not know follows no
// occupancy, and no number of work-groups.
func TestUnknownSizes(t *testing.T) {
	text := "Method, ExecutionOrder, ThreadID, CallIndex, GlobalWorkSize, WorkGroupSize, Time, LocalMemSize, VGPRs, SGPRs\n" +
		"f__k1_Hawaii1, 1, 7, 1, {2560 1 1}, NULL, 0.5, 7040, 42, 68\n" +
		"f__k1_Hawaii1, 2, 7, 1, {2560 1 1}, {256 1 1}, 0.5, 7040, NULL, 68\n" +
		"f__k1_Hawaii1, 3, 7, 1, {2560 1 1}, {256 1 1}, 0.5, 7040, 42, NULL\n" +
		"f__k1_Hawaii1, 4, 7, 1, {2560 1 1}, {256 1 1}, 0.5, NULL, 42, 68\n" +
		"f__k1_Hawaii1, 5, 7, 1, {2560 1 1}, {256 1 1}, 0.5, 7040, 42, 68\n"
	f, err := OpenReader(strings.NewReader(text), int64(len(text)), "s.csv")
	if err != nil || len(f.Problems()) > 0 {
		t.Fatal(err, f.Problems())
	}
	for i, a := range f.Report.Actions() {
		if m := lookup(t, a, "KernelOccupancy"); (m != nil) != (i == 4) {
			t.Errorf("launch %d: occupancy %v", i, m)
		}
		if m := lookup(t, a, "launch__grid_size"); (m != nil) != (i > 0) {
			t.Errorf("launch %d: grid %v", i, m)
		}
	}
}
