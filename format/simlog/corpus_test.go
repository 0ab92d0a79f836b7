package simlog_test

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/gpuprof/gpuprof/internal/corpustest"
)

type kind struct {
	level  string
	op     simlog.Op
	status simlog.Status
}

// count reads a source to its end and counts accesses by level, op and status.
func count(t *testing.T, src simlog.Source) (map[kind]int64, []*simlog.Kernel) {
	t.Helper()
	counts := map[kind]int64{}
	var kernels []*simlog.Kernel
	for {
		b, err := src.Next()
		if err == io.EOF {
			return counts, kernels
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range b.Events {
			if e.Kind == simlog.KernelEnd {
				kernels = append(kernels, e.Kernel)
			}
		}
		for _, i := range b.Info {
			counts[kind{src.Levels()[i.Level()], i.Op(), i.Status()}]++
		}
	}
}

func openCorpus(t *testing.T, name string) simlog.Source {
	t.Helper()
	src, err := simlog.Open(context.Background(), filepath.Join(corpustest.Dir(t), "corpus/sim", name), simlog.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return src
}

// A run of the real simulator. The counters that it prints itself tell what the
// lines must add up to: SM 0 of the L1, all of the L2.
func TestCorpusAccelSim(t *testing.T) {
	src := openCorpus(t, "accel-sim/gslog_h100_elementwise_gemv.log.gz")
	got, kernels := count(t, src)
	want := map[kind]int64{
		{"L1D", simlog.OpLoad, simlog.Hit}: 552, {"L1D", simlog.OpLoad, simlog.Miss}: 1624, {"L1D", simlog.OpLoad, simlog.ReservationFail}: 1749,
		{"L1D", simlog.OpStore, simlog.Hit}: 7, {"L1D", simlog.OpStore, simlog.Miss}: 129, {"L1D", simlog.OpStore, simlog.ReservationFail}: 385,
		{"L2", simlog.OpLoad, simlog.Hit}: 15885, {"L2", simlog.OpLoad, simlog.Miss}: 138611, {"L2", simlog.OpLoad, simlog.ReservationFail}: 16703,
		{"L2", simlog.OpStore, simlog.Hit}: 896, {"L2", simlog.OpStore, simlog.Miss}: 7168,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if tl := src.Tally(); tl.Lines != 198062 || tl.Accesses != 183709 || tl.Malformed != 0 || tl.Kernels != 2 {
		t.Errorf("tally %+v", tl)
	}
	if len(src.Notes()) > 0 {
		t.Errorf("notes %v", src.Notes())
	}
	if c := src.Config(); c.ClockMHz != 1132 || c.SMs != 132 || c.L2Slices != 160 || c.L2Bytes != 52428800 {
		t.Errorf("config %+v", c)
	}
	last := kernels[len(kernels)-1].Stats
	for name, want := range map[string]float64{
		"L2_total_cache_accesses":                              15885 + 138611 + 896 + 7168, // 162,560
		"L2_total_cache_misses":                                138611 + 7168 - 371,
		"L2_total_cache_pending_hits":                          371,
		"L2_total_cache_reservation_fails":                     16703,
		"L1D_cache_core[0].Access":                             552 + 1624 + 7 + 129,
		"L1D_cache_core[0].Reservation_fails":                  1749 + 385,
		"L1D_cache_core[0].Miss":                               1624 + 129 - 344,
		"L1D_cache_core[0].Pending_hits":                       344,
		"gpu_tot_sim_cycle":                                    24939,
		"L2_cache_stats_breakdown[GLOBAL_ACC_R][TOTAL_ACCESS]": 154496,
	} {
		if v, ok := last.Get(name); !ok || v != want {
			t.Errorf("%s = %v, want %v", name, v, want)
		}
	}
	if k := kernels[1]; k.Cycles != 18854 || k.L1Bytes != 128<<10 || k.Name != "gemv_f32_rowwarp" || k.Grid != [3]int{128, 1, 1} || k.Block != [3]int{256, 1, 1} {
		t.Errorf("second kernel %+v", k)
	}
	if v, _ := kernels[1].Delta.Get("L2_total_cache_accesses"); v != 148480 {
		t.Errorf("the second kernel's own L2 accesses: %v", v)
	}
}

// A log that ends in the middle of a line keeps everything before it.
func TestCorpusTruncated(t *testing.T) {
	src := openCorpus(t, "accel-sim/gslog_h100_matmul_TRUNCATED.log.gz")
	got, kernels := count(t, src)
	want := map[kind]int64{
		{"L1D", simlog.OpLoad, simlog.Hit}: 770, {"L1D", simlog.OpLoad, simlog.Miss}: 3640, {"L1D", simlog.OpLoad, simlog.ReservationFail}: 46,
		{"L2", simlog.OpLoad, simlog.Hit}: 191748, {"L2", simlog.OpLoad, simlog.Miss}: 9714, {"L2", simlog.OpLoad, simlog.ReservationFail}: 117790,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if len(kernels) != 1 || kernels[0].Complete() || kernels[0].ID != 3 {
		t.Errorf("kernels %+v", kernels)
	}
	if n := noteTexts(src); !strings.Contains(n, "without trailer") || !strings.Contains(n, "line 324386: the input ends without a line end") {
		t.Error(n)
	}
}

// The stock wording, amid the other trace lines of the simulator.
func TestCorpusStock(t *testing.T) {
	src := openCorpus(t, "accel-sim/stock_trace_h100_elementwise.log.gz")
	got, kernels := count(t, src)
	if d := cmp.Diff(map[kind]int64{{"L2", simlog.OpUnknown, simlog.Miss}: 14080}, got); d != "" {
		t.Error(d)
	}
	if v, _ := kernels[0].Stats.Get("L2_total_cache_accesses"); v != 14080 {
		t.Errorf("the simulator's own count %v", v)
	}
	if src.Tally().Malformed != 0 {
		t.Errorf("tally %+v", src.Tally())
	}
}

func TestCorpusSynthetic(t *testing.T) {
	src := openCorpus(t, "synthetic-small.log.gz")
	got, kernels := count(t, src)
	if d := cmp.Diff(map[kind]int64{
		{"L1D", simlog.OpLoad, simlog.HitReserved}: 13, {"L1D", simlog.OpLoad, simlog.Miss}: 1078, {"L1D", simlog.OpLoad, simlog.ReservationFail}: 2129, {"L1D", simlog.OpLoad, simlog.SectorMiss}: 335,
		{"L1D", simlog.OpStore, simlog.Miss}: 118, {"L1D", simlog.OpStore, simlog.SectorMiss}: 6,
		{"L2", simlog.OpLoad, simlog.Miss}: 736, {"L2", simlog.OpLoad, simlog.SectorMiss}: 202, {"L2", simlog.OpStore, simlog.Miss}: 77, {"L2", simlog.OpStore, simlog.SectorMiss}: 3,
	}, got); d != "" {
		t.Error(d)
	}
	if len(kernels) != 4 || kernels[3].TotalCycles != 22550 || kernels[0].L1Bytes != 122880 {
		t.Errorf("%d kernels", len(kernels))
	}
}

// Native statistics without any access line: two kernels, differenced.
func TestCorpusNative(t *testing.T) {
	src := openCorpus(t, "gpgpu-sim-mvt/mvt.txt")
	_, kernels := count(t, src)
	if len(kernels) != 2 {
		t.Fatalf("%d kernels", len(kernels))
	}
	var got []string
	for _, k := range kernels {
		v := func(name string) float64 { x, _ := k.Delta.Get(name); return x }
		got = append(got, fmt.Sprintf("%s %v grid %v block %v cycles %d: L1D %v L2 %v reads %v", k.Name, k.ID, k.Grid, k.Block, k.Cycles,
			v("L1D_total_cache_accesses"), v("L2_total_cache_accesses"), v("Total_core_cache_stats_breakdown[GLOBAL_ACC_R][TOTAL_ACCESS]")))
	}
	want := []string{
		"_Z11mvt_kernel1PfS_S_ 1 grid [8 1 1] block [256 1 1] cycles 598748: L1D 4.84992e+06 L2 1.051948e+06 reads 4.325632e+06",
		"_Z11mvt_kernel2PfS_S_ 2 grid [8 1 1] block [256 1 1] cycles 713287: L1D 1.179904e+06 L2 1.05088e+06 reads 655616",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if v, ok := kernels[0].Stats.Get("L1D_cache_core[8].Miss_rate"); !ok || v == v {
		t.Errorf("a -nan is %v, %v", v, ok)
	}
}

// SCALE-Sim's own test output. Its report counts the idle ports of a last row as
// accesses to DRAM, the traces do not hold them.
func TestCorpusScaleSim(t *testing.T) {
	src := openCorpus(t, "scale-sim/golden_ws")
	got, kernels := count(t, src)
	if d := cmp.Diff(map[kind]int64{
		{"IFMAP", simlog.OpLoad, simlog.StatusUnknown}: 262144, {"FILTER", simlog.OpLoad, simlog.StatusUnknown}: 32768, {"FILTER", simlog.OpStore, simlog.StatusUnknown}: 32768,
		{"OFMAP", simlog.OpLoad, simlog.StatusUnknown}: 262144, {"OFMAP", simlog.OpStore, simlog.StatusUnknown}: 262144,
	}, got); d != "" {
		t.Error(d)
	}
	var sums []string
	for _, tr := range src.(*simlog.ScaleSim).Traces {
		sums = append(sums, fmt.Sprintf("%s rows %d accesses %d of %d, idle %d, cycles %d..%d", tr.File, tr.Rows, tr.Accesses, tr.Reported, tr.Idle, tr.First, tr.Last))
	}
	want := []string{
		"IFMAP_SRAM_TRACE.csv rows 11200 accesses 262144 of 262144, idle 96256, cycles 33..52417",
		"FILTER_SRAM_TRACE.csv rows 11200 accesses 32768 of 32768, idle 325632, cycles 1..52130",
		"FILTER_DRAM_TRACE.csv rows 3277 accesses 32768 of 32770, idle 2, cycles -3277..-1",
		"OFMAP_SRAM_TRACE.csv rows 11200 accesses 262144 of 262144, idle 96256, cycles 63..52447",
		"OFMAP_DRAM_TRACE.csv rows 26218 accesses 262144 of 262175, idle 36, cycles 11831..55725",
	}
	if d := cmp.Diff(want, sums); d != "" {
		t.Error(d)
	}
	if k := kernels[0]; k.Cycles != 52447 || k.EndCycle != 55725 {
		t.Errorf("layer %+v", k)
	}
}
