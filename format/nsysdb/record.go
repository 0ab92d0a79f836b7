package nsysdb

import (
	"encoding/binary"
	"math"
)

// A record is a header, one varint for each cell that tells its type and with it
// its size, then the cells. It is walked once: the header yields where each cell
// lies, and the wanted ones are stored as they are met. Remembering where the
// cells of the last record lay does not pay, as the size of a number depends on
// its value and few records in a row are alike.

// A lane is where the integers of a column go while a leaf is decoded: the part
// of the column's vector that was made long enough for all rows of the leaf.
type lane struct {
	ints []int64
	null []bool // nil as long as no cell was NULL
	want int32  // which column asked for, or -1: nobody wants the cell
	slow bool   // not wanted as integer: the cell goes through Vector.add
	key  bool   // NULL stands for the rowid
}

// defect is what a malformed record yields; the caller knows where. shortRecord
// is the one of a record of which further bytes may lie elsewhere.
type defect string

func (e defect) Error() string { return string(e) }

const shortRecord defect = "cells beyond the end of the record"

// What a serial type says of a cell: 0 is NULL, 1 to 6 an integer of so many
// bytes, 7 a double, 8 and 9 the numbers 0 and 1. 10 and 11 are reserved for
// SQLite's own use; from 12 on a type tells a blob or text and its length.
//
// An integer is loaded as eight bytes, shifted down to its own and kept by the
// mask; the numbers 0 and 1 are added in the end.
var (
	cellSize  = [10]uint8{0, 1, 2, 3, 4, 6, 8, 8, 0, 0}
	cellShift = [10]uint8{0, 56, 48, 40, 32, 16, 0, 0, 0, 0}
	cellMask  = [10]int64{0, -1, -1, -1, -1, -1, -1, 0, 0, 0}
	cellPlus  = [10]int64{9: 1}
)

// walk stores the wanted cells of a record. payload is followed in wide by at
// least eight bytes of anything, so that integers of fewer can be loaded at once.
func (d *decoder) walk(payload, wide []byte, rowid int64) error {
	hl, n := varint(payload, 0)
	if n == 0 || hl > uint64(len(payload)) || hl < uint64(n) {
		if hl > uint64(len(payload)) {
			return shortRecord
		}
		return defect("a record header that does not fit")
	}
	head, off, row, lanes := payload[n:hl], int(hl), d.row, d.lanes
	for len(head) > 0 && len(lanes) > 0 {
		l := &lanes[0]
		typ := head[0]
		if typ >= 10 || typ == 7 || l.slow {
			size, used, err := d.other(l, payload, head, off, rowid)
			if err != nil {
				return err
			}
			head, lanes, off = head[used:], lanes[1:], off+size
			continue
		}
		head, lanes = head[1:], lanes[1:]
		if l.want >= 0 {
			if off+8 > len(wide) {
				return shortRecord
			}
			if typ == 0 {
				d.null(l, row, rowid)
			} else {
				v := int64(binary.BigEndian.Uint64(wide[off:])) >> (cellShift[typ] & 63)
				l.ints[row] = v&cellMask[typ] + cellPlus[typ]
			}
		}
		off += int(cellSize[typ])
	}
	if off > len(payload) {
		return shortRecord
	}
	for i := range lanes { // the record ends before these columns
		if l := &lanes[i]; l.want >= 0 {
			d.store(l, d.wants[l.want].def, rowid)
		}
	}
	for _, l := range d.rowids {
		d.store(l, cell{Class: classInteger, Int: rowid}, rowid)
	}
	return nil
}

// null stores NULL in a lane, or the rowid for which it stands.
func (d *decoder) null(l *lane, row int, rowid int64) {
	if l.key {
		l.ints[row] = rowid
		return
	}
	if l.null == nil {
		v := &d.block.Columns[l.want]
		if cap(v.spare) < cap(v.Ints) {
			v.spare = make([]bool, cap(v.Ints))
		}
		v.Null = v.spare[:row]
		clear(v.Null)
		l.null = v.spare[:len(l.ints)]
		clear(l.null[row:])
	}
	l.null[row], l.ints[row] = true, 0
}

// other stores a cell that is no plain integer, or not wanted as one, and tells
// its size and that of its type.
func (d *decoder) other(l *lane, payload, head []byte, off int, rowid int64) (size, used int, err error) {
	typ, used := varint(head, 0)
	if used == 0 {
		return 0, 0, defect("a record header cut off")
	}
	if typ < 10 {
		size = int(cellSize[typ])
	} else {
		if typ < 12 || typ > math.MaxInt32 {
			return 0, 0, defect("a cell of a reserved type or of absurd size")
		}
		size = int(typ-12) / 2
	}
	if l.want < 0 {
		return size, used, nil
	}
	if off+size > len(payload) {
		return 0, 0, shortRecord
	}
	d.store(l, cellOf(typ, payload[off:off+size]), rowid)
	return size, used, nil
}

func cellOf(typ uint64, b []byte) cell {
	switch {
	case typ == 0:
		return cell{}
	case typ < 7:
		return cell{Class: classInteger, Int: integer(b)}
	case typ == 7:
		return cell{Class: classReal, Real: math.Float64frombits(binary.BigEndian.Uint64(b))}
	case typ < 10:
		return cell{Class: classInteger, Int: int64(typ - 8)}
	case typ%2 == 0:
		return cell{Class: classBlob, Bytes: b}
	}
	return cell{Class: classText, Bytes: b}
}

// store puts a cell of any class into the column of a lane.
func (d *decoder) store(l *lane, c cell, rowid int64) {
	if c.Class == classNull && l.key {
		c = cell{Class: classInteger, Int: rowid}
	}
	switch {
	case l.slow:
		if d.wants[l.want].real && c.Class == classInteger {
			c = cell{Class: classReal, Real: float64(c.Int)}
		}
		d.block.Columns[l.want].add(c, d.row)
	case c.Class == classNull:
		d.null(l, d.row, rowid)
	default:
		l.ints[d.row] = c.integer()
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
