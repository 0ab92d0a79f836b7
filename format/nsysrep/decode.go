package nsysrep

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// A reader is what a worker of a scan keeps from frame to frame.
type reader struct {
	walker walker
	out    walked
	known  page
}

// page returns frame i unpacked, with its events.
func (x *Index) page(r *reader, i int) *page {
	p := x.frames[i].page
	if p != nil && p.msg != nil {
		return p
	}
	w := &r.walker
	if p == nil {
		r.out = walked{unknown: r.out.unknown, domains: r.out.domains[:0]}
		if r.out.unknown == nil {
			r.out.unknown = map[Unknown]int{}
		}
		x.file.index(x.file.Frames[i], &w.page, w, &r.out) // its defects were told by Index
		return &w.page
	}
	buf := w.page.msg[:0]
	msg, err := x.file.unpack(x.file.Frames[i], &w.packed, &buf)
	if err != nil { // or the file changed
		return &page{}
	}
	w.page.msg = msg
	r.known = page{msg: msg, start: p.start, at: p.at}
	return &r.known
}

// read decodes what is wanted of frame i into b, which may have been used.
func (x *Index) read(r *reader, i int, want Want, b *Batch) {
	fi := &x.frames[i]
	p := x.page(r, i)
	c := fi.count[want.Kind]
	lay := layouts[want.Kind]
	d := decoder{b: b, kind: want.Kind}
	if want.Stacks {
		b.reset(int(c.frames), want.Columns&(stackLayout.columns|1<<stackOwner|1<<stackDepth|1<<stackEvent))
		for n, e := range p.events(want.Kind) {
			if d.row >= b.N || int(e.at+e.size) > len(p.msg) { // the file changed below us
				break
			}
			d.stack(p.msg[e.at:e.at+e.size], lay.stack, int64(n))
		}
	} else {
		b.reset(int(c.events), want.Columns&lay.columns)
		b.stack = lay.stack
		for _, e := range p.events(want.Kind) {
			if d.row >= b.N || int(e.at+e.size) > len(p.msg) {
				break
			}
			d.event(p.msg[e.at:e.at+e.size], lay)
			d.row++
		}
	}
	b.all = ^uint64(0)
	for _, h := range b.has {
		b.all &= h
	}
}

// reset makes room for n rows of zeros.
func (b *Batch) reset(n int, columns uint64) {
	b.N, b.stack, b.texts, b.ends = n, 0, b.texts[:0], b.ends[:0]
	clear(b.unknown)
	b.has = zeros(b.has, n)
	for c := range b.columns {
		if columns>>c&1 == 0 {
			b.columns[c] = nil
			continue
		}
		b.columns[c] = zeros(b.columns[c], n)
	}
}

func zeros[T int64 | uint64](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// A decoder puts events into the rows of a batch.
type decoder struct {
	b      *Batch
	kind   Kind
	row    int
	owners int64 // stacks met so far
}

func (d *decoder) event(msg []byte, lay *layout) {
	d.b.has[d.row] |= d.fields(msg, lay)
}

// stack puts the frames of an event's stack into rows.
func (d *decoder) stack(msg []byte, number uint8, event int64) {
	depth := int64(0)
	for i := 0; i < len(msg) && d.row < d.b.N; {
		num, _, sub, n := field(msg[i:])
		if n == 0 {
			break
		}
		if i += n; num != int(number) || sub == nil {
			continue
		}
		d.b.has[d.row] = d.fields(sub, stackLayout)
		d.b.put(stackOwner, d.row, d.owners)
		d.b.put(stackDepth, d.row, depth)
		d.b.put(stackEvent, d.row, event)
		d.b.has[d.row] |= 1<<stackOwner | 1<<stackDepth | 1<<stackEvent
		depth++
		d.row++
	}
	if depth > 0 {
		d.owners++
	}
}

func (b *Batch) put(column, row int, v int64) {
	if c := b.columns[column]; row < len(c) {
		c[row] = v
	}
}

// fields puts the fields of a message into the row and returns which columns it
// has. It stops where the message is malformed.
func (d *decoder) fields(b []byte, lay *layout) (has uint64) {
	for i := 0; i < len(b); {
		tag, n := uint64(b[i]), 1
		if tag >= 0x80 { // numbers from 16 on
			if tag, n = longUvarint(b[i:]); n == 0 {
				break
			}
		}
		i += n
		var v uint64
		slot := uint8(fieldUnknown)
		if tag>>3 <= lastField {
			slot = lay.slot[tag>>3]
		}
		switch cursor.Wire(tag & 7) {
		case cursor.Varint:
			if i < len(b) && b[i] < 0x80 {
				v, n = uint64(b[i]), 1
			} else if v, n = longUvarint(b[i:]); n == 0 {
				return has
			}
		case cursor.Len:
			size, k := uvarint(b[i:])
			if k == 0 || size > uint64(len(b)-i-k) {
				return has
			}
			i += k + int(size)
			if slot == fieldStack {
				has |= 1 << lay.stack
			} else {
				has |= d.message(b[i-int(size):i], slot, int(tag>>3), lay)
			}
			continue
		case cursor.Fixed64:
			if n = 8; len(b)-i < n {
				return has
			}
			v = binary.LittleEndian.Uint64(b[i:])
		case cursor.Fixed32:
			if n = 4; len(b)-i < n {
				return has
			}
			v = uint64(binary.LittleEndian.Uint32(b[i:]))
		default:
			return has
		}
		i += n
		if slot-1 < maxColumns-1 && lay.text>>slot&1 == 0 {
			d.b.put(int(slot), d.row, int64(v))
			has |= 1 << slot
		} else if slot == fieldUnknown {
			d.unknown(int(tag>>3), lay)
		}
	}
	return has
}

// message takes a text or a message in a field.
func (d *decoder) message(sub []byte, slot uint8, number int, lay *layout) (has uint64) {
	switch {
	case slot == fieldInside:
		return d.fields(sub, lay.inside[number])
	case slot-1 < maxColumns-1 && lay.text>>slot&1 != 0:
		if d.b.columns[slot] != nil && len(d.b.texts)+len(sub) <= math.MaxInt32 {
			d.b.put(int(slot), d.row, int64(len(d.b.ends)))
			d.b.texts = append(d.b.texts, sub...)
			d.b.ends = append(d.b.ends, int32(len(d.b.texts)))
		}
		return 1 << slot
	case slot == fieldUnknown:
		d.unknown(number, lay)
	}
	return 0
}

// unknown counts a field of a message inside an event; those of events themselves
// were counted by the index.
func (d *decoder) unknown(number int, lay *layout) {
	if lay == layouts[d.kind] {
		return
	}
	if d.b.unknown == nil {
		d.b.unknown = map[Unknown]int{}
	}
	d.b.unknown[Unknown{Kind: d.kind, Inside: true, Field: number}]++
}

// note adds to what is not known.
func (x *Index) note(unknown map[Unknown]int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for k, n := range unknown {
		x.Unknown[k] += n
	}
}

// String tells what it is that is not known.
func (u Unknown) String() string {
	switch {
	case u.Inside:
		return fmt.Sprintf("field %d of a message in events of kind %d", u.Field, u.Kind)
	case u.Class != 0:
		return fmt.Sprintf("calls of class %d (type %d)", u.Class, u.Type)
	case u.Field == 0:
		return fmt.Sprintf("events of type %d (field %d)", u.Type, u.Family)
	}
	return fmt.Sprintf("field %d of events of type %d (field %d)", u.Field, u.Type, u.Family)
}
