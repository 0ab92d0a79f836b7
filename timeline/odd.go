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

// mend makes the times of rows such that slices can be drawn: no end is before
// its start, and both are at most interval.Farthest from the origin, so that what
// lasts between two times fits an int64. It counts what it did. Columns are shared
// with the trace, so they are copied before they change. noEnd tells where the file
// has no end; it may be nil.
func (o *oddTimes) mend(p *part, noEnd []bool) {
	moments := &p.end[0] == &p.start[0]
	if !p.odd(moments, noEnd) {
		return
	}
	p.start, p.end = slices.Clone(p.start), slices.Clone(p.end)
	for i := range p.start {
		if p.line[i] < 0 {
			p.start[i], p.end[i] = 0, 0
			continue
		}
		s, e := p.start[i], p.end[i]
		switch {
		case moments:
		case noEnd != nil && noEnd[i]:
			o.noEnd++
			e = s
		case e < s:
			o.backward++
			e = s
		}
		if far(s) || far(e) {
			o.far++
		}
		p.start[i], p.end[i] = near(s), near(e)
	}
}

// odd reports whether a part has times that make no sense.
func (p *part) odd(moments bool, noEnd []bool) bool {
	if slices.ContainsFunc(p.start, far) {
		return true
	}
	if moments {
		return false
	}
	for i, e := range p.end {
		if e < p.start[i] || far(e) || noEnd != nil && noEnd[i] {
			return true
		}
	}
	return false
}

func far(t int64) bool { return t < -interval.Farthest || t > interval.Farthest }

func near(t int64) int64 { return max(-interval.Farthest, min(t, interval.Farthest)) }
