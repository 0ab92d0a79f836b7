package nsysdb

import (
	"encoding/binary"
	"math"
)

// batchRows is how many rows are prepared at once: enough for what is found out
// about their columns to pay, few enough to stay in the cache.
const batchRows = 2048

// A batch is what some rows have in common. Of the columns of an event many are
// NULL or one number in all of the rows: their bytes are put together once, and
// for each row only the others are encoded.
type batch struct {
	head   []byte // of a record, its length included; 0 for the varying cells
	cells  []varying
	tail   []byte // constant cells behind the last varying one
	most   int    // bytes of a record at most
	consts []byte // memory of tail and varying.before
}

// varying is a column whose cells differ.
type varying struct {
	at     int    // place of its type in batch.head
	before []byte // constant cells before it
	null   []bool // nil: none is
	ints   []int64
	reals  []float64
	text   *Vector
	first  int // row of the vector that the batch begins with
}

// shortText is the longest text whose serial type takes one byte.
const shortText = (127 - 13) / 2

// prepare finds out what rows from to to have in common. It reports false where
// the columns are of a kind that has to be encoded cell by cell.
func (t *TableWriter) prepare(b *batch, from, to int, columns []Vector) bool {
	n := len(t.t.Columns)
	if n > 126 { // the length of the header takes two bytes
		return false
	}
	b.head, b.cells, b.consts = append(b.head[:0], byte(n+1)), b.cells[:0], b.consts[:0]
	if room := 8 * n; cap(b.consts) < room { // it must not move
		b.consts = make([]byte, 0, room)
	}
	b.most = n + 1
	done := 0 // constants that stand before a varying cell already
	for c := range n {
		b.head = append(b.head, 0)
		if c >= len(columns) || c == t.t.rowid || columns[c].len() == 0 {
			continue
		}
		v := &columns[c]
		if v.Form == formAny || v.len() < to || v.Null != nil && len(v.Null) < to {
			return false
		}
		cell := varying{at: c + 1, first: from}
		if v.Null != nil {
			cell.null = v.Null[from:to]
			if same(cell.null) {
				if cell.null[0] {
					continue
				}
				cell.null = nil
			}
		}
		switch v.Form {
		case formInteger:
			cell.ints = v.Ints[from:to]
			if cell.null == nil && same(cell.ints) {
				typ := intType(cell.ints[0])
				b.head[c+1] = typ
				b.consts = appendInt(b.consts, typ, cell.ints[0])
				continue
			}
			b.most += 8
		case formReal:
			cell.reals = v.Reals[from:to]
			b.most += 8
		case formText:
			cell.text = v
			b.most += shortText
		}
		cell.before, done = b.consts[done:], len(b.consts)
		b.cells = append(b.cells, cell)
	}
	b.tail = b.consts[done:]
	b.most += len(b.consts)
	return true
}

func same[T comparable](s []T) bool {
	for _, x := range s[1:] {
		if x != s[0] {
			return false
		}
	}
	return true
}

// encodeRow makes the record of row i of the batch at the start of p, which has
// room for 8 bytes beyond b.most, and returns its length; 0 where it has a text
// that is too long.
func (b *batch) encodeRow(p []byte, i int) int {
	off := copy(p, b.head)
	for k := range b.cells {
		c := &b.cells[k]
		if len(c.before) > 0 {
			off += copy(p[off:], c.before)
		}
		if c.null != nil && c.null[i] {
			continue
		}
		switch {
		case c.ints != nil:
			x := c.ints[i]
			typ := intType(x)
			p[c.at] = typ
			binary.BigEndian.PutUint64(p[off:], uint64(x)<<(intShift[typ&15]&63))
			off += int(intSize[typ&15])
		case c.text != nil:
			s := c.text.Bytes(c.first + i)
			if len(s) > shortText {
				return 0
			}
			p[c.at] = byte(13 + 2*len(s))
			off += copy(p[off:], s)
		default:
			p[c.at] = 7
			binary.BigEndian.PutUint64(p[off:], math.Float64bits(c.reals[i]))
			off += 8
		}
	}
	return off + copy(p[off:], b.tail)
}
