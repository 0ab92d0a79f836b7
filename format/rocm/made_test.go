package rocm

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

func named(t *testing.T, name, text string) *Session {
	t.Helper()
	s, err := Open(context.Background(), strings.NewReader(text), int64(len(text)), name)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Problems) > 0 {
		t.Fatal(s.Problems)
	}
	return s
}

// TestTables reads a row of each kind of table.
func TestTables(t *testing.T) {
	s := named(t, "memory_allocation_trace.csv", `"Kind","Operation","Agent_Id","Allocation_Size","Address","Correlation_Id","Start_Timestamp","End_Timestamp","New_Column"
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_ALLOCATE","Agent 2",64,"0x00007f00",8,10,20,"x"
"MEMORY_ALLOCATION","MEMORY_ALLOCATION_VMEM_FREE","",0,"0x1",9,30,40,""
`)
	if d := cmp.Diff([]Allocation{{Operation: "ALLOC", Level: "REAL", Agent: 2, HasAgent: true, Bytes: 64, Address: 0x7f00, Correlation: 8, Start: 10, End: 20},
		{Operation: "FREE", Level: "VIRTUAL", Address: 1, Correlation: 9, Start: 30, End: 40}}, s.Allocations); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]Kept{{1, "New_Column", "x"}}, s.Kept); d != "" {
		t.Error("a column that is not known:", d)
	}
	s = named(t, "scratch_memory_trace.csv", "\"Kind\",\"Operation\",\"Agent_Id\",\"Queue_Id\",\"Thread_Id\",\"Alloc_Flags\",\"Start_Timestamp\",\"End_Timestamp\"\n\"SCRATCH_MEMORY\",\"SCRATCH_MEMORY_ASYNC_RECLAIM\",\"Agent 4\",1,113,0,5,6\n")
	if d := cmp.Diff([]Allocation{{Operation: "RECLAIM", Level: "SCRATCH", Agent: 4, HasAgent: true, Bytes: -1, TID: 113, Start: 5, End: 6}}, s.Allocations); d != "" {
		t.Error(d)
	}
	s = named(t, "marker_api_trace.csv", "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp\nMARKER_CORE_RANGE_API,step,1,2,3,10,20\nMARKER_CORE_API,here,1,2,4,15,15\nMARKER_CONTROL_API,roctxProfilerPause,1,2,5,16,17\n")
	if len(s.Ranges) != 2 || s.Ranges[0].Text != "step" || s.Ranges[0].Mark || !s.Ranges[1].Mark || len(s.Calls) != 1 {
		t.Errorf("%+v, %+v", s.Ranges, s.Calls)
	}
	s = named(t, "kernel_trace.csv", "Kind,Agent_Id,Queue_Id,Kernel_Name,Dispatch_Id,Correlation_Id,Start_Timestamp,End_Timestamp,Guid\nK,GPU 1,1,f,1,2,10,20,a\nK,GPU 0,1,f,1,2,10,20,b\n")
	if len(s.Processes) != 2 || s.Dispatches[1].Process != 1 || s.Dispatches[0].Agent != 1 {
		t.Errorf("%+v %+v", s.Processes, s.Dispatches)
	}
	s = named(t, "agent_info.csv", "\"Node_Id\",\"Agent_Type\",\"Cu_Count\",\"Wave_Front_Size\",\"Name\",\"Product_Name\"\n0,\"CPU\",8,0,\"c\",\"p\"\n1,\"GPU\",104,64,\"gfx90a\",\"MI210\"\n2,\"GPU\",104,64,\"gfx90a\",\"MI210\"\n")
	if len(s.Agents) != 3 || s.Agents[2].Index != 1 || !s.Agents[2].GPU || s.Agents[1].CUs != 104 || s.Agents[1].Wave != 64 {
		t.Errorf("%+v", s.Agents)
	}
	s = named(t, "pc_sampling_stochastic.csv", "Sample_Timestamp,Exec_Mask,Dispatch_Id,Instruction,Instruction_Comment,Correlation_Id,Wave_Issued_Instruction,Instruction_Type,Stall_Reason,Wave_Count\n5,18446744073709551615,1,s_endpgm,a.cpp:4,2,0,VALU,WAITCNT,7\n")
	if d := cmp.Diff([]Sample{{Time: 5, Exec: math.MaxUint64, Dispatch: 1, Correlation: 2, Instruction: "s_endpgm", Source: "a.cpp:4", Type: "VALU", Stall: "WAITCNT", Waves: 7}}, s.Samples); d != "" {
		t.Error(d)
	}
	s = named(t, "stats_ui.csv", "\"CodeObj\",\"Vaddr\",\"Instruction\",\"Hitcount\",\"Latency\",\"Stall\",\"Idle\",\"Source\"\n1,18432,\"s_nop 0\",4,16,2,1,\"a.cpp:1\"\n")
	if d := cmp.Diff([]Instruction{{CodeObject: 1, Address: 18432, Text: "s_nop 0", Source: "a.cpp:1", Hits: 4, Latency: 16, Stall: 2, Idle: 1}}, s.Code); d != "" {
		t.Error(d)
	}
	s = named(t, "sysinfo.csv", "workload_name,gpu_arch,max_sclk\nw,gfx90a,1700\n")
	if len(s.Facts) != 3 || s.Facts[1] != (Fact{"system", "gpu_arch", "gfx90a"}) {
		t.Errorf("%+v", s.Facts)
	}
	s = named(t, "summary.txt", "\nROCPROFV3 HSA_API SUMMARY:\n\n|  NAME | DOMAIN | CALLS | DURATION (nsec) |\n|---|---|---|---|\n| f | HSA_API | 3 | 40 |\n")
	if d := cmp.Diff([]Total{{"f", 3, 40}}, s.Totals); d != "" {
		t.Error(d)
	}
	s = named(t, "data.txt", "------ [000] ------\nA [1.5]\n------ [001] ------\nA [2]\n")
	if len(s.Dispatches) != 2 || len(s.Counters) != 2 || s.Counters[1].Dispatch != 1 || s.Counters[0].Value != 1.5 {
		t.Errorf("%+v %+v", s.Dispatches, s.Counters)
	}
}

// TestFractionalTimes: medians over passes are no whole numbers; durations keep what
// the file says.
func TestFractionalTimes(t *testing.T) {
	s := named(t, "pmc_perf.csv", "Dispatch_ID,Kernel_Name,SQ_WAVES,Start_Timestamp,End_Timestamp\n0,f,4,41551790928449.54,41551790935449.04\n1,g,4,8.1097E+14,8.1097E+14\n2,h,4,100,150\n")
	if d := s.Dispatches[0].Duration(); math.Abs(d-6999.5) > 0.01 || s.Dispatches[0].Start != 41551790928449 {
		t.Errorf("duration %v of %+v", d, s.Dispatches[0])
	}
	if s.Dispatches[1].Duration() != 0 || s.Dispatches[1].Start != 810970000000000 || s.Dispatches[2].Duration() != 50 {
		t.Errorf("%+v", s.Dispatches[1:])
	}
	// Of several rows with times of their own, the median of the durations.
	s = named(t, "pmc_perf.csv", "Dispatch_ID,Kernel_Name,Counter_Name,Counter_Value,Start_Timestamp,End_Timestamp\n0,f,A,1,10,20\n0,f,B,1,10,20\n0,f,C,1,50,90\n0,f,D,1,70,71\n")
	if len(s.Dispatches) != 1 || s.Dispatches[0].Duration() != 10 || len(s.Counters) != 4 {
		t.Errorf("%+v", s.Dispatches)
	}
}

// TestAlikeProblems: what is wrong with each of many rows is said once.
func TestAlikeProblems(t *testing.T) {
	var b strings.Builder
	b.WriteString("Kernel_Name,Dispatch_ID,Start_Timestamp,End_Timestamp\n")
	for i := range 40_000 {
		fmt.Fprintf(&b, "f,%d,x%d,2\n", i, i)
	}
	s, err := openText(b.String())
	if err != nil || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Error(), `t:2: expected a whole number, found Start_Timestamp "x0" (and 39999 more like it)`) {
		t.Errorf("%v, %v", s.Problems, err)
	}
}

func database1(t *testing.T, sql string) []byte {
	t.Helper()
	conn, err := sqlite.OpenConn(":memory:", sqlite.OpenReadWrite|sqlite.OpenMemory)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := sqlitex.ExecuteScript(conn, sql, nil); err != nil {
		t.Fatal(err)
	}
	b, err := conn.Serialize("main")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestV1Database(t *testing.T) {
	b := database1(t, `CREATE TABLE KERN ("Index" INTEGER, "KernelName" TEXT);
CREATE TABLE HIP ("BeginNs" INTEGER, "EndNs" INTEGER, "pid" INTEGER, "tid" INTEGER, "Name" TEXT, "args" TEXT, "Index" INTEGER);
CREATE TABLE OPS ("BeginNs" INTEGER, "EndNs" INTEGER, "dev-id" INTEGER, "queue-id" INTEGER, "Name" TEXT, "pid" INTEGER, "tid" INTEGER, "stream-id" INTEGER, "Index" INTEGER);
CREATE TABLE COPY ("BeginNs" INTEGER, "EndNs" INTEGER, "dev-id" INTEGER, "queue-id" INTEGER, "Name" TEXT, "pid" INTEGER, "tid" INTEGER, "stream-id" INTEGER, "Index" INTEGER);
INSERT INTO HIP VALUES (1, 5, 7, 8, 'hipLaunchKernel', '( stream(0))', 3);
INSERT INTO OPS VALUES (6, 9, 2, 1, 'f', 7, 8, 1, 3);
INSERT INTO COPY VALUES (10, 12, 2, 0, 'CopyHostToDevice', 7, 8, 1, 4);`)
	s, err := Open(context.Background(), bytes.NewReader(b), int64(len(b)), "results.db")
	if err != nil || len(s.Problems) > 0 || s.Kind != KindV1 {
		t.Fatal(err, s)
	}
	if len(s.Calls) != 1 || s.Calls[0].Args != "stream(0" && s.Calls[0].Args != "stream(0)" || s.Dispatches[0].Correlation != s.Calls[0].Correlation || len(s.Copies) != 1 {
		t.Errorf("%+v %+v %+v", s.Calls, s.Dispatches, s.Copies)
	}
	b = database1(t, `CREATE TABLE KERN ("Index" INTEGER, "KernelName" TEXT, "gpu-id" INTEGER, "pid" INTEGER, "BeginNs" INTEGER, "EndNs" INTEGER, "SQ_WAVES" REAL);
INSERT INTO KERN VALUES (0, '"f.kd"', 2, 9, 10, 30, 4.5);`)
	s, err = Open(context.Background(), bytes.NewReader(b), int64(len(b)), "results.db")
	if err != nil || len(s.Dispatches) != 1 || s.Dispatches[0].Kernel != "f.kd" || s.Dispatches[0].End != 30 || len(s.Counters) != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestV1Chrome(t *testing.T) {
	s := named(t, "results.json", `{ "traceEvents":[{}
,{"args":{"name":"CPU HIP API"},"ph":"M","pid":2,"name":"process_name","sort_index":0}
,{"args":{"name":"COPY"},"ph":"M","pid":1,"name":"process_name"}
,{"args":{"name":"GPU0"},"ph":"M","pid":6,"name":"process_name"}
,{"ph":"X","name":"hipLaunchKernel","pid":"2","tid":"1","ts":"1","dur":"8","args":{"BeginNs":"1001","EndNs":"9002","pid":"517","tid":"518","args":"( x(1))","Index":"3"}}
,{"ph":"X","name":"f","pid":"6","tid":"1","ts":"1","dur":"8","args":{"BeginNs":"10001","EndNs":"19002","dev-id":"2","queue-id":"1","pid":"517","tid":"518","Index":"3"}}
,{"ph":"X","name":"CopyHostToDevice","pid":"1","tid":"1","ts":"1","dur":"8","args":{"BeginNs":"1","EndNs":"2","dev-id":"2","pid":"517","tid":"518"}}
,{"ts":1,"ph":"s","cat":"DataFlow","id":1,"pid":2,"tid":1,"name":"dep"}
],"otherData":{"CMD":"x"}}`)
	if len(s.Calls) != 1 || s.Calls[0].Domain != "HIP API" || s.Calls[0].End-s.Calls[0].Start != 8001 || len(s.Dispatches) != 1 || s.Dispatches[0].Correlation != 3 || len(s.Copies) != 1 || len(s.Facts) != 1 {
		t.Errorf("%+v", s)
	}
	if s := named(t, "results.json", `{"args":{"name":"COPY"},"ph":"M","pid":1,"name":"process_name","sort_index":0}`); s.Kind != KindChrome || len(s.Calls) > 0 {
		t.Errorf("%+v", s)
	}
}

// pb writes protocol buffers.
type pb []byte

func (p pb) num(field int, v uint64) pb {
	return binary.AppendUvarint(binary.AppendUvarint(p, uint64(field)<<3), v)
}
func (p pb) bytes(field int, v []byte) pb {
	return append(binary.AppendUvarint(binary.AppendUvarint(p, uint64(field)<<3|2), uint64(len(v))), v...)
}
func (p pb) double(field int, v float64) pb {
	return binary.LittleEndian.AppendUint64(binary.AppendUvarint(p, uint64(field)<<3|1), math.Float64bits(v))
}

// perfettoFile is a trace of a call, a kernel, a slice of another tool, and a counter.
func perfettoFile() []byte {
	var out pb
	packet := func(p pb) { out = out.bytes(1, p) }
	packet(pb{}.bytes(60, pb{}.num(1, 7).bytes(4, pb{}.num(1, 70).num(2, 71).bytes(5, []byte("main")))))
	packet(pb{}.bytes(60, pb{}.num(1, 9).bytes(2, []byte("power")).bytes(8, pb{})))
	text := func(id uint64, s string) []byte { return pb{}.num(1, id).bytes(2, []byte(s)) }
	texts := pb{}.bytes(1, text(1, "hip_api")).bytes(1, text(2, "kernel_dispatch")).bytes(2, text(1, "hipLaunchKernel")).bytes(2, text(2, "f")).bytes(3, text(1, "corr_id")).bytes(3, text(2, "agent"))
	corr := pb{}.num(1, 1).num(3, 42)
	// The texts stand after the event that names them.
	packet(pb{}.num(8, 100).num(10, 1).bytes(11, pb{}.num(9, 1).num(11, 7).num(10, 1).num(3, 1).bytes(4, corr)).bytes(12, texts))
	packet(pb{}.num(8, 110).num(10, 1).bytes(11, pb{}.num(9, 1).num(11, 7).num(10, 2).num(3, 2).bytes(4, corr).bytes(4, pb{}.num(1, 2).bytes(6, []byte("Agent 4")))))
	packet(pb{}.num(8, 130).num(10, 1).bytes(11, pb{}.num(9, 2).num(11, 7)))
	packet(pb{}.num(8, 150).num(10, 1).bytes(11, pb{}.num(9, 2).num(11, 7)))
	packet(pb{}.num(8, 160).num(10, 1).bytes(11, pb{}.num(9, 3).num(11, 7).bytes(23, []byte("here")).bytes(22, []byte("host"))))
	packet(pb{}.num(8, 170).num(10, 1).bytes(11, pb{}.num(9, 4).num(11, 9).double(44, 2.5)))
	return out
}

func TestPerfetto(t *testing.T) {
	s := named(t, "results.pftrace", string(perfettoFile()))
	if d := cmp.Diff([]Call{{Domain: "HIP_API", Name: "hipLaunchKernel", PID: 70, TID: 71, Correlation: 42, Start: 100, End: 150}}, s.Calls); d != "" {
		t.Error(d)
	}
	if len(s.Dispatches) != 1 || s.Dispatches[0].Kernel != "f" || s.Dispatches[0].Agent != 4 || s.Dispatches[0].Duration() != 20 {
		t.Errorf("%+v", s.Dispatches)
	}
	if d := cmp.Diff([]Range{{Domain: "host", Text: "here", PID: 70, TID: 71, Start: 160, End: 160, Mark: true}}, s.Ranges); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]Monitor{{Name: "power", Start: 170, Value: 2.5}}, s.Monitors); d != "" {
		t.Error(d)
	}
	cut := perfettoFile()
	cut = cut[:len(cut)-5]
	if s, err := Open(context.Background(), bytes.NewReader(cut), int64(len(cut)), "cut.pftrace"); err != nil || len(s.Problems) != 1 || len(s.Calls) != 1 {
		t.Errorf("cut: %+v, %v", s, err)
	}
}

func TestRoctracer(t *testing.T) {
	s := named(t, "trace.txt", `ROCtracer (35231):
Device name
100:150 12:13 hipLaunchKernel(f=0x1, stream=0) :680
200:300 2:0 ns::f(float*, int):680:35231
310:320 2:0 CopyDeviceToHost:703:35231
330 12:13 1:0:"outer"
340 12:13 0:0:"mark"
350 12:13 2:0:""
360 12:13 3:5:"free"
390 12:14 4:5:""
<hipMalloc id(6)	correlation_id(3) on-enter pid(1942) tid(1943)> ptr(0x7) size(0x4)
	:hipMalloc	: correlation_id(3) time_ns(500:510)
rocTX <"before pid(1) tid(2)">
`)
	if len(s.Calls) != 2 || s.Calls[0].Correlation != 680 || s.Calls[0].Args != "f=0x1, stream=0" || s.Calls[1].Start != 500 || s.Calls[1].TID != 1943 {
		t.Errorf("%+v", s.Calls)
	}
	if len(s.Dispatches) != 1 || s.Dispatches[0].Kernel != "ns::f(float*, int)" || s.Dispatches[0].Correlation != 680 || len(s.Copies) != 1 {
		t.Errorf("%+v %+v", s.Dispatches, s.Copies)
	}
	if len(s.Ranges) != 4 || s.Ranges[0].End != 350 || !s.Ranges[1].Mark || s.Ranges[2].End != 390 || !s.Ranges[2].Free || s.Ranges[3].Text != "before" {
		t.Errorf("%+v", s.Ranges)
	}
}

// TestRoctracerCut: a file that ends within a line tells so, and half a name is no call.
func TestRoctracerCut(t *testing.T) {
	const first = "100:150 12:13 hipMalloc(ptr=0x1, size=4) :680\n"
	for _, c := range []struct {
		last                     string
		calls, dispatches, texts int
		told                     string
	}{
		{"200:300 2:0 f(int):681:12\n", 1, 1, 0, ""},
		{"200:300 2:0 f(int):681:12", 1, 1, 0, ""},
		{"160:170 12:13 hipFree(ptr=0x1) :681", 2, 0, 0, ""},
		{"160:170 12:13 hsa_init() = 0", 2, 0, 0, ""},
		{"done", 1, 0, 0, ""},
		{"time: 12:30", 1, 0, 0, ""},
		{"160", 1, 0, 0, ""}, // may be the program's
		{"160:1", 1, 0, 0, "t.txt:2: expected a whole line, found the end of the file within one"},
		{"160:170 12:1", 1, 0, 0, "t.txt:2: expected a whole line"},
		{"160:170 12:13 hipFr", 1, 0, 0, "t.txt:2: expected a whole line"},
		{"160:170 12:13 hipFree(ptr=0", 2, 0, 0, "t.txt:2: expected a whole line"},
		{"310:320 2:0 CopyDeviceToHo", 1, 0, 0, "t.txt:2: expected a whole line"},
		{"330 12:13 1:0:\"out", 1, 0, 1, "t.txt:2: expected a whole line"},
		{"330 12:13 1:0:\"outer\"", 1, 0, 1, ""},
		{"<hipMalloc id(6)\tcorrelation_id(3) on-ent", 1, 0, 0, "t.txt:2: expected a whole line"},
		{"310:320 2:0 CopyDeviceToHo\n" + first, 2, 0, 0, `t.txt:2: expected NAME(ARGUMENTS), or NAME:NUMBER:PID, found "CopyDeviceToHo"`},
	} {
		text := first + c.last
		s, err := Open(context.Background(), strings.NewReader(text), int64(len(text)), "t.txt")
		if err != nil {
			t.Errorf("%q: %v", c.last, err)
			continue
		}
		told := ""
		for _, p := range s.Problems {
			told += p.Error()
		}
		if len(s.Calls) != c.calls || len(s.Dispatches) != c.dispatches || len(s.Ranges) != c.texts || !strings.HasPrefix(told, c.told) || (c.told == "") != (told == "") {
			t.Errorf("%q: %d calls, %d dispatches, %d ranges, told %q", c.last, len(s.Calls), len(s.Dispatches), len(s.Ranges), told)
		}
	}
}

func TestThreadTrace(t *testing.T) {
	s := named(t, "code.json", `{"code":[["s_nop 0",0,1,"a.cpp:3",2,44288,4,16,2,1,0,2,[0,2],"new"]],"header":["ISA","_","LineNumber","Source","Codeobj","Vaddr","Hit","Latency","Stall","Idle","PC_Issued","PC_Stalled","Stall_Reasons","More"]}`)
	if d := cmp.Diff([]Instruction{{CodeObject: 2, Address: 44288, Line: 1, Text: "s_nop 0", Source: "a.cpp:3", Hits: 4, Latency: 16, Stall: 2, Idle: 1, Stalled: 2, Reasons: "[0,2]"}}, s.Code); d != "" || len(s.Kept) != 1 {
		t.Error(d, s.Kept)
	}
	s = named(t, "se0_sm0_sl0_wv0.json", `{"duration":5816,"name":"SE1","num_insts":2,"wave":{"begin":19404,"cu":1,"end":25220,"id":0,"instructions":[[20012,2,0,4,63],[20016,2,7,4,64]],"simd":2,"slot":3}}`)
	if d := cmp.Diff([]Wave{{Engine: 1, SIMD: 2, Slot: 3, CU: 1, Begin: 19404, End: 25220, Instructions: 2, Stall: 7}}, s.Waves); d != "" {
		t.Error(d)
	}
	s = named(t, "occupancy.json", `{"0":[[10,3,0,0,1,2],[12,3,2,0,1,2],[20,3,0,0,0,2]],"dispatches":{"2":"f"},"version":"3.0.0"}`)
	if len(s.Monitors) != 3 || s.Monitors[1].Value != 2 || s.Monitors[2].Value != 1 || len(s.Facts) != 1 {
		t.Errorf("%+v %+v", s.Monitors, s.Facts)
	}
	for name, text := range map[string]string{"wstates1.json": `{"name":"wstates1.json","state":[1,2],"time":[5,6]}`, "realtime.json": `{"SE0":[[1,2]],"metadata":{}}`,
		"filenames.json": `{"counter_names":[],"gfxip":9}`, "snapshots.json": `{"/":{"a":{"b.cpp":"source_0.cpp"}}}`} {
		if s := named(t, name, text); s.Kind != KindATT || len(s.Monitors)+len(s.Facts) == 0 {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestFacts(t *testing.T) {
	s := named(t, "results.sysinfo.txt", "CMD: rocminfo\n\x1b[37mROCk module is loaded\x1b[0m\nAgent 1\n  Name:    gfx90a\n")
	if d := cmp.Diff([]Fact{{"run", "CMD", "rocminfo"}, {"Agent 1", "Name", "gfx90a"}}, s.Facts); d != "" {
		t.Error(d)
	}
}

// folder makes files of texts.
func folder(texts map[string]string) []File {
	var out []File
	for name, text := range texts {
		out = append(out, File{Name: name, Size: int64(len(text)), Open: func() (io.ReaderAt, func() error, error) {
			return strings.NewReader(text), func() error { return nil }, nil
		}})
	}
	return out
}

// TestFolder: files of one process join by its numbers, those of another do not; one
// that is broken is told, and what is none of ROCm passed over.
func TestFolder(t *testing.T) {
	kernel := "Kind,Agent_Id,Queue_Id,Kernel_Name,Dispatch_Id,Correlation_Id,Start_Timestamp,End_Timestamp\nK,Agent 2,1,f,1,2,10,20\n"
	s, err := Options{}.OpenFolder(context.Background(), folder(map[string]string{
		"h/11_kernel_trace.csv": kernel, "h/22_kernel_trace.csv": kernel,
		"h/11_counter_collection.csv": "Correlation_Id,Dispatch_Id,Agent_Id,Process_Id,Kernel_Name,Grid_Size,Workgroup_Size,Counter_Name,Counter_Value\n2,1,Agent 2,11,f,64,64,SQ_WAVES,3\n",
		"h/11_hip_api_trace.csv":      "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,End_Timestamp\nHIP_RUNTIME_API,hipLaunchKernel,11,12,2,1,5\n",
		"h/11_agent_info.csv":         "\"Node_Id\",\"Agent_Type\",\"Name\"\n2,\"GPU\",\"gfx942\"\n",
		"h/22_results.json":           "{\"rocprofiler-sdk-tool\": [{]",
		"notes.txt":                   "hello", "h/bad_memory_copy_trace.csv": "Kind,Direction,Start_Timestamp,End_Timestamp\nx,y,z,1\n",
	}), "out")
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Dispatches) != 2 || s.Dispatches[0].Process == s.Dispatches[1].Process || len(s.Counters) != 1 || s.Dispatches[0].Grid[0] != 64 {
		t.Errorf("%+v %+v", s.Dispatches, s.Counters)
	}
	p := s.Processes[s.Dispatches[0].Process]
	if d := cmp.Diff(Process{Name: "h/11", PID: 11, Host: "h"}, p, cmpopts.EquateEmpty()); d != "" {
		t.Error(d)
	}
	if s.Calls[0].Process != s.Dispatches[0].Process || len(s.Problems) == 0 {
		t.Errorf("%+v %v", s.Calls, s.Problems)
	}
	if _, err := (Options{}).OpenFolder(context.Background(), folder(map[string]string{"a": "b"}), "out"); err == nil {
		t.Error("a folder without profiles opens")
	}
}

// TestPasses: passes of one run measured other counters of the same kernels.
func TestPasses(t *testing.T) {
	row := func(counter string) string {
		return "Dispatch_Id,Agent_Id,Kernel_Name,Counter_Name,Counter_Value\n1,Agent 2,f," + counter + ",3\n2,Agent 2,g," + counter + ",4\n"
	}
	s, err := Options{}.OpenFolder(context.Background(), folder(map[string]string{"pmc_1/counter_collection.csv": row("A"), "pmc_2/counter_collection.csv": row("B")}), "out")
	if err != nil || len(s.Dispatches) != 2 || len(s.Counters) != 4 || s.Counters[0].Process != s.Counters[3].Process {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestWorkload: files of a workload of rocprof-compute join by dispatch; a counter
// that means another thing in each file has the file's name.
func TestWorkload(t *testing.T) {
	s, err := Options{}.OpenFolder(context.Background(), folder(map[string]string{
		"sysinfo.csv": "workload_name,gpu_arch\nw,gfx90a\n", "pmc_perf.csv": "Dispatch_ID,Kernel_Name,SQ_WAVES,Start_Timestamp,End_Timestamp\n0,f,4,1,9\n",
		"pmc_perf_0.csv": "Dispatch_ID,Kernel_Name,SQ_WAVES\n0,f,4\n", "SQ_LEVEL_WAVES.csv": "Dispatch_ID,Kernel_Name,SQ_ACCUM_PREV_HIRES,Start_Timestamp,End_Timestamp\n0,f,40,1,9\n"}), "w")
	if err != nil || s.Kind != KindCompute || len(s.Dispatches) != 1 || len(s.Counters) != 3 {
		t.Fatalf("%+v, %v", s, err)
	}
	if c := s.Counters[1]; c.File != "SQ_LEVEL_WAVES" && s.Counters[0].File != "SQ_LEVEL_WAVES" {
		t.Errorf("%+v", s.Counters)
	}
}

func FuzzPerfetto(f *testing.F) {
	f.Add(perfettoFile())
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 0 {
			Open(context.Background(), bytes.NewReader(b), int64(len(b)), "t.pftrace") //nolint:errcheck
		}
	})
}

func FuzzFolder(f *testing.F) {
	f.Add("1_kernel_trace.csv", "Kernel_Name,Dispatch_Id\nf,1\n", "1_code.json", `{"code":[]}`)
	f.Fuzz(func(t *testing.T, a, x, b, y string) {
		Options{}.OpenFolder(context.Background(), folder(map[string]string{a: x, b: y}), "t") //nolint:errcheck
	})
}
