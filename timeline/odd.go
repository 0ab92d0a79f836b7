package timeline

import (
	"fmt"
	"slices"

	"github.com/gpuprof/gpuprof/trace/interval"
)

// oddTimes counts rows whose times are not sound (package interval), by what is
// done about them. Every other row is drawn as the file has it.
type oddTimes struct {
	noStart  int // left out
	noEnd    int // drawn as a moment
	backward int // that end before they start; drawn as a moment
	far      int // moved to the farthest time
}

func (o *oddTimes) notes() []string {
	var out []string
	for _, v := range []struct {
		n    int
		what string
	}{
		{o.noStart, "%d rows have no start and are left out"},
		{o.noEnd, "%d rows have no end and are drawn as a moment"},
		{o.backward, "%d rows end before they start and are drawn as a moment"},
		{o.far, "%d rows have times more than 73 years from zero, where they are drawn"},
	} {
		if v.n > 0 {
			out = append(out, fmt.Sprintf(v.what, v.n))
		}
	}
	return out
}

// checked makes the times of rows such that slices can be drawn: no end is before
// its start, and both are at most interval.Farthest from the origin, so that what
// lasts between two times fits an int64. Columns are shared with the trace, so they
// are copied before they change.
func (b *builder) checked(r *rows) {
	b.odd.noStart += r.left
	shared := &r.end[0] == &r.start[0]
	bad := slices.IndexFunc(r.start, far)
	if !shared {
		for i, e := range r.end {
			if e < r.start[i] || far(e) || r.noEnd != nil && i < len(r.noEnd) && r.noEnd[i] {
				bad = i
				break
			}
		}
	}
	if bad < 0 {
		return
	}
	r.start, r.end = slices.Clone(r.start), slices.Clone(r.end)
	for i := range r.start {
		if r.line[i] < 0 {
			r.start[i], r.end[i] = 0, 0
			continue
		}
		s, e := r.start[i], r.end[i]
		switch {
		case shared:
			e = s
		case r.noEnd != nil && i < len(r.noEnd) && r.noEnd[i]:
			b.odd.noEnd++
			e = s
		case e < s:
			b.odd.backward++
			e = s
		}
		if far(s) || far(e) {
			b.odd.far++
		}
		r.start[i], r.end[i] = near(s), near(e)
	}
}

func far(t int64) bool { return t < -interval.Farthest || t > interval.Farthest }

func near(t int64) int64 { return max(-interval.Farthest, min(t, interval.Farthest)) }
