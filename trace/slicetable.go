package trace

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/trace/schema"
)

// A SliceTable is a table whose rows are the slices of a timeline. A row belongs to
// the stream of a GPU ("deviceId", "contextId", "streamId" and "globalPid"), to a
// thread ("globalTid"), to a process ("globalPid") or to none.
type SliceTable struct {
	Table string
	Kind  string // one word, by which readers filter
	Label string // what the rows of a thread are called; on a stream "", or what has a track beside it
	Name  string // column with the number of the row's name; "" where Fixed or, for copies, the kind names it
	Spare string // column for where Name is NULL or not there
	Fixed string
	GPU   bool // on a stream

	Start, End string // columns of times, ns
	Place      string // column of the thread or process; "": the rows belong to none
	Text       string // column whose texts are the names, before Name
	Enum       string // column of an enumeration whose labels are the names, before Fixed
	Until      bool   // a row lasts until the next of its thread begins
}

// sliceTables are in the order in which a thread shows them.
var sliceTables = []SliceTable{
	{Table: TableRuntime, Name: "nameId", Kind: "api", Label: "CUDA API"},
	{Table: TableKernel, Name: "shortName", Spare: "demangledName", Kind: "kernel", GPU: true},
	{Table: TableMemcpy, Kind: "memcpy", GPU: true},
	{Table: TableMemset, Fixed: "[CUDA memset]", Kind: "memset", GPU: true},
	{Table: TableGraph, Fixed: "CUDA graph", Kind: "graph", GPU: true},
	{Table: TablePython, Name: "nameId", Kind: "python", Label: "Python"},
	{Table: TableOps, Name: "nameId", Kind: "op", Label: "Operators"},
	{Table: TableOther, Name: "nameId", Kind: "other", Label: "Other slices"},
	{Table: "CUBLAS_EVENTS", Name: "nameId", Kind: "library", Label: "cuBLAS"},
	{Table: "CUDNN_EVENTS", Name: "nameId", Kind: "library", Label: "cuDNN"},
	{Table: "OSRT_API", Name: "nameId", Kind: "osrt", Label: "OS runtime"},
	{Table: "MPI_COLLECTIVES_EVENTS", Name: "textId", Kind: "mpi", Label: "MPI"},
	{Table: "MPI_P2P_EVENTS", Name: "textId", Kind: "mpi", Label: "MPI"},
	{Table: "MPI_START_WAIT_EVENTS", Name: "textId", Kind: "mpi", Label: "MPI"},
	{Table: "MPI_OTHER_EVENTS", Name: "textId", Kind: "mpi", Label: "MPI"},
	{Table: "UCP_EVENTS", Name: "textId", Kind: "ucx", Label: "UCX"},
	{Table: "UCP_SUBMIT_EVENTS", Name: "textId", Kind: "ucx", Label: "UCX"},
	{Table: "UCP_PROGRESS_EVENTS", Name: "textId", Kind: "ucx", Label: "UCX"},
	{Table: "OPENGL_API", Name: "nameId", Kind: "opengl", Label: "OpenGL"},
	{Table: "OPENGL_WORKLOAD", Name: "nameId", Kind: "opengl", Label: "OpenGL GPU work"},
	{Table: "KHR_DEBUG_EVENTS", Name: "textId", Kind: "opengl", Label: "OpenGL debug groups"},
	{Table: "VULKAN_API", Name: "nameId", Kind: "vulkan", Label: "Vulkan"},
	{Table: "VULKAN_WORKLOAD", Name: "textId", Spare: "nameId", Kind: "vulkan", Label: "Vulkan GPU work"},
	{Table: "VULKAN_DEBUG_API", Name: "textId", Spare: "nameId", Kind: "vulkan", Label: "Vulkan debug labels"},
	{Table: "D3D11_PIX_DEBUG_API", Name: "textId", Spare: "nameId", Kind: "direct3d", Label: "Direct3D 11 markers"},
	{Table: "DX12_API", Name: "nameId", Kind: "direct3d", Label: "Direct3D 12"},
	{Table: "DX12_WORKLOAD", Name: "textId", Spare: "nameId", Kind: "direct3d", Label: "Direct3D 12 GPU work"},
	{Table: "D3D12_PIX_DEBUG_API", Name: "textId", Spare: "nameId", Kind: "direct3d", Label: "Direct3D 12 markers"},
	{Table: "NVVIDEO_DECODER_API", Name: "nameId", Kind: "video", Label: "Video decoder"},
	{Table: "NVVIDEO_ENCODER_API", Name: "nameId", Kind: "video", Label: "Video encoder"},
	{Table: "NVVIDEO_JPEG_API", Name: "nameId", Kind: "video", Label: "JPEG decoder"},
	{Table: "TRACE_PROCESS_EVENT_NVMEDIA", Name: "nameId", Kind: "video", Label: "NvMedia"},
	{Table: "SYSCALL", Name: "nameId", Kind: "osrt", Label: "System calls"},
	{Table: TableSync, Enum: "syncType", Fixed: "synchronization", Kind: "sync", Label: "synchronization", GPU: true},
	{Table: "CUPTI_ACTIVITY_KIND_CUDA_EVENT", Start: "timestamp", Fixed: "event", Kind: "sync", Label: "events", GPU: true},
	{Table: "SCHED_EVENTS", Kind: "sched", Label: "CPU", Until: true},
	{Table: "GPU_CONTEXT_SWITCH_EVENTS", Start: "timestamp", Enum: "tag", Fixed: "context switch", Kind: "switch", Label: "GPU context switches"},
	{Table: "FECS_EVENTS", Start: "timestamp", Enum: "tag", Fixed: "context switch", Kind: "switch", Label: "GPU context switches"},
	{Table: "ETW_EVENTS", Start: "timestamp", Text: "taskName", Fixed: "event", Kind: "etw", Label: "ETW events"},
	{Table: "GENERIC_EVENTS", Start: "timestamp", Fixed: "event", Kind: "generic", Label: "Generic events"},
	{Table: "CUDA_GRAPH_NODE_EVENTS", Name: "nameId", Kind: "graph", Label: "CUDA graph node calls"},
	{Table: "CUDA_GRAPH_EVENTS", Name: "nameId", Kind: "graph", Label: "CUDA graph calls"},
	{Table: "COMPOSITE_EVENTS", Fixed: "sample", Kind: "samples", Label: "Samples"},
	{Table: "PROFILER_OVERHEAD", Name: "nameId", Kind: "overhead", Label: "Profiler overhead"},
	{Table: "CUPTI_ACTIVITY_KIND_OVERHEAD", Name: "nameId", Kind: "overhead", Label: "CUDA profiling overhead"},
}

// SliceTables are the tables of the trace whose rows become slices of a timeline,
// but for NVTX ranges and marks, which [Trace.Ranges] and [Trace.Marks] read, and
// for samples of counters. They are those above, and every other table that tells
// when its rows were.
func (t *Trace) SliceTables() []SliceTable {
	var out []SliceTable
	known := map[string]bool{TableNvtx: true}
	for _, a := range sliceTables {
		if a = t.complete(a); t.HasColumn(a.Table, a.Start) {
			out = append(out, a)
		}
		known[a.Table] = true
	}
	for _, s := range sampledTables {
		known[s.Table] = true
	}
	for _, info := range t.Tables() {
		if a, ok := t.timed(info); ok && !known[info.Name] {
			out = append(out, t.complete(a))
		}
	}
	return out
}

// complete fills in the columns that tables mostly have.
func (t *Trace) complete(a SliceTable) SliceTable {
	if a.Start == "" {
		a.Start, a.End = "start", "end"
	}
	if a.Place == "" {
		for _, c := range []string{"globalTid", "globalPid"} {
			if a.Place == "" && t.HasColumn(a.Table, c) {
				a.Place = c
			}
		}
	}
	return a
}

// timed makes slices of a table that tells when its rows were; false where it does
// not, and for tables that have pages of their own or lead to other rows.
func (t *Trace) timed(info TableInfo) (SliceTable, bool) {
	a := SliceTable{Table: info.Name, Kind: "other"}
	switch {
	case strings.HasPrefix(info.Name, "OPENMP_EVENT_KIND_"):
		a.Kind, a.Label = "openmp", "OpenMP"
	case strings.HasPrefix(info.Name, "CUPTI_ACTIVITY_KIND_OPENACC_"):
		a.Kind, a.Label = "openacc", "OpenACC"
	case strings.HasPrefix(info.Name, "PYTORCH_"), strings.HasPrefix(info.Name, "TARGET_INFO_"), strings.HasPrefix(info.Name, "META_DATA_"):
		return a, false
	default:
		a.Label = words(info.Name)
	}
	for _, c := range [][2]string{{"start", "end"}, {"timestamp", "end"}, {"startedAt", "endedAt"}} {
		if ci := info.column(c[0]); a.Start == "" && ci != nil && ci.Kind == Integers {
			a.Start, a.End = c[0], c[1]
		}
	}
	if a.Start == "" {
		return a, false
	}
	table := schema.Lookup(info.Name)
	for _, c := range info.Columns {
		ref := ""
		if table != nil && table.Column(c.Name) != nil {
			ref = table.Column(c.Name).Ref
		}
		low := strings.ToLower(c.Name)
		switch {
		case a.Name == "" && (low == "nameid" || low == "textid"):
			a.Name = c.Name
		case a.Text == "" && c.Kind == Texts && (low == "name" || low == "text" || low == "taskname"):
			a.Text = c.Name
		case a.Enum == "" && schema.LookupEnum(ref) != nil && low != "eventclass":
			a.Enum = c.Name
		}
	}
	a.Fixed = strings.ToLower(a.Label)
	a.GPU = info.column("streamId") != nil && info.column("deviceId") != nil && info.column("globalPid") != nil
	return a, true
}

// words are the words of the name of a table: SLI_P2P is "SLI P2P".
func words(table string) string {
	s := strings.TrimPrefix(strings.TrimSuffix(table, "_EVENTS"), "CUPTI_ACTIVITY_KIND_")
	return strings.ReplaceAll(s, "_", " ")
}

// EnumLabel names a value of a column by its enumeration.
func (t *Trace) EnumLabel(ctx context.Context, table, column string, v int64) string {
	if known := schema.Lookup(table); known != nil {
		if c := known.Column(column); c != nil && schema.LookupEnum(c.Ref) != nil {
			return t.Label(ctx, c.Ref, v)
		}
	}
	return strconv.FormatInt(v, 10)
}

// Marks are the NVTX marks of a trace, an element for each in every slice.
type Marks struct {
	At       []int64 // ns
	Thread   []GlobalID
	Text     []Sym
	Domain   []int64
	Category []int64
	Row      []int64 // rowid in NVTX_EVENTS
}

// IsMark reports whether events of an eventType are marks.
func IsMark(typ int64) bool { return typ == NvtxMark || typ == NvtxtMark }

// Marks returns the NVTX marks in the order of the file, whether a program or an
// annotation file made them; nil where the trace has no NVTX table.
func (t *Trace) Marks(ctx context.Context) (*Marks, error) {
	if err := t.LoadNames(ctx); err != nil {
		return nil, err
	}
	e, err := t.Table(ctx, TableNvtx, "rowid", "start", "eventType", "text", "textId", "globalTid", "domainId", "category")
	if err != nil || e == nil {
		return nil, err
	}
	m := &Marks{}
	start, tid, domain, category, row := e.Ints("start"), e.Ints("globalTid"), e.Ints("domainId"), e.Ints("category"), e.Ints("rowid")
	for i, ty := range e.Ints("eventType") {
		if !IsMark(ty) {
			continue
		}
		y, _ := t.EventText(e, i)
		m.At, m.Thread, m.Text = append(m.At, start[i]), append(m.Thread, GlobalID(tid[i])), append(m.Text, y)
		m.Domain, m.Category, m.Row = append(m.Domain, domain[i]), append(m.Category, category[i]), append(m.Row, row[i])
	}
	return m, nil
}

// OtherNames returns what names the rows of a table whose names are no numbers of
// StringIds: texts, labels of an enumeration, states of threads; nil for others. The
// table needs the columns of a, and isSchedIn, cpu and threadState.
func (t *Trace) OtherNames(ctx context.Context, a SliceTable, rows *Table) func(i int) Sym {
	fixed := t.Strings.Intern(a.Fixed)
	if c := rows.Col(a.Text); c != nil && c.Kind == Texts && (a.Name == "" || rows.Col(a.Name) == nil) {
		return func(i int) Sym {
			if c.IsNull(i) || c.Syms[i] == 0 {
				return fixed
			}
			return c.Syms[i]
		}
	}
	labels := map[[2]int64]Sym{}
	named := func(k [2]int64, name func() string) Sym {
		y, ok := labels[k]
		if !ok {
			y = t.Strings.Intern(name())
			labels[k] = y
		}
		return y
	}
	switch {
	case a.Table == "SCHED_EVENTS":
		in, cpu, state := rows.Ints("isSchedIn"), rows.Ints("cpu"), rows.Col("threadState")
		return func(i int) Sym {
			switch {
			case in[i] != 0:
				return named([2]int64{1, cpu[i]}, func() string { return "CPU " + strconv.FormatInt(cpu[i], 10) })
			case state == nil || state.IsNull(i) || state.Kind != Integers:
				return named([2]int64{0, -1}, func() string { return "off CPU" })
			}
			return named([2]int64{0, state.Ints[i]}, func() string { return t.EnumLabel(ctx, a.Table, "threadState", state.Ints[i]) })
		}
	case a.Name == "" && rows.Col(a.Enum) != nil:
		v := rows.Ints(a.Enum)
		return func(i int) Sym {
			if rows.IsNull(a.Enum, i) {
				return fixed
			}
			return named([2]int64{2, v[i]}, func() string { return t.EnumLabel(ctx, a.Table, a.Enum, v[i]) })
		}
	}
	return nil
}

// UntilNext are the ends of rows that last until the next of their thread begins;
// the last of a thread lasts no time.
func UntilNext(t *Table, startColumn, placeColumn string) []int64 {
	start, place := t.Ints(startColumn), t.Ints(placeColumn)
	order := make([]int32, t.Rows)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(start[a], start[b]) })
	end := slices.Clone(start)
	last := map[int64]int32{}
	for _, i := range order {
		if b, ok := last[place[i]]; ok {
			end[b] = start[i]
		}
		last[place[i]] = i
	}
	return end
}
