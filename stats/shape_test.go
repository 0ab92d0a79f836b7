package stats

import (
	"context"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// parts has two processes, two devices, two streams.
var partedTrace = made{
	"StringIds": "id value\n1 add\n2 mul\n3 cudaLaunchKernel",
	trace.TableKernel: `start end globalPid deviceId streamId correlationId shortName demangledName
10 20 p5 0 7 1 1 1
20 25 p5 0 8 2 2 2
30 37 p5 1 7 3 1 1
40 44 p6 0 7 1 2 2
50 90 p6 0 7 2 1 1`,
	trace.TableRuntime: `start end globalTid correlationId nameId
1 3 p5t1 1 3
4 5 p5t1 2 3
6 9 p5t2 3 3
2 4 p6t3 1 3
5 9 p6t3 2 3`,
}

// lines prints the cells of a report, a row a line.
func linesOf(t *testing.T, spec string, m made) string {
	t.Helper()
	r, args, err := Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	tab, err := r.Build(context.Background(), &Request{Trace: trace.New("made", m), Args: args})
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	head := true
	for row := range view.CellRows(tab, view.Options{}) {
		if head {
			head = false
			continue
		}
		b.WriteString(strings.Join(row, " ") + "\n")
	}
	return b.String()
}

func TestParted(t *testing.T) {
	for spec, want := range map[string]string{
		"cuda_gpu_kern_sum:base:device:rows=1":     "0 84.7 50 2 25.0 25.0 10 40 21.2 add\n1 100.0 7 1 7.0 7.0 7 7 0.0 add\n",
		"cuda_gpu_kern_sum:base:process:sort=name": "5 77.3 17 2 8.5 8.5 7 10 2.1 add\n5 22.7 5 1 5.0 5.0 5 5 0.0 mul\n6 90.9 40 1 40.0 40.0 40 40 0.0 add\n6 9.1 4 1 4.0 4.0 4 4 0.0 mul\n",
		"cuda_api_sum:stream":                      "5 0 7 100.0 2 1 2.0 2.0 2 2 0.0 cudaLaunchKernel\n5 0 8 100.0 1 1 1.0 1.0 1 1 0.0 cudaLaunchKernel\n5 1 7 100.0 3 1 3.0 3.0 3 3 0.0 cudaLaunchKernel\n6 0 7 100.0 6 2 3.0 3.0 2 4 1.4 cudaLaunchKernel\n",
		"cuda_gpu_kern_sum:base:sort=-min":         "13.6 9 2 4.5 4.5 4 5 0.7 mul\n86.4 57 3 19.0 10.0 7 40 18.2 add\n",
		"cuda_gpu_kern_sum:base:rows=0":            "",
		"nvtx_sum:device":                          "the trace has no NVTX events: there is no table NVTX_EVENTS",
	} {
		if got := linesOf(t, spec, partedTrace); got != want {
			t.Errorf("%s:\n got %q\nwant %q", spec, got, want)
		}
	}
	if got := linesOf(t, "cuda_api_sum:sort=totl_time", partedTrace); !strings.Contains(got, "total_time") {
		t.Error(got)
	}
	if _, _, err := Parse("cuda_api_sum:devise"); err == nil || !strings.Contains(err.Error(), "device") {
		t.Error(err)
	}
}

func TestGapUnits(t *testing.T) {
	m := made{trace.TableKernel: "start end globalPid deviceId contextId\n0 10 p1 0 0\n1000 1010 p1 0 0\n31010 31020 p1 0 0\n2000000 2000010 p1 0 0"}
	for spec, want := range map[string]int{"gpu_gaps": 0, "gpu_gaps:gap=1": 1, "gpu_gaps:gap=20us": 2, "gpu_gaps:gap=500ns": 3, "gpu_gaps:gap=0.02ms": 2} {
		if got := strings.Count(linesOf(t, spec, m), "\n"); got != want {
			t.Errorf("%s: %d gaps, want %d", spec, got, want)
		}
	}
	if _, _, err := Parse("gpu_gaps:gap=3parsec"); err == nil {
		t.Error("a parsec is no time")
	}
}
