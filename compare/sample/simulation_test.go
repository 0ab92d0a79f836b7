package sample

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// noises are the rows of the simulation: how the logarithms of runs scatter, and
// at how many runs a side. What make returns gets the numbers of the kernel and
// of the run in time.
var noises = []struct {
	name string
	runs []int
	make func(r *rand.Rand, kernels, runs int) func(kernel, run int) float64
}{
	{"0.5 %", []int{3, 5}, plain(0.005)},
	{"1 %", []int{3, 5, 7}, plain(0.01)},
	{"1 % and whole runs 1 %", []int{3, 5}, func(r *rand.Rand, kernels, runs int) func(int, int) float64 {
		whole := normals(r, runs, 0.01)
		return func(_, run int) float64 { return whole[run] + r.NormFloat64()*0.01 }
	}},
	{"3 %", []int{5, 10}, plain(0.03)},
	{"mixed", []int{5}, func(r *rand.Rand, kernels, runs int) func(int, int) float64 {
		sd := make([]float64, kernels)
		for i := range sd {
			sd[i] = 0.002 * math.Pow(25, r.Float64())
		}
		return func(k, _ int) float64 { return r.NormFloat64() * sd[k] }
	}},
	{"bimodal", []int{5}, func(r *rand.Rand, kernels, runs int) func(int, int) float64 {
		mode := make([]float64, runs)
		for i := range mode {
			if r.Float64() < 0.2 {
				mode[i] = 0.04
			}
		}
		return func(_, run int) float64 { return mode[run] + r.NormFloat64()*0.01 }
	}},
	{"outliers", []int{5}, func(r *rand.Rand, kernels, runs int) func(int, int) float64 {
		return func(_, _ int) float64 {
			v := r.NormFloat64() * 0.01
			if r.Float64() < 0.05 {
				v += math.Log(1.2)
			}
			return v
		}
	}},
	{"drift", []int{5}, func(r *rand.Rand, kernels, runs int) func(int, int) float64 {
		drift, at := make([]float64, runs), r.NormFloat64()*0.01
		for i := range drift {
			drift[i] = at
			at = 0.8*at + r.NormFloat64()*0.01*0.6
		}
		return func(_, run int) float64 { return drift[run] + r.NormFloat64()*0.003 }
	}},
}

func plain(sd float64) func(*rand.Rand, int, int) func(int, int) float64 {
	return func(r *rand.Rand, _, _ int) func(int, int) float64 {
		return func(int, int) float64 { return r.NormFloat64() * sd }
	}
}

func normals(r *rand.Rand, n int, sd float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64() * sd
	}
	return v
}

// gate plays one gate and tells what it called: any kernel, and the one that
// takes more. Runs are taken alternately, every second pair the other way
// round, or all old ones first.
func gate(r *rand.Rand, noise func(*rand.Rand, int, int) func(int, int) float64, kernels, runs int, effect float64, oldFirst bool) (others, found bool) {
	of := noise(r, kernels, 2*runs)
	f := NewFamily(runs, runs)
	old, new := make([][]float64, kernels), make([][]float64, kernels)
	for k := range kernels {
		base := math.Exp(r.Float64() * 10)
		for i := range 2 * runs {
			isNew := i >= runs
			if !oldFirst {
				isNew = i%4 == 1 || i%4 == 2
			}
			l := of(k, i)
			if isNew && k == 0 {
				l += math.Log1p(effect)
			}
			if v := base * math.Exp(l); isNew {
				new[k] = append(new[k], v)
			} else {
				old[k] = append(old[k], v)
			}
		}
		f.AddRatio(old[k], new[k])
	}
	more, _ := f.P(More)
	for k := range kernels {
		v := defaults.Judge(runs, runs, Ratio(old[k], new[k], Level), more[k], 1)
		if v == TakesMore {
			if k == 0 && effect > 0 {
				found = true
			} else {
				others = true
			}
		}
	}
	return others, found
}

// TestSimulation plays gates in which nothing changed, and gates in which one
// kernel of twenty takes more. GPUPROF_LONG=1 plays 2,000 of each row, which
// takes minutes; else a few, with bounds as wide as that asks for.
func TestSimulation(t *testing.T) {
	gates, slack := 150, 0.06
	if os.Getenv("GPUPROF_LONG") != "" {
		gates, slack = 2000, 0
	}
	share := func(seed uint64, noise func(*rand.Rand, int, int) func(int, int) float64, runs int, effect float64, oldFirst bool) float64 {
		r := rand.New(rand.NewPCG(seed, uint64(runs)))
		n := 0
		for range gates {
			others, found := gate(r, noise, 20, runs, effect, oldFirst)
			if effect == 0 && others || found {
				n++
			}
		}
		return float64(n) / float64(gates)
	}
	for i, row := range noises {
		for _, runs := range row.runs {
			if runs != 5 && slack > 0 {
				continue
			}
			got := share(uint64(i), row.make, runs, 0, false)
			t.Logf("%-24s %d+%d: false alarms in %.1f %% of gates", row.name, runs, runs, 100*got)
			if got > 0.06+slack {
				t.Errorf("%s: %d+%d runs: alarms in %.1f %% of gates without a change", row.name, runs, runs, 100*got)
			}
		}
	}
	for effect, least := range map[float64]float64{0.03: 0.85, 0.05: 0.98} {
		got := share(99, noises[1].make, 5, effect, false)
		t.Logf("5+5 runs, 1 %%: a regression of %.0f %% called in %.1f %%", 100*effect, 100*got)
		if got < least-slack {
			t.Errorf("a regression of %.0f %% was called in %.1f %%", 100*effect, 100*got)
		}
	}
	drift := noises[len(noises)-1]
	seq := share(98, drift.make, 5, 0, true)
	t.Logf("drift, all old runs first: alarms in %.1f %%", 100*seq)
	if slack == 0 && seq < 0.03 {
		t.Errorf("drift, old first: alarms in %.1f %%: the simulation does not drift", 100*seq)
	}
}
