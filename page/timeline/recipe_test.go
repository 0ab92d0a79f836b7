package timeline

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/gpuprof/gpuprof/export"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/trace/schema"
	"github.com/gpuprof/gpuprof/view"
)

// recipeTables is an export with a row or more in every table that a recipe
// reads. Process 7 has the serialized number 7<<24 = 117440512; its thread 9 is
// 117440521.
const recipeTables = `
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1,'cudaLaunchKernel_v7000'),(2,'void gemm<float>(float*)'),(3,'gemm'),(4,'registered range'),(5,'worker'),
 (6,'main'),(7,'libapp.so'),(8,'poll'),(9,'stdout'),(10,'hello'),(11,'IDXGISwapChain::Present'),(12,'I/O'),(13,'inner');
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100,200,0,117440521,1,1,0,1),(300,320,0,117440521,2,1,0,NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (210,290,0,1,7,1,117440512,2,3),(330,340,0,1,7,2,117440512,2,3);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, category INTEGER, text TEXT, globalTid INTEGER, textId INTEGER, domainId INTEGER, uint64Value INTEGER);
INSERT INTO NVTX_EVENTS VALUES (50,400,59,NULL,NULL,117440521,4,0,NULL),(90,250,59,3,'inner',117440521,NULL,0,NULL),(0,NULL,33,3,NULL,117440521,12,0,NULL),(60,70,60,NULL,'payload',117440522,NULL,0,42);
CREATE TABLE PROFILER_OVERHEAD (start INTEGER NOT NULL, end INTEGER NOT NULL, globalTid INTEGER, nameId INTEGER NOT NULL);
INSERT INTO PROFILER_OVERHEAD VALUES (310,311,117440521,5);
CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);
INSERT INTO ThreadNames VALUES (5,20,117440521);
CREATE TABLE CUDA_CALLCHAINS (id INTEGER NOT NULL, symbol INTEGER NOT NULL, module INTEGER NOT NULL, unresolved INTEGER, originalIP INTEGER, stackDepth INTEGER NOT NULL);
INSERT INTO CUDA_CALLCHAINS VALUES (1,3,7,NULL,1,0),(1,6,7,NULL,2,1);
CREATE TABLE OSRT_API (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, nestingLevel INTEGER, callchainId INTEGER NOT NULL);
INSERT INTO OSRT_API VALUES (5,15,27,117440521,1,8,0,NULL,1);
CREATE TABLE OSRT_CALLCHAINS (id INTEGER NOT NULL, symbol INTEGER NOT NULL, module INTEGER NOT NULL, kernelMode INTEGER, unresolved INTEGER, originalIP INTEGER, stackDepth INTEGER NOT NULL);
INSERT INTO OSRT_CALLCHAINS VALUES (1,6,7,NULL,NULL,1,0);
CREATE TABLE SAMPLING_CALLCHAINS (id INTEGER NOT NULL, symbol INTEGER NOT NULL, module INTEGER NOT NULL, kernelMode INTEGER, unresolved INTEGER, originalIP INTEGER, stackDepth INTEGER NOT NULL);
INSERT INTO SAMPLING_CALLCHAINS VALUES (1,3,7,NULL,NULL,1,0),(1,6,7,NULL,NULL,2,1),(2,6,7,NULL,NULL,2,0);
CREATE TABLE COMPOSITE_EVENTS (id INTEGER NOT NULL PRIMARY KEY, start INTEGER NOT NULL, cpu INTEGER, threadState INTEGER, globalTid INTEGER, cpuCycles INTEGER NOT NULL);
INSERT INTO COMPOSITE_EVENTS VALUES (1,1,0,1,117440521,30),(2,2,0,1,117440522,10);
CREATE TABLE SCHED_EVENTS (start INTEGER NOT NULL, cpu INTEGER NOT NULL, isSchedIn INTEGER NOT NULL, globalTid INTEGER);
INSERT INTO SCHED_EVENTS VALUES (10,0,1,117440521),(25,0,0,117440521),(40,0,1,117440521);
CREATE TABLE ProcessStreams (globalPid INTEGER NOT NULL, filenameId INTEGER NOT NULL, contentId INTEGER NOT NULL);
INSERT INTO ProcessStreams VALUES (117440512,9,10);
CREATE TABLE DX12_API (id INTEGER NOT NULL PRIMARY KEY, start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER, endCorrelationId INTEGER, nameId INTEGER NOT NULL);
INSERT INTO DX12_API VALUES (1,0,1,0,117440521,1,1,11),(2,16000000,16000001,0,117440521,2,2,11),(3,32900000,32900001,0,117440521,3,3,11);
CREATE TABLE GENERIC_EVENTS (rawTimestamp INTEGER, timestamp INTEGER, typeId INTEGER, data TEXT);
INSERT INTO GENERIC_EVENTS VALUES (1,1,77,'{"common_pid":"42"}'),(2,2,77,'{"common_pid":"42"}');
CREATE TABLE GENERIC_EVENT_TYPES (typeId INTEGER PRIMARY KEY, sourceId INTEGER, data TEXT);
INSERT INTO GENERIC_EVENT_TYPES VALUES (77,5,'{"Name":"raw_syscalls:sys_enter"}');
CREATE TABLE GENERIC_EVENT_SOURCES (sourceId INTEGER PRIMARY KEY, data TEXT);
INSERT INTO GENERIC_EVENT_SOURCES VALUES (5,'{"Name":"ftrace"}');
CREATE TABLE SLI_P2P (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, gpu INTEGER, frameId INTEGER, transferSkipped INTEGER NOT NULL, srcGpu INTEGER NOT NULL, dstGpu INTEGER NOT NULL, numSubResources INTEGER NOT NULL, resourceSize INTEGER NOT NULL);
INSERT INTO SLI_P2P VALUES (100,150,62,117440521,0,1,0,0,1,1,4096),(200,210,62,117440521,0,1,1,0,1,1,4096);
CREATE TABLE GPU_METRICS (rawTimestamp INTEGER, timestamp INTEGER NOT NULL, typeId INTEGER NOT NULL, metricId INTEGER NOT NULL, value INTEGER NOT NULL);
INSERT INTO GPU_METRICS VALUES (1,1,259,4,20),(2,2,259,4,40);
CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER NOT NULL, sourceId INTEGER NOT NULL, typeName TEXT NOT NULL, metricId INTEGER NOT NULL, metricName TEXT NOT NULL);
INSERT INTO TARGET_INFO_GPU_METRICS VALUES (259,1,'GPU',4,'SMs_Active');
CREATE TABLE CUDA_GRAPH_EVENTS (start INTEGER NOT NULL, end INTEGER NOT NULL, globalTid INTEGER, nameId INTEGER NOT NULL, graphNodeId INTEGER NOT NULL, originalGraphNodeId INTEGER);
INSERT INTO CUDA_GRAPH_EVENTS VALUES (110,120,117440521,1,9,NULL),(121,122,117440521,1,10,9);
CREATE TABLE CUDA_GRAPH_NODE_EVENTS (start INTEGER NOT NULL, end INTEGER NOT NULL, globalTid INTEGER, nameId INTEGER NOT NULL, graphNodeId INTEGER NOT NULL, originalGraphNodeId INTEGER);
INSERT INTO CUDA_GRAPH_NODE_EVENTS VALUES (110,120,117440521,1,9,NULL),(121,122,117440521,1,10,9);
CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER NOT NULL, timestampType INTEGER NOT NULL, source INTEGER NOT NULL, severity INTEGER NOT NULL, text TEXT NOT NULL, globalPid INTEGER);
INSERT INTO DIAGNOSTIC_EVENT VALUES (7,1,1,2,'lost events',NULL);
CREATE TABLE NVTX_PAYLOAD_SCHEMAS (domainId INTEGER, schemaId INTEGER, name TEXT, payloadSize INTEGER);
INSERT INTO NVTX_PAYLOAD_SCHEMAS VALUES (0,5,'NCCL',8),(0,5,'NCCL',8);
CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (domainId INTEGER NOT NULL, schemaId INTEGER NOT NULL, idx INTEGER NOT NULL, type INTEGER, name TEXT, description TEXT, offset INTEGER);
INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES (0,5,0,22,'bytes','size',0);
CREATE TABLE FECS_EVENTS (tag INTEGER NOT NULL, vmId INTEGER NOT NULL, seqNo INTEGER NOT NULL, contextId INTEGER NOT NULL, timestamp INTEGER NOT NULL, globalPid INTEGER, gpuId INTEGER NOT NULL);
INSERT INTO FECS_EVENTS VALUES (8,0,1,3,11,117440512,0),(7,0,2,3,12,117440512,0);
`

// genericTables are generic events as exports since 2025 have them: the values
// in a table of their own, JSON only on request.
const genericTables = `
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1,'tick'),(2,'count'),(3,'load'),(4,'timer');
CREATE TABLE GENERIC_EVENT_SOURCES (sourceId INTEGER PRIMARY KEY, nameId INTEGER NOT NULL, data TEXT);
INSERT INTO GENERIC_EVENT_SOURCES VALUES (5,4,NULL);
CREATE TABLE GENERIC_EVENT_TYPES (typeId INTEGER PRIMARY KEY, sourceId INTEGER NOT NULL, nameId INTEGER NOT NULL, data TEXT);
INSERT INTO GENERIC_EVENT_TYPES VALUES (77,5,1,NULL);
CREATE TABLE GENERIC_EVENT_TYPE_FIELDS (typeId INTEGER NOT NULL, fieldIdx INTEGER NOT NULL, fieldNameId INTEGER NOT NULL);
INSERT INTO GENERIC_EVENT_TYPE_FIELDS VALUES (77,0,2),(77,1,3);
CREATE TABLE GENERIC_EVENTS (genericEventId INTEGER PRIMARY KEY, rawTimestamp INTEGER, timestamp INTEGER, typeId INTEGER, globalTid INTEGER, data TEXT);
INSERT INTO GENERIC_EVENTS VALUES (1,1,10,77,NULL,NULL),(2,2,20,77,NULL,NULL);
CREATE TABLE GENERIC_EVENT_DATA (genericEventId INTEGER NOT NULL, fieldIdx INTEGER NOT NULL, intVal INTEGER, uintVal INTEGER, floatVal REAL, doubleVal REAL);
INSERT INTO GENERIC_EVENT_DATA VALUES (1,0,NULL,7,NULL,NULL),(1,1,NULL,NULL,NULL,0.5);
CREATE TABLE SYSCALL (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, nameId INTEGER NOT NULL, callchainId INTEGER NOT NULL);
INSERT INTO SYSCALL VALUES (1,2,107,117440521,1,0),(3,4,107,117440521,1,0);
`

func TestRecipesOfLateExports(t *testing.T) {
	path := filepath.Join(t.TempDir(), "late.sqlite")
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite, sqlite.OpenCreate)
	if err != nil {
		t.Fatal(err)
	}
	err = sqlitex.ExecuteScript(conn, genericTables, nil)
	if e := conn.Close(); err != nil || e != nil {
		t.Fatal(err, e)
	}
	for name, want := range map[string]string{
		"generic_events":      "10,{count:7,load:0.5,type:tick}\n20,{type:tick}",
		"generic_event_types": "77,tick,5,timer,,",
		"syscalls":            "7,2",
	} {
		got, err := ask(t, pagetest.Options("recipe", name), path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_, rows, _ := strings.Cut(strings.ReplaceAll(got, `"`, ""), "\n")
		if d := cmp.Diff(want, strings.TrimSpace(rows)); d != "" {
			t.Errorf("%s: -want +got\n%s", name, d)
		}
	}
	got, _ := pagetest.Render(t, Stats, path, view.FormatCSV, pagetest.Options("report", "syscall_sum"))
	if !strings.Contains(got, "\n100.0,2,2,1.0,1.0,1,1,0.0,tick\n") {
		t.Errorf("syscall_sum: %s", got)
	}
}

// written returns recipeTables as our writer writes them in a layout.
func written(t *testing.T, version string) string {
	t.Helper()
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from.sqlite"), filepath.Join(dir, "to.sqlite")
	conn, err := sqlite.OpenConn(from, sqlite.OpenReadWrite, sqlite.OpenCreate)
	if err != nil {
		t.Fatal(err)
	}
	err = sqlitex.ExecuteScript(conn, recipeTables, nil)
	if e := conn.Close(); err != nil || e != nil {
		t.Fatal(err, e)
	}
	f, err := load.Open(context.Background(), from)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	v, err := schema.ParseVersion(version)
	if err != nil {
		t.Fatal(err)
	}
	if err := export.SQLite(context.Background(), f.Trace, to, &v); err != nil {
		t.Fatal(err)
	}
	return to
}

// recipeSince are the recipes whose tables only one of both layouts has.
var recipeSince = map[string]string{"context_switches": "until 2021", "gpu_metrics": "since 3.7", "diagnostics": "since 3.13", "nvtx_payload_schemas": "since 3.25"}

var writtenVersions = []string{"2021", "3.25.0"}

// TestRecipeAnswers compares what recipes say of databases that we wrote, in the
// oldest and the newest layout.
func TestRecipeAnswers(t *testing.T) {
	for _, version := range writtenVersions {
		path := written(t, version)
		for name, want := range map[string]string{
			"api_to_kernel":        "100,100,cudaLaunchKernel_v7000,210,80,void gemm<float>(float*)\n300,20,cudaLaunchKernel_v7000,330,10,void gemm<float>(float*)",
			"rename_kernels":       "210,80,inner/void gemm<float>(float*)\n330,10,registered range/void gemm<float>(float*)",
			"threads":              "7,9,worker",
			"no_overhead":          "100,200,117440521,cudaLaunchKernel_v7000",
			"cuda_backtraces":      "100,100,cudaLaunchKernel_v7000,0,gemm,libapp.so\n100,100,cudaLaunchKernel_v7000,1,main,libapp.so",
			"osrt_backtraces":      "5,10,poll,0,main,libapp.so",
			"function_table":       "75.000000,75.000000,gemm,libapp.so\n25.000000,100.000000,main,libapp.so",
			"thread_summary":       "7,9,75.000000,worker\n7,10,25.000000,",
			"thread_schedule":      "7,9,15,1",
			"output_streams":       "7,stdout,hello",
			"nvtx_categories":      "90,250,inner,I/O",
			"dx12_frames":          "16,2",
			"generic_events":       "1,{common_pid:42,type:raw_syscalls:sys_enter}\n2,{common_pid:42,type:raw_syscalls:sys_enter}",
			"generic_event_types":  "77,{Name:raw_syscalls:sys_enter},5,{Name:ftrace}",
			"syscalls":             "42,2",
			"context_switches":     "11,start,7,0,1,3,0\n12,end,7,0,2,3,0",
			"sli_transfers":        "100,50,1,0,1,4096",
			"gpu_metrics":          "3,SMs_Active,2,30.000000,20,40",
			"graph_node_creation":  "100,200,cudaLaunchKernel_v7000,9",
			"diagnostics":          "7,2,lost events",
			"nvtx_payloads":        "60,70,payload,42,",
			"nvtx_payload_schemas": "0,5,NCCL,8,0,bytes,22,0,size",
		} {
			got, err := ask(t, pagetest.Options("recipe", name), path)
			if err != nil {
				if since, ok := recipeSince[name]; !ok || strings.HasPrefix(since, "since") == (version != "2021") {
					t.Errorf("%s in %s: %v", name, version, err)
				}
				continue
			}
			_, rows, _ := strings.Cut(strings.ReplaceAll(got, `"`, ""), "\n")
			if d := cmp.Diff(want, strings.TrimSpace(rows)); d != "" {
				t.Errorf("%s in %s: -want +got\n%s", name, version, d)
			}
		}
	}
}

// TestOtherReaders asks databases that we wrote the way that other programs do:
// kernels and calls joined with their names, texts of NVTX by either column,
// and what the tables are.
func TestOtherReaders(t *testing.T) {
	for _, version := range writtenVersions {
		path := written(t, version)
		for sql, want := range map[string]string{
			"SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'NVTX_EVENTS'":                                                                                                            "NVTX_EVENTS",
			"SELECT s.value AS name, k.start, k.end, k.deviceId, k.streamId, k.correlationId FROM CUPTI_ACTIVITY_KIND_KERNEL AS k JOIN StringIds AS s ON k.shortName = s.id ORDER BY k.start LIMIT 1": "gemm,210,290,0,7,1",
			"SELECT rt.start, rt.end, rt.globalTid, s.value FROM CUPTI_ACTIVITY_KIND_RUNTIME AS rt LEFT JOIN StringIds AS s ON rt.nameId = s.id WHERE rt.correlationId = 2":                           "300,320,117440521,cudaLaunchKernel_v7000",
			"SELECT e.start, e.end, COALESCE(s.value, e.text) FROM NVTX_EVENTS AS e LEFT JOIN StringIds AS s ON e.textId = s.id WHERE e.eventType = 59 ORDER BY e.start":                              "50,400,registered range\n90,250,inner",
			"SELECT (globalTid >> 24) & 0xFFFFFF AS pid, globalTid & 0xFFFFFF AS tid FROM NVTX_EVENTS WHERE eventType = 59 GROUP BY 1, 2":                                                             "7,9",
			"SELECT COUNT(*) FROM CUPTI_ACTIVITY_KIND_KERNEL AS k INNER JOIN CUPTI_ACTIVITY_KIND_RUNTIME AS r ON k.correlationId == r.correlationId AND (k.globalPid >> 24) == (r.globalTid >> 24)":   "2",
			"WITH m AS (SELECT MIN(start) AS lo, MAX(end) AS hi FROM CUPTI_ACTIVITY_KIND_KERNEL) SELECT hi - lo FROM m":                                                                               "130",
			"SELECT s.value, SUM(k.end - k.start), COUNT(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k, StringIds s WHERE s.id = k.demangledName GROUP BY k.demangledName HAVING COUNT(*) > 1 ORDER BY 2 DESC": "void gemm<float>(float*),90,2",
			"SELECT c.start, COUNT(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME c JOIN CUDA_CALLCHAINS h ON h.id = c.callchainId GROUP BY c.rowid":                                                             "100,2",
			"SELECT typeof(start), typeof(end), typeof(text), typeof(textId) FROM NVTX_EVENTS WHERE eventType = 33":                                                                                   "integer,null,null,integer",
		} {
			got, err := ask(t, nil, path, sql)
			if err != nil {
				t.Errorf("%s: %s: %v", version, sql, err)
				continue
			}
			_, rows, _ := strings.Cut(strings.ReplaceAll(got, `"`, ""), "\n")
			if d := cmp.Diff(want, strings.TrimSpace(rows)); d != "" {
				t.Errorf("%s: %s: -want +got\n%s", version, sql, d)
			}
		}
	}
}
