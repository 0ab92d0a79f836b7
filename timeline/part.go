package timeline

import (
	"math"
	"slices"
)

// A part is some rows of a table. Parts stay as they are read, and in half the
// bytes where their numbers allow that: for a long table the first touch of memory
// takes more time than what is done with it.
type part struct {
	start, end []int64  // nil where packed
	base       int64    // packed: start is base plus after, end is start plus long
	after      []uint32 // ns
	long       []uint32 // ns
	name       []NameID
	line       []int32 // in builder.lines; negative: on none
	corr       numbers // empty where nothing ties them
}

// numbers are a column in which few numbers take more than 32 bits.
type numbers struct {
	short []uint32
	wide  []int64
}

func (n numbers) at(i int) int64 {
	if n.wide != nil {
		return n.wide[i]
	}
	return int64(n.short[i])
}

// packed copies a column.
func packed(v []int64) numbers {
	out := numbers{short: make([]uint32, len(v))}
	for i, x := range v {
		if x < 0 || x > math.MaxUint32 {
			return numbers{wide: slices.Clone(v)}
		}
		out.short[i] = uint32(x)
	}
	return out
}

// pack makes the times the part's own, in 32 bits each if they fit. They are sound,
// so that no difference of two leaves an int64.
func (p *part) pack() {
	base := slices.Min(p.start)
	p.after, p.long = make([]uint32, len(p.start)), make([]uint32, len(p.start))
	for i, s := range p.start {
		after, long := s-base, p.end[i]-s
		if after > math.MaxUint32 || long > math.MaxUint32 {
			p.after, p.long = nil, nil
			p.start, p.end = slices.Clone(p.start), slices.Clone(p.end)
			return
		}
		p.after[i], p.long[i] = uint32(after), uint32(long)
	}
	p.base, p.start, p.end = base, nil, nil
}

// times are the start and the end of a row.
func (p *part) times(i int) (start, end int64) {
	if p.start != nil {
		return p.start[i], p.end[i]
	}
	start = p.base + int64(p.after[i])
	return start, start + int64(p.long[i])
}
