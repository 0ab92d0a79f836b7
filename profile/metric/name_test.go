package metric_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gpuprof/gpuprof/profile/metric"
)

func TestSplit(t *testing.T) {
	for name, want := range map[string]metric.Parts{
		"": {},
		"sm__inst_executed.avg.per_cycle_active": {Unit: "sm", Base: "sm__inst_executed", Suffix: "avg.per_cycle_active",
			Rollup: metric.Avg, Submetric: metric.PerCycleActive},
		"sm__ctas_launched.sum.peak_sustained_elapsed.per_second": {Unit: "sm", Base: "sm__ctas_launched",
			Suffix: "sum.peak_sustained_elapsed.per_second", Rollup: metric.Sum, Submetric: metric.PeakSustainedElapsedPerSecond},
		"l1tex__t_sector_hit_rate.pct": {Unit: "l1tex", Base: "l1tex__t_sector_hit_rate", Suffix: "pct", Submetric: metric.Pct},
		"launch__grid_size":            {Unit: "launch", Base: "launch__grid_size"},
		"inst_executed":                {Base: "inst_executed"},
		"breakdown:sm__throughput.max.pct_of_peak_sustained_elapsed": {Prefix: "breakdown:", Unit: "sm", Base: "sm__throughput",
			Suffix: "max.pct_of_peak_sustained_elapsed", Rollup: metric.Max, Submetric: metric.PctOfPeakSustainedElapsed},
		"SM.TriageA.sm__cycles_active.avg": {Prefix: "SM.TriageA.", Unit: "sm", Base: "sm__cycles_active", Suffix: "avg", Rollup: metric.Avg},
		"TriageAC.sm__x.min":               {Prefix: "TriageAC.", Unit: "sm", Base: "sm__x", Suffix: "min", Rollup: metric.Min},
		"Triage":                           {Base: "Triage"},
		"SM.Triage":                        {Base: "SM", Suffix: "Triage"},
		"sm__x.sum.of_all":                 {Unit: "sm", Base: "sm__x", Suffix: "sum.of_all", Rollup: metric.Sum},
	} {
		if diff := cmp.Diff(want, metric.Split(name)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestOnRawPage(t *testing.T) {
	for name, want := range map[string]bool{
		"sm__throughput.avg.pct_of_peak_sustained_elapsed":           true,
		"pmsampling:sm__ctas_launched.sum":                           true,
		"breakdown:sm__throughput.avg.pct_of_peak_sustained_elapsed": false,
		"group:memory__chart":                                        false,
		`regex:sm__inst_executed\.(sum|min)$`:                        false,
	} {
		if got := metric.OnRawPage(name); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

// FuzzName checks that any name can be asked about, and that its parts make it
// up again.
func FuzzName(f *testing.F) {
	for _, name := range []string{"", "sm__inst_executed.avg.per_cycle_active", "l1tex__t_sector_hit_rate.pct", "a:b:c__d.e",
		"SM.TriageA.l1tex__lsu_writeback_active.avg", "Triage.", "x.Triage.", "__", "launch__", "derived__pct_occupancy_per_",
		"smsp__average_warps_issue_stalled_wait_per_issue_active.ratio", "tex__m_rd_bytes_per_sec", "sm__.ratio", "memory_l", "sass__sass_"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		p := metric.Split(name)
		again := p.Prefix + p.Base
		if p.Suffix != "" {
			again += "." + p.Suffix
		}
		if again != name && again+"." != name {
			t.Errorf("%q became %q", name, again)
		}
		if !strings.HasPrefix(p.Base, p.Unit) {
			t.Errorf("%q: unit %q of %q", name, p.Unit, p.Base)
		}
		for _, cc := range []int{0, 75, 90, 120} {
			unit := metric.Lookup2024(name, cc).Unit
			if strings.Contains(unit.String(), " ") {
				t.Errorf("%q: unit %q", name, unit)
			}
		}
		metric.Lookup(name)
		metric.BodyUnit2024(name, 80)
		metric.Describe(name)
		metric.Label(name)
	})
}
