package examples

import (
	"fmt"
	"math"

	"github.com/gpuprof/gpuprof/format/ncurep"
)

// The device of the model.
const (
	sms       = 108
	smClock   = 1.41e9   // Hz
	memClock  = 1.215e9  // Hz
	peakBytes = 1.555e12 // bytes/s of device memory
	size      = 4096     // rows and columns of the matrix
	pcBase    = 0x7f1c00000000
)

// A kernel is a launch of the model.
type kernel struct {
	name     string // function
	args     string
	grid     [3]uint64
	block    [3]uint64
	regs     float64
	shared   float64 // bytes per block, static
	memory   float64 // share of peak memory throughput reached
	compute  float64 // share of peak compute throughput reached
	achieved float64 // occupancy in percent
	code     []inst
	ranges   []string // NVTX stack, outermost first
	advice   []*ncurep.RuleResult
}

// An inst is an instruction of the model: how often it runs for each warp, and
// its share of the stall samples.
type inst struct {
	runs, stalls float64
	line         int
}

// Transpose is a report of three launches: a transpose that reads rows and
// writes columns, one through shared memory, and a reduction over the result.
func Transpose() *ncurep.Report {
	r := &ncurep.Report{Session: session(), Process: &ncurep.Process{
		ID: 4242, Hostname: ncurep.Some("127.0.0.1"), Name: ncurep.Some("/usr/local/bin/transpose")}}
	ks := kernels()
	r.Sources = []*ncurep.SourceData{source(ks)}
	for i, k := range ks {
		r.Results = append(r.Results, k.result(i))
	}
	return r
}

func kernels() []kernel {
	const n = size * size
	return []kernel{
		{name: "transpose_naive", args: "(const float *, float *, int)", grid: [3]uint64{size / 32, size / 32, 1}, block: [3]uint64{32, 32, 1},
			regs: 10, memory: 0.41, compute: 0.12, achieved: 81.3, ranges: []string{"step 1", "transpose"},
			code:   []inst{{1, 1, 9}, {1, 2, 10}, {1, 40, 12}, {1, 300, 12}, {1, 5, 13}},
			advice: []*ncurep.RuleResult{uncoalesced()}},
		{name: "transpose_tiled", args: "(const float *, float *, int)", grid: [3]uint64{size / 32, size / 32, 1}, block: [3]uint64{32, 32, 1},
			regs: 16, shared: 32 * 33 * 4, memory: 0.88, compute: 0.21, achieved: 93.8, ranges: []string{"step 1", "transpose"},
			code: []inst{{1, 1, 19}, {1, 2, 20}, {1, 90, 22}, {1, 30, 23}, {1, 45, 24}, {1, 60, 26}, {1, 5, 27}}},
		{name: "block_sum", args: "(const float *, float *, int)", grid: [3]uint64{n / 1024, 1, 1}, block: [3]uint64{256, 1, 1},
			regs: 20, shared: 1024, memory: 0.93, compute: 0.34, achieved: 88.1, ranges: []string{"step 1", "check"},
			code: []inst{{1, 1, 33}, {4, 120, 35}, {5, 25, 38}, {5, 60, 39}, {1, 8, 42}}},
	}
}

// bytes is the traffic of a launch: every element read, and written unless it
// is summed.
func (k *kernel) bytes() float64 {
	if k.name == "block_sum" {
		return size * size * 4
	}
	return 2 * size * size * 4
}

func (k *kernel) seconds() float64 { return k.bytes() / (peakBytes * k.memory) }

func (k *kernel) mangled() string { return fmt.Sprintf("_Z%d%sPKfPfi", len(k.name), k.name) }

// address is where the model loads the i-th kernel.
func (k *kernel) address(i int) uint64 { return pcBase + uint64(i)<<12 }

func (k *kernel) threads() float64 { return float64(volume(k.grid) * volume(k.block)) }

func volume(d [3]uint64) uint64 { return d[0] * d[1] * d[2] }

func (k *kernel) result(i int) *ncurep.ResultData {
	xyz := func(d [3]uint64) *ncurep.Uint64x3 { return ncurep.XYZ(d[0], d[1], d[2]) }
	r := &ncurep.ResultData{ResultHeader: ncurep.ResultHeader{
		ThreadID: 4242, APICallID: uint64(100 + i), KernelID: uint64(i + 1),
		MangledName: k.mangled(), FunctionName: k.name, DemangledName: k.name + k.args,
		WorkDimensions: 3, WorkOffset: xyz([3]uint64{}), Grid: xyz(k.grid), Block: xyz(k.block),
		CreationTime: ncurep.Some(uint64(created)), API: ncurep.Some(ncurep.APICUDA),
		ContextID: ncurep.Some(uint32(1)), StreamID: ncurep.Some(uint32(7)),
	}}
	r.Source = &ncurep.SourceHead{Reference: ncurep.Some(uint64(sourceRef))}
	r.Metrics = append(append(k.launchMetrics(), k.speedMetrics()...), k.sourceMetrics(i)...)
	r.Sections = sections()
	r.Rules = k.advice
	r.Nvtx = nvtx(k.ranges)
	return r
}

func number(name string, v float64) ncurep.MetricData {
	return ncurep.MetricData{Name: name, Value: ncurep.DoubleValue(v)}
}

func count(name string, v float64) ncurep.MetricData {
	return ncurep.MetricData{Name: name, Value: ncurep.Uint64Value(uint64(math.Round(v)))}
}

func series(name string) ncurep.MetricData {
	return ncurep.MetricData{Name: name, Instances: new(ncurep.Instances)}
}

func (k *kernel) launchMetrics() []ncurep.MetricData {
	blocks, threads := float64(volume(k.grid)), float64(volume(k.block))
	warps := threads / 32
	perSM := math.Min(32, math.Min(64/warps, math.Floor(65536/(k.regs*threads))))
	limitShared := 32.0
	if k.shared > 0 {
		limitShared = math.Min(32, math.Floor(167936/(k.shared+1024)))
	}
	perSM = math.Min(perSM, limitShared)
	return []ncurep.MetricData{
		count("device__attribute_compute_capability_major", 8), count("device__attribute_compute_capability_minor", 0),
		{Name: "device__attribute_display_name", Value: ncurep.StringValue(deviceName)},
		count("device__attribute_multiprocessor_count", sms),
		count("launch__device_id", 0), count("launch__context_id", 1), count("launch__stream_id", 7),
		count("launch__grid_size", blocks), count("launch__block_size", threads), count("launch__thread_count", k.threads()),
		count("launch__grid_dim_x", float64(k.grid[0])), count("launch__grid_dim_y", float64(k.grid[1])), count("launch__grid_dim_z", float64(k.grid[2])),
		count("launch__block_dim_x", float64(k.block[0])), count("launch__block_dim_y", float64(k.block[1])), count("launch__block_dim_z", float64(k.block[2])),
		count("launch__registers_per_thread", k.regs), count("launch__shared_mem_per_block_static", k.shared),
		count("launch__shared_mem_per_block_dynamic", 0), count("launch__shared_mem_per_block_driver", 1024),
		number("launch__waves_per_multiprocessor", blocks/(perSM*sms)),
		{Name: "launch__func_cache_config", Value: ncurep.StringValue("CachePreferNone")},
		count("launch__occupancy_limit_blocks", 32), count("launch__occupancy_limit_registers", math.Floor(65536/(k.regs*threads))),
		count("launch__occupancy_limit_shared_mem", limitShared), count("launch__occupancy_limit_warps", 64/warps),
		number("sm__maximum_warps_per_active_cycle_pct", 100*perSM*warps/64), number("sm__maximum_warps_avg_per_active_cycle", perSM*warps),
		number("sm__warps_active.avg.pct_of_peak_sustained_active", k.achieved), number("sm__warps_active.avg.per_cycle_active", k.achieved*0.64),
	}
}

func (k *kernel) speedMetrics() []ncurep.MetricData {
	s := k.seconds()
	return []ncurep.MetricData{
		count("gpu__time_duration.sum", s*1e9), number("gpc__cycles_elapsed.max", math.Round(s*smClock)),
		number("gpc__cycles_elapsed.avg.per_second", smClock), number("dram__cycles_elapsed.avg.per_second", memClock),
		number("dram__bytes.sum.per_second", k.bytes()/s), number("dram__bytes.sum", k.bytes()),
		number("sm__throughput.avg.pct_of_peak_sustained_elapsed", 100*k.compute),
		number("gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", 100*k.memory),
		number("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 100*k.memory),
		number("l1tex__throughput.avg.pct_of_peak_sustained_active", 62*k.memory), number("lts__throughput.avg.pct_of_peak_sustained_elapsed", 71*k.memory),
		number("sm__cycles_active.avg", math.Round(s*smClock*0.97)),
	}
}

// sourceMetrics have an instance for each instruction.
func (k *kernel) sourceMetrics(index int) []ncurep.MetricData {
	warps := k.threads() / 32
	runs := series("inst_executed")
	threads := series("thread_inst_executed")
	samples := series("smsp__pcsamp_sample_count")
	var sum [3]uint64
	for i, in := range k.code {
		pc := ncurep.Uint64Value(k.address(index) + uint64(16*i))
		for j, m := range []*ncurep.MetricData{&runs, &threads, &samples} {
			v := uint64([]float64{in.runs * warps, in.runs * warps * 32, in.stalls}[j])
			m.Instances.Append(pc, ncurep.Uint64Value(v))
			sum[j] += v
		}
	}
	for j, m := range []*ncurep.MetricData{&runs, &threads, &samples} {
		m.Value = ncurep.Uint64Value(sum[j])
	}
	pcs := series("launch__function_pcs")
	pcs.Value = ncurep.DoubleValue(float64(k.address(index)))
	pcs.Instances.Append(ncurep.Uint64Value(0), ncurep.Uint64Value(k.address(index)))
	return []ncurep.MetricData{runs, threads, samples, pcs}
}
