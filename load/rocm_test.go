package load

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/trace"
)

// sumOf adds up the durations in a table.
func sumOf(t *testing.T, tr *trace.Trace, table string) (rows int, ns int64) {
	t.Helper()
	k, err := tr.Table(context.Background(), table, "start", "end")
	if err != nil {
		t.Fatal(err)
	}
	if k == nil {
		return 0, 0
	}
	start, end := k.Ints("start"), k.Ints("end")
	for i := range start {
		ns += end[i] - start[i]
	}
	return k.Rows, ns
}

// TestROCmTimeline: kernels of ROCm files in the timeline add up to what SQL and
// Python's json module count.
func TestROCmTimeline(t *testing.T) {
	dir := filepath.Join(corpustest.Dir(t), "corpus", "amd")
	for _, c := range []struct {
		file    string
		kernels int
		ns      int64
		calls   int
	}{
		{"AMD-AGI__TraceLens__908_results.json.gz", 43915, 4441741378, 0},
		{"ROCm__rocmProfileData__matmul_result.rpd", 29, 26399795, 125},
		{"ROCm__rocmProfileData__mytrace.rpd.gz", 8948, 407137675, 14736},
		{"ROCm__rocprofiler-sdk__kernel_trace.csv", 7, 795453, 0},
	} {
		f, err := Open(context.Background(), filepath.Join(dir, c.file))
		if err != nil {
			t.Error(err)
			continue
		}
		n, ns := sumOf(t, f.Trace, trace.TableKernel)
		calls, _ := sumOf(t, f.Trace, trace.TableRuntime)
		if n != c.kernels || ns != c.ns || calls != c.calls {
			t.Errorf("%s: %d kernels of %d ns, %d calls", c.file, n, ns, calls)
		}
		f.Close()
	}
}

// TestAMDTimeline: a session of CodeXL in the tables of the timeline.
func TestAMDTimeline(t *testing.T) {
	f, err := Open(context.Background(), "../format/amd/testdata/vectors/234-sections-all.atp")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, c := range []struct {
		table string
		rows  int
		ns    int64
	}{{trace.TableKernel, 2, 5000}, {trace.TableMemcpy, 1, 2000}, {trace.TableRuntime, 6, 1500}} {
		if n, ns := sumOf(t, f.Trace, c.table); n != c.rows || ns != c.ns {
			t.Errorf("%s: %d rows of %d ns", c.table, n, ns)
		}
	}
	for table, rows := range map[string]int{"AMD_CALLS": 6, "AMD_COMMANDS": 2, "AMD_PACKETS": 1, "AMD_SOURCES": 4, trace.TableNvtx: 3, "TARGET_INFO_GPU": 1} {
		a, err := f.Trace.All(context.Background(), table)
		if err != nil || a == nil || a.Rows != rows {
			t.Errorf("%s: %+v, %v; want %d rows", table, a, err, rows)
		}
	}
	// A kernel is tied to the call that launched it.
	k, err := f.Trace.Table(context.Background(), trace.TableKernel, "correlationId", "demangledName")
	if err != nil {
		t.Fatal(err)
	}
	r, err := f.Trace.Table(context.Background(), trace.TableRuntime, "correlationId", "nameId")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Trace.LoadNames(context.Background()); err != nil {
		t.Fatal(err)
	}
	if c := k.Ints("correlationId")[0]; f.Trace.NameText(r.Ints("nameId")[c-1]) != "clEnqueueNDRangeKernel" || f.Trace.NameText(k.Ints("demangledName")[0]) != "kern" {
		t.Errorf("kernel %q is tied to call %d", f.Trace.NameText(k.Ints("demangledName")[0]), c)
	}
}

// TestDispatchesWithoutTimes: one that lacks its times takes none of the others from
// the timeline, and a GPU whose compute units are not told has none to show.
func TestDispatchesWithoutTimes(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"7_kernel_trace.csv": "Kind,Agent_Id,Queue_Id,Kernel_Name,Dispatch_Id,Correlation_Id,Start_Timestamp,End_Timestamp\nK,2,1,f,1,2,10,20\nK,2,1,g,2,3,,\nK,2,1,f,3,4,30,50\n",
		"7_agent_info.csv":   "Node_Id,Agent_Type,Name\n2,GPU,gfx942\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n, ns := sumOf(t, f.Trace, trace.TableKernel); n != 2 || ns != 30 {
		t.Errorf("%d kernels of %d ns", n, ns)
	}
	rest, err := f.Trace.All(t.Context(), "AMD_DISPATCHES")
	if err != nil || rest.Rows != 1 || rest.Ints("dispatchId")[0] != 2 {
		t.Errorf("%+v, %v", rest, err)
	}
	gpus, err := f.Trace.All(t.Context(), "TARGET_INFO_GPU")
	if err != nil || !gpus.IsNull("smCount", 0) {
		t.Errorf("%+v, %v", gpus, err)
	}
	if len(f.Report.Actions()) != 3 {
		t.Error("launches are missing")
	}
}
