package metric_test

import (
	"testing"

	"github.com/gpuprof/gpuprof/profile/metric"
)

var benchNames = []string{
	"sm__inst_executed.avg.per_cycle_active",
	"l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum.pct_of_peak_sustained_elapsed",
	"dram__bytes_read.sum.per_second",
	"lts__t_sectors_srcunit_tex_aperture_sysmem_op_write_lookup_miss.sum",
	"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
	"launch__shared_mem_per_block_driver",
	"smsp__pcsamp_warps_issue_stalled_math_pipe_throttle_not_issued",
	"device__attribute_max_shared_memory_per_multiprocessor",
}

func BenchmarkLookup(b *testing.B) {
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		metric.Lookup(benchNames[i%len(benchNames)])
	}
}

func BenchmarkLookup2024(b *testing.B) {
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		metric.Lookup2024(benchNames[i%len(benchNames)], 80)
	}
}

// BenchmarkCell formats value and unit of a row of the details page.
func BenchmarkCell(b *testing.B) {
	b.ReportAllocs()
	unit := metric.ParseUnit("byte_per_second")
	buf := make([]byte, 0, 64)
	for i := 0; b.Loop(); i++ {
		v := metric.Double(614781108083.5604 / float64(1+i%7))
		s := unit.Auto(v.Double())
		buf = metric.Compact.Append(buf[:0], v, s)
		buf = s.AppendUnit(buf, metric.Current)
	}
}

func BenchmarkCellUint(b *testing.B) {
	b.ReportAllocs()
	buf := make([]byte, 0, 64)
	for i := 0; b.Loop(); i++ {
		buf = metric.Compact.Append(buf[:0], metric.Uint64(uint64(i)*1000), metric.Scale{})
	}
}

// BenchmarkInstances formats a cell of 300 instances with their ids.
func BenchmarkInstances(b *testing.B) {
	b.ReportAllocs()
	in := metric.Instances{Len: 300, At: func(i int) (id, value metric.Value) {
		return metric.Uint64(22627551146496 + 16*uint64(i)), metric.Uint64(800256)
	}}
	buf := make([]byte, 0, 16384)
	for b.Loop() {
		buf = metric.Cell{IDs: metric.IDAddress}.Append(buf[:0], metric.Uint64(53477446), in, metric.Scale{})
	}
}
