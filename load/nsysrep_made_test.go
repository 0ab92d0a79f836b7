package load

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	gen "github.com/gpuprof/gpuprof/internal/nsysrepgen"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
)

const (
	madePid = gen.SamplePid
	madeTid = gen.SampleTid
)

func openMade(t *testing.T, r *gen.Report) *File {
	t.Helper()
	name := filepath.Join(t.TempDir(), "made.nsys-rep")
	if err := os.WriteFile(name, r.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return open(t, name)
}

// row prints the cells of a row that are not NULL.
func row(t *testing.T, tr *trace.Trace, table string, i int, columns ...string) string {
	t.Helper()
	tab, err := tr.All(context.Background(), table)
	if err != nil {
		t.Fatal(table, err)
	}
	if i >= tab.Rows {
		t.Fatalf("%s has %d rows", table, tab.Rows)
	}
	var out []string
	for _, c := range tab.Columns {
		if v := cell(tr, c, i); v != "NULL" && (len(columns) == 0 || strings.Contains(" "+columns[0]+" ", " "+c.Name+" ")) {
			out = append(out, c.Name+"="+v)
		}
	}
	return strings.Join(out, " ")
}

// TestMadeReport reads a report of which every number was planted.
func TestMadeReport(t *testing.T) {
	f := openMade(t, gen.Sample())
	tr := f.Trace
	if tr.Tool != "NVIDIA Nsight Systems 2024.5.1.113" {
		t.Errorf("the tool is %q", tr.Tool)
	}
	for _, c := range []struct {
		table   string
		rows    int
		columns string
		want    []string
	}{
		{"CUPTI_ACTIVITY_KIND_KERNEL", 1, "start end deviceId contextId streamId correlationId globalPid demangledName shortName mangledName gridX gridZ blockX blockY staticSharedMemory dynamicSharedMemory registersPerThread",
			[]string{fmt.Sprintf("start=1000 end=1500 deviceId=1 contextId=2 streamId=7 correlationId=11 globalPid=%d demangledName=1 shortName=2 mangledName=3 gridX=4 gridZ=6 blockX=32 blockY=2 staticSharedMemory=64 dynamicSharedMemory=128 registersPerThread=40", madePid)}},
		{"CUPTI_ACTIVITY_KIND_MEMCPY", 1, "start bytes copyKind srcKind dstKind", []string{"start=1600 bytes=4096 copyKind=1 srcKind=0 dstKind=2"}},
		{"CUPTI_ACTIVITY_KIND_MEMSET", 1, "bytes value memKind", []string{"bytes=256 value=9 memKind=2"}},
		{"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", 1, "eventId syncType", []string{"eventId=3 syncType=4"}},
		{"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", 1, "start graphId graphExecId", []string{"start=1760 graphId=5 graphExecId=6"}},
		{"CUPTI_ACTIVITY_KIND_RUNTIME", 1, "start end globalTid nameId correlationId", []string{fmt.Sprintf("start=900 end=950 globalTid=%d correlationId=11 nameId=4", madeTid)}},
		{"OSRT_API", 1, "start nameId nestingLevel callchainId", []string{"start=100 nameId=5 callchainId=1 nestingLevel=0"}},
		{"OSRT_CALLCHAINS", 2, "id symbol stackDepth originalIP", []string{"id=1 symbol=6 originalIP=64 stackDepth=0", "id=1 symbol=2 originalIP=128 stackDepth=1"}},
		{"CUDA_GPU_MEMORY_USAGE_EVENTS", 2, "start deviceId contextId globalPid address bytes memKind memoryOperationType correlationId",
			[]string{fmt.Sprintf("start=910 deviceId=0 contextId=1 globalPid=%d address=139637976727552 bytes=4096 memKind=2 memoryOperationType=0 correlationId=11", madePid)}},
		{"CUDNN_EVENTS", 1, "start nameId", []string{"start=400 nameId=13"}},
		{"CUDA_GRAPH_NODE_EVENTS", 1, "graphNodeId originalGraphNodeId", []string{"graphNodeId=901 originalGraphNodeId=902"}},
		{"NVTX_EVENTS", 3, "start end eventType text textId doubleValue", []string{"start=800 end=2000 eventType=59 textId=9", "start=850 eventType=34 text=mark doubleValue=1.5"}},
		{"MPI_OTHER_EVENTS", 1, "start end textId", []string{"start=3000 end=3100 textId=10"}},
		{"COMPOSITE_EVENTS", 1, "id start cpu cpuCycles globalTid", []string{fmt.Sprintf("id=1 start=120 cpu=2 globalTid=%d cpuCycles=5000", madeTid)}},
		{"SAMPLING_CALLCHAINS", 3, "id symbol stackDepth", []string{"id=1 symbol=6 stackDepth=0", "id=1 symbol=2 stackDepth=1", "id=1 symbol=1 stackDepth=2"}},
		{"SCHED_EVENTS", 2, "start cpu isSchedIn threadState", []string{"start=130 cpu=1 isSchedIn=1", "start=140 cpu=1 isSchedIn=0 threadState=3"}},
		{"PROCESSES", 1, "pid name", []string{"pid=70 name=/bin/app"}},
		{"DIAGNOSTIC_EVENT", 1, "timestamp text severity", []string{"timestamp=5 severity=2 text=watch out"}},
		{"OSRT_FILE_ACCESS_EVENTS", 1, "threadId startedAt endedAt", []string{"threadId=71 startedAt=100 endedAt=300"}},
		{"ThreadNames", 1, "nameId globalTid", []string{fmt.Sprintf("nameId=8 globalTid=%d", madeTid)}},
		{"ANALYSIS_FILE", 1, "filename content", []string{"filename=out.txt content=hello"}},
		{"TARGET_INFO_GPU", 1, "vmId name busLocation smCount totalMemory uuid", []string{"vmId=3 name=Made GPU busLocation=0000:01:00.0 totalMemory=1073741824 smCount=108 uuid=30313233-3435-3637-3839-616263646566"}},
		{"TARGET_INFO_CUDA_STREAM", 1, "streamId contextId flag", []string{"streamId=13 contextId=1 flag=1"}},
		{"TARGET_INFO_SYSTEM_ENV", 4, "name value nameEnum", []string{"nameEnum=1 name=CpuCores value=16", "nameEnum=610 name=DeviceEnvironment value=A=1;B=2", "nameEnum=4242 name=4242 value=new"}},
		{"TARGET_INFO_NIC_INFO", 1, "name nicId vendorId", []string{"nicId=3 name=mlx5_0 vendorId=5555"}},
		// Start of the session 1000 ns after the capture's clock; that is 500 ns off the
		// monotonic one, which is 1.7e18 off UTC.
		{"TARGET_INFO_SESSION_START_TIME", 1, "utcEpochNs utcTime localTime", []string{"utcEpochNs=1700000000000000500 utcTime=2023-11-14T22:13:20 localTime=2023-11-14T23:13:20"}},
		{"ANALYSIS_DETAILS", 1, "startTime stopTime duration", []string{"duration=899000 startTime=1000 stopTime=900000"}},
	} {
		tab, err := tr.All(context.Background(), c.table)
		if err != nil || tab == nil {
			t.Errorf("%s is not there: %v", c.table, err)
			continue
		}
		if tab.Rows != c.rows {
			t.Errorf("%s: %d rows, want %d", c.table, tab.Rows, c.rows)
			continue
		}
		for i, want := range c.want {
			if got := sorted(row(t, tr, c.table, i, c.columns)); got != sorted(want) {
				t.Errorf("%s row %d:\n got %s\nwant %s", c.table, i, got, sorted(want))
			}
		}
	}
	unknown := ""
	for _, c := range f.Contents() {
		if c.What == "not understood" {
			unknown += fmt.Sprintln(c.Count, c.Note)
		}
	}
	if !strings.HasPrefix(unknown, "1 ") || !strings.Contains(unknown, "119") {
		t.Errorf("not understood: %q", unknown)
	}
}

func sorted(s string) string {
	var parts []string
	for _, p := range strings.Split(s, " ") {
		if strings.Contains(p, "=") || len(parts) == 0 {
			parts = append(parts, p)
		} else {
			parts[len(parts)-1] += " " + p
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, " | ")
}

// TestMadeCapture reads the options of the capture.
func TestMadeCapture(t *testing.T) {
	tr := openMade(t, gen.Sample()).Trace
	tab, err := tr.All(context.Background(), "META_DATA_CAPTURE")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for i := range tab.Rows {
		got[cell(tr, tab.Col("name"), i)] = cell(tr, tab.Col("value"), i)
	}
	for name, want := range map[string]string{"DEVICE_ID": "gpu7", "RATE_HZ": "1000", "CAPTURE_EVENT_TYPE": "Cuda", "OS_RUNTIME_OPTIONS:DURATION_THRESHOLD_NS": "5",
		"OS_RUNTIME_OPTIONS:COLLECT_BACKTRACES": "true", "PROCESS_0:COMMAND": "/bin/app", "PROCESS_0:ARGUMENT_1": "x", "PROCESS_0:ENVIRONMENT_VARIABLE": `HOME="/root"`,
		"POWER_RATE_SCAN_FREQ": "50", "SHOW_BACKTRACE": "false"} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
}

// TestMadeExport reads the made report as an export, which has the enumerations
// and says of which schema it is; what it shares with the report is the same.
func TestMadeExport(t *testing.T) {
	f := openMade(t, gen.Sample())
	x := f.ForExport(schema.Newest)
	for _, info := range f.Trace.Tables() {
		if info.Name == "META_DATA_CAPTURE" { // TestMadeCapture; what compares leaves options out
			continue
		}
		if _, result := compareTable(t, x, f.Trace, info); result != "exact" {
			t.Errorf("%s: %s", info.Name, result)
		}
	}
	version := ""
	tab, err := x.All(context.Background(), "META_DATA_EXPORT")
	if err != nil {
		t.Fatal(err)
	}
	for i := range tab.Rows {
		if cell(x, tab.Col("name"), i) == "EXPORT_SCHEMA_VERSION" {
			version = cell(x, tab.Col("value"), i)
		}
	}
	if version != schema.Newest.String() {
		t.Errorf("the schema is %q, want %v", version, schema.Newest)
	}
	kinds, err := x.All(context.Background(), "ENUM_CUDA_MEMCPY_OPER")
	if err != nil || kinds.Rows < 10 {
		t.Errorf("%d kinds of copies; %v", kinds.Rows, err)
	}
}

// TestMadeCut reads the report without its directory, and cut within the last
// frame: what lies before is there.
func TestMadeCut(t *testing.T) {
	r := gen.Sample()
	r.NoEnding = true
	f := openMade(t, r)
	if len(f.Problems()) == 0 {
		t.Error("a report without directory has no problem")
	}
	if got := row(t, f.Trace, "CUPTI_ACTIVITY_KIND_MEMCPY", 0, "bytes start"); got != "start=1600 bytes=4096" {
		t.Error(got)
	}
	if d := cmp.Diff(row(t, openMade(t, gen.Sample()).Trace, "NVTX_EVENTS", 0), row(t, f.Trace, "NVTX_EVENTS", 0)); d != "" {
		t.Error(d)
	}
}

// TestMadeClocks takes the start of the session over the clocks: from its own to
// UTC along an edge, and back along one from the local time, 2 hours ahead.
func TestMadeClocks(t *testing.T) {
	const utc = int64(1_700_000_000_000_000_000)
	edge := func(from, to string, s0, t0 int64) []byte {
		return gen.Message(1, from, 2, to, 3, gen.Message(1, gen.Message(1, s0, 2, t0), 2, 1.0))
	}
	r := gen.Sample()
	r.Parts["Time Conversion Data"] = gen.Message(
		1, gen.Message(1, gen.Message(1, "session", 2, 14), 1, gen.Message(1, "utc", 2, 11), 1, gen.Message(1, "local", 2, 12)),
		2, gen.Message(1, edge("session", "utc", 0, utc), 1, edge("local", "utc", utc+7200e9, utc)))
	want := sorted(fmt.Sprintf("utcEpochNs=%d utcTime=2023-11-14T22:13:20 localTime=2023-11-15T00:13:20 systemClockNs=1000", utc))
	if got := sorted(row(t, openMade(t, r).Trace, "TARGET_INFO_SESSION_START_TIME", 0)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestMadeProperties has properties whose values are messages: lists, quoted
// numbers of 64 bits, names of numbers, and a field whose name is not known.
func TestMadeProperties(t *testing.T) {
	r := gen.Sample()
	property := func(code int, value []byte) []byte { return gen.Message(1, code, 2, value) }
	r.Header = gen.Message(1, gen.Message(2, gen.Message(gen.Repeated(1,
		property(905, gen.Message(1, 4, 1, 7)),
		property(897, gen.Message(1, gen.Message(1, 2, 2, "GPU \"A\"", 4, 1, 6, 12345))),
		property(912, gen.Message(1, 3, 2, 1, 3, gen.Message(1, 100))),
		property(924, gen.Message(1, gen.Message(1, "/p", 5, 0, 77, 8))))...)))
	tr := openMade(t, r).Trace
	for i, want := range []string{`{"Ids":[4,7]}`, `{"Gpus":[{"Id":2,"Name":"GPU \"A\"","IsDiscrete":true,"Luid":"12345"}]}`,
		`{"defaultCpuIPSamplingTriggerEventIndex":3,"triggerType":"Hardware","samplingPeriodInfo":{"minSamplingPeriod":100}}`,
		`{"Plugins":[{"ExecutablePath":"/p","IsInternalFeature":false,"77":8}]}`} {
		if got := row(t, tr, "TARGET_INFO_SYSTEM_ENV", i, "value"); got != "value="+want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestMadeSchemas reads the layout of a binary payload.
func TestMadeSchemas(t *testing.T) {
	r := gen.Sample()
	r.Schemas = gen.Message(3, gen.Message(2, gen.Message(1, 9, 2, 1, 5, "size", 6, 16, 9, 5, 4, gen.Message(1, 6, 7, "bytes"), 4, gen.Message(1, 17, 7, "rank", 3, 8))))
	tr := openMade(t, r).Trace
	if got, want := sorted(row(t, tr, "NVTX_PAYLOAD_SCHEMAS", 0, "domainId schemaId name type payloadSize numEntries")), sorted("domainId=5 schemaId=9 name=size type=1 payloadSize=16 numEntries=2"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := sorted(row(t, tr, "NVTX_PAYLOAD_SCHEMA_ENTRIES", 1, "domainId schemaId idx type name offset")), sorted("domainId=5 schemaId=9 idx=1 type=17 name=rank offset=8"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestMadeMemory reads with little memory what it reads with much, in parts as
// well; too little is refused.
func TestMadeMemory(t *testing.T) {
	f := openMade(t, gen.Sample())
	want := row(t, f.Trace, "SAMPLING_CALLCHAINS", 2)
	if err := f.SetMemory(1 << 20); err == nil || !strings.Contains(err.Error(), "--memory") {
		t.Errorf("1 MiB is enough: %v", err)
	}
	g := openMade(t, gen.Sample())
	if err := g.SetMemory(80 << 20); err != nil {
		t.Fatal(err)
	}
	if got := row(t, g.Trace, "SAMPLING_CALLCHAINS", 2); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	rows, total := 0, int64(0)
	err := g.Trace.ScanColumns(context.Background(), "COMPOSITE_EVENTS", []string{"cpuCycles"}, func(part *trace.Table) error {
		rows += part.Rows
		for _, c := range part.Ints("cpuCycles") {
			total += c
		}
		return nil
	})
	if rows != 1 || total != 5000 || err != nil {
		t.Errorf("%d rows with %d cycles, want 1 with 5000; %v", rows, total, err)
	}
}
