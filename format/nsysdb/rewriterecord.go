package nsysdb

import (
	"bytes"
	"encoding/binary"
	"math"
)

// record edits records, one after the other.
type record struct {
	pages *pages
	text  CellText
	types []uint64 // of the cells
	at    []int    // where they lie
	now   [][]byte // what takes their place; nil: nothing
	out   []byte
	names map[string]string
}

// edit returns the record with texts and numbers edited, nil where none is; it is
// valid until the next call. Not ok: the record is malformed.
func (r *record) edit(payload []byte, rowid int64, fixed bool) (out []byte, ok bool) {
	hl, n := varint(payload, 0)
	if n == 0 || hl > uint64(len(payload)) || hl < uint64(n) {
		return nil, false
	}
	body, some := int(hl), r.pages.some
	for _, c := range payload[n:hl] { // a byte of a longer number is no less than 128
		if c >= 12 {
			some = true
			break
		}
		if c < 10 {
			body += int(cellSize[c])
		} else {
			return nil, false
		}
	}
	if !some {
		return nil, body <= len(payload)
	}
	return r.slow(payload, n, int(hl), rowid, fixed)
}

// slow is edit for records with texts.
func (r *record) slow(payload []byte, n, hl int, rowid int64, fixed bool) (out []byte, ok bool) {
	r.types, r.at, r.now = r.types[:0], r.at[:0], r.now[:0]
	off := hl
	for n < hl {
		typ, k := varint(payload[:hl], n)
		if k == 0 || typ == 10 || typ == 11 || typ > math.MaxInt32 {
			return nil, false
		}
		r.types, r.at, r.now = append(r.types, typ), append(r.at, off), append(r.now, nil)
		n += k
		if typ < 10 {
			off += int(cellSize[typ])
		} else {
			off += int(typ-12) / 2
		}
		if off > len(payload) {
			return nil, false
		}
	}
	changed := false
	for i, typ := range r.types {
		switch {
		case typ >= 12:
			changed = r.cell(payload, i, rowid, fixed) || changed
		case typ > 0 && typ < 7 && i < len(r.pages.numbers) && r.pages.numbers[i]:
			changed = r.number(payload, i) || changed
		}
	}
	if !changed {
		return nil, true
	}
	return r.build(payload), true
}

// cell edits the text or blob of a column.
func (r *record) cell(payload []byte, i int, rowid int64, fixed bool) bool {
	t, p := &r.text, r.pages
	old := r.bytes(payload, i)
	*t = CellText{Table: p.t.name, RowID: rowid, Bytes: old, Blob: r.types[i]%2 == 0, Fixed: fixed}
	if p.t.table != nil && i < len(p.t.columns) {
		t.Column = p.t.columns[i]
	}
	if k := p.t.key; i == p.t.value && k < len(r.types) && r.types[k] >= 12 {
		t.Name = r.name(r.bytes(payload, k))
	}
	now := p.r.edit.Text(t)
	if len(now) == len(old) && (len(now) == 0 || &now[0] == &old[0] || bytes.Equal(now, old)) {
		return false
	}
	if len(now) > len(old) || fixed && len(now) != len(old) {
		now = append(append([]byte(nil), now...), make([]byte, len(old))...)[:len(old)] // a mistake of the caller's: the place is kept
	}
	if r.now[i] = now; now == nil {
		r.now[i] = []byte{}
	}
	if p.t.table == nil || p.t.table.refused != nil {
		p.r.mu.Lock()
		p.r.touched[p.t.name] = true
		p.r.mu.Unlock()
	}
	return true
}

// name keeps names of rows, of which tables have few.
func (r *record) name(b []byte) string {
	if s, ok := r.names[string(b)]; ok {
		return s
	}
	if r.names == nil || len(r.names) > 1000 {
		r.names = map[string]string{}
	}
	s := string(b)
	r.names[s] = s
	return s
}

func (r *record) bytes(payload []byte, i int) []byte {
	n := int(r.types[i]-12) / 2
	return payload[r.at[i] : r.at[i]+n : r.at[i]+n]
}

// number edits an integer in the bytes that it has.
func (r *record) number(payload []byte, i int) bool {
	p, n := r.pages, int(cellSize[r.types[i]])
	old := integer(payload[r.at[i] : r.at[i]+n])
	v := p.r.edit.Number(p.t.name, p.t.columns[i], old)
	if v == old {
		return false
	}
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(v))
	r.now[i] = append([]byte(nil), b[8-n:]...)
	return true
}

// build makes the record with what takes the place of cells.
func (r *record) build(payload []byte) []byte {
	var v [9]byte
	head := 0
	for i, typ := range r.types {
		if r.now[i] != nil && typ >= 12 {
			r.types[i] = uint64(len(r.now[i]))*2 + 12 + typ%2
		}
		head += varintLen(r.types[i])
	}
	size := head + 1
	if size > 127 {
		size = head + varintLen(uint64(head+2))
	}
	out := append(r.out[:0], v[:putVarint(v[:], uint64(size))]...)
	for _, typ := range r.types {
		out = append(out, v[:putVarint(v[:], typ)]...)
	}
	for i, typ := range r.types {
		if r.now[i] != nil {
			out = append(out, r.now[i]...)
			continue
		}
		n := 0
		if typ >= 12 {
			n = int(typ-12) / 2
		} else {
			n = int(cellSize[typ])
		}
		out = append(out, payload[r.at[i]:r.at[i]+n]...)
	}
	r.out = out
	return out
}
