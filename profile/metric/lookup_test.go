package metric_test

import (
	"testing"

	"github.com/gpuprof/gpuprof/profile/metric"
)

func TestLookup(t *testing.T) {
	for _, want := range []fact{
		{"sm__inst_executed.avg.per_cycle_active", "inst_per_cycle", "counter", "per_cycle_active", "avg"},
		{"sm__warps_active.avg.per_cycle_active", "warp", "counter", "per_cycle_active", "avg"},
		{"sm__warps_active.avg.pct_of_peak_sustained_active", "%", "counter", "pct_of_peak_sustained_active", "avg"},
		{"smsp__issue_active.avg.per_cycle_active", "", "counter", "per_cycle_active", "avg"},
		{"sm__throughput.avg.pct_of_peak_sustained_elapsed", "%", "throughput", "pct_of_peak_sustained_elapsed", "avg"},
		{"dram__bytes.sum.per_second", "byte_per_second", "counter", "per_second", "sum"},
		{"dram__bytes.sum.peak_sustained", "byte_per_cycle", "counter", "peak_sustained", "sum"},
		{"gpu__time_duration.sum", "second", "counter", "", "sum"},
		{"sm__cycles_active.avg.peak_sustained_elapsed.per_second", "cycle_per_second", "counter", "peak_sustained_elapsed", "avg"},
		{"sm__ops_path_tensor_src_fp16.sum.per_second", "1_per_second", "counter", "per_second", "sum"},
		{"l1tex__t_sector_hit_rate.pct", "%", "ratio", "", ""},
		{"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", "byte_per_sector", "ratio", "", ""},
		{"smsp__average_warps_issue_stalled_wait_per_issue_active.ratio", "inst", "ratio", "", ""},
		{"smsp__average_warp_latency_issue_stalled_wait.ratio", "inst_per_warp", "ratio", "", ""},
		{"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", "sector", "ratio", "", ""},
		{"smsp__thread_inst_executed_per_inst_executed.ratio", "", "ratio", "", ""},
		{"launch__registers_per_thread", "register_per_thread", "other", "", ""},
		{"launch__shared_mem_per_block_static", "byte_per_block", "other", "", ""},
		{"launch__grid_size", "", "other", "", ""},
		{"profiler__replayer_bytes_mem_backed_up.max", "byte", "other", "", "max"},
		{"derived__memory_l1_wavefronts_shared_excessive", "byte", "other", "", ""},
		{"smsp__sass_inst_executed_memdesc_explicit_hitprop_evict_first", "inst", "counter", "", ""},
		{"tex__m_rd_bytes_global_atom_per_sec", "byte_per_second", "other", "", ""},
		{"sm__inst_executed_avg_per_active_cycle", "inst_per_cycle", "other", "", ""},
		{"no such name", "", "other", "", ""},
	} {
		if got := factOf(want.name, metric.Lookup(want.name)); got != want {
			t.Errorf("\n got %+v\nwant %+v", got, want)
		}
	}
}

func TestLookup2024(t *testing.T) {
	for _, tt := range []struct {
		name      string
		cc        int
		unit, typ string
	}{
		{"dram__bytes.sum", 80, "byte", "counter"},
		{"dram__bytes.sum", 120, "", "other"}, // a newer chip
		{"dram__bytes.sum", 61, "", "other"},  // one too old
		{"dram__bytes.sum", 0, "", "other"},
		{"launch__occupancy_limit_warps", 120, "block", "other"},
		{"launch__occupancy_limit_barriers", 90, "", "other"}, // newer than the tool
		{"lrc__xbar2gpc_sectors_op_read.sum.per_second", 90, "sector", "other"},
		{"lts__gcomp_input_sectors.sum", 75, "sector", "other"},
		{"lts__gcomp_input_sectors.sum", 80, "sector", "counter"},
	} {
		info := metric.Lookup2024(tt.name, tt.cc)
		if info.Unit.String() != tt.unit || info.Type.String() != tt.typ {
			t.Errorf("%s on %d: got %q %v, want %q %s", tt.name, tt.cc, info.Unit, info.Type, tt.unit, tt.typ)
		}
	}
}

func TestDescribe(t *testing.T) {
	for name, want := range map[string]string{
		"sm__inst_executed_pipe_lsu.avg.per_cycle_active":                    "instructions executed pipe LSU on each SM, average over the SMs, per active cycle",
		"dram__bytes_read.sum.pct_of_peak_sustained_elapsed":                 "bytes read on each channel of the device memory, sum over the channels, % of the peak sustained over elapsed cycles",
		"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum":                     "t sectors pipe LSU memory global of kind load in each L1 and texture cache, sum over the caches",
		"launch__registers_per_thread":                                       "registers per thread",
		"pmsampling:sm__ctas_launched.sum":                                   "samples over time of thread blocks launched on each SM, sum over the SMs",
		"sm__ctas_launched.sum.peak_sustained_elapsed.per_second":            "thread blocks launched on each SM, sum over the SMs, the peak sustained over elapsed cycles, per second",
		"smsp__inst_executed.min.pct_of_peak_sustained_region":               "instructions executed on each sub-partition of an SM, minimum over the sub-partitions, % of the peak sustained over the region",
		"smsp__inst_executed.max.peak_sustained":                             "instructions executed on each sub-partition of an SM, maximum over the sub-partitions, the peak sustained",
		"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.max_rate": "SASS average data bytes per sector memory global of kind load on each sub-partition of an SM, the highest ratio possible",
	} {
		if got := metric.Describe(name); got != want {
			t.Errorf("%s\n got %q\nwant %q", name, got, want)
		}
	}
}

// TestNamesReachEverySymbol checks that spelling and parsing are inverse.
func TestNamesReachEverySymbol(t *testing.T) {
	for s := metric.SubmetricNone; s <= metric.Ratio; s++ {
		if got := metric.ParseSubmetric(s.String()); got != s {
			t.Errorf("submetric %d: %q is parsed as %d", s, s, got)
		}
	}
	for _, r := range metric.Rollups {
		if got := metric.ParseRollup(r.String()); got != r {
			t.Errorf("rollup %d: %q is parsed as %d", r, r, got)
		}
	}
	for _, s := range []string{"", "byte", "byte_per_second", "1_per_cycle", "%"} {
		if got := metric.ParseUnit(s).String(); got != s {
			t.Errorf("unit %q became %q", s, got)
		}
	}
}
