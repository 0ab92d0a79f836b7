package examples

import "github.com/gpuprof/gpuprof/format/ncurep"

const (
	deviceName = "gpuprof model GPU"
	created    = 1767225600 // 2026-01-01 00:00:00 UTC
)

func session() *ncurep.Session {
	sys := &ncurep.SystemInfo{OSName: ncurep.Some("Linux"), Build: ncurep.Some("model"), Processor: ncurep.Some("model CPU"),
		Architecture: ncurep.Some("x86_64"), ComputerName: ncurep.Some("example"), Platform: ncurep.Some(ncurep.PlatformLinux)}
	attr := func(name string, v ncurep.Value) *ncurep.DeviceAttribute {
		return &ncurep.DeviceAttribute{Name: "device__attribute_" + name, Value: v}
	}
	return &ncurep.Session{
		CreationTime: ncurep.Some(uint64(created)), Host: sys, Target: sys,
		Versions:    []*ncurep.VersionInfo{{Provider: "gpuprof example writer", Version: "1"}},
		CommandLine: ncurep.Some("made by go test ./internal/examples -update"),
		Devices: []*ncurep.DeviceAttributes{{ID: 0, Name: ncurep.Some(deviceName), Attributes: []*ncurep.DeviceAttribute{
			attr("multiprocessor_count", ncurep.Uint64Value(sms)), attr("display_name", ncurep.StringValue(deviceName)),
			attr("compute_capability_major", ncurep.Uint64Value(8)), attr("compute_capability_minor", ncurep.Uint64Value(0)),
			attr("total_memory", ncurep.Uint64Value(40<<30)),
		}}},
	}
}

func nvtx(names []string) *ncurep.NvtxState {
	d := &ncurep.NvtxPushPopDomain{}
	for _, n := range names {
		d.Stack = append(d.Stack, &ncurep.NvtxPushPopRange{Name: n, Attributes: &ncurep.NvtxAttributes{Version: 3,
			Color:   &ncurep.NvtxColor{Type: 1, Color: ncurep.Some(uint32(0xff76b900))},
			Payload: &ncurep.NvtxPayload{}, Message: &ncurep.NvtxMessage{Type: 1, Text: ncurep.Some(n)}}})
	}
	return &ncurep.NvtxState{
		Domains:         []*ncurep.NvtxDomain{{Name: "<default domain>"}},
		Threads:         []*ncurep.NvtxThread{{TID: 4242, Domains: []*ncurep.NvtxPushPopDomain{d}}},
		StartEndDomains: []*ncurep.NvtxStartEndDomain{{}},
		DefaultDomain:   ncurep.Some(uint64(0)),
	}
}

func metrics(pairs ...string) []*ncurep.SectionMetric {
	var out []*ncurep.SectionMetric
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, &ncurep.SectionMetric{Name: pairs[i], Label: ncurep.Some(pairs[i+1])})
	}
	return out
}

func section(id, title string, order uint32, description string, header []*ncurep.SectionMetric) *ncurep.Section {
	return &ncurep.Section{Identifier: id, DisplayName: title, Order: ncurep.Some(order), Description: ncurep.Some(description),
		Header: &ncurep.SectionHeader{Metrics: header}, Sets: []*ncurep.SectionSet{{Identifier: "basic"}}}
}

// sections are the definitions that the example carries, in our own words.
func sections() []*ncurep.Section {
	speed := section("SpeedOfLight", "GPU Speed Of Light Throughput", 10,
		"How close the kernel comes to what the compute and memory parts of the GPU can do.", metrics(
			"gpu__time_duration.sum", "Duration", "gpc__cycles_elapsed.max", "Elapsed Cycles",
			"sm__throughput.avg.pct_of_peak_sustained_elapsed", "Compute (SM) Throughput",
			"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", "Memory Throughput",
			"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "DRAM Throughput",
			"dram__bytes.sum.per_second", "DRAM Bandwidth",
			"gpc__cycles_elapsed.avg.per_second", "SM Frequency", "dram__cycles_elapsed.avg.per_second", "DRAM Frequency"))
	speed.Bodies = []*ncurep.SectionBody{{DisplayName: ncurep.Some("Throughput"), Items: []*ncurep.BodyItem{{BarChart: &ncurep.BarChart{
		Label: ncurep.Some("Throughput [%]"), Metrics: metrics(
			"sm__throughput.avg.pct_of_peak_sustained_elapsed", "Compute",
			"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", "Memory")}}}}}
	launch := section("LaunchStats", "Launch Statistics", 80, "How the kernel was launched.", metrics(
		"launch__grid_size", "Grid Size", "launch__block_size", "Block Size", "launch__thread_count", "Threads",
		"launch__registers_per_thread", "Registers Per Thread", "launch__waves_per_multiprocessor", "Waves Per SM",
		"launch__shared_mem_per_block_static", "Static Shared Memory Per Block",
		"launch__shared_mem_per_block_dynamic", "Dynamic Shared Memory Per Block",
		"launch__func_cache_config", "Function Cache Configuration"))
	occupancy := section("Occupancy", "Occupancy", 90, "How many warps a multiprocessor holds, and what limits them.", metrics(
		"sm__maximum_warps_per_active_cycle_pct", "Theoretical Occupancy", "sm__maximum_warps_avg_per_active_cycle", "Theoretical Active Warps per SM",
		"sm__warps_active.avg.pct_of_peak_sustained_active", "Achieved Occupancy", "sm__warps_active.avg.per_cycle_active", "Achieved Active Warps Per SM",
		"launch__occupancy_limit_blocks", "Block Limit SM", "launch__occupancy_limit_registers", "Block Limit Registers",
		"launch__occupancy_limit_shared_mem", "Block Limit Shared Mem", "launch__occupancy_limit_warps", "Block Limit Warps"))
	source := section("SourceCounters", "Source Counters", 110, "What each instruction did.", metrics("inst_executed", "Instructions Executed"))
	source.SourceMetrics = &ncurep.SectionMetrics{Order: ncurep.Some(uint32(1)), Metrics: metrics(
		"smsp__pcsamp_sample_count", "# Samples", "inst_executed", "Instructions Executed", "thread_inst_executed", "Thread Instructions Executed")}
	return []*ncurep.Section{speed, launch, occupancy, source}
}

// uncoalesced is what a rule might say of the naive transpose.
func uncoalesced() *ncurep.RuleResult {
	return &ncurep.RuleResult{Identifier: "ExampleUncoalescedStores", DisplayName: "Uncoalesced stores",
		SectionIdentifier: ncurep.Some("SpeedOfLight"), Body: &ncurep.RuleBody{Items: []*ncurep.RuleItem{
			{Message: &ncurep.RuleMessage{Type: 4, ID: ncurep.Some(int32(1)), Name: ncurep.Some("Uncoalesced stores"),
				Text: "Neighbouring threads write to addresses that are a row apart, so every store of a warp moves 32 sectors where 4 would do. " +
					"Write through a tile in shared memory, as transpose_tiled does."}},
			{FocusMetrics: []*ncurep.FocusMetric{{MessageID: ncurep.Some(int32(1)), Name: ncurep.Some("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"),
				Value: ncurep.Some(41.0), Info: ncurep.Some("41 < 80")}}},
			{Speedup: &ncurep.Speedup{Type: ncurep.Some(ncurep.SpeedupType(2)), Value: ncurep.Some(53.4)}},
		}}}
}
