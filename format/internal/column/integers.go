package column

import (
	"encoding/binary"
	"slices"
)

// Integer is what [Integers] holds.
type Integer interface{ ~int32 | ~int64 | ~uint32 }

// Integers is a [Column] of integers that takes less: rows of a chunk lie near each
// other mostly, such as times, so that a full chunk is kept as distances from its
// least, in as many bytes as the largest wants; one whose rows are all alike takes none.
type Integers[T Integer] struct {
	chunks []packed[T]
	open   []T // the rows behind the chunks, but for Absent ones at the end
	rows   int
	Absent T // what rows have that say nothing; to be set before the first row
}

// packed is a full chunk. A number in data is 0 for Absent, else 1 more than the
// distance from base; of 8 bytes it is the value itself. Without data all rows are base.
type packed[T Integer] struct {
	base  T
	width uint8 // bytes of a number: 0, 1, 2, 4 or 8
	data  []byte
}

const chunkRows = 1 << chunkBits

// Len is the number of rows.
func (c *Integers[T]) Len() int { return c.rows }

// At returns the value of a row.
func (c *Integers[T]) At(row int) T {
	k, i := row>>chunkBits, row&(chunkRows-1)
	if k < len(c.chunks) {
		return c.chunks[k].at(i, c.Absent)
	}
	if i < len(c.open) {
		return c.open[i]
	}
	return c.Absent
}

func (p *packed[T]) at(i int, absent T) T {
	var n uint64
	switch p.width {
	case 0:
		return p.base
	case 1:
		n = uint64(p.data[i])
	case 2:
		n = uint64(binary.LittleEndian.Uint16(p.data[2*i:]))
	case 4:
		n = uint64(binary.LittleEndian.Uint32(p.data[4*i:]))
	default:
		return T(binary.LittleEndian.Uint64(p.data[8*i:]))
	}
	if n == 0 {
		return absent
	}
	return p.base + T(n-1)
}

// Has reports whether any row says something.
func (c *Integers[T]) Has() bool {
	for i := range c.chunks {
		if p := &c.chunks[i]; p.width != 0 || p.base != c.Absent {
			return true
		}
	}
	return len(c.open) > 0
}

// Add appends a row.
func (c *Integers[T]) Add(v T) {
	if v != c.Absent {
		c.put(c.rows&(chunkRows-1), v)
	}
	if c.rows++; c.rows&(chunkRows-1) == 0 {
		c.fill(chunkRows)
		c.chunks = append(c.chunks, pack(c.open, c.Absent))
		c.open = c.open[:0]
	}
}

// put sets row i of the open ones.
func (c *Integers[T]) put(i int, v T) {
	c.fill(i + 1)
	c.open[i] = v
}

// fill brings the open rows to n.
func (c *Integers[T]) fill(n int) {
	c.open = slices.Grow(c.open, max(0, n-len(c.open)))
	for len(c.open) < n {
		c.open = append(c.open, c.Absent)
	}
}

// Set changes a row that was added. A chunk that has no room for the value takes 8 bytes a row from then on.
func (c *Integers[T]) Set(row int, v T) {
	k, i := row>>chunkBits, row&(chunkRows-1)
	if k == len(c.chunks) {
		c.put(i, v)
		return
	}
	p := &c.chunks[k]
	n := uint64(v) - uint64(p.base) + 1
	switch {
	case p.width == 8:
		n = uint64(v)
	case p.width > 0 && v == c.Absent:
		n = 0
	case p.width == 0 && v == p.base:
		return
	case p.width == 0 || v < p.base || n-1 >= 1<<(8*p.width)-1:
		p.widen(c.Absent)
		n = uint64(v)
	}
	p.set(i, n)
}

// widen gives each row 8 bytes.
func (p *packed[T]) widen(absent T) {
	wide := packed[T]{base: p.base, width: 8, data: make([]byte, 8*chunkRows)}
	for i := range chunkRows {
		wide.set(i, uint64(p.at(i, absent)))
	}
	*p = wide
}

// set writes the number of a row.
func (p *packed[T]) set(i int, n uint64) {
	switch p.width {
	case 1:
		p.data[i] = byte(n)
	case 2:
		binary.LittleEndian.PutUint16(p.data[2*i:], uint16(n))
	case 4:
		binary.LittleEndian.PutUint32(p.data[4*i:], uint32(n))
	default:
		binary.LittleEndian.PutUint64(p.data[8*i:], n)
	}
}

// pack is a chunk of these rows.
func pack[T Integer](rows []T, absent T) packed[T] {
	least, most, some, gaps := absent, absent, false, false
	for _, v := range rows {
		switch {
		case v == absent:
			gaps = true
		case !some:
			least, most, some = v, v, true
		default:
			least, most = min(least, v), max(most, v)
		}
	}
	p := packed[T]{base: least}
	reach := uint64(most) - uint64(least) // right for any signs: modulo 2^64
	switch {
	case !some || reach == 0 && !gaps:
		return p
	case reach < 1<<8-1:
		p.width = 1
	case reach < 1<<16-1:
		p.width = 2
	case reach < 1<<32-1:
		p.width = 4
	default:
		p.width = 8
	}
	p.data = make([]byte, int(p.width)*len(rows))
	for i, v := range rows {
		n := uint64(v) - uint64(least) + 1
		switch {
		case p.width == 8:
			n = uint64(v)
		case v == absent:
			n = 0
		}
		p.set(i, n)
	}
	return p
}
