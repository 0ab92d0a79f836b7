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

// TestCallSources: calls have the symbol and the place of their stack trace.
func TestCallSources(t *testing.T) {
	got, _ := pagetest.Render(t, Calls, "../../format/amd/testdata/vectors/234-sections-all.atp", view.FormatCSV, pagetest.Options("thread", "100"))
	for _, want := range []string{`"Symbol","Source"`, `,"main.c:12"`, `,"my dir/main.c:20"`, `"0x401000+0x20",`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// TestCallsAreCut: text shows so many calls of all threads together, fewer of the threads
// after these, and says that there are more; csv has all, in their order.
func TestCallsAreCut(t *testing.T) {
	var b strings.Builder
	b.WriteString("TraceFileVersion=3.2\n=====ocl API Trace Output=====\n")
	for _, thread := range []string{"7", "8"} {
		b.WriteString(thread + "\n100003\n" + strings.Repeat("CL_SUCCESS = clFlush ( 0x1 )\n", 100_001) + "CL_SUCCESS = clFinish ( 0x1 )\nCL_INVALID_VALUE = clFinish ( 0x2 )\n")
	}
	b.WriteString("=====ocl Timestamp Output=====\n")
	for _, thread := range []string{"7", "8"} {
		b.WriteString(thread + "\n100003\n" + strings.Repeat("50   clFlush                                      100                  200\n", 100_001) +
			strings.Repeat("51   clFinish                                     200                  300\n", 2))
	}
	file := filepath.Join(t.TempDir(), "s.atp")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	got, notes := pagetest.Render(t, Calls, file, view.FormatText, nil)
	if n := strings.Count(got, "clFlush"); n != mostText+fewText || len(notes) > 0 {
		t.Errorf("%d calls, %q", n, notes)
	}
	for _, want := range []string{"Only the first 100000 rows are shown as text; --format csv has all", "Only the first 1000 rows are shown", "Thread 7, ocl", "Thread 8, ocl"} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%q: %d times", want, strings.Count(got, want))
		}
	}
	if got, _ = pagetest.Render(t, Calls, file, view.FormatCSV, nil); strings.Count(got, `"clFlush"`) != 200_002 || strings.Count(got, `"clFinish"`) != 4 || strings.Count(got, `"100001","clFinish"`) != 2 {
		t.Errorf("csv lacks calls, or has some twice")
	}
	if got, notes = pagetest.Render(t, Calls, file, view.FormatText, pagetest.Options("failed", "true", "thread", "8")); len(notes) > 0 || strings.Count(got, "clFinish") != 1 || strings.Contains(got, "Only the first") {
		t.Errorf("%q\n%s", notes, got)
	}
	if got, notes = pagetest.Render(t, Calls, file, view.FormatText, pagetest.Options("api", "clWait")); len(notes) != 1 || !strings.Contains(notes[0], `--api: no call has "clwait" in its name`) || strings.Contains(got, "Thread") {
		t.Errorf("%q\n%s", notes, got)
	}
}
