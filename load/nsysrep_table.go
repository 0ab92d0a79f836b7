package load

import (
	"strconv"

	"github.com/gpuprof/gpuprof/format/nsysrep"
	"github.com/gpuprof/gpuprof/trace"
)

const gpuColumns = "start:1 end:2 deviceId:4 contextId:5 greenContextId:9? streamId:6 correlationId:3? globalPid:8? "
const callColumns = "start:1 end:2 eventClass:6 globalTid:13? nameId:7 correlationId:3 returnValue:8 "

const accColumns = "start:1 end:2 nameId:7 globalTid:13? eventKind:+1 DeviceType:+5 lineNo:+11 cuDeviceId:+15 cuContextId:+16 cuStreamId:+17 srcFile:+20? funcName:+21? "

// A repRule tells which events are the rows of a table.
type repRule struct {
	name   string
	kind   nsysrep.Kind
	cols   []repColumn
	chains string // table of the stacks
}

var repRules = []repRule{
	{name: "CUPTI_ACTIVITY_KIND_KERNEL", kind: nsysrep.Kernel, cols: columns(nsysrep.GPUDetail, gpuColumns+
		"demangledName:+1 shortName:+2 mangledName:+3? gridX:+10 gridY:+11 gridZ:+12 blockX:+13 blockY:+14 blockZ:+15 staticSharedMemory:+16 dynamicSharedMemory:+17 "+
		"localMemoryPerThread:+18 localMemoryTotal:+19 gridId:+20 registersPerThread:+21 sharedMemoryExecuted:+22? cacheConfig:+23? launchType:+24? graphNodeId:+27? "+
		"sharedMemoryLimitConfig:+28? graphId:+29? clusterX:+31? clusterY:+32? clusterZ:+33? clusterSchedulingPolicy:+34? maxPotentialClusterSize:+35? maxActiveClusters:+36?")},
	{name: "CUPTI_ACTIVITY_KIND_MEMCPY", kind: nsysrep.Memcpy, cols: columns(nsysrep.GPUDetail, gpuColumns+
		"bytes:+1 copyKind:+2 srcKind:+4? dstKind:+5? srcDeviceId:+6? srcContextId:+7? dstDeviceId:+8? dstContextId:+9? migrationCause:+10? virtualAddress:+12? copyCount:+16?")},
	{name: "CUPTI_ACTIVITY_KIND_MEMSET", kind: nsysrep.Memset, cols: columns(nsysrep.GPUDetail, gpuColumns+"bytes:+1 value:+2 memKind:+4?")},
	{name: "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", kind: nsysrep.Synchronization, cols: columns(nsysrep.GPUDetail, gpuColumns+"eventId:+1 deprecatedSyncType:+2? eventSyncId:+3? syncType:+4|+2")},
	{name: "CUPTI_ACTIVITY_KIND_CUDA_EVENT", kind: nsysrep.EventRecord, cols: columns(nsysrep.GPUDetail, gpuColumns+"timestamp:1 eventId:+1 eventSyncId:+2?")},
	{name: "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", kind: nsysrep.GraphLaunch, cols: columns(nsysrep.GPUDetail, gpuColumns+"graphId:+1 graphExecId:+2")},
	{name: "CUPTI_ACTIVITY_KIND_RUNTIME", kind: nsysrep.Runtime, cols: columns(0, callColumns+"callchainId:15s?"), chains: "CUDA_CALLCHAINS"},
	{name: "CUDA_GPU_MEMORY_USAGE_EVENTS", kind: nsysrep.MemoryUsage, cols: columns(0, "start:1 deviceId:3 contextId:4 globalPid:5 address:6 pc:7 bytes:8 memKind:9 memoryOperationType:10 correlationId:12?")},
	{name: "CUPTI_ACTIVITY_KIND_OVERHEAD", kind: nsysrep.CUDAOverhead, cols: columns(0, callColumns+"overheadType:8")},
	{name: "PROFILER_OVERHEAD", kind: nsysrep.ProfilerOverhead, cols: columns(0, callColumns+"overheadType:8")}, // returnValue until 3.23
	{name: "OSRT_API", kind: nsysrep.OSRuntime, cols: columns(0, callColumns+"nestingLevel:20? argumentsId:42 callchainId:15s"), chains: "OSRT_CALLCHAINS"},
	{name: "CUDNN_EVENTS", kind: nsysrep.CUDNN, cols: columns(0, callColumns)},
	{name: "CUBLAS_EVENTS", kind: nsysrep.CUBLAS, cols: columns(0, callColumns)},
	{name: "CUDA_GRAPH_NODE_EVENTS", kind: nsysrep.GraphNode, cols: columns(nsysrep.GraphDetail, callColumns+"graphNodeId:+1 originalGraphNodeId:+2?")},
	{name: "CUDA_GRAPH_EVENTS", kind: nsysrep.Graph, cols: columns(nsysrep.GraphDetail, callColumns+"graphId:+1? graphExecId:+2?")},
	{name: "CUPTI_ACTIVITY_KIND_OPENACC_DATA", kind: nsysrep.OpenACCData, cols: append(columns(nsysrep.OpenACCDetail, accColumns), columns(nsysrep.OpenACCDataDetail, "bytes:+1? varName:+4?")...)},
	{name: "CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH", kind: nsysrep.OpenACCLaunch, cols: append(columns(nsysrep.OpenACCDetail, accColumns), columns(nsysrep.OpenACCLaunchDetail, "numGangs:+1? numWorkers:+2? vectorLength:+3? kernelName:+4?")...)},
	{name: "CUPTI_ACTIVITY_KIND_OPENACC_OTHER", kind: nsysrep.OpenACCOther, cols: columns(nsysrep.OpenACCDetail, accColumns)},
	{name: "NVTX_EVENTS", kind: nsysrep.NVTX, cols: columns(nsysrep.PayloadDetail,
		"start:2 end:10? eventType:1 rangeId:4? color:6? text:7t? globalTid:9? endGlobalTid:11? textId:12? domainId:13 uint64Value:+1? int64Value:+2? doubleValue:+3d? uint32Value:+4? int32Value:+5? floatValue:+6f? jsonTextId:+7?")},
	{name: "MPI_OTHER_EVENTS", kind: nsysrep.NVTX, cols: columns(0, "start:2 end:10? globalTid:9? textId:12?")},
	{name: "COMPOSITE_EVENTS", kind: nsysrep.Sample, cols: columns(nsysrep.CounterDetail, "start:1 cpu:3? threadState:6? globalTid:11? cpuCycles:+2 id:11n"), chains: "SAMPLING_CALLCHAINS"},
	{name: "SCHED_EVENTS", kind: nsysrep.Sched, cols: columns(0, "start:1 cpu:3 isSchedIn:4 threadState:5? globalTid:6?")},
	{name: "PROCESSES", kind: nsysrep.Process, cols: columns(0, "globalPid:2? pid:2p name:6|5t?")},
	{name: "DIAGNOSTIC_EVENT", kind: nsysrep.Diagnostic, cols: columns(nsysrep.DiagnosticDetail, "timestamp:+1 timestampType:+2 source:2 severity:3 text:4t globalPid:5?")},
}

const stackColumns = "stackDepth:10 symbol:1 module:2 kernelMode:4? thumbCode:5? unresolved:6? specialEntry:7? originalIP:8? unwindMethod:9? "

// build finds the rows of all tables.
func (s *nsysRepSource) build() error {
	for _, d := range s.index.Domains { // of those the tool itself makes one for calls of MPI
		if d.Name == "MPI" {
			s.mpi[[2]int64{int64(trace.GlobalID(d.GlobalTid).Process()), d.ID}] = true
		}
	}
	for i := range repRules {
		if err := s.events(&repRules[i]); err != nil {
			return err
		}
	}
	if err := s.fileAccess(); err != nil {
		return err
	}
	s.small()
	return nil
}

// isMPI reports whether a range is a call of MPI.
func (s *nsysRepSource) isMPI(b *nsysrep.Batch, i int) bool {
	return b.Column(1)[i] == 59 && b.Has(12, i) && s.mpi[[2]int64{int64(trace.GlobalID(b.Column(9)[i]).Process()), b.Column(13)[i]}]
}

// events makes the table of a rule, and that of its stacks.
func (s *nsysRepSource) events(rule *repRule) error {
	t := repTable{name: rule.name, kind: rule.kind, cols: rule.cols}
	var frames int
	t.rows, _, frames = s.index.Count(rule.kind)
	if rule.kind == nsysrep.NVTX {
		if err := s.splitNVTX(&t); err != nil {
			return err
		}
	}
	if t.rows > 0 {
		s.tables = append(s.tables, t)
	}
	if rule.chains != "" && frames > 0 {
		id := "id:0+"
		if rule.kind == nsysrep.Sample {
			id = "id:11+"
		}
		s.tables = append(s.tables, repTable{name: rule.chains, kind: rule.kind, stacks: true, rows: frames, cols: columns(0, stackColumns+id)})
	}
	return nil
}

// splitNVTX parts the calls of MPI from the other NVTX events.
func (s *nsysRepSource) splitNVTX(t *repTable) error {
	mpi := t.name == "MPI_OTHER_EVENTS"
	if len(s.mpi) == 0 {
		if mpi {
			t.rows = 0
		}
		return nil
	}
	t.need = 1<<1 | 1<<9 | 1<<13
	t.keep = func(b *nsysrep.Batch, i int) bool { return s.isMPI(b, i) == mpi }
	t.rows = 0
	return s.index.Scan(s.ctx, nsysrep.Want{Kind: t.kind, Columns: t.need}, func(b *nsysrep.Batch) error {
		for i := range b.N {
			if t.keep(b, i) {
				t.rows++
			}
		}
		return nil
	})
}

// fileAccess makes the tables of files opened. Reports hold nothing of their own
// for them: exporters since 2025 number the calls of open.
func (s *nsysRepSource) fileAccess() error {
	opens := map[int64]bool{}
	for i, t := range s.texts {
		if t == "open" || t == "open64" {
			opens[int64(i)] = true
		}
	}
	if len(opens) == 0 {
		return nil
	}
	var id, tid, pid, start, end, name, one, zero []int64
	var path, context []string
	err := s.index.Scan(s.ctx, nsysrep.Want{Kind: nsysrep.OSRuntime, Columns: 1<<1 | 1<<2 | 1<<6 | 1<<7 | 1<<13}, func(b *nsysrep.Batch) error {
		for i, text := range b.Column(7) {
			if b.Column(6)[i] != 27 || !opens[text] {
				continue
			}
			path = append(path, "Unknown file #"+strconv.Itoa(len(id)))
			id, name, start, end = append(id, int64(len(id))), append(name, text), append(start, b.Column(1)[i]), append(end, b.Column(2)[i])
			thread := trace.GlobalID(b.Column(13)[i])
			tid, pid = append(tid, thread.TID()), append(pid, thread.PID())
			one, zero, context = append(one, 1), append(zero, 0), append(context, "")
		}
		return nil
	})
	if err != nil || len(id) == 0 {
		return err
	}
	ints := func(v []int64) *trace.Column { return &trace.Column{Ints: v} }
	s.tables = append(s.tables,
		repTable{name: "OSRT_FILE_ACCESS_DESCRIPTORS", rows: len(id), text: map[string][]string{"filePath": path},
			made: map[string]*trace.Column{"fileAccessId": ints(id), "processId": ints(pid), "openedAt": ints(start), "closedAt": ints(zero)}},
		repTable{name: "OSRT_FILE_ACCESS_EVENTS", rows: len(id), text: map[string][]string{"context": context},
			made: map[string]*trace.Column{"fileAccessId": ints(id), "threadId": ints(tid), "startedAt": ints(start), "endedAt": ints(end),
				"eventType": ints(one), "apiCallId": ints(name), "bytesProcessed": ints(zero)}})
	return nil
}
