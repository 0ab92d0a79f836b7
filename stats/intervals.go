package stats

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
)

// Times come from files, and files may be wrong. One rule holds for all that
// reckons with spans of time:
//
//   - Rows are kept: what a table prints is what the file says, in its order.
//   - A span is sound if both times are there, it does not end before it starts,
//     and both are within farthest of the origin. Only sound spans take part in
//     unions, gaps and the checks that rest on them; so differences of two times
//     fit an int64.
//   - How many rows of a table are not sound is told.
//   - A duration or a total that leaves int64 is the largest, or least, number that
//     there is, and that is told; it never comes out with the other sign.

// farthest is how far from the origin of its clock a time may be, ns: 73 years on
// either side, enough for clocks that began in 1970.
const farthest = 1<<61 - 1

// sound reports whether a span takes part in unions.
func sound(start, end int64) bool {
	return start <= end && start >= -farthest && end <= farthest
}

// lasts is end less start, or the nearest that an int64 holds.
func lasts(start, end int64) int64 {
	d := end - start
	if (end^start)&(end^d) < 0 { // the signs differ, and the result has that of start
		return endOf(end < start)
	}
	return d
}

// plus is the sum of two numbers, or the nearest that an int64 holds.
func plus(a, b int64) int64 {
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

// odd counts the rows of a table whose times are not sound.
type odd struct {
	backward, far, missing int
	overflows              bool // the durations of all rows together leave int64
}

// oddTimes looks at the spans of a table. Rows without an end count as missing.
func oddTimes(start, end *trace.Column) (o odd, unsound []bool) {
	mark := func(i int) {
		if unsound == nil {
			unsound = make([]bool, len(start.Ints))
		}
		unsound[i] = true
	}
	var hi, lo uint64 // of the magnitudes of all durations
	for i, s := range start.Ints {
		e := end.Ints[i]
		switch {
		case start.IsNull(i) || end.IsNull(i):
			o.missing++
			mark(i)
			continue
		case s < -farthest || s > farthest || e < -farthest || e > farthest:
			o.far++
			mark(i)
		case e < s:
			o.backward++
			mark(i)
		}
		d := uint64(e) - uint64(s)
		if e < s {
			d = uint64(s) - uint64(e)
		}
		var carry uint64
		lo, carry = bits.Add64(lo, d, 0)
		hi += carry
	}
	o.overflows = hi > 0 || lo > math.MaxInt64
	return o, unsound
}

// union merges spans that overlap or touch; the result is sorted. Sums over it
// count no moment twice. Spans that are not sound are left out.
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
		if !sound(x.start, x.end) {
			continue
		}
		if n := len(out); n > 0 && x.start <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, x.end)
		} else {
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
