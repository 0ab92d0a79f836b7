package stats

import (
	"cmp"
	"slices"
)

// union merges spans that overlap or touch; the result is sorted. Sums over it
// count no moment twice.
func union(spans []span) []span {
	return unionOf(slices.Clone(spans))
}

// unionOf is union in the memory of its argument.
func unionOf(s []span) []span {
	byStart := func(a, b span) int { return cmp.Compare(a.start, b.start) }
	if !slices.IsSortedFunc(s, byStart) {
		slices.SortFunc(s, byStart)
	}
	out := s[:0]
	for _, x := range s {
		if n := len(out); n > 0 && x.start <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, x.end)
		} else if x.end >= x.start {
			out = append(out, x)
		}
	}
	return out
}

// length is the time that disjoint spans take.
func length(spans []span) (sum int64) {
	for _, s := range spans {
		sum += s.end - s.start
	}
	return sum
}

// overlap is the time that two unions have in common.
func overlap(a, b []span) (sum int64) {
	for i, k := 0, 0; i < len(a) && k < len(b); {
		if d := min(a[i].end, b[k].end) - max(a[i].start, b[k].start); d > 0 {
			sum += d
		}
		if a[i].end < b[k].end {
			i++
		} else {
			k++
		}
	}
	return sum
}

// gapsOf returns what lies between the spans of a union.
func gapsOf(u []span) []span {
	var out []span
	for i := 1; i < len(u); i++ {
		out = append(out, span{start: u[i-1].end, end: u[i].start})
	}
	return out
}
