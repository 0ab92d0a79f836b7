package nsysdb

import (
	"encoding/binary"
	"fmt"
)

// A decoder turns leaf pages into vectors. Each worker has one.
type decoder struct {
	file  *File
	state *scanState
	wants []want
	buf   []byte // pages of the chunk, and wideLoad bytes
	spill []byte // payload of a row that goes on in overflow pages
	block *Block
	bad   problems

	row    int     // of block, being decoded
	lanes  []lane  // of the cells of a record, up to the last one wanted
	rowids []*lane // of columns that are the rowid and in no record
	ints   []*lane // those of both that take integers
}

// wideLoad is how many bytes may be read beyond the end of a record.
const wideLoad = 8

func newDecoder(s *scanState) *decoder {
	d := &decoder{file: s.t.file, state: s, wants: s.wants, buf: make([]byte, s.per*s.t.file.PageSize+wideLoad)}
	last := -1
	for _, w := range s.wants {
		last = max(last, w.index)
	}
	d.lanes = make([]lane, last+1)
	for i := range d.lanes {
		d.lanes[i].want = -1
	}
	for i, w := range s.wants {
		var l *lane
		if w.index >= 0 {
			l = &d.lanes[w.index]
		} else {
			l = new(lane)
			d.rowids = append(d.rowids, l)
		}
		*l = lane{want: int32(i), slow: w.form != formInteger, key: w.rowid}
		if !l.slow {
			d.ints = append(d.ints, l)
		}
	}
	return d
}

// leaf decodes page n, whose bytes are b; wide is b with at least wideLoad bytes
// behind it. A row that is broken is left out.
func (d *decoder) leaf(b, wide []byte, n uint32) {
	h := b
	if n == 1 {
		h = b[headerSize:]
	}
	at := d.file.offset(n)
	if h[0] != pageTableLeaf {
		d.bad.add(d.file.corrupt(at, "a leaf page of a table (type 13)", "type %d on page %d", h[0], n))
		return
	}
	cells := int(binary.BigEndian.Uint16(h[3:]))
	if 8+2*cells > len(h) {
		d.bad.add(d.file.corrupt(at+3, fmt.Sprintf("cells that fit a page of %d bytes", d.file.PageSize), "%d", cells))
		return
	}
	d.begin(cells)
	defer d.finish()
	page, room := b[:d.file.usable:d.file.usable], d.file.usable
	for i := range cells {
		off := int(binary.BigEndian.Uint16(h[8+2*i:]))
		size, err := d.cell(page, wide, off, at)
		if err != nil {
			d.bad.add(err)
			d.drop()
			continue
		}
		d.row++
		// Cells do not overlap; where they do, a small file could claim rows
		// without end.
		if room -= size; room < 0 {
			d.bad.add(d.file.corrupt(at, "cells that lie beside each other", "cells on page %d that overlap", n))
			return
		}
	}
}

// begin makes room for n more rows, in larger steps than append would where the
// chunk has many pages.
func (d *decoder) begin(n int) {
	d.row = d.block.Rows
	end := d.row + n
	for _, l := range d.ints {
		v := &d.block.Columns[l.want]
		if cap(v.Ints) < end {
			s := make([]int64, d.row, max(2*cap(v.Ints), end, min(n*d.state.per+64, chunkBytes/8)))
			copy(s, v.Ints)
			v.Ints = s
		}
		l.ints, l.null = v.Ints[:end], nil
		if v.Null == nil {
			continue
		}
		if cap(v.Null) < end {
			s := make([]bool, d.row, cap(v.Ints))
			copy(s, v.Null)
			v.Null = s
		}
		l.null = v.Null[:end]
		clear(l.null[d.row:])
	}
}

// drop takes back what was stored of the row being decoded.
func (d *decoder) drop() {
	for _, l := range d.ints {
		if l.null != nil && d.row < len(l.null) {
			l.null[d.row] = false
		}
	}
	for c := range d.block.Columns {
		if v := &d.block.Columns[c]; v.Form != formInteger {
			v.cut(d.row)
		}
	}
}

// finish takes the rows decoded into the block.
func (d *decoder) finish() {
	d.block.Rows = d.row
	for _, l := range d.ints {
		v := &d.block.Columns[l.want]
		v.Ints = l.ints[:d.row]
		if l.null != nil {
			v.Null = l.null[:d.row]
		}
	}
}

// cell decodes the row at an offset of the page and returns how many bytes of
// the page it takes.
func (d *decoder) cell(page, wide []byte, off int, at int64) (int, error) {
	size, n := varint(page, off)
	if n == 0 {
		return 0, d.file.corrupt(at+int64(off), "the length of a row", "the end of the page")
	}
	p := off + n
	rowid, n := varint(page, p)
	if n == 0 {
		return 0, d.file.corrupt(at+int64(p), "a rowid", "the end of the page")
	}
	p += n
	if size > uint64(d.file.size) {
		return 0, d.file.corrupt(at+int64(off), "a row smaller than the file", "one of %d bytes", size)
	}
	local := d.file.local(int(size))
	if p+local > len(page) {
		return 0, d.file.corrupt(at+int64(off), "a row within its page", "one of %d bytes at %d", local, off)
	}
	payload := page[p : p+local]
	if local < int(size) {
		next := p + local
		if next+4 > len(page) {
			return 0, d.file.corrupt(at+int64(off), "the number of an overflow page", "the end of the page")
		}
		return next + 4 - off, d.spilled(payload, wide[p:], binary.BigEndian.Uint32(page[next:]), int(size), int64(rowid), at+int64(p))
	}
	if err := d.walk(payload, wide[p:], int64(rowid)); err != nil {
		return 0, d.badRecord(err, at+int64(p))
	}
	return p + local - off, nil
}

func (d *decoder) badRecord(err error, at int64) error {
	return d.file.corrupt(at, "a record", "%v", err)
}

// local is how many bytes of a row of the given size its leaf holds; the rest is
// in overflow pages. See "Cell Payload" in SQLite's description of the format.
func (f *File) local(size int) int {
	u := f.usable
	if size <= u-35 {
		return size
	}
	least := (u-12)*32/255 - 23
	if k := least + (size-least)%(u-4); k <= u-35 {
		return k
	}
	return least
}

// spilled decodes a row that goes on in overflow pages. They are followed only
// where a column asked for needs them.
func (d *decoder) spilled(head, wide []byte, next uint32, size int, rowid, at int64) error {
	switch err := d.walk(head, wide, rowid); err {
	case nil:
		return nil
	case shortRecord:
		d.drop()
	default:
		return d.badRecord(err, at)
	}
	d.spill = append(d.spill[:0], head...)
	per := d.file.usable - 4
	for len(d.spill) < size {
		if next == 0 || next > uint32(d.file.Pages) {
			return d.file.corrupt(at, "the number of an overflow page", "%d of %d pages", next, d.file.Pages)
		}
		if d.state.overflow.Add(1) > int64(d.file.Pages) {
			return d.file.corrupt(at, "overflow pages that belong to one row each", "more of them than there are pages")
		}
		n := len(d.spill)
		d.spill = append(d.spill, make([]byte, d.file.PageSize)...)
		if err := d.file.readPages(d.spill[n:], next); err != nil {
			d.spill = d.spill[:n]
			return err
		}
		next = binary.BigEndian.Uint32(d.spill[n:])
		copy(d.spill[n:], d.spill[n+4:n+4+per])
		d.spill = d.spill[:min(n+per, size)]
	}
	d.spill = append(d.spill, make([]byte, wideLoad)...)
	if err := d.walk(d.spill[:size], d.spill, rowid); err != nil {
		return d.badRecord(err, at)
	}
	return nil
}

// varint reads SQLite's big-endian varint of up to nine bytes; n is 0 where the
// bytes end before it does.
func varint(b []byte, off int) (v uint64, n int) {
	if off >= len(b) || off < 0 {
		return 0, 0
	}
	if b[off] < 0x80 {
		return uint64(b[off]), 1
	}
	for i := range 8 {
		if off+i >= len(b) {
			return 0, 0
		}
		c := b[off+i]
		v = v<<7 | uint64(c&0x7f)
		if c < 0x80 {
			return v, i + 1
		}
	}
	if off+8 >= len(b) {
		return 0, 0
	}
	return v<<8 | uint64(b[off+8]), 9
}
