package stats

import (
	"math"
	"math/bits"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
)

// A span is a stretch of time, ns.
type span = interval.Span

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
		case s < -interval.Farthest || s > interval.Farthest || e < -interval.Farthest || e > interval.Farthest:
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
