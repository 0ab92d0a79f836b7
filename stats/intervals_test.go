package stats

import (
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"
)

func spansGen() *rapid.Generator[[]span] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) span {
		s := rapid.Int64Range(0, 60).Draw(t, "start")
		return span{start: s, end: s + rapid.Int64Range(0, 20).Draw(t, "length")}
	}), 0, 12)
}

// covered are the moments of spans, one by one.
func covered(spans []span) map[int64]bool {
	m := map[int64]bool{}
	for _, s := range spans {
		for t := s.start; t < s.end; t++ {
			m[t] = true
		}
	}
	return m
}

func TestIntervals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := spansGen().Draw(t, "a"), spansGen().Draw(t, "b")
		ua, ub := union(a), union(b)
		ca, cb := covered(a), covered(b)
		if length(ua) != int64(len(ca)) {
			t.Fatalf("union of %v is %v, %d long, want %d", a, ua, length(ua), len(ca))
		}
		both := 0
		for x := range ca {
			if cb[x] {
				both++
			}
		}
		if got := overlap(ua, ub); got != int64(both) {
			t.Fatalf("overlap of %v and %v is %d, want %d", ua, ub, got, both)
		}
		if len(ua) > 0 {
			whole := ua[len(ua)-1].end - ua[0].start
			if got := length(gapsOf(ua)) + length(ua); got != whole {
				t.Fatalf("gaps and spans of %v are %d long together, want %d", ua, got, whole)
			}
		}
	})
}

func TestDist(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Int64Range(-50, 1000), 1, 40).Draw(t, "v")
		sorted := slices.Clone(v)
		sort.Slice(sorted, func(i, j int) bool { return sorted[i] < sorted[j] })
		med := float64(sorted[len(v)/2])
		if len(v)%2 == 0 {
			med = (med + float64(sorted[len(v)/2-1])) / 2
		}
		d := distOf(slices.Clone(v))
		if d.med != med || d.min != sorted[0] || d.max != sorted[len(v)-1] {
			t.Fatalf("%v: %+v, median %v", v, d, med)
		}
	})
	if d := distOf([]int64{2, 4, 4, 4, 5, 5, 7, 9}); d.stddev < 2.138 || d.stddev > 2.139 {
		t.Errorf("standard deviation %v", d.stddev)
	}
	if d := distOf([]int64{7}); d.stddev != 0 {
		t.Errorf("standard deviation of one value %v", d.stddev)
	}
}
