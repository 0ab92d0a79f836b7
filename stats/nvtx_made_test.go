package stats

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gpuprof/gpuprof/trace"
)

// nested has two ranges within a third on a thread of a process, and one on
// another thread that launches nothing. Kernel 4 is launched outside of all.
func nested() made {
	return made{
		"StringIds": "id value\n1 outer\n2 inner\n3 add(int)\n4 mul(int)\n5 cudaLaunchKernel_v7000\n6 cudaMemcpyAsync\n7 idle\n8 add\n9 mul",
		"NVTX_EVENTS": `
start end eventType textId text globalTid endGlobalTid domainId rangeId
0     100 59        1      -    p7t8      -            0        -
10    40  59        2      -    p7t8      -            0        -
50    80  59        2      -    p7t8      -            0        -
0     200 60        7      -    p7t9      p7t9         0        1`,
		"CUPTI_ACTIVITY_KIND_RUNTIME": `
start end globalTid correlationId nameId returnValue
15    20  p7t8      1             5      0
25    30  p7t8      5             6      0
55    60  p7t8      2             5      0
90    95  p7t8      3             5      0
120   125 p7t8      4             5      0`,
		"CUPTI_ACTIVITY_KIND_KERNEL": `
start end deviceId contextId streamId correlationId globalPid demangledName shortName mangledName gridX gridY gridZ blockX blockY blockZ
30    130 0        1         7        1             p7        3             8         3           1     1     1     32     1      1
130   150 0        1         7        2             p7        4             9         4           1     1     1     32     1      1
150   210 0        1         7        3             p7        3             8         3           2     1     1     64     1      1
210   220 0        1         7        4             p7        4             9         4           1     1     1     32     1      1`,
		"CUPTI_ACTIVITY_KIND_MEMCPY": `
start end deviceId contextId streamId correlationId globalPid bytes copyKind srcKind dstKind
35    45  0        1         7        5             p7        4096  1        0       2`,
	}
}

// TestNested compares reports with what the numbers of nested come to by hand: the
// outer range holds the calls of three kernels and the copy, whose work lasts
// from 30 to 210; the first inner one a kernel and the copy, 30 to 130; the
// second a kernel, 130 to 150. The fourth kernel is outside of all.
func TestNested(t *testing.T) {
	for spec, want := range map[string]string{
		"nvtx_pushpop_trace": `
Start (ns),End (ns),Duration (ns),DurChild (ns),DurNonChild (ns),Name,PID,TID,Lvl,NumChild,RangeId,ParentId,RangeStack,NameTree
0,100,100,60,40,outer,7,8,0,2,1,,:1,outer
10,40,30,0,30,inner,7,8,1,0,2,1,:1:2,--inner
50,80,30,0,30,inner,7,8,1,0,3,1,:1:3,--inner`,
		"nvtx_pushpop_sum": `
Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Range
62.5,100,1,100.0,100.0,100,100,0.0,outer
37.5,60,2,30.0,30.0,30,30,0.0,inner`,
		"nvtx_startend_sum": `
Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Range
100.0,200,1,200.0,200.0,200,200,0.0,idle`,
		"nvtx_gpu_proj_trace": `
Name,Projected Start (ns),Projected Duration (ns),Orig Start (ns),Orig Duration (ns),Style,PID,TID,NumGPUOps,Lvl,NumChild,RangeId,ParentId,RangeStack
,210,10,,,,7,8,1,,0,,,
outer,30,180,0,100,PushPop,7,8,4,0,2,1,,:1
inner,30,100,10,30,PushPop,7,8,2,1,0,2,1,:1:2
inner,130,20,50,30,PushPop,7,8,1,1,0,3,1,:1:3`,
		"nvtx_gpu_proj_sum": `
Range,Style,Total Proj Time (ns),Total Range Time (ns),Range Instances,Proj Avg (ns),Proj Med (ns),Proj Min (ns),Proj Max (ns),Proj StdDev (ns),Total GPU Ops,Avg GPU Ops,Avg Range Lvl,Avg Num Child
outer,PushPop,180,100,1,180.0,180.0,180,180,0.0,4,4.0,0.0,2.0
inner,PushPop,120,60,2,60.0,60.0,20,100,56.6,3,1.5,1.0,0.0`,
		"nvtx_kern_sum": `
NVTX Range,Style,PID,TID,NVTX Inst,Kern Inst,Total Time (ns),Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Kernel Name
,,7,8,0,1,10,10.0,10.0,10,10,0.0,mul(int)
inner,PushPop,7,8,1,1,100,100.0,100.0,100,100,0.0,add(int)
inner,PushPop,7,8,1,1,20,20.0,20.0,20,20,0.0,mul(int)
outer,PushPop,7,8,1,2,160,80.0,80.0,60,100,28.3,add(int)
outer,PushPop,7,8,1,1,20,20.0,20.0,20,20,0.0,mul(int)`,
		"cuda_gpu_kern_gb_sum:nvtx-name": `
Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),GridXYZ,BlockXYZ,Name
52.6,100,1,100.0,100.0,100,100,0.0,   1    1    1,  32    1    1,inner/add(int)
31.6,60,1,60.0,60.0,60,60,0.0,   2    1    1,  64    1    1,outer/add(int)
10.5,20,1,20.0,20.0,20,20,0.0,   1    1    1,  32    1    1,inner/mul(int)
5.3,10,1,10.0,10.0,10,10,0.0,   1    1    1,  32    1    1,mul(int)`,
		"cuda_gpu_mem_size_sum": `
Total (MB),Count,Avg (MB),Med (MB),Min (MB),Max (MB),StdDev (MB),Operation
0.004,1,0.004,0.004,0.004,0.004,0.000,[CUDA memcpy Host-to-Device]`,
		"cuda_api_trace": `
Start (ns),Duration (ns),Name,Result,CorrID,Pid,Tid,T-Pri,Thread Name
15,5,cudaLaunchKernel v7000,0,1,7,8,,
25,5,cudaMemcpyAsync,0,5,7,8,,
55,5,cudaLaunchKernel v7000,0,2,7,8,,
90,5,cudaLaunchKernel v7000,0,3,7,8,,
120,5,cudaLaunchKernel v7000,0,4,7,8,,`,
		"cuda_kern_exec_sum": `
PID,TID,DevId,Count,QCount,TAvg (ns),TMed (ns),TMin (ns),TMax (ns),TStdDev (ns),AAvg (ns),AMed (ns),AMin (ns),AMax (ns),AStdDev (ns),QAvg (ns),QMed (ns),QMin (ns),QMax (ns),QStdDev (ns),KAvg (ns),KMed (ns),KMin (ns),KMax (ns),KStdDev (ns),API Name,Kernel Name
7,8,0,2,2,117.5,117.5,115,120,3.5,5.0,5.0,5,5,0.0,32.5,32.5,10,55,31.8,80.0,80.0,60,100,28.3,cudaLaunchKernel v7000,add(int)
7,8,0,2,2,97.5,97.5,95,100,3.5,5.0,5.0,5,5,0.0,77.5,77.5,70,85,10.6,15.0,15.0,10,20,7.1,cudaLaunchKernel v7000,mul(int)`,
		"cuda_kern_exec_trace": `
API Start (ns),API Dur (ns),Queue Start (ns),Queue Dur (ns),Kernel Start (ns),Kernel Dur (ns),Total Dur (ns),PID,TID,DevId,API Function,GridXYZ,BlockXYZ,Kernel Name
15,5,20,10,30,100,115,7,8,0,cudaLaunchKernel v7000,   1    1    1,  32    1    1,add(int)
55,5,60,70,130,20,95,7,8,0,cudaLaunchKernel v7000,   1    1    1,  32    1    1,mul(int)
90,5,95,55,150,60,120,7,8,0,cudaLaunchKernel v7000,   2    1    1,  64    1    1,add(int)
120,5,125,85,210,10,100,7,8,0,cudaLaunchKernel v7000,   1    1    1,  32    1    1,mul(int)`,
		"cuda_api_gpu_sum": `
Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Category,Operation
71.1,160,2,80.0,80.0,60,100,28.3,CUDA_KERNEL,add(int)
13.3,30,2,15.0,15.0,10,20,7.1,CUDA_KERNEL,mul(int)
8.9,20,4,5.0,5.0,5,5,0.0,CUDA_API,cudaLaunchKernel v7000
4.4,10,1,10.0,10.0,10,10,0.0,MEMORY_OPER,[CUDA memcpy Host-to-Device]
2.2,5,1,5.0,5.0,5,5,0.0,CUDA_API,cudaMemcpyAsync`,
	} {
		t.Run(spec, func(t *testing.T) { expect(t, report(t, nested(), spec), want) })
	}
}

// TestRangeFilter keeps what overlaps the second inner range, 50 to 80.
func TestRangeFilter(t *testing.T) {
	tr := trace.New("made", nested())
	for spec, want := range map[string]Filter{"inner": {10, 40}, "inner/1": {50, 80}, "outer": {0, 100}, "inner@*/1": {50, 80}} {
		f, err := RangeFilter(context.Background(), tr, spec)
		if err != nil || *f != want {
			t.Errorf("%s: %v, want %v; %v", spec, f, want, err)
		}
	}
	for spec, want := range map[string]string{"inner/2": "2 NVTX ranges match", "nowhere": "0 NVTX ranges match", "inner/x": "is no index", "inner@other": "0 NVTX ranges match"} {
		if _, err := RangeFilter(context.Background(), tr, spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", spec, err, want)
		}
	}
	r, args, err := Parse("cuda_gpu_sum")
	if err != nil {
		t.Fatal(err)
	}
	table, err := r.Build(context.Background(), &Request{Trace: tr, Args: args, Filter: &Filter{50, 80}})
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) != 1 || table.Rows[0][1].Float64() != 100 { // of the work only the first kernel, 30 to 130
		t.Errorf("in the range there are %v", table.Rows)
	}
}

// TestProjections compares the projection of random nested ranges with a search
// over all pairs of ranges and calls.
func TestProjections(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		type span struct{ start, end int64 }
		var ranges, calls, work []span
		var fill func(from, to int64, depth int)
		fill = func(from, to int64, depth int) {
			for at := from; to-at > 20 && len(ranges) < 40; {
				start := at + rapid.Int64Range(1, 8).Draw(rt, "gap")
				end := start + rapid.Int64Range(5, max(5, to-start-1)).Draw(rt, "length")
				if end >= to {
					return
				}
				ranges = append(ranges, span{start, end})
				if depth < 4 {
					fill(start, end, depth+1)
				}
				at = end
			}
		}
		fill(0, 1000, 0)
		for at := int64(0); at < 1000; {
			start := at + rapid.Int64Range(1, 30).Draw(rt, "pause")
			at = start + rapid.Int64Range(1, 5).Draw(rt, "call")
			begin := at + rapid.Int64Range(0, 200).Draw(rt, "delay")
			calls, work = append(calls, span{start, at}), append(work, span{begin, begin + rapid.Int64Range(1, 50).Draw(rt, "took")})
		}
		m := made{"StringIds": "id value\n1 r\n2 launch\n3 k"}
		var nvtx, api, kernels strings.Builder
		for _, r := range ranges {
			fmt.Fprintf(&nvtx, "\n%d %d 59 1 p7t8 0", r.start, r.end)
		}
		for i := range calls {
			fmt.Fprintf(&api, "\n%d %d p7t8 %d 2", calls[i].start, calls[i].end, i+1)
			fmt.Fprintf(&kernels, "\n%d %d p7 %d 3 0", work[i].start, work[i].end, i+1)
		}
		m["NVTX_EVENTS"] = "start end eventType textId globalTid domainId" + nvtx.String()
		m["CUPTI_ACTIVITY_KIND_RUNTIME"] = "start end globalTid correlationId nameId" + api.String()
		m["CUPTI_ACTIVITY_KIND_KERNEL"] = "start end globalPid correlationId demangledName deviceId" + kernels.String()
		var want []string
		for k, r := range ranges {
			first, last, ops := int64(math.MaxInt64), int64(0), 0
			for i, c := range calls {
				if c.start >= r.start && c.end <= r.end {
					first, last, ops = min(first, work[i].start), max(last, work[i].end), ops+1
				}
			}
			if ops > 0 {
				want = append(want, fmt.Sprint(k+1, r.start, first, last-first, ops))
			}
		}
		var got []string
		if len(ranges) > 0 {
			out := report(t, m, "nvtx_gpu_proj_trace")
			if strings.HasPrefix(out, "skipped") {
				out = ""
			}
			for _, l := range strings.Split(out, "\n")[1:] {
				if c := strings.Split(l, ","); len(c) > 13 && c[0] == "r" {
					got = append(got, strings.Join([]string{c[11], c[3], c[1], c[2], c[8]}, " "))
				}
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			rt.Fatalf("got  %v\nwant %v", got, want)
		}
	})
}

// TestPrograms has a few events of libraries, as their traces list them, and
// managed memory of which 4096 bytes moved one way in 10 ns and 8192 the other in
// 20: 409.6 bytes a nanosecond.
func TestPrograms(t *testing.T) {
	m := made{
		"StringIds":              "id value\n1 vkQueueSubmit\n2 MPI_Send\n3 MPI_Bcast\n4 load",
		"VULKAN_API":             "start end nameId eventClass contextId correlationId globalTid\n20 30 1 53 7 8 p7t8\n5 9 1 53 7 9 p7t8",
		"MPI_RANKS":              "globalTid rank\np7t8 3",
		"MPI_P2P_EVENTS":         "start end globalTid textId tag remoteRank size\n40 50 p7t8 2 99 1 4096",
		"MPI_COLLECTIVES_EVENTS": "start end globalTid textId rootRank size recvSize\n10 15 p7t8 3 0 64 32",
		"CUPTI_ACTIVITY_KIND_MEMCPY": `
start end deviceId contextId streamId correlationId globalPid bytes copyKind srcKind dstKind virtualAddress
0     10  0        1         7        5             p7        4096  11       0       2       65536
20    40  0        1         7        6             p7        8192  12       2       0       65536
50    60  0        1         7        7             p7        100   1        0       2       1`,
		"CUDA_UM_CPU_PAGE_FAULT_EVENTS": "start globalPid address CpuInstruction\n1 p7 65536 4\n2 p7 4096 4",
		"CUDA_UM_GPU_PAGE_FAULT_EVENTS": "start end globalPid deviceId address numberOfPageFaults faultAccessType\n3 4 p7 0 65536 5 0",
	}
	for spec, want := range map[string]string{
		"vulkan_api_trace": `
Start (ns),Duration (ns),Name,Event Class,Context,CorrID,Pid,Tid,T-Pri,Thread Name
5,4,vkQueueSubmit,Vulkan API,7,9,7,8,,
20,10,vkQueueSubmit,Vulkan API,7,8,7,8,,`,
		"mpi_event_trace": `
Start (ns),End (ns),Duration (ns),Event,Pid,Tid,Tag,Rank,PeerRank,RootRank,Size (MB),CollSendSize (MB),CollRecvSize (MB)
10,15,5,MPI Bcast,7,8,,3,,0,,0.000,0.000
40,50,10,MPI Send,7,8,99,3,1,,0.004,,`,
		"um_sum": `
Virtual Address,HtoD Migration Size (MB),DtoH Migration Size (MB),CPU Page Faults,GPU Page Faults,Migration Throughput (MB/s)
0x10000,0.004,0.008,1,5,409600.000
0x1000,0.000,0.000,1,0,`,
		"um_total_sum": `
Total HtoD Migration Size (MB),Total DtoH Migration Size (MB),Total CPU Page Faults,Total GPU PageFaults,Minimum Virtual Address,Maximum Virtual Address
0.004,0.008,2,5,0x1000,0x10000`,
		"um_cpu_page_faults_sum": `
CPU Page Faults,CPU Instruction Address
2,load`,
	} {
		t.Run(spec, func(t *testing.T) { expect(t, report(t, m, spec), want) })
	}
}
