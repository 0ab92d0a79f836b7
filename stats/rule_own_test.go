package stats

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// Device 0: a collective from 0 to 100000, of which a kernel covers 20000 to
// 50000; then three short kernels. Each begins 1000 ns after its launch.
var busy = made{
	"StringIds": `
id value
1  ncclDevKernel_AllReduce
2  gemm
3  cudaLaunchKernel_v7000
4  cudaStreamSynchronize_v3020`,
	"CUPTI_ACTIVITY_KIND_KERNEL": `
start  end    globalPid deviceId contextId streamId correlationId shortName demangledName
0      100000 p7        0        1         7        1             1         1
20000  50000  p7        0        1         8        2             2         2
200000 201000 p7        0        1         7        3             2         2
300000 302000 p7        0        1         7        4             2         2
400000 403000 p7        0        1         7        5             2         2`,
	"CUPTI_ACTIVITY_KIND_RUNTIME": `
start  end    globalTid correlationId nameId
0      0      p7t9      1             3
0      19000  p7t9      2             3
150000 199000 p7t9      3             3
210000 290000 p7t9      6             4
290000 299000 p7t9      4             3
390000 399000 p7t9      5             3`,
}

func TestOwnRules(t *testing.T) {
	for spec, want := range map[string]string{
		"gpu_busy": `
Busy (%),Busy Time (ns),Span (ns),Start (ns),Operations,PID,Device ID
26.3,106000,403000,0,5,7,0`,
		"exposed_communication": `
Exposed (%),Exposed Time (ns),Communication Time (ns),Compute Time (ns),Kernels,PID,Device ID,Longest Kernel Row
70.0,70000,100000,36000,1,7,0,1`,
		"small_kernels:least=4": `
Small (%),Small Kernels,Kernels,Avg Small (ns),PID,Device ID,Stream ID,First Row
75.0,3,4,2000.0,7,0,7,3`,
		"launch_bound:chunks=2:least=1": `
Prompt (%),Prompt Kernels,Kernels,Busy (%),Duration (ns),Start (ns),PID,Device ID,First Row,Last Row
100.0,2,2,2.5,201501,201501,7,0,4,5`,
		"gpu_idle": `
Idle (%),Idle Time (ns),Host Waits (ns),Host Launches (ns),Neither (ns),Span (ns),PID,Device ID,Longest Gap (ns),Gap Start (ns)
73.7,297000,80000,67000,150000,403000,7,0,100000,100000`,
		"sync_points": `
Waiting (%),Waiting Time (ns),Calls,Longest (ns),Longest Start (ns),Idle After (ns),Span (ns),PID,TID,API Name,Longest Row
20.1,80000,1,80000,210000,10000,399000,7,9,cudaStreamSynchronize v3020,4`,
	} {
		t.Run(spec, func(t *testing.T) { expect(t, report(t, busy, spec), want) })
	}
}

// TestOwnRulesAbstain: a rule without its data says which is missing.
func TestOwnRulesAbstain(t *testing.T) {
	noCalls, graphs, alone := maps.Clone(busy), maps.Clone(busy), maps.Clone(busy)
	delete(noCalls, "CUPTI_ACTIVITY_KIND_RUNTIME")
	graphs["CUPTI_ACTIVITY_KIND_GRAPH_TRACE"] = "start end globalPid deviceId contextId correlationId\n0 500000 p7 0 1 9"
	alone["StringIds"] = strings.ReplaceAll(busy["StringIds"], "nccl", "")
	for _, c := range []struct {
		tables     made
		rule, want string
	}{
		{made{}, "gpu_busy", "no work of a GPU"},
		{made{}, "small_kernels", "CUPTI_ACTIVITY_KIND_KERNEL"},
		{made{}, "launch_bound", "CUPTI_ACTIVITY_KIND_KERNEL"},
		{noCalls, "launch_bound", "CUPTI_ACTIVITY_KIND_RUNTIME"},
		{noCalls, "gpu_idle", "cause of idle time cannot be told"},
		{graphs, "exposed_communication", "1 launches of CUDA graphs"},
		{alone, "exposed_communication", "no kernels of NCCL"},
	} {
		if got := report(t, c.tables, c.rule); !strings.HasPrefix(got, "skipped") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s; want %q", c.rule, got, c.want)
		}
	}
	if got := report(t, graphs, "gpu_busy"); !strings.Contains(got, "100.0,500000,500000") {
		t.Errorf("a graph is not busy time: %s", got)
	}
}

// TestBound: neighbouring pieces that wait for launches are one; a piece that is
// busy, empty or has too few kernels parts them.
func TestBound(t *testing.T) {
	waits := func(first int64) launchChunk {
		return launchChunk{start: 100 * first, size: 100, used: 10, kernels: 8, prompt: 6, first: first, last: first + 7}
	}
	busy, few := waits(0), waits(0)
	busy.used, few.kernels, few.prompt = 60, 2, 2
	got := bound([]launchChunk{waits(1), waits(2), busy, waits(4), few, {size: 100}, waits(6)}, 4)
	want := []launchChunk{{start: 100, size: 200, used: 20, kernels: 16, prompt: 12, first: 1, last: 9}, waits(4), waits(6)}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}
