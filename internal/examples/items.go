package examples

import (
	"math"
	"strings"

	"github.com/gpuprof/gpuprof/format/ncurep"
)

// Items is a report of one launch that carries one section, and a value for
// whatever that section shows.
func Items(section *ncurep.Section) *ncurep.Report {
	k := kernels()[1]
	r := Transpose()
	r.Results = []*ncurep.ResultData{k.result(1)}
	r.Results[0].Sections = []*ncurep.Section{section}
	r.Results[0].Metrics = append(append(append(r.Results[0].Metrics, k.memoryMetrics()...), k.sampledMetrics()...), systemMetrics()...)
	return r
}

// group lists the metrics that an item of the report shows.
func group(name string, members []ncurep.MetricData) ncurep.MetricData {
	var names []string
	for _, m := range members {
		names = append(names, m.Name)
	}
	return ncurep.MetricData{Name: "group:memory__" + name, Value: ncurep.StringValue(strings.Join(names, ","))}
}

// memoryMetrics are those of the memory chart and tables: half of the traffic is read,
// a request moves four sectors, a third hits the L1 cache and half of the rest the L2.
func (k *kernel) memoryMetrics() []ncurep.MetricData {
	half := k.bytes() / 2
	sectors := half / 32
	l1 := []ncurep.MetricData{
		count("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", sectors/4), count("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", sectors),
		count("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", sectors/4), count("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", sectors),
		number("l1tex__t_sector_hit_rate.pct", 33.3)}
	shared := []ncurep.MetricData{
		count("smsp__inst_executed_op_shared_ld.sum", sectors/4), count("smsp__inst_executed_op_shared_st.sum", sectors/4),
		count("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", 0)}
	l2 := []ncurep.MetricData{
		count("lts__t_sectors_op_read.sum", sectors), count("lts__t_sectors_op_write.sum", sectors), number("lts__t_sector_hit_rate.pct", 50),
		number("l1tex__m_xbar2l1tex_read_bytes.sum", half*2/3), number("l1tex__m_l1tex2xbar_write_bytes.sum", half)}
	policy := []ncurep.MetricData{count("lts__t_sectors_srcunit_tex_evict_first.sum", sectors/8), count("lts__t_sectors_srcunit_tex_evict_normal.sum", sectors)}
	dram := []ncurep.MetricData{
		number("dram__bytes_read.sum", half), number("dram__bytes_write.sum", half),
		number("dram__bytes_read.sum.per_second", half/k.seconds()), number("dram__bytes_write.sum.per_second", half/k.seconds())}
	all := append(append(append(append(append([]ncurep.MetricData{}, l1...), shared...), l2...), policy...), dram...)
	return append(all, group("chart", append(append(append([]ncurep.MetricData{}, l1...), l2...), dram...)),
		group("shared_table", shared), group("first_level_cache_table", l1), group("second_level_cache_table", l2),
		group("l2_cache_table", l2), group("l2_cache_evict_policy_table", policy), group("dram_table", dram))
}

// sampledMetrics are series over opcodes, register counts and time.
func (k *kernel) sampledMetrics() []ncurep.MetricData {
	opcodes := series("sass__inst_executed_per_opcode")
	var sum uint64
	for i, name := range []string{"LDG", "STG", "LDS", "STS", "IMAD", "BAR", "EXIT"} {
		n := uint64(k.threads()/32) * uint64(7-i)
		opcodes.Instances.Append(ncurep.StringValue(name), ncurep.Uint64Value(n))
		sum += n
	}
	opcodes.Value = ncurep.Uint64Value(sum)
	warps := series("launch__occupancy_per_register_count")
	for regs := uint64(8); regs <= 255; regs++ {
		n := min(64, 65536/(32*(regs+7)/8*8)/8*8)
		warps.Instances.Append(ncurep.Uint64Value(regs), ncurep.Uint64Value(n))
	}
	load, blocks := series("pmsampling:dram__throughput.avg.pct_of_peak_sustained_elapsed"), series("pmsampling:sm__ctas_launched.sum")
	for i := range uint64(100) {
		at := ncurep.Uint64Value(created*1e9 + 1000*i)
		load.Instances.Append(at, ncurep.DoubleValue(100*k.memory*math.Sin(math.Pi*float64(i)/100)))
		blocks.Instances.Append(at, ncurep.Uint64Value(uint64(k.grid[0]*k.grid[1])/100))
	}
	return []ncurep.MetricData{opcodes, warps, load, blocks}
}

// systemMetrics are two devices, two links between them, and their places.
func systemMetrics() []ncurep.MetricData {
	numbers := func(name string, list ...uint64) ncurep.MetricData {
		m := series(name)
		m.Value = ncurep.Uint64Value(list[0])
		for i, v := range list {
			m.Instances.Append(ncurep.Uint64Value(uint64(i)), ncurep.Uint64Value(v))
		}
		return m
	}
	texts := func(name string, list ...string) ncurep.MetricData {
		m := series(name)
		m.Value = ncurep.Uint64Value(uint64(len(list)))
		for i, v := range list {
			m.Instances.Append(ncurep.Uint64Value(uint64(i)), ncurep.StringValue(v))
		}
		return m
	}
	return []ncurep.MetricData{
		count("nvlink__count_logical", 2), numbers("nvlink__count_physical", 4, 4), numbers("nvlink__bandwidth", 100e9, 100e9),
		numbers("nvlink__dev0Id", 0, 1), numbers("nvlink__dev1Id", 1, 0), numbers("nvlink__peer_access", 1, 1), numbers("nvlink__peer_atomic", 1, 1),
		numbers("nvlink__system_access", 1, 1), numbers("nvlink__system_atomic", 1, 1), numbers("nvlink__is_nvswitch_connected", 0, 0),
		numbers("nvlink__is_direct_link", 1, 1), numbers("nvlrx__bytes.sum.per_second", 20e9, 21e9), numbers("nvltx__bytes.sum.per_second", 19e9, 18e9),
		texts("numa__dev_display_name_all", deviceName, deviceName), texts("numa__id_cpu", "0", "1"),
		texts("numa__cpu_affinity", "0-31", "32-63"), texts("numa__id_memory", "0", "1"),
	}
}
