package stats

import (
	"context"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/trace"
)

// TestOwnReports checks reports that no other tool has, against numbers worked out
// by hand.
func TestOwnReports(t *testing.T) {
	m := made{
		"StringIds":               "id value\n1 cudaMalloc\n2 cudaEventQuery\n3 gemm\n4 step",
		trace.TableGraph:          "start end globalPid deviceId graphId graphExecId\n0 10 p1 0 5 6\n20 50 p1 0 5 6\n60 65 p1 1 7 8",
		trace.TableKernel:         "start end globalPid deviceId streamId correlationId shortName demangledName\n100 120 p1 0 7 1 3 3",
		trace.TableMemcpy:         "start end globalPid deviceId streamId copyKind srcKind dstKind bytes srcDeviceId dstDeviceId\n0 10 p1 0 7 1 1 2 1000 - -\n5 15 p1 0 8 1 1 2 2000 - -\n20 30 p1 0 8 10 2 2 100 0 1\n40 50 p1 0 7 2 2 0 10 - -",
		trace.TableRuntime:        "start end globalTid correlationId nameId returnValue\n0 5 p1t2 1 1 0\n6 8 p1t2 2 1 2\n9 12 p1t3 3 1 2\n13 14 p1t2 4 2 600",
		trace.TableMemoryUsage:    "start globalPid deviceId contextId address bytes memKind memoryOperationType correlationId\n10 p1 0 1 1000 100 2 0 1\n20 p1 0 1 2000 50 2 0 2\n30 p1 0 1 1000 100 2 1 3\n40 p1 0 1 9000 7 2 1 4\n50 p1 0 1 3000 20 2 0 -",
		tableMetrics:              "timestamp typeId metricId value\n50 256 1 10\n105 256 1 30\n115 256 1 50\n120 256 1 90\n110 257 1 1\n110 256 2 7",
		"TARGET_INFO_GPU_METRICS": "typeId metricId metricName\n256 1 SMActive\n256 2 DRAM\n257 1 SMActive",
		trace.TableNvtx:           "start end eventType text globalTid domainId\n100 112 59 step p1t2 0",
	}
	for spec, want := range map[string]string{
		"cuda_graph_sum":        "88.9 40 2 20.0 20.0 10 30 14.1 1 0 5 6\n11.1 5 1 5.0 5.0 5 5 0.0 1 1 7 8\n",
		"cuda_memcpy_matrix":    "Pinned of host Device of GPU 0 2 20 15 0.003 200,000.000\nDevice of GPU 0 Device of GPU 1 1 10 10 0.000 10,000.000\nDevice of GPU 0 Pageable of host 1 10 10 0.000 1,000.000\n",
		"failed_calls":          "2 5 6 9 1 2 cudaMalloc 2 out of memory\n",
		"failed_calls:queries":  "2 5 6 9 1 2 cudaMalloc 2 out of memory\n1 1 13 13 1 2 cudaEventQuery 600 not ready\n",
		"cuda_memory_usage_sum": "0.000 20 0.000 2 0.000 3 2 1 1 0 Device\n",
		"gpu_metrics_sum":       "0 DRAM 7.00 7 7 1\n0 SMActive 45.00 10 90 4\n1 SMActive 1.00 1 1 1\n",
		"gpu_metrics_kern_sum":  "0 DRAM 7.00 7 7 1 gemm\n0 SMActive 40.00 30 50 2 gemm\n",
		"gpu_metrics_nvtx_sum":  "0 DRAM 7.00 7 7 1 step\n0 SMActive 30.00 30 30 1 step\n1 SMActive 1.00 1 1 1 step\n",
	} {
		if got := strings.ReplaceAll(linesOf(t, spec, m), ",", ""); got != strings.ReplaceAll(want, ",", "") {
			t.Errorf("%s:\n got %q\nwant %q", spec, got, want)
		}
	}
	r, _, err := Parse("cuda_memory_usage_trace")
	if err != nil {
		t.Fatal(err)
	}
	tab, err := r.Build(context.Background(), &Request{Trace: trace.New("made", m)})
	if err != nil {
		t.Fatal(err)
	}
	var used []int64
	for row := range tab.All() {
		used = append(used, int64(row[3].Uint64()))
	}
	if want := []int64{100, 150, 50, 50, 70}; len(used) != 5 || used[1] != want[1] || used[3] != want[3] || used[4] != want[4] {
		t.Errorf("in use %v, want %v", used, want)
	}
	var notes []string
	r, args, _ := Parse("cuda_gpu_kern_sum:base")
	delete(m, "StringIds")
	if _, err := r.Build(context.Background(), &Request{Trace: trace.New("made", m), Args: args, Note: func(s string) { notes = append(notes, s) }}); err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(notes, "\n"); !strings.Contains(all, "3 launches of CUDA graphs") || !strings.Contains(all, "StringIds") {
		t.Errorf("notes %q", notes)
	}
	if got := linesOf(t, "cuda_gpu_kern_sum", m); !strings.Contains(got, "#3") {
		t.Errorf("without texts: %q", got)
	}
}

// TestCriticalPath walks a program of two launches, a copy on another stream that
// waits for an event, and a wait for all.
func TestCriticalPath(t *testing.T) {
	m := made{
		"StringIds":                           "id value\n1 cudaLaunchKernel\n2 cudaDeviceSynchronize\n3 gemm\n4 cudaMemcpyAsync",
		trace.TableRuntime:                    "start end globalTid correlationId nameId\n0 10 p1t2 1 1\n20 30 p1t2 2 1\n32 34 p1t2 3 4\n40 200 p1t2 4 2\n210 220 p1t2 5 1",
		trace.TableKernel:                     "start end globalPid deviceId contextId streamId correlationId shortName\n15 60 p1 0 1 7 1 3\n60 100 p1 0 1 7 2 3\n225 230 p1 0 1 7 5 3",
		trace.TableMemcpy:                     "start end globalPid deviceId contextId streamId correlationId copyKind\n105 190 p1 0 1 8 3 2",
		"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": "start globalPid correlationId syncType contextId streamId\n31 p1 9 2 1 8\n40 p1 4 4 1 0",
	}
	want := "0 15 launch cudaLaunchKernel 0 7 1 2\n15 45 kernel gemm 0 7  \n60 40 kernel gemm 0 7  \n100 5 between from work to work 0 8  \n105 85 copy Device-to-Host 0 8  \n" +
		"190 10 call cudaDeviceSynchronize   1 2\n200 10 host between calls   1 2\n210 15 launch cudaLaunchKernel 0 7 1 2\n225 5 kernel gemm 0 7  \n"
	if got := linesOf(t, "critical_path_trace", m); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := linesOf(t, "critical_path_sum:rows=1", m); !strings.HasPrefix(got, "39.1 90 3 ") {
		t.Errorf("sum: %s", got)
	}
}
