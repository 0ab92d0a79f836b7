package load

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/nsysrep"
)

// A captureOption is an option of a capture: a row of META_DATA_CAPTURE, or the
// rows of a message inside.
type captureOption struct {
	name  string
	field int    // 0: not known; its default is printed
	kind  byte   // 's' text, 'n' number, 'b' truth value, '*' texts that are numbered, '=' pairs of name and value; of enumerations 0
	def   string // printed where the field is absent; "-": nothing is
	enum  map[int64]string
	in    []captureOption // a message; absent without it
	many  bool            // numbered messages: the name gets the number
	since [2]int          // version of the tool from which on it is printed, year and number
	until [2]int          // and up to which it is not any more
}

// The names and their order are those of exports, the fields were found by their
// values; where a field is 0 or said to be a guess, only the default was met.
var captureOptions = []captureOption{
	text("DEVICE_ID", 1),
	{name: "CAPTURE_EVENT_TYPE", field: 2, kind: 'e', enum: map[int64]string{1: "CpuCycles", 12: "NvtxEvents", 123: "Cuda", 124: "Graphics", 127: "OSRuntime", 128: "CuDNN"}}, // 128 is a guess
	number("RATE_HZ", 3),
	choice("START_TRIGGER", 4, map[int64]string{2: "Immediate", 3: "Delayed"}),
	choice("STOP_TRIGGER", 5, map[int64]string{2: "Immediate", 3: "Delayed"}),
	{name: "THREAD_STATE_SCAN_FREQ", kind: 'n', def: "50"},
	{name: "POWER_RATE_SCAN_FREQ", kind: 'n', def: "50"},
	choice("DEVICE_TYPE", 8, map[int64]string{3: "Unix"}),
	text("DEVICE_DISPLAY_NAME", 9),
	{name: "OS_RUNTIME_OPTIONS", field: 12, in: []captureOption{number("DURATION_THRESHOLD_NS", 1), truth("COLLECT_BACKTRACES", 2), number("BACKTRACES_THRESHOLD_NS", 3)}},
	{name: "MPI_TRACE_OPTIONS", field: 18, in: []captureOption{truth("COLLECT_MPI_TRACE", 1), choice("MPI_IMPLEMENTATION", 2, map[int64]string{0: "OpenMPI"})}},
	{field: 92, in: []captureOption{
		{name: "CUDA_GRAPH_TRACE_OPTIONS", field: 9, in: []captureOption{choice("MODE", 1, graphModes), truth("TRACE_DEVICE_GRAPH_LAUNCH", 2)}},
		truth("CUDA_FLUSH_PERIODICALLY", 1), number("CUDA_FLUSH_PERIOD", 2), truth("CUDA_SKIP_SOME_API_CALLS", 3),
		truth("COLLECT_GPU_MEMORY_USAGE", 4), truth("COLLECT_UVM_CPU_PAGE_FAULTS", 5), truth("COLLECT_UVM_GPU_PAGE_FAULTS", 7), // 7 is a guess
		truth("CUDA_FLUSH_ON_CUDA_PROFILER_STOP", 0), choice("CUDA_TRACE_SCOPE", 11, map[int64]string{1: "ProcessTree"}), // 11 is a guess
	}},
	{name: "PROCESS_", field: 26, many: true, in: processOptions},
	text("PROFILING_SESSION_ID", 0), text("PROFILING_SESSION_UUID", 77), number("APPLICATION_PID", 0), text("PACKAGE_NAME", 0), truth("RESUME", 0),
	truth("SHOW_BACKTRACE", 30), number("START_DELAY_MS", 31), number("RUN_DURATION_MS", 32), // 31 is a guess
	truth("HAS_ANNOTATIONS", 0), truth("USE_UNWIND_TABLES", 0), truth("USE_FRAME_POINTERS", 0), truth("USE_DWARF", 39),
	{name: "GRAPHICS_TRACE_OPTIONS", field: 34, in: []captureOption{truth("COLLECT_OPENGL_WORKLOAD", 2), truth("COLLECT_KHRDEBUG_TRACE", 0), number("KHRDEBUG_GPU_MAXDEPTH", 0), text("ADDITIONAL_INJECTION", 0)}},
	number("BANDWIDTH_VERSION", 0), number("BANDWIDTH_RATE_HZ", 0), truth("COLLECT_GPU_CTX_SW_TRACE", 0), truth("TRACE_ALL_TASKS", 0), truth("IN_APP_FREQ_MODE", 0),
	truth("COLLECT_VSYNC", 0), truth("COLLECT_THREAD_STATE_TRACE", 0), truth("ALLOW_SEND_ONLY_MODE", 0), truth("FORCE_ARCH_TIMER", 0), truth("USE_LBRS", 54),
	truth("INCLUDE_CHILDREN", 55), truth("USE_LINUX_PERF", 56), truth("DISABLE_TIME_SYNC", 0), truth("LAUNCH_AS_ROOT", 0), truth("TRACE_AFTER_FORK_BEFORE_EXEC", 0),
	truth("COLLECT_SLI_EVENTS", 0), truth("HOTKEY_ENABLED", 0), number("HOTKEY_VALUE", 0), truth("COLLECT_WDDM_EVENTS", 0),
	{name: "NVTX_OPTIONS", field: 67, in: []captureOption{truth("TRACE_NVTX_RANGE_HOT_KEY", 0), number("TRACE_NVTX_RANGE_HOT_KEY_VALUE", 0), text("NVTX_DOMAIN_FILTER_STRING", 0), truth("NVTX_DOMAIN_FILTER_MODE_INCLUDE", 0)}},
	{name: "LINUX_PERF_OPTIONS", field: 69, in: []captureOption{
		truth("COLLECT_CPU_CTXSW_TRACE", 1), number("SAMPLING_PERIOD", 2), truth("COLLECT_IP_BACKTRACE_SAMPLES", 3), number("SAMPLES_PER_BACKTRACE", 4), choice("COLLECTION_MODE", 5, map[int64]string{1: "ProcessTree"}),
		{name: "CPU_IP_SAMPLING_TRIGGER_EVENT_INDEX", field: 6, kind: 'n', def: "0", until: [2]int{2025, 5}}, choice("CPU_IP_TRIGGER_TYPE", 7, map[int64]string{1: "Hardware", 2: "Software"}),
		truth("COLLECT_EVENT_COUNTS", 0), number("EVENT_COUNT_INTERVAL_MS", 0)}},
	truth("COLLECT_OPENSHMEM_TRACE", 0), number("START_FRAME_VALUE", 0), number("RUN_DURATION_FRAMES", 0),
	{name: "SYMBOL_RESOLUTION_OPTIONS", field: 78, in: []captureOption{truth("RESOLVE_SYMBOLS", 1)}},
	truth("SAMPLE_ALL_TASKS", 0),
}

var graphModes = map[int64]string{0: "Graph", 1: "Node"} // 1 is a guess

var processOptions = []captureOption{
	choice("HOW_TO_ATTACH", 1, map[int64]string{4: "LaunchAnother"}), truth("LAUNCH_AS_ROOT", 0),
	{name: "COMMAND", field: 10, kind: 's', def: "-"}, {name: "ARGUMENT_", field: 11, kind: '*'}, {name: "WORKING_DIR", field: 12, kind: 's', def: "-"},
	number("PID", 13), text("USER_NAME", 0), truth("COLLECT_NVTX_TRACE", 20), truth("COLLECT_CUDA_TRACE", 21), truth("COLLECT_CPU_TRACE", 22), truth("COLLECT_NVMEDIA_TRACE", 0), truth("COLLECT_VIDEO_API_TRACE", 0),
	{name: "ENVIRONMENT_VARIABLE", field: 30, kind: '='},
	{name: "COLLECT_BLOCK_TRACE", kind: 'b', def: "false", until: [2]int{2026, 1}}, {name: "COLLECT_BLOCK_PHASE_TRACE", kind: 'b', def: "false", until: [2]int{2026, 1}},
	{name: "COLLECT_WARP_TRACE", kind: 'b', def: "false", until: [2]int{2026, 1}}, {name: "COLLECT_WARP_PHASE_TRACE", kind: 'b', def: "false", until: [2]int{2026, 1}},
	truth("CUDA_FLUSH_PERIODICALLY", 40), number("CUDA_FLUSH_PERIOD", 41), truth("CUDA_SKIP_SOME_API_CALLS", 42), truth("COLLECT_GPU_MEMORY_USAGE", 43),
	truth("COLLECT_UVM_CPU_PAGE_FAULTS", 44), truth("COLLECT_UVM_GPU_PAGE_FAULTS", 48),
	{name: "CUDA_GRAPH_TRACE_OPTIONS", field: 49, in: []captureOption{choice("MODE", 1, graphModes), {name: "TRACE_DEVICE_GRAPH_LAUNCH", field: 2, kind: 'b', def: "false", since: [2]int{2026, 1}}}},
	truth("COLLECT_GL_WORKLOAD", 0), truth("COLLECT_DX12_TRACE", 0), truth("COLLECT_DX11_TRACE", 0), truth("COLLECT_VULKAN_TRACE", 0), truth("CUDA_FLUSH_ON_CUDA_PROFILER_STOP", 90),
}

func text(name string, field int) captureOption {
	return captureOption{name: name, field: field, kind: 's'}
}

func number(name string, field int) captureOption {
	return captureOption{name: name, field: field, kind: 'n', def: "0"}
}

func truth(name string, field int) captureOption {
	return captureOption{name: name, field: field, kind: 'b', def: "false"}
}

func choice(name string, field int, names map[int64]string) captureOption {
	return captureOption{name: name, field: field, kind: 'e', enum: names, def: "-"}
}

// capture makes META_DATA_CAPTURE: the options of the capture, with the defaults
// of those that are absent, as exports have it. Which rows there are depends on
// the tool that exports; the one that wrote the report is taken for it.
func (s *nsysRepSource) capture() {
	options := s.file.Header.Sub(2)
	if options == nil {
		return
	}
	var rows []repRecord
	put := func(name, value string) {
		rows = append(rows, repRecord{extra: map[string]string{"name": name, "value": value}})
	}
	addCapture(captureOptions, options, "", s.writer(), put)
	s.records("META_DATA_CAPTURE", "", rows)
}

func addCapture(options []captureOption, m nsysrep.Message, prefix string, tool [2]int, put func(name, value string)) {
	for i := range options {
		o := &options[i]
		if o.until != [2]int{} && !before(tool, o.until) || before(tool, o.since) {
			continue
		}
		fields := m.All(o.field)
		if o.in == nil {
			o.add(fields, prefix+o.name, put)
			continue
		}
		for n, f := range fields {
			sub, _ := nsysrep.Parse(f.Bytes)
			p := prefix
			switch {
			case o.many:
				p += fmt.Sprintf("%s%d:", o.name, n)
			case o.name != "":
				p += o.name + ":"
			}
			addCapture(o.in, sub, p, tool, put)
		}
	}
}

// add puts the rows of an option that is no message.
func (o *captureOption) add(fields []nsysrep.Field, name string, put func(name, value string)) {
	if len(fields) == 0 {
		if o.def != "-" && strings.IndexByte("snb", o.kind) >= 0 {
			put(name, o.def)
		}
		return
	}
	last := fields[len(fields)-1]
	switch o.kind {
	case 's':
		put(name, string(last.Bytes))
	case 'n':
		put(name, strconv.FormatUint(last.Int, 10))
	case 'b':
		put(name, strconv.FormatBool(last.Int != 0))
	case '*':
		for i, f := range fields {
			put(name+strconv.Itoa(i), string(f.Bytes))
		}
	case '=':
		for _, f := range fields {
			pair, _ := nsysrep.Parse(f.Bytes)
			put(name, pair.Text(1)+`="`+pair.Text(2)+`"`)
		}
	case 'e':
		for _, f := range fields {
			sub, _ := nsysrep.Parse(f.Bytes)
			if f.Bytes == nil {
				sub = nsysrep.Message{{Num: 1, Int: f.Int}}
			}
			for _, v := range sub.All(1) {
				put(name, enumName(o.enum, int64(v.Int)))
			}
		}
	}
}

func enumName(names map[int64]string, n int64) string {
	if s := names[n]; s != "" {
		return s
	}
	return strconv.FormatInt(n, 10)
}

// writer is the version of the tool that wrote the report, year and number; zero
// if it does not say.
func (s *nsysRepSource) writer() [2]int {
	ui, _ := s.file.Message("UI Data")
	var v [2]int
	fmt.Sscanf(ui.Text(21), "%d.%d", &v[0], &v[1])
	return v
}

func before(v, w [2]int) bool { return v[0] < w[0] || v[0] == w[0] && v[1] < w[1] }
