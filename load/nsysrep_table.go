package load

import (
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/nsysrep"
	"github.com/gpuprof/gpuprof/trace"
)

// columns reads a list such as "start:1 end:2? text:7t": the name of a column,
// its field, ? for NULL where the field is absent, t for a text; a second field
// after a bar is taken where the first is absent. base is added to fields that
// are written with a plus.
func columns(base int, list string) []repColumn {
	var out []repColumn
	for _, w := range strings.Fields(list) {
		name, spec, _ := strings.Cut(w, ":")
		c := repColumn{name: name, or: -1}
		if s, ok := strings.CutSuffix(spec, "?"); ok {
			c.null, spec = true, s
		}
		if s, ok := strings.CutSuffix(spec, "t"); ok {
			c.text, spec = true, s
		}
		first, second, two := strings.Cut(spec, "|")
		c.slot = slot(base, first)
		if two {
			c.or = slot(base, second)
		}
		out = append(out, c)
	}
	return out
}

func slot(base int, s string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(s, "+"))
	if strings.HasPrefix(s, "+") {
		n += base
	}
	return n
}

const gpuColumns = "start:1 end:2 deviceId:4 contextId:5 greenContextId:9? streamId:6 correlationId:3? globalPid:8? "
const callColumns = "start:1 end:2 eventClass:6 globalTid:13? nameId:7 correlationId:3 returnValue:8 "

// A repRule tells which events are the rows of a table.
type repRule struct {
	name    string
	kind    nsysrep.Kind
	classes []int64 // of calls; none: all
	cols    []repColumn
	chains  string // table of the stacks
}

var repRules = []repRule{
	{name: "CUPTI_ACTIVITY_KIND_KERNEL", kind: nsysrep.Kernel, cols: columns(nsysrep.GPUDetail, gpuColumns+
		"demangledName:+1 shortName:+2 mangledName:+3? gridX:+10 gridY:+11 gridZ:+12 blockX:+13 blockY:+14 blockZ:+15 staticSharedMemory:+16 dynamicSharedMemory:+17 "+
		"localMemoryPerThread:+18 localMemoryTotal:+19 gridId:+20 registersPerThread:+21 sharedMemoryExecuted:+22? cacheConfig:+23? launchType:+24? graphNodeId:+27? "+
		"sharedMemoryLimitConfig:+28? graphId:+29? clusterX:+31? clusterY:+32? clusterZ:+33? clusterSchedulingPolicy:+34? maxPotentialClusterSize:+35? maxActiveClusters:+36?")},
	{name: "CUPTI_ACTIVITY_KIND_MEMCPY", kind: nsysrep.Memcpy, cols: columns(nsysrep.GPUDetail, gpuColumns+
		"bytes:+1 copyKind:+2 srcKind:+4? dstKind:+5? srcDeviceId:+6? srcContextId:+7? dstDeviceId:+8? dstContextId:+9? copyCount:+16?")},
	{name: "CUPTI_ACTIVITY_KIND_MEMSET", kind: nsysrep.Memset, cols: columns(nsysrep.GPUDetail, gpuColumns+"bytes:+1 value:+2 memKind:+4?")},
	{name: "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", kind: nsysrep.Synchronization, cols: columns(nsysrep.GPUDetail, gpuColumns+"eventId:+1 deprecatedSyncType:+2? eventSyncId:+3? syncType:+4|+2")},
	{name: "CUPTI_ACTIVITY_KIND_CUDA_EVENT", kind: nsysrep.EventRecord, cols: columns(nsysrep.GPUDetail, gpuColumns+"timestamp:1 eventId:+1 eventSyncId:+2?")},
	{name: "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", kind: nsysrep.GraphLaunch, cols: columns(nsysrep.GPUDetail, gpuColumns+"graphId:+1 graphExecId:+2")},
	{name: "CUPTI_ACTIVITY_KIND_RUNTIME", kind: nsysrep.API, classes: []int64{0, 1, 26}, cols: columns(0, callColumns), chains: "CUDA_CALLCHAINS"},
	{name: "CUPTI_ACTIVITY_KIND_OVERHEAD", kind: nsysrep.API, classes: []int64{103}, cols: columns(0, callColumns+"overheadType:8")},
	{name: "PROFILER_OVERHEAD", kind: nsysrep.API, classes: []int64{3}, cols: columns(0, callColumns+"overheadType:8")}, // returnValue until 3.23
	{name: "OSRT_API", kind: nsysrep.API, classes: []int64{27, 31, 32}, cols: columns(0, callColumns+"nestingLevel:20? argumentsId:42"), chains: "OSRT_CALLCHAINS"},
	{name: "CUDNN_EVENTS", kind: nsysrep.API, classes: []int64{28, 33, 34}, cols: columns(0, callColumns)},
	{name: "CUBLAS_EVENTS", kind: nsysrep.API, classes: []int64{29, 35, 36}, cols: columns(0, callColumns)},
	{name: "CUDA_GRAPH_NODE_EVENTS", kind: nsysrep.API, classes: []int64{77}, cols: columns(nsysrep.GraphNodeDetail-1, callColumns+"graphNodeId:+1 originalGraphNodeId:+2?")},
	{name: "NVTX_EVENTS", kind: nsysrep.NVTX, cols: columns(nsysrep.PayloadDetail,
		"start:2 end:10? eventType:1 rangeId:4? color:6? text:7t? globalTid:9? endGlobalTid:11? textId:12? domainId:13 jsonTextId:+7?")},
	{name: "MPI_OTHER_EVENTS", kind: nsysrep.NVTX, cols: columns(0, "start:2 end:10? globalTid:9? textId:12?")},
	{name: "COMPOSITE_EVENTS", kind: nsysrep.Sample, cols: columns(nsysrep.CounterDetail, "start:1 cpu:3? threadState:6? globalTid:11? cpuCycles:+2"), chains: "SAMPLING_CALLCHAINS"},
	{name: "SCHED_EVENTS", kind: nsysrep.Sched, cols: columns(0, "start:1 cpu:3 isSchedIn:4 threadState:5? globalTid:6?")},
	{name: "PROCESSES", kind: nsysrep.Process, cols: columns(0, "globalPid:2? name:6|5t?")},
	{name: "DIAGNOSTIC_EVENT", kind: nsysrep.Diagnostic, cols: columns(nsysrep.DiagnosticDetail, "timestamp:+1 timestampType:+2 source:2 severity:3 text:4t globalPid:5?")},
}

const frameColumns = "symbol:1 module:2 kernelMode:4? thumbCode:5? unresolved:6? specialEntry:7? originalIP:8? unwindMethod:9?"

// build finds the rows of all tables.
func (s *nsysRepSource) build() {
	s.findMPI()
	for i := range repRules {
		s.events(&repRules[i])
	}
	s.fileAccess()
	s.small()
}

// findMPI finds the domains that the tool itself puts calls of MPI into.
func (s *nsysRepSource) findMPI() {
	for _, b := range s.batches {
		r := b.Rows(nsysrep.NVTX)
		for i := range r.N {
			if r.Int(1, i) == 75 && r.Has(7, i) && b.Texts[r.Int(7, i)] == "MPI" {
				s.mpi[[2]int64{r.Int(9, i) &^ 0xffffff, r.Int(13, i)}] = true
			}
		}
	}
}

func (s *nsysRepSource) keep(rule *repRule, r *nsysrep.Rows, i int) bool {
	switch rule.name {
	case "NVTX_EVENTS", "MPI_OTHER_EVENTS":
		mpi := r.Int(1, i) == 59 && r.Has(12, i) && s.mpi[[2]int64{r.Int(9, i) &^ 0xffffff, r.Int(13, i)}]
		return mpi == (rule.name == "MPI_OTHER_EVENTS")
	case "PROCESSES":
		return r.Has(5, i) || r.Has(6, i)
	}
	if rule.classes == nil {
		return true
	}
	class := r.Int(6, i)
	for _, c := range rule.classes {
		if c == class {
			return true
		}
	}
	return false
}

// events makes the table of a rule, and that of its stacks.
func (s *nsysRepSource) events(rule *repRule) {
	t := repTable{name: rule.name, kind: rule.kind, cols: rule.cols, made: map[string]*trace.Column{}}
	for bi, b := range s.batches {
		r := b.Rows(rule.kind)
		for i := range r.N {
			if s.keep(rule, r, i) {
				t.refs = append(t.refs, repRef{int32(bi), int32(i)})
			}
		}
	}
	if t.rows = len(t.refs); t.rows == 0 {
		return
	}
	var stacks repTable
	if rule.chains != "" {
		stacks = s.stacks(&t, rule)
	}
	if rule.kind == nsysrep.Process {
		pid := make([]int64, t.rows)
		for i, ref := range t.refs {
			pid[i] = s.batches[ref.batch].Rows(t.kind).Int(2, int(ref.row)) >> 24 & 0xffffff
		}
		t.made["pid"] = &trace.Column{Ints: pid}
	}
	s.tables = append(s.tables, t)
	if stacks.rows > 0 {
		s.tables = append(s.tables, stacks)
	}
}

// stacks numbers the events of t that have a stack and makes the table of the
// frames.
func (s *nsysRepSource) stacks(t *repTable, rule *repRule) repTable {
	sample := rule.kind == nsysrep.Sample
	field, kind := 15, nsysrep.APIFrame
	if sample {
		field, kind = 4, nsysrep.SampleFrame
	}
	out := repTable{name: rule.chains, kind: kind, cols: columns(0, frameColumns), made: map[string]*trace.Column{}}
	number := make([]int64, t.rows)
	null := make([]bool, t.rows)
	var ids, depths []int64
	next, batch, frame := int64(0), int32(-1), 0
	for i, ref := range t.refs {
		r := s.batches[ref.batch].Rows(t.kind)
		if has := r.Has(field, int(ref.row)); has || sample {
			next++
			number[i] = next
		} else {
			null[i] = rule.name == "CUPTI_ACTIVITY_KIND_RUNTIME"
			continue
		}
		if ref.batch != batch {
			batch, frame = ref.batch, 0
		}
		frames := s.batches[batch].Rows(kind)
		for frame < frames.N && frames.Int(nsysrep.FrameOwner, frame) < int64(ref.row) {
			frame++
		}
		for depth := int64(0); frame < frames.N && frames.Int(nsysrep.FrameOwner, frame) == int64(ref.row); depth++ {
			out.refs = append(out.refs, repRef{batch, int32(frame)})
			ids, depths = append(ids, next), append(depths, depth)
			frame++
		}
	}
	if sample {
		t.made["id"] = &trace.Column{Ints: number}
	} else {
		t.made["callchainId"] = &trace.Column{Ints: number, Null: null}
	}
	out.rows = len(out.refs)
	out.made["id"], out.made["stackDepth"] = &trace.Column{Ints: ids}, &trace.Column{Ints: depths}
	return out
}

// fileAccess makes the tables of files opened. Reports hold nothing of their own
// for them: exporters since 2025 number the calls of open.
func (s *nsysRepSource) fileAccess() {
	var osrt *repTable
	for i := range s.tables {
		if s.tables[i].name == "OSRT_API" {
			osrt = &s.tables[i]
		}
	}
	if osrt == nil {
		return
	}
	var id, tid, pid, start, end, name, one, zero []int64
	var path, context []string
	for _, ref := range osrt.refs {
		r, i := s.batches[ref.batch].Rows(osrt.kind), int(ref.row)
		text := r.Int(7, i)
		if r.Int(6, i) != 27 || text < 0 || text >= int64(len(s.texts)) || s.texts[text] != "open" && s.texts[text] != "open64" {
			continue
		}
		path = append(path, "Unknown file #"+strconv.Itoa(len(id)))
		id, name, start, end = append(id, int64(len(id))), append(name, text), append(start, r.Int(1, i)), append(end, r.Int(2, i))
		tid, pid = append(tid, r.Int(13, i)&0xffffff), append(pid, r.Int(13, i)>>24&0xffffff)
		one, zero, context = append(one, 1), append(zero, 0), append(context, "")
	}
	if len(id) == 0 {
		return
	}
	ints := func(v []int64) *trace.Column { return &trace.Column{Ints: v} }
	s.tables = append(s.tables,
		repTable{name: "OSRT_FILE_ACCESS_DESCRIPTORS", rows: len(id), text: map[string][]string{"filePath": path},
			made: map[string]*trace.Column{"fileAccessId": ints(id), "processId": ints(pid), "openedAt": ints(start), "closedAt": ints(zero)}},
		repTable{name: "OSRT_FILE_ACCESS_EVENTS", rows: len(id), text: map[string][]string{"context": context},
			made: map[string]*trace.Column{"fileAccessId": ints(id), "threadId": ints(tid), "startedAt": ints(start), "endedAt": ints(end),
				"eventType": ints(one), "apiCallId": ints(name), "bytesProcessed": ints(zero)}})
}
