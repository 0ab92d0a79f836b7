package trace

import (
	"context"
	"strings"
)

// A SliceTable is a table whose rows last from "start" to "end", the slices of a
// timeline. A row belongs to the stream of a GPU ("deviceId", "contextId",
// "streamId" and "globalPid") or to a thread ("globalTid").
type SliceTable struct {
	Table string
	Kind  string // one word, by which readers filter
	Label string // what the rows of a thread are called; "" on a stream
	Name  string // column with the number of the row's name; "" where Fixed or, for copies, the kind names it
	Spare string // column for where Name is NULL or not there
	Fixed string
	GPU   bool // on a stream
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
	{Table: "CUDA_GRAPH_EVENTS", Name: "nameId", Kind: "graph", Label: "CUDA graph calls"},
	{Table: "COMPOSITE_EVENTS", Fixed: "sample", Kind: "samples", Label: "Samples"},
	{Table: "PROFILER_OVERHEAD", Name: "nameId", Kind: "overhead", Label: "Profiler overhead"},
	{Table: "CUPTI_ACTIVITY_KIND_OVERHEAD", Name: "nameId", Kind: "overhead", Label: "CUDA profiling overhead"},
}

// SliceTables are the tables of the trace whose rows become slices of a timeline,
// but for NVTX ranges and marks, which [Trace.Ranges] and [Trace.Marks] read.
func (t *Trace) SliceTables() []SliceTable {
	var out []SliceTable
	for _, a := range sliceTables {
		if t.Has(a.Table) {
			out = append(out, a)
		}
	}
	for _, info := range t.Tables() { // families of tables, one for each kind of event
		switch {
		case strings.HasPrefix(info.Name, "OPENMP_EVENT_KIND_"):
			out = append(out, SliceTable{Table: info.Name, Name: "nameId", Kind: "openmp", Label: "OpenMP"})
		case strings.HasPrefix(info.Name, "CUPTI_ACTIVITY_KIND_OPENACC_"):
			out = append(out, SliceTable{Table: info.Name, Name: "nameId", Kind: "openacc", Label: "OpenACC"})
		}
	}
	return out
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
