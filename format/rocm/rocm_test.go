package rocm

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

func openFile(tb testing.TB, name string) *Session {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		tb.Fatal(err)
	}
	s, err := Open(context.Background(), f, st.Size(), filepath.Base(name))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func openText(text string) (*Session, error) {
	return Open(context.Background(), strings.NewReader(text), int64(len(text)), "t")
}

func sums(s *Session) (dispatches int, ns uint64, kernels int) {
	names := map[string]bool{}
	for _, d := range s.Dispatches {
		names[d.Kernel] = true
		dispatches++
		if d.End > d.Start {
			ns += d.End - d.Start
		}
	}
	return dispatches, ns, len(names)
}

// TestCorpus opens real files. The numbers were counted with Python's json and
// csv modules and with SQL, not with this package.
func TestCorpus(t *testing.T) {
	dir := filepath.Join(corpustest.Dir(t), "corpus", "amd")
	for _, c := range []struct {
		file                             string
		kind                             Kind
		dispatches                       int
		ns                               uint64
		calls, copies, counters, problem int
	}{
		{"AMD-AGI__TraceLens__908_results.json.gz", KindJSON, 43915, 4441741378, 0, 0, 0, 0},
		{"ROCm__rocmProfileData__matmul_result.rpd", KindRPD, 29, 26399795, 125, 56, 0, 0},
		{"ROCm__rocmProfileData__mytrace.rpd.gz", KindRPD, 1228 + 7720, 316231882 + 90905793, 14736, 1176, 0, 0},
		{"ROCm__rocprofiler-sdk__kernel_trace.csv", KindCSV, 7, 795453, 0, 0, 0, 0},
		{"ROCm__rocprofiler-sdk__counter_collection.csv", KindCSV, 7, 0, 0, 0, 7, 0},
		{"ROCm__rocprofiler-sdk__hip_runtime_trace.csv", KindCSV, 0, 0, 8, 0, 0, 0},
		{"ROCm__rocprofiler-sdk__hsa_api_trace.csv", KindCSV, 0, 0, 10, 0, 0, 0},
		{"ROCm__rocprofiler-sdk__marker_api_trace.csv", KindCSV, 0, 0, 0, 0, 0, 0},
		{"ROCm__rocprofiler-sdk__memory_copy_trace.csv", KindCSV, 0, 0, 0, 2, 0, 0},
		{"ROCm__rocprofiler-compute__vcopy_MI200_timestamps.csv", KindCSV, 3, 0, 0, 0, 0, 0},
		{"ROCm__rocprofiler-compute__vcopy_MI200_SQ_LEVEL_WAVES.csv", KindCSV, 3, 0, 0, 0, 0, 0},
	} {
		t.Run(c.file, func(t *testing.T) {
			s := openFile(t, filepath.Join(dir, c.file))
			n, ns, _ := sums(s)
			if s.Kind != c.kind || n != c.dispatches || c.ns != 0 && ns != c.ns || len(s.Calls) != c.calls || len(s.Copies) != c.copies ||
				c.counters != 0 && len(s.Counters) != c.counters || len(s.Problems) != c.problem {
				t.Errorf("%s: %d dispatches of %d ns, %d calls, %d copies, %d counters, problems %v", s.Kind, n, ns, len(s.Calls), len(s.Copies), len(s.Counters), s.Problems)
			}
		})
	}
}

func TestCSVForms(t *testing.T) {
	one := Dispatch{ID: 1, Kernel: "f(int, int)", Agent: 2, Queue: 3, PID: 4, TID: 5, Start: 100, End: 250, Grid: [3]uint64{1024, 1, 1}, Group: [3]uint64{64, 1, 1},
		LDS: 512, Scratch: 0, VGPRs: 8, AGPRs: -1, SGPRs: 16}
	for _, c := range []struct {
		name, text string
		want       Dispatch
		counters   []Counter
	}{
		{"rocprof v1", "Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,vgpr,sgpr,fbar,sig,obj,SQ_WAVES,DispatchNs,BeginNs,EndNs,CompleteNs,DurationNs\n" +
			"1,\"f(int, int)\",2,3,0,4,5,1024,64,512,0,8,16,0,0x0,0x7f,16.5,90,100,250,260,150\n", one, []Counter{{Dispatch: 1, Name: "SQ_WAVES", Value: 16.5}}},
		{"long form", "\"Dispatch_Id\",\"Agent_Id\",\"Queue_Id\",\"Process_Id\",\"Thread_Id\",\"Grid_Size\",\"Kernel_Name\",\"Workgroup_Size\",\"LDS_Block_Size\",\"Scratch_Size\",\"VGPR_Count\",\"SGPR_Count\",\"Counter_Name\",\"Counter_Value\",\"Start_Timestamp\",\"End_Timestamp\"\n" +
			"1,\"Agent 2\",3,4,5,1024,\"f(int, int)\",64,512,0,8,16,A,1,100,250\n1,\"Agent 2\",3,4,5,1024,\"f(int, int)\",64,512,0,8,16,B,2,100,250\n", one, []Counter{{Dispatch: 1, Name: "A", Value: 1}, {Dispatch: 1, Name: "B", Value: 2}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := openText(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff([]Dispatch{c.want}, s.Dispatches); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(c.counters, s.Counters); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestDamage(t *testing.T) {
	s, err := openText("Dispatch_ID,Kernel_Name,GPU_ID,SQ_WAVES\n1,a,2,3\n2,b\n3,c,x,4\n4,d,2,y\n5,e,2,\n")
	if err != nil || len(s.Dispatches) != 3 {
		t.Fatalf("%+v, %v", s, err)
	}
	for i, want := range []int{3, 4, 5} {
		if i >= len(s.Problems) || s.Problems[i].Line != want {
			t.Errorf("problems %v, want lines 3, 4, 5", s.Problems)
			break
		}
	}
	for _, bad := range []string{"", "a,b\n1,2\n", "{\"x\": 1}", "[1]", "{", "SQLite format 3\x00", "SQLite format 3\x00" + strings.Repeat("x", 5000)} {
		if _, err := openText(bad); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "t:") {
			t.Errorf("%.20q: %v", bad, err)
		}
	}
}

const jsonFile = `{"rocprofiler-sdk-tool":[{"metadata":{"pid":7},"agents":[{"id":{"handle":5},"type":2,"name":"gfx942","cu_count":304}],
"counters":[{"id":{"handle":281474976710656},"name":"SQ_WAVES"}],
"strings":{"buffer_records":[{"kind":"NONE","operations":[]},{"kind":"HIP_RUNTIME_API","operations":["","hipMalloc"]},{"kind":"MEMORY_COPY","operations":["NONE","MEMORY_COPY_HOST_TO_DEVICE"]}]},
"callback_records":{"counter_collection":[{"thread_id":1,"dispatch_data":{"correlation_id":{"internal":9},"dispatch_info":{"agent_id":{"handle":5},"kernel_id":3,"dispatch_id":2,"grid_size":{"x":64,"y":1,"z":1},"workgroup_size":{"x":64,"y":1,"z":1}}},"records":[{"counter_id":{"handle":281474976710659},"value":4}]}]},
"buffer_records":{"kernel_dispatch":[{"thread_id":1,"start_timestamp":10,"end_timestamp":30,"dispatch_info":{"agent_id":{"handle":5},"kernel_id":3,"dispatch_id":1,"grid_size":{"x":64,"y":2,"z":1},"workgroup_size":{"x":64,"y":1,"z":1}}}],
"hip_api":[{"kind":1,"operation":1,"thread_id":1,"start_timestamp":1,"end_timestamp":2}],
"memory_copy":[{"kind":2,"operation":1,"bytes":4096,"start_timestamp":3,"end_timestamp":4,"dst_agent_id":{"handle":5}}]},
"kernel_symbols":[{"kernel_id":3,"formatted_kernel_name":"f","arch_vgpr_count":12}]}]}`

func TestJSON(t *testing.T) {
	s, err := openText(jsonFile)
	if err != nil || len(s.Problems) > 0 {
		t.Fatal(err, s.Problems)
	}
	if n, ns, k := sums(s); n != 2 || ns != 20 || k != 1 || s.Dispatches[1].VGPRs != 12 || s.Dispatches[1].Grid[1] != 2 || s.Dispatches[0].PID != 7 {
		t.Errorf("dispatches %+v", s.Dispatches)
	}
	if d := cmp.Diff([]Counter{{Dispatch: 2, Name: "SQ_WAVES", Value: 4}}, s.Counters); d != "" {
		t.Error(d)
	}
	if len(s.Calls) != 1 || s.Calls[0].Name != "hipMalloc" || s.Calls[0].Domain != "HIP_RUNTIME_API" {
		t.Errorf("calls %+v", s.Calls)
	}
	if len(s.Copies) != 1 || s.Copies[0].Direction != "MEMORY_COPY_HOST_TO_DEVICE" || s.Copies[0].Bytes != 4096 {
		t.Errorf("copies %+v", s.Copies)
	}
	cut, err := openText(jsonFile[:strings.Index(jsonFile, `"hip_api"`)])
	if err != nil || len(cut.Dispatches) != 2 || len(cut.Problems) != 1 || cut.Problems[0].Offset == 0 {
		t.Errorf("cut: %+v, %v", cut, err)
	}
}

// rocpdSQL makes a run of rocprofv3 as its schema 4 lays it out.
const rocpdSQL = `
CREATE TABLE rocpd_string_u (id INTEGER PRIMARY KEY, string TEXT);
CREATE TABLE rocpd_info_category_u (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE rocpd_info_process_u (id INTEGER PRIMARY KEY, pid INTEGER);
CREATE TABLE rocpd_info_thread_u (id INTEGER PRIMARY KEY, tid INTEGER);
CREATE TABLE rocpd_info_agent_u (id INTEGER PRIMARY KEY, type TEXT, type_index INTEGER, name TEXT, product_name TEXT);
CREATE TABLE rocpd_info_kernel_symbol_u (id INTEGER PRIMARY KEY, kernel_name TEXT, display_name TEXT, arch_vgpr_count INTEGER, accum_vgpr_count INTEGER, sgpr_count INTEGER);
CREATE TABLE rocpd_track_u (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, agent_id INTEGER, queue_id INTEGER, stream_id INTEGER);
CREATE TABLE rocpd_timestamp_u (id INTEGER PRIMARY KEY, value BIGINT);
CREATE TABLE rocpd_event_u (id INTEGER PRIMARY KEY, category_id INTEGER, stack_id INTEGER, correlation_id INTEGER);
CREATE TABLE rocpd_kernel_dispatch_u (id INTEGER PRIMARY KEY, track_id INTEGER, kernel_id INTEGER, dispatch_id INTEGER, start_id INTEGER, end_id INTEGER, private_segment_size INTEGER, group_segment_size INTEGER,
  workgroup_size_x INTEGER, workgroup_size_y INTEGER, workgroup_size_z INTEGER, grid_size_x INTEGER, grid_size_y INTEGER, grid_size_z INTEGER, event_id INTEGER);
CREATE TABLE rocpd_region_u (id INTEGER PRIMARY KEY, track_id INTEGER, name_id INTEGER, start_id INTEGER, end_id INTEGER, event_id INTEGER);
CREATE TABLE rocpd_memory_copy_u (id INTEGER PRIMARY KEY, track_id INTEGER, start_id INTEGER, end_id INTEGER, name_id INTEGER, dst_agent_id INTEGER, src_agent_id INTEGER, size INTEGER, event_id INTEGER);
INSERT INTO rocpd_string_u VALUES (1, 'hipLaunchKernel'), (3, 'MEMORY_COPY_HOST_TO_DEVICE');
INSERT INTO rocpd_info_process_u VALUES (1, 77); INSERT INTO rocpd_info_thread_u VALUES (1, 78);
INSERT INTO rocpd_info_category_u VALUES (2, 'HIP_RUNTIME_API');
INSERT INTO rocpd_info_agent_u VALUES (4, 'GPU', 0, 'gfx942', 'MI300X');
INSERT INTO rocpd_info_kernel_symbol_u VALUES (9, 'f.kd', 'f', 12, 0, 16);
INSERT INTO rocpd_track_u VALUES (1, 1, 1, 4, 2, 3);
INSERT INTO rocpd_timestamp_u VALUES (1, 100), (2, 180);
INSERT INTO rocpd_event_u VALUES (1, 2, 55, 0);
INSERT INTO rocpd_kernel_dispatch_u VALUES (1, 1, 9, 1, 1, 2, 0, 1024, 64, 1, 1, 4096, 1, 1, 1);
INSERT INTO rocpd_region_u VALUES (1, 1, 1, 1, 2, 1);
INSERT INTO rocpd_memory_copy_u VALUES (1, 1, 1, 2, 3, 4, 0, 8192, 1);`

func TestRocpd(t *testing.T) {
	conn, err := sqlite.OpenConn(":memory:", sqlite.OpenReadWrite|sqlite.OpenMemory)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := sqlitex.ExecuteScript(conn, rocpdSQL, nil); err != nil {
		t.Fatal(err)
	}
	b, err := conn.Serialize("main")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(context.Background(), bytes.NewReader(b), int64(len(b)), "t.db")
	if err != nil || len(s.Problems) > 0 {
		t.Fatal(err, s.Problems)
	}
	want := []Dispatch{{ID: 1, Kernel: "f", Agent: 4, Queue: 2, Stream: 3, PID: 77, TID: 78, Correlation: 55, Start: 100, End: 180,
		Grid: [3]uint64{4096, 1, 1}, Group: [3]uint64{64, 1, 1}, LDS: 1024, VGPRs: 12, SGPRs: 16}}
	if d := cmp.Diff(want, s.Dispatches); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]Call{{Domain: "HIP_RUNTIME_API", Name: "hipLaunchKernel", PID: 77, TID: 78, Correlation: 55, Start: 100, End: 180}}, s.Calls); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]Copy{{Direction: "MEMORY_COPY_HOST_TO_DEVICE", To: 4, Bytes: 8192, PID: 77, Queue: 2, Stream: 3, Correlation: 55, Start: 100, End: 180}}, s.Copies); d != "" {
		t.Error(d)
	}
	// A table that is missing costs what it says only.
	if err := sqlitex.ExecuteScript(conn, "DROP TABLE rocpd_info_kernel_symbol_u", nil); err != nil {
		t.Fatal(err)
	}
	if b, err = conn.Serialize("main"); err != nil {
		t.Fatal(err)
	}
	s, err = Open(context.Background(), bytes.NewReader(b), int64(len(b)), "t.db")
	if err != nil || len(s.Problems) != 1 || len(s.Calls) != 1 || len(s.Dispatches) != 1 || s.Dispatches[0].Group[0] != 64 {
		t.Errorf("%+v, %v", s, err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte(jsonFile))
	f.Add([]byte("Index,KernelName,gpu-id,grd,SQ_WAVES,BeginNs,EndNs\n1,\"f\",2,1024,1.5,100,250\n"))
	f.Add([]byte("\"Kind\",\"Direction\",\"Start_Timestamp\",\"End_Timestamp\"\n\"x\",\"y\",1,2\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, err := Open(context.Background(), bytes.NewReader(b), int64(len(b)), "t")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "t:") {
				t.Fatalf("error without the file: %v", err)
			}
		}
	})
}
