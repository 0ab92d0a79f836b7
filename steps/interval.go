package steps

import (
	"cmp"
	"slices"
)

// A Span is the time from Start to before End, ns.
type Span struct{ Start, End int64 }

// Union merges spans that overlap or touch, in the memory of its argument. The
// result is sorted and disjoint. Spans that end before they start are left out.
func Union(s []Span) []Span {
	byStart := func(a, b Span) int { return cmp.Compare(a.Start, b.Start) }
	if !slices.IsSortedFunc(s, byStart) {
		slices.SortFunc(s, byStart)
	}
	out := s[:0]
	for _, x := range s {
		if n := len(out); n > 0 && x.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, x.End)
		} else if x.End >= x.Start {
			out = append(out, x)
		}
	}
	return out
}

// Length is the time that disjoint spans take.
func Length(s []Span) (sum int64) {
	for _, x := range s {
		sum += x.End - x.Start
	}
	return sum
}

// Within is how long a union runs inside a span. It takes the logarithm of the
// number of spans to find the first that matters.
func Within(union []Span, in Span) (sum int64) {
	i, _ := slices.BinarySearchFunc(union, in.Start, func(x Span, t int64) int { return cmp.Compare(x.End, t) })
	for ; i < len(union) && union[i].Start < in.End; i++ {
		if d := min(union[i].End, in.End) - max(union[i].Start, in.Start); d > 0 {
			sum += d
		}
	}
	return sum
}

// Coarsen keeps a union to at most n spans by closing its shortest gaps, and
// returns the time that it so adds.
func Coarsen(union []Span, n int) (out []Span, added int64) {
	if len(union) <= n || n < 1 {
		return union, 0
	}
	gaps := make([]int64, 0, len(union)-1)
	for i := 1; i < len(union); i++ {
		gaps = append(gaps, union[i].Start-union[i-1].End)
	}
	sorted := slices.Clone(gaps)
	slices.Sort(sorted)
	limit := sorted[len(sorted)-(n-1)-1] // gaps up to here are closed
	if n == 1 {
		limit = sorted[len(sorted)-1]
	}
	out = append(out, union[0])
	keep := n - 1
	for i, g := range gaps {
		if g > limit && keep > 0 {
			out = append(out, union[i+1])
			keep--
			continue
		}
		added += g
		out[len(out)-1].End = union[i+1].End
	}
	return out, added
}
