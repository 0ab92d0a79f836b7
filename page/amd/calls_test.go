package amd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/view"
)

// TestCalls: calls with their commands, and the occupancy of a kernel from the
// file beside.
func TestCalls(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"230-sections-ocl-hsa.atp", "300-occupancy-filter.occupancy"} {
		b, err := os.ReadFile("../../format/amd/testdata/vectors/" + name)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.NewReplacer("5075,filter", "100,kern").Replace(string(b))
		if err := os.WriteFile(filepath.Join(dir, "s"+filepath.Ext(name)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, notes := pagetest.Render(t, Calls, filepath.Join(dir, "s.atp"), view.FormatCSV, nil)
	for _, want := range []string{
		`"1","clEnqueueNDRangeKernel","0xa0;0xb1;1;NULL;[1048576];[64];0;NULL;NULL","CL_SUCCESS","kern","50","0.00010","0.00100","0.00048",` + "\n",
		`"2","clEnqueueReadBuffer",`, `"READ_BUFFER",,"0.00010","0.00200","0.00048",`,
		`"1","hsa_queue_destroy","queue=NULL","HSA_STATUS_ERROR_INVALID_QUEUE"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if len(notes) > 0 {
		t.Error(notes)
	}
	got, _ = pagetest.Render(t, Calls, filepath.Join(dir, "s.atp"), view.FormatCSV, pagetest.Options("failed", "true"))
	if strings.Contains(got, "clFinish") || !strings.Contains(got, "hsa_queue_destroy") {
		t.Errorf("failed calls:\n%s", got)
	}
}
