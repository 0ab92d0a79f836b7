package nsysdb

import (
	"encoding/binary"
	"math"
)

// A plan says where in a record the wanted cells lie. It is made from the
// header of a record and serves for all records whose header is the same up to
// the last column wanted: in a table of events there are few kinds.
type plan struct {
	head   []byte // the part of the header that the plan was made from
	fields []field
	slot   []int // which field a column of the record is, or -1
	need   int   // bytes of payload that the fields reach to
	plain  bool  // every field is an integer wanted as integer
}

// newPlan makes an empty plan for what is wanted.
func newPlan(wants []want) plan {
	p := plan{fields: make([]field, len(wants))}
	for i, w := range wants {
		if w.index < 0 {
			continue // the rowid is not in the record
		}
		for len(p.slot) <= w.index {
			p.slot = append(p.slot, -1)
		}
		p.slot[w.index] = i
	}
	return p
}

// A field is a wanted cell.
type field struct {
	off   int32
	size  int32
	n     int64 // modeConstant
	mode  mode
	shift uint8 // modeInteger: 64 less its bits
}

type mode uint8

const (
	modeInteger  mode = iota // a big-endian integer of field.size bytes
	modeConstant             // field.n
	modeRowid                // the last that is plain
	modeNull
	modeDefault // the default of the column: the record ends before it
	modeReal
	modeText
	modeBlob
)

// errRecord is what a malformed record header yields; the caller knows where.
type errRecord string

func (e errRecord) Error() string { return string(e) }

// parse makes the plan for a record. The header lies at the start of payload.
func (p *plan) parse(payload []byte, wants []want) error {
	p.head = p.head[:0]
	hl, n := varint(payload, 0)
	if n == 0 || hl > uint64(len(payload)) || hl < uint64(n) {
		return errRecord("a record header that does not fit")
	}
	head := payload[:hl]
	for i := range p.fields {
		p.fields[i] = field{mode: modeDefault}
	}
	off := int(hl)
	p.need = off
	for _, i := range p.slot { // nothing further is wanted
		if n >= len(head) {
			break
		}
		typ, size := uint64(head[n]), 0
		if typ < 10 { // nearly always
			n, size = n+1, int(numberSize[typ])
		} else {
			t, m := varint(head, n)
			if m == 0 {
				return errRecord("a record header cut off")
			}
			if t < 12 || t > math.MaxInt32 {
				return errRecord("a cell of a reserved type or of absurd size")
			}
			typ, n, size = t, n+m, int(t-12)/2
		}
		if i >= 0 {
			p.fields[i] = fieldOf(typ, off, size)
			p.need = max(p.need, off+size)
		}
		if off += size; off > math.MaxInt32 {
			return errRecord("cells of absurd size")
		}
	}
	p.plain = true
	for i := range wants {
		f := &p.fields[i]
		if wants[i].rowid && (f.mode == modeNull || f.mode == modeDefault) {
			f.mode = modeRowid
		}
		p.plain = p.plain && wants[i].form == FormInteger && !wants[i].real && f.mode <= modeRowid
	}
	p.head = append(p.head, head[:n]...)
	return nil
}

// numberSize is the size in bytes of the cells of the serial types of NULL and
// numbers. 10 and 11 are reserved for SQLite's own use; from 12 on a type tells a
// blob or text and its length.
var numberSize = [10]uint8{0, 1, 2, 3, 4, 6, 8, 8, 0, 0}

func fieldOf(typ uint64, off, size int) field {
	switch {
	case typ == 0:
		return field{mode: modeNull}
	case typ < 7:
		return field{mode: modeInteger, off: int32(off), size: int32(size), shift: uint8(64 - 8*size)}
	case typ == 7:
		return field{mode: modeReal, off: int32(off), size: int32(size)}
	case typ < 10:
		return field{mode: modeConstant, n: int64(typ - 8)}
	case typ%2 == 0:
		return field{mode: modeBlob, off: int32(off), size: int32(size)}
	}
	return field{mode: modeText, off: int32(off), size: int32(size)}
}

// record decodes a row. wide is payload with whatever follows it on the page,
// so that eight bytes can be loaded for an integer of fewer.
func (d *decoder) record(payload, wide []byte, rowid, at int64) error {
	p := d.plan
	if !p.serves(payload) {
		var err error
		if p, err = d.choose(payload); err != nil {
			return d.file.corrupt(at, "a record", "%v", err)
		}
	}
	if p.need > len(payload) {
		return d.file.corrupt(at, "the cells that the record's header tells of", "%d bytes, %d expected", len(payload), p.need)
	}
	return d.fill(payload, wide, rowid, at)
}

// serves reports whether the plan was made from a header like that of a record.
func (p *plan) serves(payload []byte) bool {
	n := len(p.head)
	return n > 0 && len(payload) >= n && string(payload[:n]) == string(p.head)
}

// choose finds the plan for a record among the last few, or makes it.
func (d *decoder) choose(payload []byte) (*plan, error) {
	for i := range d.plans {
		if d.plans[i].serves(payload) {
			d.plan = &d.plans[i]
			return d.plan, nil
		}
	}
	d.plan = &d.plans[d.oldest]
	d.oldest = (d.oldest + 1) % len(d.plans)
	return d.plan, d.plan.parse(payload, d.wants)
}

func (d *decoder) fill(payload, wide []byte, rowid, at int64) error {
	if d.plan.plain {
		d.fillPlain(payload, wide, rowid)
		return nil
	}
	for i := range d.plan.fields {
		f, v := &d.plan.fields[i], &d.block.Columns[i]
		var c Cell
		switch f.mode {
		case modeNull:
		case modeConstant:
			c = Cell{Class: ClassInteger, Int: f.n}
		case modeDefault:
			c = d.wants[i].def
		case modeInteger:
			c = Cell{Class: ClassInteger, Int: integer(payload[f.off : f.off+f.size])}
		case modeRowid:
			c = Cell{Class: ClassInteger, Int: rowid}
		case modeReal:
			c = Cell{Class: ClassReal, Real: math.Float64frombits(binary.BigEndian.Uint64(payload[f.off:]))}
		case modeText:
			c = Cell{Class: ClassText, Bytes: payload[f.off : f.off+f.size]}
		case modeBlob:
			c = Cell{Class: ClassBlob, Bytes: payload[f.off : f.off+f.size]}
		}
		if d.wants[i].real && c.Class == ClassInteger {
			c = Cell{Class: ClassReal, Real: float64(c.Int)}
		}
		v.add(c, d.block.Rows)
	}
	return nil
}

// fillPlain is the path that nearly all rows of event tables take: integers
// only. Room was made by reserve.
func (d *decoder) fillPlain(payload, wide []byte, rowid int64) {
	row := d.block.Rows
	for i := range d.plan.fields {
		f, v := &d.plan.fields[i], &d.block.Columns[i]
		var n int64
		switch f.mode {
		case modeInteger:
			if int(f.off)+8 <= len(wide) {
				n = int64(binary.BigEndian.Uint64(wide[f.off:])) >> f.shift
			} else {
				n = integer(payload[f.off : f.off+f.size])
			}
		case modeConstant:
			n = f.n
		case modeRowid:
			n = rowid
		}
		if v.Null != nil {
			v.Null = append(v.Null, false)
		}
		v.Ints = v.Ints[:row+1]
		v.Ints[row] = n
	}
}

// integer reads a big-endian two's complement integer of 1 to 8 bytes.
func integer(b []byte) int64 {
	n := int64(int8(b[0]))
	for _, c := range b[1:] {
		n = n<<8 | int64(c)
	}
	return n
}
