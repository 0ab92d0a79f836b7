package amdgpu

import (
	"math"
	"testing"
)

// TestDefinitions: the table parses, and no metric of an architecture is there twice.
func TestDefinitions(t *testing.T) {
	defs, err := definitions()
	if err != nil || len(defs) < 80 {
		t.Fatal(len(defs), err)
	}
	for _, arch := range []string{"gfx908", "gfx90a", "gfx942", "gfx950"} {
		seen := map[string]bool{}
		for i := range defs {
			if d := &defs[i]; d.of(arch) {
				if seen[d.panel+d.name] {
					t.Errorf("%s: %s, %s twice", arch, d.panel, d.name)
				}
				seen[d.panel+d.name] = true
			}
		}
	}
}

func TestExpression(t *testing.T) {
	of := func(n string) float64 { return map[string]float64{"A": 6, "B": 2}[n] }
	for text, want := range map[string]float64{"A / B": 3, "2 * (A - B) + 1": 9, "A - B - 1": 3, "A / (B * 3)": 1, "A /? B": 3} {
		e, err := parseExpression(text)
		if err != nil || e.eval(of) != want {
			t.Errorf("%s: %v, %v", text, e.eval(of), err)
		}
	}
	for text, nothing := range map[string]bool{"A /? Z": true, "A / Z": false} {
		e, err := parseExpression(text)
		if v := e.eval(of); err != nil || math.IsNaN(v) != nothing {
			t.Errorf("%s: %v, %v", text, v, err)
		}
	}
	for _, text := range []string{"", "(A", "A B", "A +"} {
		if _, err := parseExpression(text); err == nil {
			t.Errorf("%q parses", text)
		}
	}
}

// TestPanels: utilization is active cycles over those of all compute units, whatever
// the number of lanes that were active.
func TestPanels(t *testing.T) {
	counters := map[string]float64{"GRBM_GUI_ACTIVE": 1000, "SQ_ACTIVE_INST_VALU": 500, "SQ_THREAD_CYCLES_VALU": 32000, "SQ_BUSY_CU_CYCLES": 10_000,
		"SQ_LEVEL_WAVES.SQ_ACCUM_PREV_HIRES": 5000, "TCC_HIT_sum": 1, "TCC_MISS_sum": 3, "SQ_INSTS_VALU_FMA_F32": 100, "TCC_EA_RDREQ_sum": 10, "TCC_EA_WRREQ_sum": 4}
	launch := Launch{Duration: 1000, Counter: func(n string) (float64, bool) { v, ok := counters[n]; return v, ok }}
	rows, err := Panels(System{"gpu_arch": "gfx90a", "cu_per_gpu": "10", "max_sclk": "1700", "max_waves_per_cu": "32", "max_mclk": "1600", "num_hbm_channels": "32"}, []Launch{launch, launch}, "per_kernel")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][2]float64{"VALU Utilization": {5, 100}, "VALU Active Threads": {64, 64}, "Wavefront Occupancy": {5, 320}, "L2 Cache Hit Rate": {25, 100}, "L2-Fabric Read BW": {math.NaN(), 1638.4}, "Active CUs": {10, 10}}
	for _, r := range rows {
		if w, ok := want[r.Name]; ok && r.Panel == "Speed of Light" {
			if r.Mean != w[0] && !math.IsNaN(w[0]) || math.Abs(r.Peak-w[1]) > 1e-9 {
				t.Errorf("%s: %v of %v, want %v", r.Name, r.Mean, r.Peak, w)
			}
			delete(want, r.Name)
		}
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
	for _, p := range Roofline([]Launch{launch}) {
		if p.Level == "HBM" && (p.Performance != 12.8 || math.Abs(p.Intensity-12800.0/(640+128)) > 1e-9) {
			t.Errorf("%+v", p)
		}
	}
}
