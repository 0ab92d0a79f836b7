package file

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/view"
)

// TestAMDTables: tables of an AMD trace are told in AMD's words.
func TestAMDTables(t *testing.T) {
	got, _ := pagetest.Render(t, Info, "../../format/amd/testdata/vectors/234-sections-all.atp", view.FormatText, nil)
	if !strings.Contains(got, "calls of HIP, HSA and OpenCL") || !strings.Contains(got, "places of calls in the source") || strings.Contains(got, "CUDA runtime") {
		t.Error(got)
	}
}

// TestCounted: what several have is said once.
func TestCounted(t *testing.T) {
	if d := cmp.Diff([]string{"gfx942 (3 of them)", "CPU"}, counted([]string{"gfx942", "CPU", "gfx942", "gfx942"})); d != "" {
		t.Error(d)
	}
}
