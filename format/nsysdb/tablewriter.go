package nsysdb

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// A TableWriter takes the rows of one table.
type TableWriter struct {
	w        *Writer
	t        *Table
	run      []byte   // cells of the leaf being filled, one behind the other
	used     int      // bytes of run
	cells    []uint16 // where in run each begins
	rowid    int64    // of the row being written
	last     int64    // of the last row of run
	some     bool     // a row was written
	children []child
	values   []cell
	rec      []byte
	batch    batch
	sizeLen  int // bytes that the size of the last record took
}

// Columns are the columns of the table as its statement declares them.
func (t *TableWriter) Columns() []Column { return t.t.Columns }

// Append adds rows; columns are in the order of the statement and of equal
// length. A column that is missing at the end, or has no rows, is NULL. The
// values of an INTEGER PRIMARY KEY column must ascend.
func (t *TableWriter) Append(rows int, columns []Vector) error {
	if len(columns) > len(t.t.Columns) {
		return fmt.Errorf("table %s: %d columns, at most %d expected", t.t.Name, len(columns), len(t.t.Columns))
	}
	for from := 0; from < rows; from += batchRows {
		to := min(from+batchRows, rows)
		prepared := t.prepare(&t.batch, from, to, columns)
		for i := from; i < to; i++ {
			if err := t.number(i, columns); err != nil {
				return err
			}
			if prepared && t.quick(i-from) {
				continue
			}
			t.encode(i, columns)
			t.put()
		}
		if t.w.err != nil {
			return t.w.err
		}
	}
	return nil
}

// number finds the rowid of row i.
func (t *TableWriter) number(i int, columns []Vector) error {
	if k := t.t.rowid; k >= 0 && k < len(columns) && columns[k].has(i) && !columns[k].isNull(i) {
		id := columns[k].cell(i).Int
		if t.some && id <= t.rowid {
			return fmt.Errorf("table %s: key %d follows %d; keys must ascend", t.t.Name, id, t.rowid)
		}
		t.rowid = id
	} else {
		t.rowid++
	}
	t.some = true
	return nil
}

// quick adds row i of the batch. It reports false where the row has to be
// encoded cell by cell or does not fit a page.
func (t *TableWriter) quick(i int) bool {
	p := t.room(2*9 + t.batch.most + 8)
	key := varintLen(uint64(t.rowid))
	at := t.sizeLen + key // a guess: records are about as long as the last
	size := t.batch.encodeRow(p[at:], i)
	if size == 0 || size > t.w.size-35 {
		return false
	}
	if n := varintLen(uint64(size)); n != t.sizeLen {
		copy(p[n+key:], p[at:at+size])
		t.sizeLen, at = n, n+key
	}
	putVarint(p, uint64(size))
	putVarint(p[t.sizeLen:], uint64(t.rowid))
	t.add(at + size)
	return true
}

// room returns memory for the next cell.
func (t *TableWriter) room(n int) []byte {
	if len(t.run) < t.used+n {
		t.run = append(make([]byte, 0, t.w.size+2*n), t.run[:t.used]...)
		t.run = t.run[:cap(t.run)]
	}
	return t.run[t.used:]
}

// add takes a cell of n bytes, which stands behind those of the leaf, into it, or
// begins a new leaf with it.
func (t *TableWriter) add(n int) {
	if 8+2*len(t.cells)+2+t.used+n > t.w.size {
		from := t.used
		t.flush()
		copy(t.run, t.run[from:from+n])
	}
	t.cells = append(t.cells, uint16(t.used))
	t.used += n
	t.last = t.rowid
}

// encode makes the record of row i in t.rec.
func (t *TableWriter) encode(i int, columns []Vector) {
	n := len(t.t.Columns)
	if cap(t.rec) < 10*n+16 {
		t.rec = make([]byte, 10*n+16)
	}
	// Nearly always one byte of header tells a column; text takes up to five.
	head := t.rec[:0:cap(t.rec)]
	head = append(head, 0)
	body := t.w.scratch()
	for c := range n {
		if c >= len(columns) || c == t.t.rowid {
			head = append(head, 0)
			continue
		}
		v := &columns[c]
		switch {
		case v.Form == formInteger && i < len(v.Ints):
			if v.Null != nil && v.isNull(i) {
				head = append(head, 0)
				continue
			}
			x := v.Ints[i]
			typ := intType(x)
			head = append(head, typ)
			at := len(body)
			body = binary.BigEndian.AppendUint64(body, uint64(x)<<(intShift[typ]&63))[:at+int(intSize[typ])]
		case v.isNull(i) || !v.has(i):
			head = append(head, 0)
		default:
			head, body = appendCell(head, body, v.cell(i))
		}
	}
	if len(head) < 128 {
		head[0] = byte(len(head))
	} else { // the length itself takes two bytes
		head = append(head, 0)
		copy(head[2:], head[1:])
		putVarint(head, uint64(max(len(head), 128)))
	}
	t.rec = append(head, body...)
	t.w.own = body[:0]
}

// row writes t.values as a row of any classes.
func (t *TableWriter) row() {
	t.rowid++
	head, body := []byte{0}, []byte(nil)
	for _, c := range t.values {
		head, body = appendCell(head, body, c)
	}
	head[0] = byte(len(head))
	t.rec = append(head, body...)
	t.values = t.values[:0]
	t.put()
}

func (t *TableWriter) text(ss ...string) {
	for _, s := range ss {
		t.values = append(t.values, cell{Class: classText, Bytes: []byte(s)})
	}
}

func (w *Writer) scratch() []byte { return w.own[:0] }

// has reports whether the vector has a cell for row i.
func (v *Vector) has(i int) bool {
	switch v.Form {
	case formInteger:
		return i < len(v.Ints)
	case formReal:
		return i < len(v.Reals)
	case formText:
		return i < len(v.ends)
	}
	return i < len(v.class)
}

func appendCell(head, body []byte, c cell) (h, b []byte) {
	switch c.Class {
	case classInteger:
		typ := intType(c.Int)
		return append(head, typ), appendInt(body, typ, c.Int)
	case classReal:
		return append(head, 7), binary.BigEndian.AppendUint64(body, math.Float64bits(c.Real))
	case classText, classBlob:
		var v [9]byte
		typ := uint64(len(c.Bytes))*2 + 12
		if c.Class == classText {
			typ++
		}
		n := putVarint(v[:], typ)
		return append(head, v[:n]...), append(body, c.Bytes...)
	}
	return append(head, 0), body
}

// typeOfBits is the serial type for numbers of so many bits, the sign left out.
var typeOfBits = func() (t [65]byte) {
	for n := range t {
		switch {
		case n < 8:
			t[n] = 1
		case n < 16:
			t[n] = 2
		case n < 24:
			t[n] = 3
		case n < 32:
			t[n] = 4
		case n < 48:
			t[n] = 5
		default:
			t[n] = 6
		}
	}
	return t
}()

// intType is the serial type that holds v in the fewest bytes.
func intType(v int64) byte {
	if uint64(v) < 2 {
		return byte(8 + v)
	}
	return typeOfBits[bits.Len64(uint64(v^v>>63))]
}

// Bytes of a number by its serial type, and by how much it is shifted so that
// they come first.
var (
	intSize  = [16]uint8{1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
	intShift = [16]uint8{1: 56, 2: 48, 3: 40, 4: 32, 5: 16}
)

func appendInt(b []byte, typ byte, v int64) []byte {
	var x [8]byte
	binary.BigEndian.PutUint64(x[:], uint64(v))
	switch typ {
	case 8, 9:
		return b
	case 5:
		return append(b, x[2:]...)
	case 6:
		return append(b, x[:]...)
	}
	return append(b, x[8-typ:]...)
}

// put adds the record t.rec.
func (t *TableWriter) put() {
	size := len(t.rec)
	local := (&File{usable: t.w.size}).local(size)
	p := t.room(2*9 + local + 4)
	n := putVarint(p, uint64(size))
	n += putVarint(p[n:], uint64(t.rowid))
	n += copy(p[n:], t.rec[:local])
	if local < size {
		binary.BigEndian.PutUint32(p[n:], t.overflow(t.rec[local:]))
		n += 4
	}
	t.add(n)
}

// overflow writes the rest of a record and returns the first page of it.
func (t *TableWriter) overflow(rest []byte) uint32 {
	per := t.w.size - 4
	first := t.w.pages + 1
	for len(rest) > 0 {
		no, p := t.w.page()
		n := copy(p[4:], rest[:min(per, len(rest))])
		if rest = rest[n:]; len(rest) > 0 {
			binary.BigEndian.PutUint32(p, no+1)
		}
	}
	return first
}

// flush writes the leaf, if there is one with rows.
func (t *TableWriter) flush() {
	if len(t.cells) == 0 {
		return
	}
	no, p := t.w.usedPage()
	free := len(p) - t.used
	copy(p[free:], t.run[:t.used])
	putPage(p, pageTableLeaf, len(t.cells), free)
	for i, c := range t.cells {
		binary.BigEndian.PutUint16(p[8+2*i:], uint16(free+int(c)))
	}
	clear(p[8+2*len(t.cells) : free])
	t.children = append(t.children, child{no, t.last})
	t.cells, t.used = t.cells[:0], 0
}

// end writes what is left and the interior pages, and returns the root.
func (t *TableWriter) end(size int) uint32 {
	t.flush()
	if len(t.children) == 0 {
		no, p := t.w.page()
		putPage(p, pageTableLeaf, 0, size)
		return no
	}
	level := t.children
	for len(level) > 1 {
		level = t.w.interior(level)
	}
	return level[0].page
}
