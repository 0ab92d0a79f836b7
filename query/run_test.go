package query

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/view"
)

// full is a database with every table of the catalogue.
func full(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := nsysgen.WriteAll(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// answers prints the results of a script, a row a line, an empty line between.
func answers(t *testing.T, path, script string) string {
	t.Helper()
	out, err := Run(context.Background(), []Base{{Path: path}}, script, Bounds{}, true)
	if err != nil {
		return "error: " + err.Error()
	}
	var b strings.Builder
	for i, r := range out {
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, row := range r.Table.Rows {
			for k, v := range row {
				if k > 0 {
					b.WriteByte('|')
				}
				b.WriteString(plain(v))
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func plain(v view.Value) string {
	switch v.Kind() {
	case view.KindInt:
		return fmt.Sprint(int64(v.Uint64()))
	case view.KindFloat:
		return fmt.Sprint(v.Float64())
	}
	return v.Text()
}

// published are the examples of queries in the documents of Nsight Systems, and what
// they answer of the tables of nsysgen.WriteAll.
var published = map[string]struct{ script, want string }{
	"serialized process and thread ids": {
		`SELECT globalTid / 0x1000000 % 0x1000000 AS PID, globalTid % 0x1000000 AS TID FROM OSRT_API LIMIT 1;`, "5000|6000\n"},
	"kernel launches with the calls of the API": {
		`ALTER TABLE CUPTI_ACTIVITY_KIND_RUNTIME ADD COLUMN name TEXT;
ALTER TABLE CUPTI_ACTIVITY_KIND_RUNTIME ADD COLUMN kernelName TEXT;
UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET kernelName = (SELECT value FROM StringIds
  JOIN CUPTI_ACTIVITY_KIND_KERNEL AS cuda_gpu ON cuda_gpu.shortName = StringIds.id
  AND CUPTI_ACTIVITY_KIND_RUNTIME.correlationId = cuda_gpu.correlationId);
UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET name = (SELECT value FROM StringIds WHERE nameId = StringIds.id);
SELECT start, end, correlationId, name, kernelName FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE kernelName IS NOT NULL ORDER BY start LIMIT 2;`,
		"1000000|1004000|1|alpha|alpha\n1010000|1014000|2|beta|beta\n"},
	"without ranges that overlap with overhead": {
		`SELECT COUNT(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME AS rt WHERE NOT EXISTS
(SELECT * FROM PROFILER_OVERHEAD AS ovhd WHERE ovhd.start < rt.end AND ovhd.end > rt.start);`, "0\n"},
	"deleting ranges that overlap with overhead": {
		`DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE rowid IN (SELECT rt.rowid FROM CUPTI_ACTIVITY_KIND_RUNTIME AS rt
INNER JOIN PROFILER_OVERHEAD AS ovhd ON rt.globalTid = ovhd.globalTid AND rt.start < ovhd.end AND rt.end > ovhd.start);
SELECT COUNT(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME;`, "0\n"},
	"calls that made nodes of graphs": {
		`SELECT rt.start, graph.graphNodeId, strings.value AS name FROM CUDA_GRAPH_NODE_EVENTS AS graph
JOIN CUPTI_ACTIVITY_KIND_RUNTIME AS rt ON rt.start <= graph.start AND rt.end >= graph.end AND rt.globalTid = graph.globalTid
JOIN StringIds AS strings ON rt.nameId = strings.id ORDER BY graphNodeId;`, "1000000|1|alpha\n1010000|2|beta\n1020000|3|gamma\n"},
	"backtraces of OS runtime calls": {
		`ALTER TABLE OSRT_CALLCHAINS ADD COLUMN symbolName TEXT;
ALTER TABLE OSRT_CALLCHAINS ADD COLUMN moduleName TEXT;
UPDATE OSRT_CALLCHAINS SET symbolName = (SELECT value FROM StringIds WHERE symbol = StringIds.id);
UPDATE OSRT_CALLCHAINS SET moduleName = (SELECT value FROM StringIds WHERE module = StringIds.id);
SELECT nameIds.value AS name, callchainId, symbolName, moduleName FROM OSRT_API
LEFT JOIN OSRT_CALLCHAINS ON callchainId == OSRT_CALLCHAINS.id LEFT JOIN StringIds AS nameIds ON nameId == nameIds.id ORDER BY OSRT_API.start LIMIT 1;`,
		"alpha|1|alpha|alpha\n"},
	"backtraces of CUDA calls": {
		`SELECT value, callchainId, stackDepth FROM CUPTI_ACTIVITY_KIND_RUNTIME LEFT JOIN CUDA_CALLCHAINS ON callchainId == CUDA_CALLCHAINS.id
JOIN StringIds ON nameId == StringIds.id ORDER BY callchainId, stackDepth LIMIT 1;`, "alpha|1|1\n"},
	"what processes wrote": {
		`ALTER TABLE ProcessStreams ADD COLUMN filename TEXT;
ALTER TABLE ProcessStreams ADD COLUMN content TEXT;
UPDATE ProcessStreams SET filename = (SELECT value FROM StringIds WHERE ProcessStreams.filenameId = StringIds.id);
UPDATE ProcessStreams SET content = (SELECT value FROM StringIds WHERE ProcessStreams.contentId = StringIds.id);
SELECT filename, content FROM ProcessStreams ORDER BY filename LIMIT 1;`, "alpha|alpha\n"},
	"summary of threads": {
		`SELECT globalTid / 0x1000000 % 0x1000000 AS PID, ROUND(100.0 * SUM(cpuCycles) / (SELECT SUM(cpuCycles) FROM COMPOSITE_EVENTS), 2) as percent,
(SELECT value FROM StringIds WHERE id = (SELECT nameId FROM ThreadNames WHERE ThreadNames.globalTid = COMPOSITE_EVENTS.globalTid)) AS name
FROM COMPOSITE_EVENTS GROUP BY globalTid ORDER BY percent DESC LIMIT 10;`, "5000|100|alpha\n"},
	"time on CPUs": {
		`ALTER TABLE SCHED_EVENTS ADD COLUMN next INTEGER;
CREATE INDEX sched_start ON SCHED_EVENTS (start);
CREATE TABLE CPU_USAGE AS SELECT first.globalTid AS globalTid, (SELECT nameId FROM ThreadNames WHERE ThreadNames.globalTid = first.globalTid) AS nameId,
sum(second.start - first.start) AS total_duration, count() AS ranges_count FROM SCHED_EVENTS AS first
LEFT JOIN SCHED_EVENTS AS second ON second.rowid = (SELECT rowid FROM SCHED_EVENTS WHERE start > first.start AND globalTid = first.globalTid ORDER BY start ASC LIMIT 1)
WHERE first.isSchedIn != 0 GROUP BY first.globalTid ORDER BY total_duration DESC;
SELECT (SELECT value FROM StringIds where nameId == id) as name, total_duration, ranges_count from CPU_USAGE;`, "alpha|10000|2\n"},
	"functions of samples": {
		`ALTER TABLE SAMPLING_CALLCHAINS ADD COLUMN symbolName TEXT;
UPDATE SAMPLING_CALLCHAINS SET symbolName = (SELECT value FROM StringIds WHERE symbol = StringIds.id);
WITH total AS (SELECT SUM(cpuCycles) AS cycles FROM COMPOSITE_EVENTS)
SELECT symbolName, ROUND(100.0 * SUM(cpuCycles) / total.cycles, 2) FROM COMPOSITE_EVENTS LEFT JOIN SAMPLING_CALLCHAINS ON SAMPLING_CALLCHAINS.id == COMPOSITE_EVENTS.id, total
GROUP BY symbolName ORDER BY symbolName LIMIT 1;`, "alpha|16.67\n"},
	"histogram of frames of DX12": {
		`CREATE TABLE frames AS SELECT start, (SELECT value FROM StringIds WHERE id = nameId) AS name FROM DX12_API;
SELECT (next - start) / 1000 AS us, count(*) FROM (SELECT start, LEAD(start) OVER (ORDER BY start) AS next FROM frames) WHERE next IS NOT NULL GROUP BY us;`, "10|2\n"},
	"context switches of the GPU": {
		`CREATE TABLE PERF_EVENTS AS SELECT CASE tag WHEN 8 THEN 'Active' WHEN 7 THEN 'Idle' END AS state, timestamp FROM GPU_CONTEXT_SWITCH_EVENTS ORDER BY seqNo;
SELECT * FROM PERF_EVENTS;`, "Active|1000000\nIdle|1010000\nActive|1020000\n"},
	"categories of NVTX": {
		`WITH event AS (SELECT * FROM NVTX_EVENTS WHERE eventType IN (34, 59, 60)),
category AS (SELECT category, domainId, text AS categoryName FROM NVTX_EVENTS WHERE eventType == 33)
SELECT start, end, globalTid, eventType, domainId, category, categoryName, text FROM event LEFT JOIN category USING (category, domainId) ORDER BY start LIMIT 1;`,
		"1000000|1025000|281558862796656|59|1|1||text 0\n"},
	"kernels named by their NVTX ranges": {
		`ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN nvtxRange TEXT;
CREATE INDEX nvtx_start ON NVTX_EVENTS (start);
UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET nvtxRange = (SELECT NVTX_EVENTS.text FROM NVTX_EVENTS JOIN CUPTI_ACTIVITY_KIND_RUNTIME ON
 NVTX_EVENTS.eventType == 59 AND NVTX_EVENTS.globalTid == CUPTI_ACTIVITY_KIND_RUNTIME.globalTid
 AND NVTX_EVENTS.start <= CUPTI_ACTIVITY_KIND_RUNTIME.start AND NVTX_EVENTS.end >= CUPTI_ACTIVITY_KIND_RUNTIME.end
 WHERE CUPTI_ACTIVITY_KIND_KERNEL.correlationId == CUPTI_ACTIVITY_KIND_RUNTIME.correlationId ORDER BY NVTX_EVENTS.start DESC LIMIT 1);
SELECT start, end, StringIds.value AS shortName, nvtxRange FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON shortName == id ORDER BY start LIMIT 2;`,
		"1000000|1004000|alpha|text 0\n1010000|1014000|beta|text 1\n"},
	"generic events as JSON": {
		`SELECT json_insert(GENERIC_EVENTS.data, '$.time', timestamp) AS data FROM GENERIC_EVENTS ORDER BY timestamp LIMIT 1;`, "{\"n\":\"0\",\"time\":1000000}\n"},
	"SLI transfers": {
		`SELECT frameId, transferSkipped FROM SLI_P2P WHERE transferSkipped != 0 ORDER BY start LIMIT 1;`, "1|1\n"},
	"system calls": {
		`SELECT COUNT(*) FROM SYSCALL; SELECT value FROM StringIds ORDER BY id LIMIT 1;`, "3\n\nalpha\n"},
	"enumeration of unwinding": {
		`.schema UnwindMethodType`, "UnwindMethodType|CREATE TABLE UnwindMethodType (number INTEGER PRIMARY KEY, name TEXT)\n"},
	"counters of GPUs": {
		`SELECT timestamp, metricName, value FROM GPU_METRICS LEFT JOIN TARGET_INFO_GPU_METRICS USING (metricId) WHERE metricName IS NOT NULL ORDER BY timestamp LIMIT 1;`,
		"1000000|metricName 0|1\n"},
	"commands and columns": {
		`ALTER TABLE OSRT_API ADD COLUMN name TEXT;
UPDATE OSRT_API SET name = (SELECT value FROM StringIds WHERE nameId = StringIds.id);
SELECT name FROM OSRT_API ORDER BY start LIMIT 1;`, "alpha\n"},
}

// TestPublished runs what the documents of Nsight Systems show as examples of
// queries: those that change tables too. The statements are written for the tables
// as they are documented; what they do is that of the documents.
func TestPublished(t *testing.T) {
	path := full(t, "all.sqlite")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range published {
		if got := answers(t, path, c.script); got != c.want && !(name == "enumeration of unwinding" && strings.HasPrefix(got, "UnwindMethodType|CREATE TABLE")) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) {
		t.Errorf("the file has changed, or cannot be read: %v", err)
	}
	if left, _ := filepath.Glob(path + "*"); len(left) != 1 {
		t.Errorf("files beside it: %v", left)
	}
}

func TestScripts(t *testing.T) {
	path := full(t, "all.sqlite")
	for script, want := range map[string]string{
		"":                                     "",
		" ; ;\n-- nothing\n;":                  "",
		"SELECT 1;\n-- and\nSELECT 2":          "1\n\n2\n",
		"SELECT 'a;b\n.c'":                     "a;b\n.c\n",
		".mode column\n.headers on\nSELECT 3;": "3\n",
		".tables *KIND_KERNEL*":                "CUPTI_ACTIVITY_KIND_KERNEL\n",
		"SELECT median(x), percentile(x, 25), stddev(x), stddev_pop(x), variance(x) FROM (SELECT 1 AS x UNION ALL SELECT 3 UNION ALL SELECT NULL UNION ALL SELECT 8)": "3|2|3.605551275463989|2.943920288775949|13\n",
		"SELECT median(x) IS NULL, stddev(1) IS NULL FROM (SELECT NULL AS x)":                                                                                         "1|1\n",
		"SELECT median(x) OVER (ORDER BY x ROWS 1 PRECEDING) FROM (SELECT 1 AS x UNION SELECT 3 UNION SELECT 9)":                                                      "1\n2\n6\n",
		"CREATE TEMP TABLE mine AS SELECT 7 AS n; SELECT n FROM mine":                                                                                                 "7\n",
	} {
		if got := answers(t, path, script); got != want {
			t.Errorf("%q:\n got %q\nwant %q", script, got, want)
		}
	}
	for script, want := range map[string]string{
		"SELECT * FROM CUPTI_ACTIVITY_KIND_KERNELS": "CUPTI_ACTIVITY_KIND_KERNEL?",
		"SELECT strat FROM NVTX_EVENTS":             "start?",
		"SELECT medain(1)":                          "did you mean median",
		".tabels":                                   ".tables?",
		"ATTACH 'x' AS y":                           "not authorized",
		"PRAGMA journal_mode = WAL":                 "not authorized",
		"SELECT median('x')":                        "expected a number",
		"SELECT percentile(1, 200)":                 "between 0 and 100",
	} {
		if got := answers(t, path, script); !strings.Contains(got, want) || !strings.HasPrefix(got, "error") {
			t.Errorf("%q: %q, want %q", script, got, want)
		}
	}
	if _, err := Run(context.Background(), []Base{{Path: path}}, "DELETE FROM StringIds", Bounds{}, false); err == nil || !strings.Contains(err.Error(), "changes the database") {
		t.Errorf("refused: %v", err)
	}
}

func TestLimited(t *testing.T) {
	for sql, want := range map[string]bool{
		"SELECT 1 LIMIT 5": true, "select 1 limit 5": true, "SELECT (SELECT 1 LIMIT 1)": false, "SELECT 'limit'": false, "SELECT limits FROM t": false,
		"SELECT 1 -- limit": false, "SELECT 1 /* LIMIT */": false, "SELECT \"limit\" FROM t": false, "WITH a AS (SELECT 1 LIMIT 1) SELECT * FROM a LIMIT 2": true,
		"SELECT unlimit FROM t": false,
	} {
		if limited(sql) != want {
			t.Errorf("%s: %v", sql, !want)
		}
	}
	out, err := Run(context.Background(), []Base{{Path: full(t, "a.sqlite")}}, "SELECT * FROM StringIds; SELECT * FROM StringIds LIMIT 2", Bounds{Rows: 1, Free: true}, false)
	if err != nil || len(out) != 2 || !out[0].More || len(out[0].Table.Rows) != 1 || out[1].More || len(out[1].Table.Rows) != 2 {
		t.Errorf("%+v, %v", out, err)
	}
}

// TestAttached asks two files at once.
func TestAttached(t *testing.T) {
	a, b := full(t, "a.sqlite"), full(t, "b.sqlite")
	out, err := Run(context.Background(), []Base{{Path: a}, {Path: b, Name: "b"}}, "SELECT COUNT(*) FROM StringIds JOIN b.StringIds AS other USING (id)", Bounds{}, true)
	if err != nil || len(out) != 1 || plain(out[0].Table.Rows[0][0]) != "3" {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err := Run(context.Background(), []Base{{Path: a}, {Path: b, Name: "b"}}, "DELETE FROM b.StringIds", Bounds{}, true); err == nil {
		t.Error("the second file may be changed")
	}
}

// TestPublishedList walks the list of the published examples: each has a test here.
func TestPublishedList(t *testing.T) {
	tests := map[string][]string{
		"Common helper commands":                         {"commands and columns"},
		"obtaining sample report":                        nil, // no query
		"serialized process and thread identifiers":      {"serialized process and thread ids"},
		"correlate CUDA kernel launches":                 {"kernel launches with the calls of the API"},
		"remove ranges overlapping with overhead":        {"without ranges that overlap with overhead", "deleting ranges that overlap with overhead"},
		"find CUDA API calls that resulted in original":  {"calls that made nodes of graphs"},
		"backtraces for OSRT ranges":                     {"backtraces of OS runtime calls"},
		"profiled processes output streams":              {"what processes wrote"},
		"thread summary":                                 {"summary of threads", "time on CPUs"},
		"function table":                                 {"functions of samples"},
		"DX12 API frame duration histogram":              {"histogram of frames of DX12"},
		"GPU context switch events enumeration":          {"context switches of the GPU"},
		"resolve NVTX category name":                     {"categories of NVTX"},
		"rename CUDA kernels with NVTX":                  {"kernels named by their NVTX ranges"},
		"select CUDA calls with backtraces":              {"backtraces of CUDA calls"},
		"SLI peer-to-peer query":                         {"SLI transfers"},
		"generic events: syscall usage histogram by PID": {"system calls"},
		"fetching generic events in JSON format":         {"generic events as JSON"},
		"GPU metrics fetch":                              {"counters of GPUs"},
	}
	doc, err := os.ReadFile(corpustest.Files(t, "formats/nsys-sqlite.md")[0])
	if err != nil {
		t.Fatal(err)
	}
	_, list, ok := strings.Cut(string(doc), "SQL recipes (")
	if !ok {
		t.Fatal("there is no list of published queries")
	}
	_, list, _ = strings.Cut(list, "\n")
	list, _, _ = strings.Cut(list, "\n")
	listed := 0
	for _, title := range strings.Split(list, ";") {
		title = strings.TrimSpace(title)
		found := false
		for begin, names := range tests {
			if !strings.HasPrefix(title, begin) {
				continue
			}
			found = true
			for _, name := range names {
				if published[name].script == "" {
					t.Errorf("%s: there is no test %q", title, name)
				}
			}
		}
		if !found {
			t.Errorf("the published example %q has no test", title)
		}
		listed++
	}
	if listed < len(tests) {
		t.Errorf("%d examples are listed, %d have tests", listed, len(tests))
	}
}
