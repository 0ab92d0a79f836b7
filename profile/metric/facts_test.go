package metric_test

import (
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/profile/metric"
)

func factOf(name string, info metric.Info) fact {
	return fact{name, info.Unit.String(), info.Type.String(), info.Submetric.String(), info.Rollup.String()}
}

// TestFacts compares the rules with every name of the table of facts, on a
// chip on which the name was seen.
func TestFacts(t *testing.T) {
	chips := map[string]int{}
	for _, dir := range oracleReports(t) {
		for _, a := range oracleActions(t, dir) {
			for name := range a.Metrics {
				// The table keeps what a known chip says where there is one.
				if cc := a.cc(); chips[name] == 0 || cc >= 80 && cc <= 90 {
					chips[name] = cc
				}
			}
		}
	}
	wrong, all := 0, facts(t)
	for _, want := range all {
		cc, seen := chips[want.name]
		if !seen {
			cc = 80
		}
		if got := factOf(want.name, metric.Lookup2024(want.name, cc)); got != want {
			wrong++
			t.Errorf("cc %d\n got %+v\nwant %+v", cc, got, want)
		}
	}
	t.Logf("%d of %d names as Nsight Compute 2024.1 has them", len(all)-wrong, len(all))
}

// TestFactsByReport compares the rules with every metric of every report, each
// on its own chip.
func TestFactsByReport(t *testing.T) {
	wrong, all := map[string]bool{}, 0
	for _, dir := range oracleReports(t) {
		for _, a := range oracleActions(t, dir) {
			for name, m := range a.Metrics {
				all++
				info := metric.Lookup2024(name, a.cc())
				rollup, submetric := 0, 0
				if m.Rollup != nil {
					rollup = *m.Rollup
				}
				if m.Submetric != nil {
					submetric = *m.Submetric
				}
				if (info.Unit.String() != m.Unit || int(info.Type) != m.Type || int(info.Rollup) != rollup ||
					int(info.Submetric) != submetric) && !wrong[name] {
					wrong[name] = true
					t.Errorf("%s: cc %d: %s: got %+v, want %q %d %d %d", filepath.Base(dir), a.cc(), name, info, m.Unit, m.Type, rollup, submetric)
				}
			}
		}
	}
	t.Logf("%d metrics, %d names wrong", all, len(wrong))
}
