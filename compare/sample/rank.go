package sample

import (
	"math"
	"slices"
)

// A Rank is the answer of the rank test of Mann, Whitney and Wilcoxon.
type Rank struct {
	U      float64 // pairs in which the new value is the larger, equal ones counting a half
	Either float64 // p two-sided: as far from the middle as observed, or farther
	More   float64 // p one-sided: new values are larger
	Less   float64 // p one-sided: new values are smaller
	Exact  bool    // else by the normal approximation, which large samples get
}

// rankWork bounds the additions of an exact rank test.
const rankWork = 1e9

// MannWhitney compares two samples by ranks. The distribution is that of the
// ranks as they are, ties included: the permutations of midranks, counted on
// doubled ranks, which are whole numbers. A NaN, or a side without values,
// leaves every p NaN.
func MannWhitney(old, new []float64) Rank {
	n, m := len(old), len(new)
	nan := math.NaN()
	if n == 0 || m == 0 || slices.ContainsFunc(old, math.IsNaN) || slices.ContainsFunc(new, math.IsNaN) {
		return Rank{U: nan, Either: nan, More: nan, Less: nan}
	}
	if m > n { // the distribution of the smaller side is the shorter one
		r := MannWhitney(new, old)
		r.U, r.More, r.Less = float64(n)*float64(m)-r.U, r.Less, r.More
		return r
	}
	ranks := doubledRanks(old, new)
	w := 0 // doubled rank sum of the new side
	for _, r := range ranks[n:] {
		w += r
	}
	out := Rank{U: float64(w-m*(m+1)) / 2}
	if all := float64(n + m); all*all*float64(m)*float64(m) > rankWork || n+m > 1000 {
		out.normal(ranks, n, m, w)
		return out
	}
	out.Exact = true
	counts := sumCounts(ranks, m)
	mean := m * (n + m + 1) // of the doubled sum
	var all, more, less, far float64
	for s, c := range counts {
		all += c
		if s >= w {
			more += c
		}
		if s <= w {
			less += c
		}
		if abs(s-mean) >= abs(w-mean) {
			far += c
		}
	}
	out.Either, out.More, out.Less = far/all, more/all, less/all
	return out
}

func abs(i int) int {
	if i < 0 {
		return -i
	}
	return i
}

// doubledRanks are twice the midranks, of old and then of new.
func doubledRanks(old, new []float64) []int {
	v := slices.Concat(old, new)
	order := make([]int, len(v))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case v[a] < v[b]:
			return -1
		case v[a] > v[b]:
			return 1
		}
		return 0
	})
	ranks := make([]int, len(v))
	for i := 0; i < len(order); {
		j := i + 1
		for j < len(order) && v[order[j]] == v[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			ranks[k] = i + 1 + j
		}
		i = j
	}
	return ranks
}

// sumCounts counts, for each sum, the ways to take m of ranks with that sum.
func sumCounts(ranks []int, m int) []float64 {
	most := 0
	for _, r := range ranks {
		most = max(most, r)
	}
	by := make([][]float64, m+1) // by number taken
	for i := range by {
		by[i] = make([]float64, i*most+1)
	}
	by[0][0] = 1
	for done, r := range ranks {
		for k := min(m, done+1); k >= 1; k-- {
			from, to := by[k-1], by[k]
			for s, c := range from {
				if c != 0 {
					to[s+r] += c
				}
			}
		}
	}
	return by[m]
}

// normal is the approximation for large samples, corrected for ties and for
// continuity.
func (out *Rank) normal(ranks []int, n, m, w int) {
	ties := map[int]int{}
	for _, r := range ranks {
		ties[r]++
	}
	all := float64(n + m)
	correct := 0.0
	for _, t := range ties {
		f := float64(t)
		correct += f * (f*f - 1)
	}
	sd := math.Sqrt(float64(n) * float64(m) / 12 * (all + 1 - correct/(all*(all-1))))
	d := out.U - float64(n)*float64(m)/2
	if sd == 0 {
		out.Either, out.More, out.Less = 1, 1, 1
		return
	}
	upper := func(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }
	out.More = upper((d - 0.5) / sd)
	out.Less = upper((-d - 0.5) / sd)
	out.Either = min(1, 2*upper(max(0, math.Abs(d)-0.5)/sd))
}

// untied is the distribution of U where no values are equal: for each u the
// chance of at most u.
func untied(n, m, most int) []float64 {
	// Counts of sums by the classic recursion, as a product of (1 - q^(n+i)) and
	// divided by (1 - q^i), up to the power that is wanted.
	c := make([]float64, most+1)
	c[0] = 1
	for i := 1; i <= m; i++ {
		for s := most; s >= n+i; s-- {
			c[s] -= c[s-n-i]
		}
		for s := i; s <= most; s++ {
			c[s] += c[s-i]
		}
	}
	share := chance(n+m, n)
	sum := 0.0
	for i := range c {
		sum += c[i]
		c[i] = sum * share
	}
	return c
}
