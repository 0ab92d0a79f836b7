package interval

import (
	"cmp"
	"math"
	"slices"
)

// A Span is the time from Start to before End, ns.
type Span struct{ Start, End int64 }

// Compare orders spans by their start, then by their end.
func (s Span) Compare(t Span) int {
	return cmp.Or(cmp.Compare(s.Start, t.Start), cmp.Compare(s.End, t.End))
}

// Farthest is how far from the origin of its clock a time may be, ns: 73 years on
// either side, enough for clocks that began in 1970.
const Farthest = 1<<61 - 1

// Sound reports whether a span takes part in unions.
func Sound(start, end int64) bool {
	return start <= end && start >= -Farthest && end <= Farthest
}

// Lasts is end less start, or the nearest that an int64 holds.
func Lasts(start, end int64) int64 {
	d := end - start
	if (end^start)&(end^d) < 0 { // the signs differ, and the result has that of start
		return endOf(end < start)
	}
	return d
}

// Plus is the sum of two numbers, or the nearest that an int64 holds.
func Plus(a, b int64) int64 {
	s := a + b
	if (a^s)&(b^s) < 0 {
		return endOf(a < 0)
	}
	return s
}

func endOf(negative bool) int64 {
	if negative {
		return math.MinInt64
	}
	return math.MaxInt64
}

// Union merges spans that overlap or touch; the result is sorted. Sums over it
// count no moment twice. Spans that are not sound are left out.
func Union(spans []Span) []Span {
	if !slices.IsSortedFunc(spans, byStart) {
		return UnionOf(slices.Clone(spans))
	}
	return merge(nil, spans)
}

func byStart(a, b Span) int { return cmp.Compare(a.Start, b.Start) }

// UnionOf is Union in the memory of its argument.
func UnionOf(s []Span) []Span {
	if !slices.IsSortedFunc(s, byStart) {
		slices.SortFunc(s, byStart)
	}
	return merge(s[:0], s)
}

// merge appends the union of sorted spans, of which out may have the memory.
func merge(out, s []Span) []Span {
	for _, x := range s {
		if !Sound(x.Start, x.End) {
			continue
		}
		if n := len(out); n > 0 && x.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, x.End)
		} else {
			out = append(out, x)
		}
	}
	return out
}

// Length is the time that disjoint spans take.
func Length(spans []Span) (sum int64) {
	for _, s := range spans {
		sum += s.End - s.Start
	}
	return sum
}

// Overlap is the time that two unions have in common.
func Overlap(a, b []Span) (sum int64) {
	for i, k := 0, 0; i < len(a) && k < len(b); {
		if d := min(a[i].End, b[k].End) - max(a[i].Start, b[k].Start); d > 0 {
			sum += d
		}
		if a[i].End < b[k].End {
			i++
		} else {
			k++
		}
	}
	return sum
}

// Gaps returns what lies between the spans of a union.
func Gaps(u []Span) []Span {
	var out []Span
	for i := 1; i < len(u); i++ {
		out = append(out, Span{Start: u[i-1].End, End: u[i].Start})
	}
	return out
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
