package rcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/amd"
)

// A step is a call of a made trace. Where more is set, it follows the times.
type step struct {
	line       string
	start, end uint64
	more       string
}

// made lays steps out as the profiler writes them, a block for each thread.
func made(module string, threads ...[]step) string {
	var api, times strings.Builder
	ids := apiIDs(module)
	for i, th := range threads {
		fmt.Fprintf(&api, "%d\n%d\n", 100+i, len(th))
		fmt.Fprintf(&times, "%d\n%d\n", 100+i, len(th))
		for _, s := range th {
			c, _ := amd.ParseCall(s.line)
			fmt.Fprintln(&api, s.line)
			fmt.Fprintf(&times, "%-5d %-45s %-21d %-21d %s\n", slices.Index(ids, c.Name), c.Name, s.start, s.end, s.more)
		}
	}
	return "TraceFileVersion=3.2\nProfilerVersion=5.6.7262\n=====" + module + " API Trace Output=====\n" + api.String() +
		"=====" + module + " Timestamp Output=====\n" + times.String()
}

// commandText is what follows the times of a call that enqueued one. kind is
// NDRANGE_KERNEL, READ_BUFFER, …; what is kernel and sizes, or bytes.
func commandText(kind string, start, end uint64, device, what string) string {
	n := map[string]int{"NDRANGE_KERNEL": 4592, "READ_BUFFER": 4595, "WRITE_BUFFER": 4596, "MAP_BUFFER": 4603, "MIGRATE_MEM_OBJECTS": 4614, "FILL_BUFFER": 4615}[kind]
	return fmt.Sprintf("%d CL_COMMAND_%s 10 20 %d %d 0 0xa0 0 0xc0 %s %s", n, kind, start, end, device, what)
}

func kernelNamed(name string, start, end uint64) string {
	return commandText("NDRANGE_KERNEL", start, end, "gfx900", "0xb0 "+name+"      {65536}     {64}")
}

const (
	ndrange = "CL_SUCCESS = clEnqueueNDRangeKernel ( 0xa0;0xb0;1;NULL;[65536];[64];0;NULL;NULL )"
	read    = "CL_SUCCESS = clEnqueueReadBuffer ( 0xa0;0xd0;CL_FALSE;0;4096;0x7f00;0;NULL;NULL )"
	write   = "CL_SUCCESS = clEnqueueWriteBuffer ( 0xa0;0xd0;CL_TRUE;0;4096;0x7f00;0;NULL;NULL )"
	queue   = "0xa0 = clCreateCommandQueue ( 0xc0;0xdd;0;[CL_SUCCESS] )"
	finish  = "CL_SUCCESS = clFinish ( 0xa0 )"
)

// packets is a section of HSA dispatches; each is "name start end".
func packets(prefix string, indexed bool, list ...string) string {
	s := fmt.Sprintf("=====%shsa Kernel Timestamp Output=====\n%d\n", prefix, len(list))
	for _, p := range list {
		f := strings.Fields(p)
		index := ""
		if indexed {
			index = "0 "
		}
		s += fmt.Sprintf("%-50s 0x1 %s %s gfx900 0x2 %s0x3 HSA_PACKET_TYPE_KERNEL_DISPATCH 0 {}\n", f[0], f[1], f[2], index)
	}
	return s
}

// TestFacts: what Radeon Compute Profiler was seen to do, in traces made for it.
func TestFacts(t *testing.T) {
	hsaCalls := made(amd.HSA, []step{{"HSA_STATUS_SUCCESS = hsa_init (  )", 1000, 3000, ""}})
	copyOf := func(args string) []step {
		return []step{{"HSA_STATUS_SUCCESS = hsa_amd_memory_async_copy ( " + args + " )", 1, 2, "1000 3000"}}
	}
	for _, c := range []struct {
		fact, trace, page string
		want              []string // in this order; a leading ! means nowhere
	}{
		{"equal durations: the later parsed goes first, blocks in file order", made(amd.OpenCL, []step{{ndrange, 1, 2, kernelNamed("a", 100, 200)}, {ndrange, 3, 4, kernelNamed("b", 300, 400)}},
			[]step{{ndrange, 1, 2, kernelNamed("c", 50, 150)}}), "CLKernelSummaryList", []string{"c\t0", "b\t0", "a\t0"}},
		{"API summary ties: reverse order of names, of HSA too", made(amd.HSA, []step{{"HSA_STATUS_SUCCESS = hsa_init (  )", 10, 20, ""}, {"HSA_STATUS_SUCCESS = hsa_shut_down (  )", 30, 40, ""}}),
			"HSAAPISummary", []string{"hsa_shut_down", "hsa_init"}},
		{"kernel summary ties: reverse order of name and device in one", made(amd.OpenCL, []step{{ndrange, 1, 2, kernelNamed("a", 100, 200)}, {ndrange, 3, 4, kernelNamed("ab", 300, 400)}}),
			"CLKernelSummary", []string{"ab\t", "a\t"}},
		{"all times zero: 0 and -nan", made(amd.OpenCL, []step{{finish, 5, 5, ""}}), "CLAPISummary", []string{"clFinish\t0\t-nan\t1\t0\t0\t0"}},
		{"the time of kernels is in the percentages of the HSA API summary", hsaCalls + packets("", true, "k 1000 7000"), "HSAAPISummary", []string{"hsa_init\t0.00200\t25.00000\t1"}},
		{"so without queueIndex", strings.Replace(hsaCalls, "=3.2", "=3.1", 1) + packets("", false, "k 1000 7000"), "HSAAPISummary", []string{"hsa_init\t0.00200\t25.00000\t1"}},
		{"kernel lines without queueIndex", strings.Replace(hsaCalls, "=3.2", "=3.1", 1) + packets("", false, "k 1000 7000"), "HSAKernelSummaryList", []string{"k\tgfx900\t0.00600"}},
		{"summary rate of no bytes", made(amd.OpenCL, []step{{read, 1, 2, commandText("READ_BUFFER", 100, 5100, "gfx900", "0")}}), "CLDataTransferSummary", []string{"READ_BUFFER\t0\t0\t1\t0.00500\t0 Byte\tNA"}},
		{"list rate of no bytes", made(amd.OpenCL, []step{{read, 1, 2, commandText("READ_BUFFER", 100, 5100, "gfx900", "0")}}), "CLDataTransferList", []string{"READ_BUFFER\t0\t0\t0.00500\t0 Byte\t0.000\t100\t0"}},
		{"summary rate of maps below 1000 ns in all", made(amd.OpenCL, []step{{"0x1 = clEnqueueMapBuffer ( 0xa0;0xd0;CL_TRUE;CL_MAP_READ;0;64;0;NULL;NULL;[CL_SUCCESS] )", 1, 2, commandText("MAP_BUFFER", 100, 1099, "gfx900", "64")}}),
			"CLDataTransferSummary", []string{"MAP_BUFFER\t0\t0\t1\t0.00100\t64.00 Byte\tNA"}},
		{"summary rate of maps of 1000 ns in all", made(amd.OpenCL, []step{{"0x1 = clEnqueueMapBuffer ( 0xa0;0xd0;CL_TRUE;CL_MAP_READ;0;64;0;NULL;NULL;[CL_SUCCESS] )", 1, 2, commandText("MAP_BUFFER", 100, 1100, "gfx900", "64")}}),
			"CLDataTransferSummary", []string{"MAP_BUFFER\t0\t0\t1\t0.00100\t64.00 Byte\t61.035"}},
		{"fills and migrations are no transfers", made(amd.OpenCL, []step{
			{"CL_SUCCESS = clEnqueueFillBuffer ( 0xa0;0xd0;0x1;4;0;64;0;NULL;NULL )", 1, 2, commandText("FILL_BUFFER", 100, 200, "gfx900", "64")},
			{"CL_SUCCESS = clEnqueueMigrateMemObjects ( 0xa0;1;[0xd0];0;0;NULL;NULL )", 3, 4, commandText("MIGRATE_MEM_OBJECTS", 300, 400, "gfx900", "")}}),
			"CLDataTransferList", nil},
		{"contexts: sub-buffers, pipes and GL textures do not count, failed creations do", made(amd.OpenCL, []step{
			{"NULL = clCreateBuffer ( 0xc0;CL_MEM_READ_ONLY;64;NULL;[CL_OUT_OF_RESOURCES] )", 1, 2, ""},
			{"0xd1 = clCreateFromGLBuffer ( 0xc0;0;1;[CL_SUCCESS] )", 3, 4, ""},
			{"0xd2 = clCreateSubBuffer ( 0xd1;0;CL_BUFFER_CREATE_TYPE_REGION;0x1;[CL_SUCCESS] )", 5, 6, ""},
			{"0xd3 = clCreatePipe ( 0xc0;0;4;4;NULL;[CL_SUCCESS] )", 7, 8, ""},
			{"0xd4 = clCreateFromGLTexture ( 0xc0;0;1;0;1;[CL_SUCCESS] )", 9, 10, ""},
			{"0xd5 = clCreateImage3D ( 0xc0;0;0x1;1;1;1;0;0;NULL;[CL_SUCCESS] )", 11, 12, ""},
			{ndrange, 13, 14, kernelNamed("k", 100, 200)}}), "CLContextSummary", []string{"0\t0\t2\t1\t1\t0.00010"}},
		{"names are not escaped", hsaCalls + packets("", true, "<UnknownKernelName> 1000 2000"), "HSAKernelSummaryList", []string{"<UnknownKernelName>\t"}},
		{"a blocking write before its queue in the file", made(amd.OpenCL, []step{{write, 10, 20, commandText("WRITE_BUFFER", 1, 2, "gfx900", "4096")}, {queue, 1, 2, ""}}), "CLBestPractices", []string{"!Blocking write"}},
		{"a blocking write after its queue's release in the file", made(amd.OpenCL, []step{{queue, 1, 2, ""}, {"CL_SUCCESS = clReleaseCommandQueue ( 0xa0 )", 30, 40, ""},
			{write, 10, 20, commandText("WRITE_BUFFER", 1, 2, "gfx900", "4096")}}), "CLBestPractices", []string{"!Blocking write"}},
		{"a blocking write between, though another thread's", made(amd.OpenCL, []step{{queue, 50, 60, ""}}, []step{{write, 10, 20, commandText("WRITE_BUFFER", 1, 2, "gfx900", "4096")}}),
			"CLBestPractices", []string{"clEnqueueWriteBuffer: Unnecessary synchronization: Blocking write."}},
		{"an HSA call without its status", made(amd.HSA, []step{{"hsa_init (  )", 1, 2, ""}}), "HSABestPractices", []string{"Error\thsa_init returns\n"}},
		{"failed creations leak one NULL", made(amd.OpenCL, []step{{"NULL = clCreateKernel ( 0xe0;\"a\";[CL_INVALID_KERNEL_NAME] )", 1, 2, ""}, {"NULL = clCreateKernel ( 0xe0;\"b\";[CL_INVALID_KERNEL_NAME] )", 3, 4, ""}}),
			"CLBestPractices", []string{"Memory leak detected [Ref = 1, Handle = NULL]: Object created by clCreateKernel"}},
		{"a failed retain and a failed release count", made(amd.OpenCL, []step{{"0xd0 = clCreateKernel ( 0xe0;\"a\";[CL_SUCCESS] )", 1, 2, ""}, {"CL_INVALID_KERNEL = clRetainKernel ( 0xd0 )", 3, 4, ""}}),
			"CLBestPractices", []string{"[Ref = 2, Handle = 0xd0]"}},
		{"a failed release counts", made(amd.OpenCL, []step{{"0xd0 = clCreateKernel ( 0xe0;\"a\";[CL_SUCCESS] )", 1, 2, ""}, {"CL_INVALID_KERNEL = clReleaseKernel ( 0xd0 )", 3, 4, ""}}),
			"CLBestPractices", []string{"!Handle = 0xd0", "clReleaseKernel returns CL_INVALID_KERNEL"}},
		{"handles in another case are the same", made(amd.OpenCL, []step{{"0xAB = clCreateKernel ( 0xe0;\"a\";[CL_SUCCESS] )", 1, 2, ""}, {"CL_SUCCESS = clReleaseKernel ( 0xab )", 3, 4, ""}}),
			"CLBestPractices", nil},
		{"events of fills and markers are not followed", made(amd.OpenCL, []step{
			{"CL_SUCCESS = clEnqueueFillBuffer ( 0xa0;0xd0;0x1;4;0;64;0;NULL;[0xf1] )", 1, 2, commandText("FILL_BUFFER", 100, 200, "gfx900", "64")},
			{"CL_SUCCESS = clEnqueueMarkerWithWaitList ( 0xa0;0;NULL;[0xf2] )", 3, 4, ""},
			{"CL_SUCCESS = clEnqueueMigrateMemObjects ( 0xa0;1;[0xd0];0;0;NULL;[0xf3] )", 5, 6, ""}}), "CLBestPractices", nil},
		{"two threads at one time: the earlier block goes first", made(amd.OpenCL, []step{{"CL_SUCCESS = clReleaseKernel ( 0xd0 )", 5, 6, ""}}, []step{{"0xd0 = clCreateKernel ( 0xe0;\"a\";[CL_SUCCESS] )", 5, 6, ""}}),
			"CLBestPractices", []string{"[Ref = 1, Handle = 0xd0]"}},
		{"host memory on a CPU counts as on a card", hostMemory("CPU_Device"), "CLBestPractices", []string{"directly accessed by Non-Fusion device"}},
		{"host memory on an unknown device counts as on a card", hostMemory("nonsense"), "CLBestPractices", []string{"directly accessed by Non-Fusion device"}},
		{"host memory on an APU before Spectre counts as on a card", hostMemory("Devastator"), "CLBestPractices", []string{"directly accessed by Non-Fusion device"}},
		{"host memory on Carrizo", hostMemory("Carrizo"), "CLBestPractices", []string{"!Non-Fusion"}},
		{"a finish after a kernel, judged by the next command", made(amd.OpenCL, []step{{queue, 1, 2, ""}, {ndrange, 3, 4, kernelNamed("k", 100, 200)}, {finish, 5, 6, ""}, {ndrange, 7, 8, kernelNamed("k", 300, 400)}}),
			"CLBestPractices", []string{"Redundant synchronization detected. Synchronization API = clFinish"}},
		{"a failed command swallows what waits", made(amd.OpenCL, []step{{queue, 1, 2, ""}, {ndrange, 3, 4, kernelNamed("k", 100, 200)}, {finish, 5, 6, ""},
			{strings.Replace(ndrange, "CL_SUCCESS", "CL_OUT_OF_RESOURCES", 1), 7, 8, ""}, {ndrange, 9, 10, kernelNamed("k", 300, 400)}}), "CLBestPractices", []string{"!Redundant synchronization"}},
		{"agents without a name", made(amd.HSA, copyOf("dst=0x1;dst_agent={handle=1};src=0x2;src_agent={2};size=4096;num_dep_signals=0;dep_signals=NULL;completion_signal={handle=9}")),
			"HSADataTransferList", []string{"2\t2\t1\t1\t0.00200\t4.00 KB"}},
		{"fewer than four arguments", made(amd.HSA, copyOf("dst=0x1;size=64")), "HSADataTransferList", []string{"nknown_Agen\tnknown_Agen\tnknown_Agen\tnknown_Agen\t0.00200\t64.00 Byte"}},
		{"no size", made(amd.HSA, copyOf("dst=0x1;dst_agent={handle=1,name=a};src=0x2;src_agent={handle=2,name=b}")), "HSADataTransferList", []string{"2\tb\t1\ta\t0.00200\t0 Byte\t0.000"}},
		{"the old prefix: calls are shown", "TraceFileVersion=3.2\n" + strings.ReplaceAll(strings.TrimPrefix(hsaCalls, "TraceFileVersion=3.2\n"), "=====hsa", "=====AMD CodeXL hsa") + packets("AMD CodeXL ", true, "k 1000 7000"),
			"HSAAPISummary", []string{"hsa_init\t0.00200\t100.00000"}},
		{"the old prefix: kernels of HSA are not", "TraceFileVersion=3.2\n" + strings.ReplaceAll(strings.TrimPrefix(hsaCalls, "TraceFileVersion=3.2\n"), "=====hsa", "=====AMD CodeXL hsa") + packets("AMD CodeXL ", true, "k 1000 7000"),
			"HSAKernelSummaryList", nil},
	} {
		t.Run(c.fact, func(t *testing.T) { checkFact(t, c.trace, c.page, Options{Compat: true}, c.want) })
	}
}

// hostMemory dispatches a kernel that reaches memory of the host, on a device.
func hostMemory(device string) string {
	return made(amd.OpenCL, []step{
		{"0xd0 = clCreateBuffer ( 0xc0;CL_MEM_READ_ONLY|CL_MEM_ALLOC_HOST_PTR;64;NULL;[CL_SUCCESS] )", 1, 2, ""},
		{"0xb0 = clCreateKernel ( 0xe0;\"k\";[CL_SUCCESS] )", 3, 4, ""},
		{"CL_SUCCESS = clSetKernelArg ( 0xb0;0;8;[0xd0] )", 5, 6, ""},
		{ndrange, 7, 8, commandText("NDRANGE_KERNEL", 100, 200, device, "0xb0 k      {65536}     {64}")}})
}

func checkFact(t *testing.T, text, name string, o Options, want []string) {
	t.Helper()
	trace, err := amd.ReadTrace(strings.NewReader(text), int64(len(text)), "made.atp")
	if err != nil || len(trace.Problems) > 0 {
		t.Fatalf("%v, %v in\n%s", err, trace.Problems, text)
	}
	a, err := New(context.Background(), trace, o)
	if err != nil {
		t.Fatal(err)
	}
	p, _ := lookup(name)
	table, _ := a.page(p)
	if table == nil {
		if want != nil {
			t.Fatalf("there is no page")
		}
		return
	}
	got := cells(table)
	if want == nil {
		t.Fatalf("there is a page:\n%s", got)
	}
	rest := got
	for _, w := range want {
		if no, ok := strings.CutPrefix(w, "!"); ok {
			if strings.Contains(got, no) {
				t.Errorf("%q is in\n%s", no, got)
			}
			continue
		}
		i := strings.Index(rest, w)
		if i < 0 {
			t.Fatalf("no %q in what is left of\n%s", w, got)
		}
		rest = rest[i+len(w):]
	}
}

// TestRuleFacts: how a rules file is read.
func TestRuleFacts(t *testing.T) {
	trace := made(amd.OpenCL, []step{{queue, 1, 2, ""}, {write, 10, 20, commandText("WRITE_BUFFER", 1, 2, "gfx900", "4096")}, {"CL_SUCCESS = clUnloadCompiler (  )", 30, 40, ""}})
	const blocking, old, leak = "Blocking write", "clUnloadCompiler is deprecated", "Memory leak"
	for _, c := range []struct {
		fact, rules string
		want        []string
	}{
		{"none named", "", []string{"!" + blocking, old}}, // a file that names neither turns both off
		{"true and 1 are off", "BlockingWrite=true\nDeprecatedFunctionAnalyzer=1\n", []string{leak, "!" + blocking, "!" + old}},
		{"blanks around the sign void a line", "BlockingWrite=True\nRefTracker = False\n", []string{leak, blocking, old}},
		{"the other one named keeps a rule on", "BadWorkGroupSize=True\n", []string{leak, blocking, old}},
		{"the other one named off turns both off", "BadWorkGroupSize=False\n", []string{leak, "!" + blocking, old}},
		{"no rule of HSA: no page of OpenCL", "HSARetCodeAnalyzer=False\nHSARefTracker=False\nBlockingWrite=True\n", nil},
	} {
		t.Run(c.fact, func(t *testing.T) {
			text := ""
			for line := range strings.Lines(c.rules) {
				text += rulePrefix + line
			}
			rules, err := ParseRules(strings.NewReader(text), true)
			if err != nil {
				t.Fatal(err)
			}
			checkFact(t, trace, "CLBestPractices", Options{Compat: true, Rules: rules}, c.want)
		})
	}
}
