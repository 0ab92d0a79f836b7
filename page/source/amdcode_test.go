package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// words are the words of a text, one blank apart.
func words(s string) string { return strings.Join(strings.Fields(s), " ") }

func madeFile(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestThreadTrace: instructions of a listing with their cycles and samples, by line, the
// hottest first, and once though two files tell of them.
func TestThreadTrace(t *testing.T) {
	dir := t.TempDir()
	file := madeFile(t, dir, "ui/code.json", `{"code":[["; gemm",0,0,"gemm(int)",2,256,0,0,0,0,0,0,[0,0]],["s_load_dword s1",0,1,"a.cpp:3",2,256,4,16,8,1,1,2,[0,2]],
["s_waitcnt vmcnt(0)",0,2,"a.cpp:4",2,264,4,64,60,0,0,5,[0,1,0,4]],["s_nop 0",0,3,"a.cpp:3",2,268,4,4,0,0,1,0,[]],["; idle",0,4,"idle()",2,512,0,0,0,0,0,0,[]],["s_endpgm",0,5,"",2,512,0,0,0,0,0,0,[]]],
"header":["ISA","_","LineNumber","Source","Codeobj","Vaddr","Hit","Latency","Stall","Idle","PC_Issued","PC_Stalled","Stall_Reasons"]}`)
	got, notes := pagetest.Render(t, Page, file, view.FormatText, pagetest.Options("sort", "hot", "print-source", "cuda,sass"))
	got = words(got)
	for _, want := range []string{"gemm(int) Samples Issued Stalled Hits", "5 0 5 4 64 60 0 waitcnt 4, no instruction available 1 a.cpp:4", "4 2 2 8 20 8 1 no instruction available 2 a.cpp:3",
		"2 0x108 5 0 5 4 64 60 0 waitcnt 4, no instruction available 1 s_waitcnt vmcnt(0) a.cpp:4"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Index(got, "s_waitcnt") > strings.Index(got, "s_load") || strings.Contains(got, "idle()") {
		t.Error(got)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "nothing was measured in 1 of the functions") {
		t.Error(notes)
	}
	madeFile(t, dir, "ui/filenames.json", `{"wave_filenames":{},"gfxv":"vega"}`)
	madeFile(t, dir, "stats_ui_output_agent_1_dispatch_1.csv", "CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle,Source\n"+
		"2,256,; gemm,0,0,0,0,\n2,256,s_load_dword s1,4,16,8,1,a.cpp:3\n2,264,s_waitcnt vmcnt(0),4,64,60,0,a.cpp:4\n2,268,s_nop 0,4,4,0,0,a.cpp:3\n")
	madeFile(t, dir, "stats_ui_output_agent_1_dispatch_2.csv", "CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle,Source\n"+
		"2,256,; gemm,0,0,0,0,\n2,256,s_load_dword s1,4,16,8,1,a.cpp:3\n2,264,s_waitcnt vmcnt(0),4,64,60,0,a.cpp:4\n2,268,s_nop 0,4,4,0,0,a.cpp:3\n")
	got, _ = pagetest.Render(t, Page, dir, view.FormatCSV, nil)
	if n := strings.Count(got, "s_load_dword"); n != 2 { // with samples and without
		t.Errorf("%d listings:\n%s", n, got)
	}
}

// TestPCSamples: samples are added up by kernel, instruction and line.
func TestPCSamples(t *testing.T) {
	dir := t.TempDir()
	madeFile(t, dir, "1_kernel_trace.csv", `"Kind","Agent_Id","Queue_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","Workgroup_Size_X","Grid_Size_X"
"KERNEL_DISPATCH","Agent 1",1,9,1,1,"copy(float*)",1,100,200,64,1024
`)
	madeFile(t, dir, "1_pc_sampling_stochastic.csv", `"Sample_Timestamp","Exec_Mask","Dispatch_Id","Instruction","Instruction_Comment","Correlation_Id","Wave_Issued_Instruction","Instruction_Type","Stall_Reason","Wave_Count"
120,18446744073709551615,1,"s_waitcnt vmcnt(0)","/src/copy.cpp:7",1,0,"ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_NO_INST","ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_WAITCNT",4
130,65535,1,"s_waitcnt vmcnt(0)","/src/copy.cpp:7",1,0,"ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_NO_INST","ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_ARBITER_NOT_WIN",4
140,65535,1,"v_add_f32 v1","/src/copy.cpp:8",1,1,"ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_VALU","ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_NONE",4
`)
	source := madeFile(t, dir, "src/copy.cpp", strings.Repeat("\n", 6)+"wait();\nadd();\n")
	got, _ := pagetest.Render(t, Page, dir, view.FormatText, pagetest.Options("sort", "samples", "print-source", "cuda,sass", "resolve-source-file", source))
	got = words(got)
	for _, want := range []string{"copy(float*) Samples Issued Stalled Lanes Stalls Code Line", "2 0 2 40 arbiter not won 1, waitcnt 1 wait(); /src/copy.cpp:7",
		"1 1 0 16 v_add_f32 v1 /src/copy.cpp:8"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestCallPlaces: the calls of a trace by their place in the source.
func TestCallPlaces(t *testing.T) {
	got, _ := pagetest.Render(t, Page, "../../format/amd/testdata/vectors/234-sections-all.atp", view.FormatText, pagetest.Options("sort", "device_time", "limit", "2"))
	if got = words(got); !strings.Contains(got, "0x401000+0x20 clEnqueueReadBuffer 1 0 0.00010 0.00200 my dir/main.c 20 clEnqueueNDRangeKernel 1 0 0.00010 0.00100") || strings.Contains(got, "clCreate") {
		t.Error(got)
	}
}

// TestTraceWithoutCode: a thread trace without code.json says what is missing.
func TestTraceWithoutCode(t *testing.T) {
	file := madeFile(t, t.TempDir(), "se0_sm0_sl0_wv0.json", `{"duration":5816,"name":"SE1","num_insts":1,"wave":{"begin":19404,"cu":1,"end":25220,"id":0,"instructions":[[20012,2,0,4,63]],"simd":2,"slot":3}}`)
	f, err := load.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := Page.Do(t.Context(), &page.Request{Files: []*load.File{f}, Note: func(string) {}}); err == nil || !strings.Contains(err.Error(), "expected a code.json that opens beside its waves, found none") {
		t.Error(err)
	}
}

// TestNoCodeOfROCm: dispatches without instructions say how these are measured.
func TestNoCodeOfROCm(t *testing.T) {
	file := madeFile(t, t.TempDir(), "kernel_trace.csv", "Kind,Agent_Id,Queue_Id,Kernel_Name,Dispatch_Id,Correlation_Id,Start_Timestamp,End_Timestamp\nK,2,1,f,1,2,10,20\n")
	_, notes := pagetest.Render(t, Page, file, view.FormatText, nil)
	if told := strings.Join(notes, "\n"); !strings.Contains(told, "rocprofv3 --att") {
		t.Errorf("%q", told)
	}
	got, _ := pagetest.Render(t, Hot, file, view.FormatText, nil)
	if !strings.Contains(words(got), "rocprofv3 --att") || strings.Contains(got, "SourceCounters") {
		t.Error(got)
	}
}
