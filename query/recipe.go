package query

import (
	"fmt"
	"strings"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/trace"
)

// A Recipe is a query that answers a common question about a timeline.
type Recipe struct {
	Name string `json:"name"`
	Help string `json:"help"`
	SQL  string `json:"sql"`
}

// Recipes are all of them in the order of help.
func Recipes() []Recipe {
	var out []Recipe
	for _, r := range recipes {
		if r.help != "" {
			out = append(out, Recipe{r.name, r.help, r.sql})
		}
	}
	return out
}

// A recipe is an SQL query that answers a common question about an export. One
// without help is the recipe of the same name for exports with other tables.
type recipe struct {
	name, help string
	needs      []string // tables, or columns as TABLE.column
	sql        string
}

// For finds the recipe of a name that a trace has the tables for.
func For(tr *trace.Trace, name string) (sql string, err error) {
	var lacks []string
	for i := range recipes {
		r := &recipes[i]
		if r.name != name {
			continue
		}
		lack := ""
		for _, need := range r.needs {
			table, column, ok := strings.Cut(need, ".")
			if !tr.Has(table) || ok && !tr.HasColumn(table, column) {
				lack = need
				break
			}
		}
		if lack == "" {
			return r.sql, nil
		}
		lacks = append(lacks, lack)
	}
	if lacks == nil {
		var known []string
		for _, r := range Recipes() {
			known = append(known, r.Name)
		}
		return "", fmt.Errorf("there is no recipe %q%s; 'gpuprof help query' lists them", name, spelling.Nearest(name, known))
	}
	return "", fmt.Errorf("the recipe %s needs the table %s, which the file does not have", name, strings.Join(lacks, " or "))
}

// recipes are the documented recipes of the export format, written so that they
// change nothing.
var recipes = []recipe{
	{"api_to_kernel", "the longest API calls that launched kernels, with the kernels", []string{"CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL"},
		`SELECT r.start, r.end - r.start AS duration, f.value AS api, k.start AS kernel_start, k.end - k.start AS kernel_duration, n.value AS kernel
FROM CUPTI_ACTIVITY_KIND_KERNEL k
JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON r.correlationId = k.correlationId AND r.globalTid >> 24 = k.globalPid >> 24
JOIN StringIds f ON f.id = r.nameId
JOIN StringIds n ON n.id = k.demangledName
ORDER BY duration DESC`},
	{"rename_kernels", "kernels with the innermost NVTX range around their launch before their name",
		[]string{"CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL", "NVTX_EVENTS"},
		`SELECT k.start, k.end - k.start AS duration, COALESCE((SELECT COALESCE(s.value, e.text) FROM NVTX_EVENTS e LEFT JOIN StringIds s ON s.id = e.textId
WHERE e.eventType IN (59, 70) AND e.globalTid = r.globalTid AND e.start <= r.start AND e.end >= r.end ORDER BY e.start DESC, e.end LIMIT 1) || '/', '') || n.value AS name
FROM CUPTI_ACTIVITY_KIND_KERNEL k
JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON r.correlationId = k.correlationId AND r.globalTid >> 24 = k.globalPid >> 24
JOIN StringIds n ON n.id = k.demangledName`},
	{"threads", "process and thread numbers, taken out of the serialized ids", []string{"ThreadNames"},
		`SELECT globalTid >> 24 & 0xFFFFFF AS pid, globalTid & 0xFFFFFF AS tid, s.value AS name FROM ThreadNames JOIN StringIds s ON s.id = nameId ORDER BY pid, tid`},
	{"no_overhead", "API calls that do not overlap with time that the profiler took", []string{"CUPTI_ACTIVITY_KIND_RUNTIME", "PROFILER_OVERHEAD"},
		`SELECT r.start, r.end, r.globalTid, s.value AS name FROM CUPTI_ACTIVITY_KIND_RUNTIME r JOIN StringIds s ON s.id = r.nameId
WHERE NOT EXISTS (SELECT 1 FROM PROFILER_OVERHEAD o WHERE o.globalTid = r.globalTid AND o.start < r.end AND o.end > r.start) ORDER BY r.start`},
	{"graph_node_creation", "API calls that made the original nodes of CUDA graphs", []string{"CUDA_GRAPH_NODE_EVENTS", "CUPTI_ACTIVITY_KIND_RUNTIME"},
		`SELECT r.start, r.end, s.value AS api, g.graphNodeId FROM CUDA_GRAPH_NODE_EVENTS g
JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON r.globalTid = g.globalTid AND r.start <= g.start AND r.end >= g.end
JOIN StringIds s ON s.id = r.nameId WHERE g.originalGraphNodeId IS NULL ORDER BY r.start`},
	{"graph_node_creation", "", []string{"CUDA_GRAPH_EVENTS.graphNodeId", "CUPTI_ACTIVITY_KIND_RUNTIME"},
		`SELECT r.start, r.end, s.value AS api, g.graphNodeId FROM CUDA_GRAPH_EVENTS g
JOIN CUPTI_ACTIVITY_KIND_RUNTIME r ON r.globalTid = g.globalTid AND r.start <= g.start AND r.end >= g.end
JOIN StringIds s ON s.id = r.nameId WHERE g.originalGraphNodeId IS NULL ORDER BY r.start`},
	{"osrt_backtraces", "backtraces of OS runtime calls, the longest first", []string{"OSRT_API", "OSRT_CALLCHAINS"},
		`SELECT a.start, a.end - a.start AS duration, f.value AS name, c.stackDepth AS depth, y.value AS symbol, m.value AS module
FROM OSRT_API a JOIN OSRT_CALLCHAINS c ON c.id = a.callchainId JOIN StringIds f ON f.id = a.nameId
JOIN StringIds y ON y.id = c.symbol JOIN StringIds m ON m.id = c.module ORDER BY duration DESC, a.start, depth`},
	{"cuda_backtraces", "backtraces of CUDA calls, the longest first", []string{"CUPTI_ACTIVITY_KIND_RUNTIME", "CUDA_CALLCHAINS"},
		`SELECT a.start, a.end - a.start AS duration, f.value AS name, c.stackDepth AS depth, y.value AS symbol, m.value AS module
FROM CUPTI_ACTIVITY_KIND_RUNTIME a JOIN CUDA_CALLCHAINS c ON c.id = a.callchainId JOIN StringIds f ON f.id = a.nameId
JOIN StringIds y ON y.id = c.symbol JOIN StringIds m ON m.id = c.module ORDER BY duration DESC, a.start, depth`},
	{"function_table", "share of each function in the CPU cycles of samples: on top of the stack, and anywhere on it; stats -r callchain_func_sum says more",
		[]string{"SAMPLING_CALLCHAINS", "COMPOSITE_EVENTS.id"},
		`WITH total AS (SELECT SUM(cpuCycles) AS n FROM COMPOSITE_EVENTS),
f AS (SELECT id, symbol, module, MIN(stackDepth) = 0 AS top FROM SAMPLING_CALLCHAINS GROUP BY id, symbol, module)
SELECT ROUND(100.0 * SUM(e.cpuCycles * f.top) / total.n, 2) AS self_percent, ROUND(100.0 * SUM(e.cpuCycles) / total.n, 2) AS total_percent,
y.value AS symbol, m.value AS module FROM f JOIN COMPOSITE_EVENTS e ON e.id = f.id, total JOIN StringIds y ON y.id = f.symbol JOIN StringIds m ON m.id = f.module
GROUP BY f.symbol, f.module ORDER BY self_percent DESC, total_percent DESC`},
	{"function_table", "", []string{"SAMPLING_CALLCHAINS"},
		`WITH total AS (SELECT COUNT(DISTINCT id) AS n FROM SAMPLING_CALLCHAINS)
SELECT ROUND(100.0 * SUM(stackDepth = 0) / total.n, 2) AS self_percent, ROUND(100.0 * COUNT(DISTINCT c.id) / total.n, 2) AS total_percent,
y.value AS symbol, m.value AS module FROM SAMPLING_CALLCHAINS c, total JOIN StringIds y ON y.id = c.symbol JOIN StringIds m ON m.id = c.module
GROUP BY c.symbol, c.module ORDER BY self_percent DESC, total_percent DESC`},
	{"thread_summary", "share of each thread in the CPU cycles of samples, or in the time on CPUs where only that is known", []string{"COMPOSITE_EVENTS"},
		`SELECT globalTid >> 24 & 0xFFFFFF AS pid, globalTid & 0xFFFFFF AS tid,
ROUND(100.0 * SUM(cpuCycles) / (SELECT SUM(cpuCycles) FROM COMPOSITE_EVENTS), 2) AS percent,
(SELECT value FROM StringIds JOIN ThreadNames t ON t.nameId = id WHERE t.globalTid = e.globalTid) AS name
FROM COMPOSITE_EVENTS e GROUP BY globalTid ORDER BY percent DESC`},
	{"thread_summary", "", []string{"SCHED_EVENTS"}, // where cycles were not counted
		`WITH e AS (SELECT globalTid, start, isSchedIn, LEAD(start) OVER (PARTITION BY globalTid ORDER BY start) AS next FROM SCHED_EVENTS),
d AS (SELECT globalTid, SUM(next - start) AS on_cpu FROM e WHERE isSchedIn AND next IS NOT NULL GROUP BY globalTid)
SELECT globalTid >> 24 & 0xFFFFFF AS pid, globalTid & 0xFFFFFF AS tid, ROUND(100.0 * on_cpu / (SELECT SUM(on_cpu) FROM d), 2) AS percent,
(SELECT value FROM StringIds JOIN ThreadNames t ON t.nameId = id WHERE t.globalTid = d.globalTid) AS name FROM d ORDER BY percent DESC`},
	{"thread_schedule", "time that each thread spent on a CPU", []string{"SCHED_EVENTS"},
		`WITH e AS (SELECT globalTid, start, isSchedIn, LEAD(start) OVER (PARTITION BY globalTid ORDER BY start) AS next FROM SCHED_EVENTS)
SELECT globalTid >> 24 & 0xFFFFFF AS pid, globalTid & 0xFFFFFF AS tid, SUM(next - start) AS on_cpu, COUNT(*) AS times
FROM e WHERE isSchedIn AND next IS NOT NULL GROUP BY globalTid ORDER BY on_cpu DESC`},
	{"output_streams", "what the processes wrote; may hold secrets", []string{"ProcessStreams"},
		`SELECT globalPid >> 24 & 0xFFFFFF AS pid, f.value AS stream, c.value AS content FROM ProcessStreams p LEFT JOIN StringIds f ON f.id = p.filenameId LEFT JOIN StringIds c ON c.id = p.contentId`},
	{"nvtx_categories", "NVTX ranges with the names of their categories", []string{"NVTX_EVENTS"},
		`SELECT e.start, e.end, COALESCE(s.value, e.text) AS text, COALESCE(cs.value, c.text, e.category) AS category
FROM NVTX_EVENTS e LEFT JOIN StringIds s ON s.id = e.textId
LEFT JOIN NVTX_EVENTS c ON c.eventType = 33 AND c.category = e.category AND c.domainId IS e.domainId AND c.globalTid >> 24 = e.globalTid >> 24
LEFT JOIN StringIds cs ON cs.id = c.textId WHERE e.eventType IN (59, 60) AND e.category IS NOT NULL ORDER BY e.start`},
	{"nvtx_payloads", "NVTX events that carry a number or JSON, with it; binary payloads too with stats -r nvtx_payload_trace", []string{"NVTX_EVENTS"},
		`SELECT e.start, e.end, COALESCE(s.value, e.text) AS text, COALESCE(e.uint64Value, e.int64Value, e.doubleValue, e.uint32Value, e.int32Value, e.floatValue) AS value,
COALESCE(j.value, e.jsonText) AS json FROM NVTX_EVENTS e LEFT JOIN StringIds s ON s.id = e.textId LEFT JOIN StringIds j ON j.id = e.jsonTextId
WHERE COALESCE(e.uint64Value, e.int64Value, e.doubleValue, e.uint32Value, e.int32Value, e.floatValue, j.value, e.jsonText) IS NOT NULL ORDER BY e.start`},
	{"nvtx_payload_schemas", "layouts of binary NVTX payloads, a row for each member", []string{"NVTX_PAYLOAD_SCHEMAS", "NVTX_PAYLOAD_SCHEMA_ENTRIES"},
		`SELECT DISTINCT s.domainId, s.schemaId, s.name AS schema, s.payloadSize, e.idx, e.name AS member, e.type, e.offset, e.description
FROM NVTX_PAYLOAD_SCHEMAS s JOIN NVTX_PAYLOAD_SCHEMA_ENTRIES e ON e.domainId IS s.domainId AND e.schemaId = s.schemaId ORDER BY s.domainId, s.schemaId, e.idx`},
	{"sli_transfers", "transfers between linked GPUs that were not skipped", []string{"SLI_P2P"},
		`SELECT start, end - start AS duration, frameId, srcGpu, dstGpu, resourceSize FROM SLI_P2P WHERE transferSkipped = 0 ORDER BY start`},
	{"dx12_frames", "histogram of frame durations of Direct3D 12, in milliseconds", []string{"DX12_API"},
		`WITH present AS (SELECT a.start FROM DX12_API a JOIN StringIds s ON s.id = a.nameId WHERE s.value LIKE '%Present%'),
frame AS (SELECT start - LAG(start) OVER (ORDER BY start) AS d FROM present)
SELECT d / 1000000 AS milliseconds, COUNT(*) AS frames FROM frame WHERE d IS NOT NULL GROUP BY milliseconds ORDER BY milliseconds`},
	{"context_switches", "GPU contexts coming onto the GPU and leaving it", []string{"GPU_CONTEXT_SWITCH_EVENTS"},
		`SELECT timestamp, CASE tag WHEN 8 THEN 'start' WHEN 7 THEN 'end' ELSE tag END AS event, globalPid >> 24 & 0xFFFFFF AS pid, vmId, seqNo, contextId, gpuId FROM GPU_CONTEXT_SWITCH_EVENTS ORDER BY seqNo`},
	{"context_switches", "", []string{"FECS_EVENTS"},
		`SELECT timestamp, CASE tag WHEN 8 THEN 'start' WHEN 7 THEN 'end' ELSE tag END AS event, globalPid >> 24 & 0xFFFFFF AS pid, vmId, seqNo, contextId, gpuId FROM FECS_EVENTS ORDER BY seqNo`},
	{"generic_events", "generic events as JSON, with their type", []string{"GENERIC_EVENTS", "GENERIC_EVENT_TYPES.nameId", "GENERIC_EVENT_DATA", "GENERIC_EVENT_TYPE_FIELDS"},
		`SELECT e.timestamp, json_insert(CASE WHEN COUNT(d.fieldIdx) = 0 THEN COALESCE(e.data, '{}')
ELSE json_group_object(COALESCE(s.value, d.fieldIdx), COALESCE(d.intVal, d.uintVal, d.floatVal, d.doubleVal)) END, '$.type', n.value) AS data
FROM GENERIC_EVENTS e JOIN GENERIC_EVENT_TYPES t ON t.typeId = e.typeId LEFT JOIN StringIds n ON n.id = t.nameId
LEFT JOIN GENERIC_EVENT_DATA d ON d.genericEventId = e.genericEventId
LEFT JOIN GENERIC_EVENT_TYPE_FIELDS f ON f.typeId = e.typeId AND f.fieldIdx = d.fieldIdx LEFT JOIN StringIds s ON s.id = f.fieldNameId
GROUP BY e.genericEventId ORDER BY e.timestamp`},
	{"generic_events", "", []string{"GENERIC_EVENTS.data", "GENERIC_EVENT_TYPES.data"},
		`SELECT e.timestamp, json_insert(e.data, '$.type', json_extract(t.data, '$.Name')) AS data FROM GENERIC_EVENTS e JOIN GENERIC_EVENT_TYPES t ON t.typeId = e.typeId ORDER BY e.timestamp`},
	{"generic_event_types", "types and sources of generic events", []string{"GENERIC_EVENT_TYPES.nameId", "GENERIC_EVENT_SOURCES.nameId"},
		`SELECT t.typeId, n.value AS type, s.sourceId, m.value AS source, t.data AS type_data, s.data AS source_data
FROM GENERIC_EVENT_TYPES t LEFT JOIN StringIds n ON n.id = t.nameId LEFT JOIN GENERIC_EVENT_SOURCES s ON s.sourceId = t.sourceId LEFT JOIN StringIds m ON m.id = s.nameId`},
	{"generic_event_types", "", []string{"GENERIC_EVENT_TYPES", "GENERIC_EVENT_SOURCES"},
		`SELECT t.typeId, t.data AS type, s.sourceId, s.data AS source FROM GENERIC_EVENT_TYPES t LEFT JOIN GENERIC_EVENT_SOURCES s ON s.sourceId = t.sourceId`},
	{"syscalls", "system calls by process", []string{"SYSCALL"},
		`SELECT globalTid >> 24 & 0xFFFFFF AS pid, COUNT(*) AS calls FROM SYSCALL GROUP BY pid ORDER BY calls DESC`},
	{"syscalls", "", []string{"GENERIC_EVENTS", "GENERIC_EVENT_TYPES"},
		`SELECT json_extract(e.data, '$.common_pid') AS pid, COUNT(*) AS calls FROM GENERIC_EVENTS e JOIN GENERIC_EVENT_TYPES t ON t.typeId = e.typeId
WHERE json_extract(t.data, '$.Name') = 'raw_syscalls:sys_enter' GROUP BY pid ORDER BY calls DESC`},
	{"gpu_metrics", "mean, least and most of every sampled GPU counter", []string{"GPU_METRICS", "TARGET_INFO_GPU_METRICS"},
		`SELECT m.typeId & 255 AS gpu, i.metricName AS metric, COUNT(*) AS samples, AVG(m.value) AS mean, MIN(m.value) AS least, MAX(m.value) AS most
FROM GPU_METRICS m JOIN TARGET_INFO_GPU_METRICS i ON i.typeId = m.typeId AND i.metricId = m.metricId GROUP BY m.typeId, m.metricId ORDER BY gpu, metric`},
	{"diagnostics", "what the profiler says about its own work", []string{"DIAGNOSTIC_EVENT"},
		`SELECT timestamp, severity, text FROM DIAGNOSTIC_EVENT ORDER BY severity DESC, timestamp`},
}
