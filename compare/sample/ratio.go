package sample

import (
	"math"
	"slices"
)

// An Interval holds the true value with a chance of at least what was asked for.
type Interval struct {
	Low, High float64
	Level     float64 // the chance, exactly, where no values are equal; at least that where some are
	OK        bool    // samples of these sizes have such an interval
}

// An Estimate is how much the new side differs from the old.
type Estimate struct {
	Value float64 // ratio new/old, or difference new - old
	Interval
	OK bool // there is a value
}

// mostPairs bounds the pairs that an estimate sorts.
const mostPairs = 4_000_000

// Ratio estimates new/old as exp of the Hodges-Lehmann shift of the logarithms,
// the median over all pairs of one old and one new run, with the interval of
// the given level (0.9: 90 %). Values have to be positive and finite: else, and
// where a side is empty, there is no ratio.
func Ratio(old, new []float64, level float64) Estimate {
	for _, v := range slices.Concat(old, new) {
		if !(v > 0) || math.IsInf(v, 0) {
			return Estimate{Value: math.NaN()}
		}
	}
	return estimate(old, new, level, func(o, n float64) float64 {
		// A quotient is exact to the last bit, and equal values give 1; logarithms
		// serve where it leaves the range of numbers.
		if r := n / o; r > 1e-300 && r < 1e300 {
			return r
		}
		return math.Exp(math.Log(n) - math.Log(o))
	}, func(a, b float64) float64 { return math.Sqrt(a) * math.Sqrt(b) })
}

// Shift estimates new - old in the unit of the values, zeros and negative
// numbers allowed.
func Shift(old, new []float64, level float64) Estimate {
	for _, v := range slices.Concat(old, new) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Estimate{Value: math.NaN()}
		}
	}
	return estimate(old, new, level, func(o, n float64) float64 { return n - o },
		func(a, b float64) float64 { return a + (b-a)/2 })
}

func estimate(old, new []float64, level float64, differ, middle func(a, b float64) float64) Estimate {
	n, m := len(old), len(new)
	if n == 0 || m == 0 || n > mostPairs/m {
		return Estimate{Value: math.NaN()}
	}
	d := make([]float64, 0, n*m)
	for _, o := range old {
		for _, v := range new {
			d = append(d, differ(o, v))
		}
	}
	slices.Sort(d)
	e := Estimate{Value: d[n*m/2], OK: true}
	if n*m%2 == 0 && d[n*m/2-1] != d[n*m/2] {
		e.Value = middle(d[n*m/2-1], d[n*m/2])
	}
	k, reached := intervalRank(n, m, (1-level)/2)
	if k > 0 {
		e.Interval = Interval{Low: d[k-1], High: d[n*m-k], Level: reached, OK: true}
	}
	return e
}

// intervalRank is the largest k with a chance of at most tail that U is below k,
// 0 if there is none, and the level of the interval between the k-th smallest
// and the k-th largest difference.
func intervalRank(n, m int, tail float64) (k int, level float64) {
	if n+m > 1000 {
		return normalRank(n, m, tail)
	}
	below := untied(n, m, n*m/2)
	for k < len(below) && below[k] <= tail*(1+1e-12) {
		k++
	}
	if k == 0 {
		return 0, 0
	}
	return k, 1 - 2*below[k-1]
}

// normalRank is intervalRank by the normal approximation, for large samples.
func normalRank(n, m int, tail float64) (int, float64) {
	mean := float64(n) * float64(m) / 2
	sd := math.Sqrt(float64(n) * float64(m) * float64(n+m+1) / 12)
	z := math.Sqrt2 * math.Erfinv(1-2*tail)
	return max(1, int(mean-z*sd)), 1 - 2*tail
}

// Median is the middle of the values; NaN of none.
func Median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	s := slices.Clone(v)
	slices.Sort(s)
	if h := len(s) / 2; len(s)%2 == 1 {
		return s[h]
	} else if s[h-1] == s[h] {
		return s[h]
	} else {
		return s[h-1] + (s[h]-s[h-1])/2
	}
}
