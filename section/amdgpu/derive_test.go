package amdgpu

import (
	"math"
	"slices"
	"testing"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
)

// value is the number of a metric; NaN without it.
func value(n profile.Numbers, name string) float64 {
	for i := range n {
		if n[i].Name == name {
			return n[i].Value.Double()
		}
	}
	return math.NaN()
}

// TestDerive computes by hand what raw counters of an MI200 tell.
func TestDerive(t *testing.T) {
	var n profile.Numbers
	for name, v := range map[string]float64{
		"SQ_WAVES_sum": 100, "SQ_INSTS_VALU_sum": 900, "SQ_INSTS_SALU_sum": 300, "SQ_INSTS_SMEM_sum": 50, "SQ_INSTS_GDS_sum": 0,
		"SQ_INSTS_LDS_sum": 70, "SQ_INSTS_FLAT_LDS_ONLY_sum": 20, "SQ_THREAD_CYCLES_VALU": 3200, "SQ_ACTIVE_INST_VALU": 100,
		"TCC_HIT_sum": 30, "TCC_MISS_sum": 10, "TCC_EA_RDREQ_sum": 20, "TCC_EA_RDREQ_32B_sum": 4, "TCC_EA_WRREQ_sum": 8, "TCC_EA_WRREQ_64B_sum": 8,
		"gpu__time_duration.sum": 1000, "VGPRs": 64, "SGPRs": 32, "LocalMemSize": 0,
	} {
		n.Real(name, v)
	}
	Derive(&n, "gfx90a", [3]uint64{256, 1, 1})
	for name, want := range map[string]float64{
		"VALUInsts": 9, "SALUInsts": 3, "SFetchInsts": 0.5, "GDSInsts": 0, "LDSInsts": 0.5, "VALUUtilization": 50, "L2CacheHit": 75,
		"FetchSize": (4*32 + 16*64) / 1024., "WriteSize": 0.5, "dram__bytes.sum.per_second": (4*32 + 16*64 + 8*64) / 1000. * 1e9,
	} {
		if got := value(n, name); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if o := value(n, "KernelOccupancy"); !(o > 0 && o <= 100) {
		t.Errorf("occupancy %v", o)
	}
}

// TestDeriveNothing leaves alone what is measured, and devices that nobody knows.
func TestDeriveNothing(t *testing.T) {
	var n profile.Numbers
	n.Real("VGPRs", 64)
	n.Real("TCC_HIT", 0)
	n.Real("TCC_MISS", 0)
	Derive(&n, "no such device 12", [3]uint64{64, 1, 1})
	if len(n) != 3 {
		t.Errorf("%v was added", n[3:])
	}
	n.Real("KernelOccupancy", 33)
	Derive(&n, "gfx90a", [3]uint64{64, 1, 1})
	if o := value(n, "KernelOccupancy"); o != 33 || len(n) != 4 {
		t.Errorf("occupancy %v among %d metrics", o, len(n))
	}
}

// TestDeriver adds what Derive does, from a launch of a file with many.
func TestDeriver(t *testing.T) {
	var want, got profile.Numbers
	want.Whole("VGPRs", 128)
	want.Whole("SGPRs", 16)
	want.Whole("LocalMemSize", 4096)
	want.Real("FetchSize", 10)
	want.Real("WriteSize", 6)
	want.Real("gpu__time_duration.sum", 2000)
	given := len(want)
	Derive(&want, "gfx906", [3]uint64{64, 4, 1})
	var d Deriver
	d.Devices([]profile.Device{{Name: "gfx906"}, {Name: "nobody's"}})
	u := &Use{VGPRs: 128, SGPRs: 16, LDS: 4096, Block: [3]uint64{64, 4, 1}, Traffic: 16, Time: 2000}
	for range 2 { // the second time it is remembered
		got = nil
		d.Add(&got, u)
		if len(got) != len(want)-given {
			t.Fatalf("%d metrics, want %d", len(got), len(want)-given)
		}
		for i := range got {
			if got[i].Name != want[given+i].Name || got[i].Value != want[given+i].Value {
				t.Errorf("%s %v, want %s %v", got[i].Name, got[i].Value, want[given+i].Name, want[given+i].Value)
			}
		}
	}
	if !d.Adds(u, nil) || d.Adds(&Use{Device: 1, Traffic: math.NaN()}, nil) {
		t.Error("Adds is wrong about what is added")
	}
	got = nil
	if d.Add(&got, &Use{Device: 1, VGPRs: 8, Traffic: math.NaN()}); len(got) != 0 {
		t.Errorf("%v of a device that nobody knows", got)
	}
}

// TestSections shows counters in the stock sections, and those that none of them
// knows in one of their own.
func TestSections(t *testing.T) {
	var n profile.Numbers
	for _, name := range []string{"Wavefronts", "VALUInsts", "SALUInsts", "VALUBusy", "SALUBusy", "FetchSize", "WriteSize", "L2CacheHit", "gpu__time_duration.sum", "MY_COUNTER"} {
		n.Real(name, 1)
	}
	ms := profile.NewMetricSet(n)
	defs, err := sectionsOf(ms)
	if err != nil || len(defs) < 2 {
		t.Fatal(len(defs), err)
	}
	last := defs[len(defs)-1]
	if last.Identifier != "AMDCounters" || !slices.ContainsFunc(last.Header.Metrics, func(m *ncurep.SectionMetric) bool { return m.Name == "MY_COUNTER" }) {
		t.Errorf("%s has %v", last.Identifier, last.Header.Metrics)
	}
	for _, d := range defs {
		for _, m := range d.Header.Metrics {
			if ms.Lookup(m.Name) == nil {
				t.Errorf("%s shows %s, which is not there", d.Identifier, m.Name)
			}
		}
	}
}
