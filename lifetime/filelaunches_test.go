package lifetime

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/gpuprof/gpuprof/profile"
)

// valueOf is a metric of a launch as a number.
func valueOf(t *testing.T, a *profile.Action, name string) float64 {
	t.Helper()
	ms, err := a.Metrics()
	if err != nil {
		t.Fatal(err)
	}
	if m := ms.Lookup(name); m != nil {
		return m.Value.Double()
	}
	return math.NaN()
}

// TestFileLaunches: a kernel table and a lifetime file open as launches.
func TestFileLaunches(t *testing.T) {
	table := strings.Join(KernelColumns, ",") + "\n7,_Z7softmaxPfS_ii,1,2,3,4,,,,,10,20,,,0.5,1000,15,,,0,0.1,0.2,5709\n"
	r, err := TableLaunches(strings.NewReader(table), "run.sim.csv")
	if err != nil {
		t.Fatal(err)
	}
	a := r.Ranges[0].Actions[0]
	if a.Function != "softmax" || a.ID != 7 {
		t.Errorf("%s %d", a.Function, a.ID)
	}
	for name, want := range map[string]float64{"sm__cycles_elapsed.max": 5709, "l1d__lifetime_median_time_duration": 2000, "l1d__used.pct": 50, "l1d__unique_blocks.sum": 15, "l2__lifetime_time_duration.avg": math.NaN()} {
		if got := valueOf(t, a, name); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s %v, want %v", name, got, want)
		}
	}
	r, err = LifetimeLaunches(strings.NewReader(LifetimeHeader+"1,32.00,10.00,4.47\n1,64.00,30.00,13.4\n2,32.00,5.00,2.2\n"), "run.sim_l1.csv")
	if err != nil || len(r.Ranges[0].Actions) != 2 || valueOf(t, r.Ranges[0].Actions[0], "lifetime_cycles.avg") != 20 {
		t.Error(r, err)
	}
	if r, err = LifetimeLaunches(strings.NewReader(LifetimeHeader+"1,32.00,10.00,4.47\n1,oops\n"), "run.sim_l1.csv"); err != nil || len(r.Problems) != 1 || !strings.Contains(r.Problems[0].Text, "run.sim_l1.csv:3") {
		t.Error(r, err)
	}
	for _, text := range []string{"", "a,b\n"} {
		if _, err := LifetimeLaunches(strings.NewReader(text), "x.csv"); err == nil {
			t.Errorf("%q: no error", text)
		}
		if _, err := TableLaunches(strings.NewReader(text), "x.csv"); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// TestSeveralSMs: a row's utilisation follows from its own size and number of blocks, also
// where several SMs were logged.
func TestSeveralSMs(t *testing.T) {
	var b strings.Builder
	b.WriteString("cycle,address,op,level,bank\n")
	for i := range 4 {
		for unit := range 3 {
			fmt.Fprintf(&b, "%d,%d,load,L1D,%d\n", 10*i, 64*i, unit)
		}
	}
	src, err := simlog.NewSource(t.Context(), "a.csv", strings.NewReader(b.String()), simlog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	s := Settings{}
	s.Machine.Sizes = map[string]int64{"L1D": 256}
	a, err := Analyze(t.Context(), src, s)
	if err != nil || len(a.Kernels) != 1 {
		t.Fatal(a, err)
	}
	row := a.Kernels[0].L1
	if row.Size != 768 || row.Unique != 12 || row.Utilization != float64(row.Unique)*32/float64(row.Size) {
		t.Errorf("%+v", row)
	}
	if n := a.Totals[0].unitBytes(); n != 256 {
		t.Errorf("a unit of %d bytes", n)
	}
}
