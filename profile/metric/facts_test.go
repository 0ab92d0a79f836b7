package metric_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
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

// TestLookupKnowsMore compares what is known whatever the chip with the facts:
// wherever the table has a unit or a type, it is the same, but for names whose
// counters came after the table's tool.
func TestLookupKnowsMore(t *testing.T) {
	more := 0
	for _, want := range facts(t) {
		got := factOf(want.name, metric.Lookup(want.name))
		if got == want {
			continue
		}
		more++
		if strings.Contains(want.name, "TriageA.") {
			want.submetric, want.rollup = got.submetric, got.rollup
		}
		if want.typ == "other" {
			want.typ = got.typ
		}
		if want.unit == "" || strings.HasPrefix(want.name, "lrc__") {
			want.unit = got.unit
		}
		if got != want {
			t.Errorf("\n got %+v\nwant %+v", got, want)
		}
	}
	t.Logf("Lookup says more than the table of %d names", more)
}

// TestHeldOutUnits checks the units of 135 names that are in no report here: a
// details page that Nsight Compute 2023.1 printed elsewhere.
func TestHeldOutUnits(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(corpustest.Dir(t), "oracle", "ncu", "AveryClapp__ESMM-Research__profile.txt"))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, f := range facts(t) {
		known[f.name] = true
	}
	units := map[string]string{}
	for _, l := range textTables(string(b)) {
		for _, row := range l.rows {
			if strings.Contains(row.name, "__") && !known[row.name] {
				units[row.name] = row.unit
			}
		}
	}
	if len(units) < 100 {
		t.Fatalf("only %d names", len(units))
	}
	for name, want := range units {
		unit := metric.Lookup(name).Unit
		var spelt []string
		for step := range int8(5) {
			spelt = append(spelt, metric.Scale{Unit: unit, Step: step}.UnitString(metric.Compat2024))
		}
		if !slices.Contains(spelt, want) {
			t.Errorf("%s: got %q, want %q", name, unit, want)
		}
	}
	t.Logf("%d names", len(units))
}

// TestCurrentUnits checks the newer spelling on a page of Nsight Compute
// 2025.1: every unit there is one that this package can print, and no other.
func TestCurrentUnits(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(corpustest.Dir(t), "oracle", "ncu", "AlpriElse__cs599k__silu-pytorch-ncu-report.details.txt"))
	if err != nil {
		t.Fatal(err)
	}
	spelt := map[string]bool{"": true}
	for _, unit := range []string{"second", "cycle", "cycle_per_second", "byte", "byte_per_block", "byte_per_second",
		"%", "inst_per_cycle", "register_per_thread", "thread", "block", "warp", "SM", "cluster", "inst"} {
		for step := range int8(5) {
			spelt[metric.Scale{Unit: metric.ParseUnit(unit), Step: step}.UnitString(metric.Current)] = true
		}
	}
	rows := 0
	for _, l := range textTables(string(b)) {
		for _, row := range l.rows {
			if rows++; !spelt[row.unit] {
				t.Errorf("%s: unit %q", row.name, row.unit)
			}
		}
	}
	if rows < 100 {
		t.Errorf("only %d rows", rows)
	}
}
