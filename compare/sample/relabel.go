package sample

import "math/rand/v2"

// mostRelabellings is the number of ways to relabel runs up to which all of them
// are tried. Where there are more, that many are drawn, the observed one among
// them, by a generator whose seed is fixed.
const mostRelabellings = 20_000

// ways is the number of ways to choose n of all; it stops counting when it
// is past MostRelabellings and tells so.
func ways(all, n int) (c int, over bool) {
	n = min(n, all-n)
	c = 1
	for i := 1; i <= n; i++ {
		c = c * (all - n + i) / i
		if c > mostRelabellings {
			return c, true
		}
	}
	return c, false
}

// chance is 1/C(all, n), the share of one relabelling among all.
func chance(all, n int) float64 {
	c := 1.0
	for i := 1; i <= min(n, all-n); i++ {
		c = c * float64(all-min(n, all-n)+i) / float64(i)
	}
	return 1 / c
}

// leastP is the least p that n old and m new runs can reach. Two-sided, mirrored
// labels give the same distance where both sides have as many runs.
func leastP(n, m int, side Side) float64 {
	if n < 1 || m < 1 {
		return 1
	}
	p := chance(n+m, n)
	if side == Either && n == m {
		p *= 2
	}
	return p
}

// relabellings yields the indices of the runs that are called new, ascending,
// the observed labelling (the last m of all) first. The slice is used again.
func relabellings(n, m int, yield func(labels []int)) (count int, drawn bool) {
	all := n + m
	observed := make([]int, m)
	for i := range observed {
		observed[i] = n + i
	}
	total, over := ways(all, m)
	if !over {
		// In lexicographic order the observed labelling is the last.
		c := make([]int, m)
		for i := range c {
			c[i] = i
		}
		yield(observed)
		for range total - 1 {
			yield(c)
			next(c, all)
		}
		return total, false
	}
	yield(observed)
	r := rand.New(rand.NewPCG(0x6770757072_6f66, 0x636f6d70617265)) // "gpuprof", "compare"
	c := make([]int, 0, m)
	for range mostRelabellings - 1 {
		c = c[:0]
		for i, left := 0, m; left > 0; i++ {
			if r.IntN(all-i) < left {
				c = append(c, i)
				left--
			}
		}
		yield(c)
	}
	return mostRelabellings, true
}

// next makes of c, ascending indices below all, the combination after it.
func next(c []int, all int) {
	for i := len(c) - 1; i >= 0; i-- {
		if c[i] < all-len(c)+i {
			c[i]++
			for j := i + 1; j < len(c); j++ {
				c[j] = c[j-1] + 1
			}
			return
		}
	}
}
