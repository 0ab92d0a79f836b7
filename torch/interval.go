package torch

import (
	"cmp"
	"slices"
)

// A span is a stretch of time, ns.
type span struct{ start, end int64 }

// union merges spans that overlap or touch, in the order of time. It works in
// the memory of its argument.
func union(s []span) []span {
	slices.SortFunc(s, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	out := s[:0]
	for _, x := range s {
		if n := len(out); n > 0 && x.start <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, x.end)
		} else {
			out = append(out, x)
		}
	}
	return out
}

func length(s []span) (sum int64) {
	for _, x := range s {
		sum += x.end - x.start
	}
	return sum
}

// overlap is the time that two unions have in common.
func overlap(a, b []span) (sum int64) {
	for i, k := 0, 0; i < len(a) && k < len(b); {
		sum += max(0, min(a[i].end, b[k].end)-max(a[i].start, b[k].start))
		if a[i].end < b[k].end {
			i++
		} else {
			k++
		}
	}
	return sum
}
