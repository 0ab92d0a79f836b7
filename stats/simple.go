package stats

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
	"github.com/gpuprof/gpuprof/view"
)

// A simpleSum declares a report that sums up the durations of tables by a column
// of StringIds.
type simpleSum struct {
	name, old    string
	title, short string
	count, label string // of the columns
	tables       []string
	like         string  // instead of tables: all of the catalogue whose name begins so
	by           string  // column of StringIds; rows in which it is NULL are left out
	classes      []int64 // keep only these event classes, where the table tells them
	place        bool    // the name goes on with the line of the source, "Wait@scale.cpp:52", where the event tells it
}

var simpleSums = []simpleSum{
	{name: "osrt_sum", old: "osrtsum", title: "OS Runtime Summary", short: "time in calls of the operating system's runtime libraries, by function",
		count: "Num Calls", label: "Name", tables: []string{"OSRT_API"}, by: "nameId", classes: []int64{27}},
	{name: "openmp_sum", old: "openmpevtsum", title: "OpenMP Summary", short: "time in events of OpenMP, by name",
		count: "Count", label: "Name", like: "OPENMP_EVENT_KIND_", by: "nameId"},
	{name: "openacc_sum", old: "openaccsum", title: "OpenACC Summary", short: "time in events of OpenACC, by name and line of the source",
		count: "Num Calls", label: "Name", like: "CUPTI_ACTIVITY_KIND_OPENACC_", by: "nameId", place: true},
	{name: "nvvideo_api_sum", old: "nvvideosum", title: "NvVideo API Summary", short: "time in calls of the video libraries, by function",
		count: "Num Calls", label: "Name", like: "NVVIDEO_", by: "nameId"},
	{name: "vulkan_api_sum", old: "vulkanapisum", title: "Vulkan API Summary", short: "time in calls of Vulkan, by function",
		count: "Num Calls", label: "Name", tables: []string{"VULKAN_API"}, by: "nameId"},
	{name: "vulkan_marker_sum", old: "vulkanmarkerssum", title: "Vulkan Range Summary", short: "time in Vulkan debug ranges of the CPU, by text",
		count: "Instances", label: "Range", tables: []string{"VULKAN_DEBUG_API"}, by: "textId"},
	{name: "vulkan_gpu_marker_sum", old: "vulkangpumarkersum", title: "Vulkan GPU Range Summary", short: "time in Vulkan debug ranges of the GPU, by text",
		count: "Instances", label: "Range", tables: []string{"VULKAN_WORKLOAD"}, by: "textId"},
	{name: "opengl_khr_range_sum", old: "openglkhrrangesum", title: "OpenGL KHR_debug Range Summary", short: "time in OpenGL debug ranges of the CPU, by text",
		count: "Instances", label: "Range", tables: []string{"KHR_DEBUG_EVENTS"}, by: "textId", classes: []int64{62}},
	{name: "opengl_khr_gpu_range_sum", old: "openglkhrgpurangesum", title: "OpenGL KHR_debug GPU Range Summary", short: "time in OpenGL debug ranges of the GPU, by text",
		count: "Instances", label: "Range", tables: []string{"KHR_DEBUG_EVENTS"}, by: "textId", classes: []int64{63}},
	{name: "dx11_pix_sum", old: "pixsum", title: "DX11 PIX Range Summary", short: "time in PIX ranges of Direct3D 11, by text",
		count: "Instances", label: "Range", tables: []string{"D3D11_PIX_DEBUG_API"}, by: "textId"},
	{name: "dx12_pix_sum", title: "DX12 PIX Range Summary", short: "time in PIX ranges of Direct3D 12 on the CPU, by text",
		count: "Instances", label: "Range", tables: []string{"D3D12_PIX_DEBUG_API"}, by: "textId"},
	{name: "dx12_gpu_marker_sum", old: "dx12gpumarkersum", title: "DX12 GPU Command List PIX Ranges Summary", short: "time in PIX ranges of Direct3D 12 on the GPU, by text",
		count: "Instances", label: "Range", tables: []string{"DX12_WORKLOAD"}, by: "textId"},
	{name: "cublas_sum", title: "cuBLAS Summary", short: "time in calls of cuBLAS, by function; a report of gpuprof's own",
		count: "Num Calls", label: "Name", tables: []string{"CUBLAS_EVENTS"}, by: "nameId"},
	{name: "cudnn_sum", title: "cuDNN Summary", short: "time in calls of cuDNN, by function; a report of gpuprof's own",
		count: "Num Calls", label: "Name", tables: []string{"CUDNN_EVENTS"}, by: "nameId"},
	{name: "syscall_sum", title: "Syscall Summary", short: "time in system calls, by name",
		count: "Num Calls", label: "Name", tables: []string{"SYSCALL"}, by: "nameId"},
}

// from are the tables that a report counts.
func (s *simpleSum) from() []string {
	if s.like == "" {
		return s.tables
	}
	var out []string
	for _, t := range schema.Tables() {
		if strings.HasPrefix(t.Name, s.like) {
			out = append(out, t.Name)
		}
	}
	return out
}

func (s simpleSum) report() *Report {
	r := &Report{Name: s.name, Title: s.title, Short: s.short,
		Build: func(ctx context.Context, q *Request) (*view.Table, error) { return s.build(ctx, q) }}
	if s.old != "" {
		r.Old = []string{s.old}
	}
	return r
}

func (s simpleSum) build(ctx context.Context, q *Request) (*view.Table, error) {
	byName := map[string][]int64{}
	var order []string
	var none error
	tables := s.from()
	for _, name := range tables {
		t, err := q.table(ctx, "events of this kind", name, "start", "end", s.by, "eventClass", "srcFile", "lineNo")
		if _, skip := err.(*Skip); skip {
			none = err
			continue
		}
		if err != nil {
			return nil, err
		}
		by, class, end := t.Col(s.by), t.Col("eventClass"), t.Col("end")
		if by == nil || by.Kind != trace.Integers || end == nil {
			none = skipf("table %s has no column %s", name, s.by)
			continue
		}
		d, at := durations(t), s.placeOf(q.Trace, t)
		for i := range t.Rows {
			if by.IsNull(i) || end.IsNull(i) || s.classes != nil && class != nil && !class.IsNull(i) && !slices.Contains(s.classes, class.Ints[i]) {
				continue
			}
			n := q.Trace.NameText(by.Ints[i]) + at(i)
			if byName[n] == nil {
				order = append(order, n)
			}
			byName[n] = append(byName[n], d(i))
		}
	}
	if len(order) == 0 {
		if none == nil || len(tables) > 1 {
			none = skipf("the trace has no events for this report in %s", strings.Join(tables, ", "))
		}
		return nil, none
	}
	var rows []sumRow
	for _, n := range order {
		rows = append(rows, sumRow{d: distOf(byName[n]), name: n, cells: []view.Value{view.String(n)}})
	}
	return sumTable(s.count, rows, text(s.label)), nil
}

// placeOf tells the line of the source of each row, as it follows a name.
func (s simpleSum) placeOf(tr *trace.Trace, t *trace.Table) func(int) string {
	file, line := t.Col("srcFile"), t.Col("lineNo")
	if !s.place || file == nil || line == nil || file.Kind != trace.Integers || line.Kind != trace.Integers {
		return func(int) string { return "" }
	}
	return func(i int) string {
		if file.IsNull(i) || line.IsNull(i) {
			return ""
		}
		return fmt.Sprintf("@%s:%d", tr.NameText(file.Ints[i]), line.Ints[i])
	}
}
