package nsysdb

import (
	"encoding/binary"
)

// pages rewrites pages of one tree, for one goroutine.
type pages struct {
	r       *rewriter
	t       *tree
	buf     []byte // pages of a run
	out     []byte // the page that is made
	payload []byte // of a row that goes on in overflow pages
	chain   []uint32
	link    []byte // an overflow page
	record  record
	cells   [][]byte // of the page in hand, as they are to be written
	offsets []int
	new     []byte // bytes of edited cells
	numbers []bool // columns with numbers to edit
	some    bool   // there are any
}

func newPages(r *rewriter, t *tree) *pages {
	p := &pages{r: r, t: t, out: make([]byte, r.f.PageSize), link: make([]byte, r.f.PageSize)}
	p.numbers = make([]bool, len(t.columns))
	for i, c := range t.columns {
		p.numbers[i] = r.edit.Number != nil && r.edit.Numbers(t.name, c)
		p.some = p.some || p.numbers[i]
	}
	p.record.pages = p
	return p
}

// run rewrites leaves that are neighbours in the file.
func (p *pages) run(list []uint32) error {
	size := p.r.f.PageSize
	if len(p.buf) < len(list)*size {
		p.buf = make([]byte, len(list)*size)
	}
	b := p.buf[:len(list)*size]
	if err := p.r.f.readPages(b, list[0]); err != nil {
		return err
	}
	for i, n := range list {
		page := b[i*size : (i+1)*size]
		if typ := page[0]; typ != pageTableLeaf && typ != pageIndexLeaf {
			return p.r.f.corrupt(p.r.f.offset(n), "a leaf of a b-tree", "type %d on page %d", typ, n)
		}
		now, err := p.make(page, n)
		if err != nil {
			return err
		}
		copy(page, now)
	}
	return p.r.write(b, list[0])
}

// page rewrites a page.
func (p *pages) page(b []byte, n uint32) error {
	now, err := p.make(b, n)
	if err != nil {
		return err
	}
	if n == 1 {
		p.r.first = append([]byte(nil), now...)
	}
	return p.r.write(now, n)
}

// make returns the page as it is to be written: b itself, or p.out.
func (p *pages) make(b []byte, n uint32) ([]byte, error) {
	f := p.r.f
	at, head := 0, 8
	if n == 1 {
		at = headerSize
	}
	h := b[at:]
	typ := h[0]
	if typ == pageTableInterior || typ == pageIndexInterior {
		head = 12
	}
	cells := int(binary.BigEndian.Uint16(h[3:]))
	content := int(binary.BigEndian.Uint16(h[5:]))
	if content == 0 {
		content = 65536
	}
	pointers := at + head + 2*cells
	if pointers > f.usable || content > f.usable || content < pointers {
		return nil, f.corrupt(f.offset(n)+int64(at), "a page whose cells fit it", "%d cells from byte %d", cells, content)
	}
	p.cells, p.offsets, p.new = p.cells[:0], p.offsets[:0], p.new[:0]
	changed, total := false, 0
	for i := range cells {
		off := int(binary.BigEndian.Uint16(h[head+2*i:]))
		if off < content || off >= f.usable {
			return nil, f.corrupt(f.offset(n), "a cell within its page", "one at %d", off)
		}
		size, now, err := p.cell(b[:f.usable], off, typ, n)
		if err != nil {
			return nil, err
		}
		if total += size; total > f.usable {
			return nil, f.corrupt(f.offset(n), "cells that lie beside each other", "cells on page %d that overlap", n)
		}
		if now != nil {
			changed = true
		} else {
			now = b[off : off+size]
		}
		p.cells = append(p.cells, now)
	}
	if !changed && h[1] == 0 && h[2] == 0 && h[7] == 0 && total == f.usable-content {
		clear(b[pointers:content])
		clear(b[f.usable:])
		return b, nil
	}
	return p.lay(b, at, head), nil
}

// lay makes a page of the cells, without gaps between them.
func (p *pages) lay(b []byte, at, head int) []byte {
	f, out := p.r.f, p.out
	clear(out)
	copy(out, b[:at+head])
	h := out[at:]
	h[1], h[2], h[7] = 0, 0, 0 // no free blocks, no fragments
	end := f.usable
	for i, c := range p.cells {
		end -= max(len(c), 4)
		copy(out[end:], c)
		binary.BigEndian.PutUint16(h[head+2*i:], uint16(end))
	}
	binary.BigEndian.PutUint16(h[5:], uint16(end)) // 65536 is written as 0
	return out
}

// cell reads the cell at an offset of a page: how many bytes of the page it takes,
// and, where a text of it is edited, the cell that takes its place.
func (p *pages) cell(page []byte, off int, typ byte, n uint32) (size int, now []byte, err error) {
	f, at := p.r.f, off
	bad := func(want string) (int, []byte, error) {
		return 0, nil, f.corrupt(f.offset(n)+int64(off), want, "the end of the page")
	}
	if typ == pageTableInterior || typ == pageIndexInterior {
		if at += 4; at > len(page) {
			return bad("the number of a child page")
		}
	}
	var rowid uint64
	var length int
	if typ != pageTableInterior {
		l, k := varint(page, at)
		if k == 0 || l > uint64(f.size) {
			return bad("the length of a row")
		}
		length, at = int(l), at+k
	}
	if typ == pageTableInterior || typ == pageTableLeaf {
		k := 0
		if rowid, k = varint(page, at); k == 0 {
			return bad("a rowid")
		}
		at += k
	}
	if typ == pageTableInterior {
		return max(4, at-off), nil, nil
	}
	local := f.local(length)
	if typ != pageTableLeaf {
		local = f.localIndex(length)
	}
	end := at + local
	if local < length {
		end += 4
	}
	if end > len(page) {
		return bad("a row within its page")
	}
	size = max(4, end-off)
	if off+size > len(page) {
		return bad("a row within its page")
	}
	if local < length {
		now, err = p.spilled(page, off, at, local, length, int64(rowid), n)
		return size, now, err
	}
	fixed := typ != pageTableLeaf
	payload, ok := p.record.edit(page[at:end], int64(rowid), fixed)
	if !ok {
		return 0, nil, f.corrupt(f.offset(n)+int64(at), "a record", "one whose cells do not fit it")
	}
	if payload == nil {
		return size, nil, nil
	}
	start := len(p.new)
	p.new = append(p.new, page[off:off+boolInt(typ == pageIndexInterior)*4]...)
	var v [9]byte
	p.new = append(p.new, v[:putVarint(v[:], uint64(len(payload)))]...)
	if typ == pageTableLeaf {
		p.new = append(p.new, v[:putVarint(v[:], rowid)]...)
	}
	p.new = append(p.new, payload...)
	for len(p.new)-start < 4 {
		p.new = append(p.new, 0)
	}
	return size, p.new[start:len(p.new):len(p.new)], nil
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// localIndex is File.local for entries of indexes.
func (f *File) localIndex(size int) int {
	u := f.usable
	most, least := (u-12)*64/255-23, (u-12)*32/255-23
	if size <= most {
		return size
	}
	if k := least + (size-least)%(u-4); k <= most {
		return k
	}
	return least
}

// spilled rewrites a row that goes on in overflow pages, in its length.
func (p *pages) spilled(page []byte, off, at, local, length int, rowid int64, n uint32) ([]byte, error) {
	f := p.r.f
	p.payload, p.chain = append(p.payload[:0], page[at:at+local]...), p.chain[:0]
	next := binary.BigEndian.Uint32(page[at+local:])
	for len(p.payload) < length {
		if !p.r.claim(next) {
			return nil, f.corrupt(f.offset(n)+int64(at), "an overflow page of its own", "page %d", next)
		}
		if err := f.readPages(p.link, next); err != nil {
			return nil, err
		}
		p.chain = append(p.chain, next)
		p.payload = append(p.payload, p.link[4:min(f.usable, 4+length-len(p.payload))]...)
		next = binary.BigEndian.Uint32(p.link)
	}
	payload, ok := p.record.edit(p.payload, rowid, true)
	if !ok {
		return nil, f.corrupt(f.offset(n)+int64(at), "a record", "one whose cells do not fit it")
	}
	changed := payload != nil
	if !changed {
		payload = p.payload
	}
	rest := payload[local:]
	for i, c := range p.chain {
		clear(p.link)
		if i+1 < len(p.chain) {
			binary.BigEndian.PutUint32(p.link, p.chain[i+1])
		}
		k := copy(p.link[4:f.usable], rest)
		rest = rest[k:]
		if err := p.r.write(p.link, c); err != nil {
			return nil, err
		}
	}
	if !changed {
		return nil, nil
	}
	start := len(p.new)
	p.new = append(append(append(p.new, page[off:at]...), payload[:local]...), page[at+local:at+local+4]...)
	return p.new[start:len(p.new):len(p.new)], nil
}
