package sample

import (
	"math"
	"slices"
)

// BenjaminiHochberg adjusts p values of a list so that those at or below a
// bound hold at most that share of false ones. A NaN stays and counts nothing.
func BenjaminiHochberg(p []float64) []float64 {
	order := ascending(p)
	out := nans(len(p))
	least := 1.0
	for i := len(order) - 1; i >= 0; i-- {
		least = min(least, p[order[i]]*float64(len(order))/float64(i+1))
		out[order[i]] = least
	}
	return out
}

func nans(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.NaN()
	}
	return out
}

// ascending are the indices of p that are numbers, by value.
func ascending(p []float64) []int {
	order := make([]int, 0, len(p))
	for i, v := range p {
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	return order
}
