package lifetime_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gpuprof/gpuprof/lifetime"
	"pgregory.net/rapid"
)

func TestDistribution(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 50), rapid.Int64Range(0, 1<<23+100), rapid.Int64Range(1<<23, 1<<50)), 1, 60).Draw(t, "lifetimes")
		var d, part lifetime.Distribution
		part.Add(12345)
		part.Reset() // a used one is as good as new
		sum := 0.0
		for i, v := range values {
			sum += float64(v)
			if i%2 == 0 {
				d.Add(v)
			} else {
				part.Add(v)
			}
		}
		d.Merge(&part)
		slices.Sort(values)
		n := len(values)
		if d.N() != uint64(n) || d.Max() != values[n-1] || d.Sum() != sum || !d.Exact() {
			t.Fatalf("n %d max %d sum %v", d.N(), d.Max(), d.Sum())
		}
		for _, q := range []float64{0, 0.25, 0.5, 0.9, 1} {
			at := q * float64(n-1)
			lo := int(at)
			hi := min(lo+1, n-1)
			want := float64(values[lo]) + float64(values[hi]-values[lo])*(at-float64(lo))
			if got := d.Quantile(q); got != want {
				t.Fatalf("%v-quantile of %v is %v, want %v", q, values, got, want)
			}
		}
		limit := values[n/2]
		k, s := d.Within(limit)
		wantK, wantS := 0, 0.0
		for _, v := range values {
			if v <= limit {
				wantK++
				wantS += float64(v)
			}
		}
		if int(k) != wantK || math.Abs(s-wantS) > 1e-9*wantS {
			t.Fatalf("within %d: %d, %v; want %d, %v", limit, k, s, wantK, wantS)
		}
	})
}

func TestDistributionMany(t *testing.T) {
	var d lifetime.Distribution
	d.AddN(7, 1<<33)
	d.AddN(7, 5)
	d.Add(9)
	if d.N() != 1<<33+6 || d.Quantile(0.5) != 7 || d.Max() != 9 {
		t.Errorf("n %d median %v max %d", d.N(), d.Quantile(0.5), d.Max())
	}
	n, _ := d.Within(7)
	if n != 1<<33+5 {
		t.Errorf("%d lifetimes of 7 cycles", n)
	}
}

// Very many different very long lifetimes are rounded, and that is said.
func TestDistributionCoarse(t *testing.T) {
	var d lifetime.Distribution
	for i := range int64(300000) {
		d.Add(1<<40 + i*1e6)
	}
	if d.Exact() {
		t.Error("still exact")
	}
	want := float64(1<<40) + 149999.5*1e6
	if got := d.Quantile(0.5); math.Abs(got-want) > want/2048 {
		t.Errorf("median %v, want about %v", got, want)
	}
	if d.N() != 300000 || d.Max() != 1<<40+299999*1e6 {
		t.Errorf("n %d max %d", d.N(), d.Max())
	}
}

func TestDistributionEmpty(t *testing.T) {
	var d lifetime.Distribution
	if !math.IsNaN(d.Quantile(0.5)) || !math.IsNaN(d.Mean()) || d.Max() != 0 {
		t.Error("an empty distribution has values")
	}
}
