package sample

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// few draws some values, often equal.
func few(least, most int) *rapid.Generator[[]float64] {
	return rapid.SliceOfN(rapid.Map(rapid.IntRange(1, 12), func(i int) float64 { return float64(i) * 0.7 }), least, most)
}

// TestRankByCounting compares the rank test with all permutations, one by one.
func TestRankByCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, new := few(1, 5).Draw(t, "old"), few(1, 5).Draw(t, "new")
		all := slices.Concat(old, new)
		pairs := func(labels []int) float64 {
			u := 0.0
			for i, a := range all {
				if slices.Contains(labels, i) {
					continue
				}
				for _, j := range labels {
					if all[j] > a {
						u++
					} else if all[j] == a {
						u += 0.5
					}
				}
			}
			return u
		}
		first, n, more, far := math.NaN(), 0.0, 0.0, 0.0
		middle := float64(len(old)) * float64(len(new)) / 2
		relabellings(len(old), len(new), func(labels []int) {
			u := pairs(labels)
			if math.IsNaN(first) {
				first = u
			}
			n++
			if u >= first {
				more++
			}
			if math.Abs(u-middle) >= math.Abs(first-middle) {
				far++
			}
		})
		got := MannWhitney(old, new)
		if got.U != first || math.Abs(got.More-more/n) > 1e-12 || math.Abs(got.Either-far/n) > 1e-12 {
			t.Fatalf("%+v, want U %v, more %v, either %v", got, first, more/n, far/n)
		}
	})
}

func TestRankOfLargeSamples(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	old, new := make([]float64, 80), make([]float64, 90)
	for i := range old {
		old[i] = math.Round(r.NormFloat64() * 10)
	}
	for i := range new {
		new[i] = math.Round(r.NormFloat64()*10) + 2
	}
	exact := MannWhitney(old, new)
	approx := exact
	approx.normal(doubledRanks(old, new), 80, 90, int(2*exact.U)+90*91)
	if !exact.Exact || math.Abs(exact.Either-approx.Either) > 0.001 || math.Abs(exact.More-approx.More) > 0.001 {
		t.Errorf("exact %+v, by the normal distribution %+v", exact, approx)
	}
}

// TestSwapInverts swaps the sides: ratios invert, more becomes less.
func TestSwapInverts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := rapid.IntRange(1, 5).Draw(t, "n"), rapid.IntRange(1, 5).Draw(t, "m")
		there, back := NewFamily(n, m), NewFamily(m, n)
		kernels := rapid.IntRange(1, 4).Draw(t, "kernels")
		for range kernels {
			old, new := few(n, n).Draw(t, "old"), few(m, m).Draw(t, "new")
			there.AddRatio(old, new)
			back.AddRatio(new, old)
			a, b := Ratio(old, new, Level), Ratio(new, old, Level)
			if math.Abs(a.Value*b.Value-1) > 1e-12 || a.Interval.OK != b.Interval.OK ||
				a.Interval.OK && (math.Abs(a.Low*b.High-1) > 1e-12 || math.Abs(a.High*b.Low-1) > 1e-12) {
				t.Fatalf("%+v and back %+v", a, b)
			}
		}
		for _, sides := range [][2]Side{{More, Less}, {Less, More}, {Either, Either}} {
			p, _ := there.P(sides[0])
			q, _ := back.P(sides[1])
			for i := range p {
				if math.Abs(p[i]-q[i]) > 1e-12 {
					t.Fatalf("p %v, back %v", p, q)
				}
			}
		}
	})
}

// TestOrderOfRunsIsNothing shuffles the runs of each side, the same way for all
// kernels.
func TestOrderOfRunsIsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := NewFamily(4, 3), NewFamily(4, 3)
		order := rapid.Permutation([]int{0, 1, 2, 3}).Draw(t, "order")
		for range 3 {
			old, new := few(4, 4).Draw(t, "old"), few(3, 3).Draw(t, "new")
			a.AddRatio(old, new)
			other := make([]float64, 4)
			for i, k := range order {
				other[i] = old[k]
			}
			b.AddRatio(other, []float64{new[2], new[0], new[1]})
		}
		p, _ := a.P(More)
		q, _ := b.P(More)
		for i := range p {
			if math.Abs(p[i]-q[i]) > 1e-12 {
				t.Fatalf("p %v, in another order %v", p, q)
			}
		}
	})
}

func TestWhatIsNotTested(t *testing.T) {
	f := NewFamily(3, 3)
	bad := [][]float64{{0, 1, 1}, {math.NaN(), 1, 1}, {-1, 1, 1}, {math.Inf(1), 1, 1}, {1, 1}}
	for _, old := range bad {
		if i := f.AddRatio(old, []float64{1, 1, 1}); f.Tested(i) {
			t.Errorf("%v is tested", old)
		}
	}
	good := f.AddRatio([]float64{1, 1.01, 1.02}, []float64{2, 2.01, 2.02})
	p, _ := f.P(More)
	if p[good] != 0.05 || !math.IsNaN(p[0]) {
		t.Errorf("p %v", p)
	}
	for _, e := range []Estimate{Ratio(nil, []float64{1}, 0.9), Ratio([]float64{0}, []float64{1}, 0.9), Ratio([]float64{1}, []float64{math.Inf(1)}, 0.9)} {
		if e.OK || e.Interval.OK {
			t.Errorf("an estimate of nothing: %+v", e)
		}
	}
	if r := MannWhitney([]float64{1, math.NaN()}, []float64{2}); !math.IsNaN(r.Either) {
		t.Errorf("a NaN has p %v", r.Either)
	}
}

// TestUnitsBesideRatios has a kernel in ms beside others in ratios: the same
// maximum, a floor for each unit.
func TestUnitsBesideRatios(t *testing.T) {
	f := NewFamily(3, 3)
	f.AddRatio([]float64{100, 101, 102}, []float64{101, 100, 102})
	idle := f.AddShift([]float64{0, 0.1, 0}, []float64{5, 5.1, 5.05}, "ms")
	p, _ := f.P(More)
	if p[idle] != 0.05 || f.floor("") == f.floor("ms") {
		t.Errorf("p %v, floors %v and %v", p, f.floor(""), f.floor("ms"))
	}
	e := Shift([]float64{0, 0.1, 0}, []float64{5, 5.1, 5.05}, 0.9)
	if v := defaults.JudgeShift(3, 3, e, p[idle], 1, 1); v != TakesMore {
		t.Errorf("%v for %+v", v, e)
	}
}

func TestManyRunsAreDrawnTheSameEveryTime(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	old, new := make([]float64, 12), make([]float64, 12)
	for i := range old {
		old[i], new[i] = 100+r.NormFloat64(), 100.9+r.NormFloat64()
	}
	var before []float64
	for range 2 {
		f := NewFamily(12, 12)
		f.AddRatio(old, new)
		p, drawn := f.P(Either)
		if !drawn || before != nil && before[0] != p[0] || p[0] < 1.0/mostRelabellings {
			t.Errorf("p %v, before %v, drawn %v", p, before, drawn)
		}
		before = p
	}
	if exact := MannWhitney(old, new); math.Abs(exact.Either-before[0]) > 0.1 {
		t.Errorf("p %v, by ranks %v", before[0], exact.Either)
	}
}

func TestRunsNeeded(t *testing.T) {
	two := defaults
	two.TwoSided, two.Least = true, 1
	if n, m := defaults.RunsToDecide(), two.RunsToDecide(); n != 3 || m != 4 {
		t.Errorf("%d and %d runs a side", n, m)
	}
	if defaults.Decides(2, 5) || !defaults.Decides(3, 3) {
		t.Error("2+5 decides, or 3+3 does not")
	}
	if n := defaults.RunsToTell(0.01); n != 5 {
		t.Errorf("1 %% noise needs %d", n)
	}
}

func TestChangePoint(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var still, moved [][]float64
	for i := range 20 {
		v := []float64{100 * math.Exp(r.NormFloat64()*0.005), 100 * math.Exp(r.NormFloat64()*0.005)}
		still = append(still, v)
		w := slices.Clone(v)
		if i >= 13 {
			w[0], w[1] = w[0]*1.04, w[1]*1.04
		}
		moved = append(moved, w)
	}
	if c, ok := ChangePoint(moved); !ok || c.At != 13 || c.P > 0.001 || math.Abs(c.Value-1.04) > 0.01 {
		t.Errorf("a move of 4 %%: %+v %v", c, ok)
	}
	if c, ok := ChangePoint(still); !ok || c.P < 0.05 {
		t.Errorf("no move: %+v %v", c, ok)
	}
	if _, ok := ChangePoint(moved[:2]); ok {
		t.Error("two points have a change point")
	}
}
