package interval

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func spansGen() *rapid.Generator[[]Span] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Span {
		s := rapid.Int64Range(0, 60).Draw(t, "start")
		return Span{Start: s, End: s + rapid.Int64Range(0, 20).Draw(t, "length")}
	}), 0, 12)
}

// covered are the moments of spans, one by one.
func covered(spans []Span) map[int64]bool {
	m := map[int64]bool{}
	for _, s := range spans {
		for t := s.Start; t < s.End; t++ {
			m[t] = true
		}
	}
	return m
}

func TestIntervals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := spansGen().Draw(t, "a"), spansGen().Draw(t, "b")
		ua, ub := Union(a), Union(b)
		ca, cb := covered(a), covered(b)
		if Length(ua) != int64(len(ca)) {
			t.Fatalf("union of %v is %v, %d long, want %d", a, ua, Length(ua), len(ca))
		}
		both := 0
		for x := range ca {
			if cb[x] {
				both++
			}
		}
		if got := Overlap(ua, ub); got != int64(both) {
			t.Fatalf("overlap of %v and %v is %d, want %d", ua, ub, got, both)
		}
		if len(ua) > 0 {
			whole := ua[len(ua)-1].End - ua[0].Start
			if got := Length(Gaps(ua)) + Length(ua); got != whole {
				t.Fatalf("gaps and spans of %v are %d long together, want %d", ua, got, whole)
			}
		}
	})
}

// TestSums: what leaves int64 stays at its end.
func TestSums(t *testing.T) {
	wide := rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, 0, -1, 1}))
	nearest := func(x *big.Int) int64 {
		switch {
		case x.IsInt64():
			return x.Int64()
		case x.Sign() < 0:
			return math.MinInt64
		}
		return math.MaxInt64
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := wide.Draw(t, "a"), wide.Draw(t, "b")
		x, y := big.NewInt(a), big.NewInt(b)
		if got, want := Lasts(a, b), nearest(new(big.Int).Sub(y, x)); got != want {
			t.Fatalf("from %d to %d: %d, want %d", a, b, got, want)
		}
		if got, want := Plus(a, b), nearest(new(big.Int).Add(x, y)); got != want {
			t.Fatalf("%d and %d: %d, want %d", a, b, got, want)
		}
	})
}
