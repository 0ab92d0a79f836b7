package nsysrep

import (
	"encoding/binary"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// event finds out the kind of the event at msg[at:at+size]; one that is malformed
// or not known counts as unknown.
func (w *walker) event(msg []byte, at, size int, out *walked) {
	typ, family := 0, 0
	var pay payload
	b := msg[at : at+size]
	for i := 0; i < len(b); {
		tag, n := uvarint(b[i:])
		v, k := uvarint(b[i+n:])
		switch {
		case n == 0:
			family, i = -1, len(b)
		case tag&7 == uint64(cursor.Varint) && k > 0:
			if tag>>3 == 1 {
				typ = int(v)
			}
			i += n + k
		case tag&7 == uint64(cursor.Len) && k > 0 && v <= uint64(len(b)-i-n-k):
			family, pay = int(tag>>3), payload{uint32(at + i + n + k), uint32(v)}
			i += n + k + int(v)
		default:
			if n = fieldSize(b[i:]); n == 0 {
				family, n = -1, len(b)
			}
			i += n
		}
	}
	c := classified{typ: typ, family: family, out: out}
	kind, ok := Kind(0), false
	if family > 0 {
		kind, ok = c.kind(msg[pay.at : pay.at+pay.size])
	}
	if !ok {
		out.unknown[Unknown{Type: typ, Family: max(family, 0), Class: c.class}]++
		return
	}
	n := &out.count[kind]
	n.events++
	if c.frames > 0 {
		if n.frames+c.frames > maxStack {
			c.frames = 0 // hostile: its stack is left out
			pay.size = uint32(c.stackAt)
			out.unknown[Unknown{Type: typ, Family: family, Field: int(layouts[kind].stack)}]++
		} else {
			n.stacks++
			n.frames += c.frames
		}
	}
	w.kinds, w.order = append(w.kinds, kind), append(w.order, pay)
}

// classified is what tells the kind of an event.
type classified struct {
	typ, family int
	class       int // of a call that is not known
	frames      int32
	stackAt     int // where the first frame of the stack begins
	out         *walked
}

// families are the layouts of what lies in the fields that hold events, to learn
// which fields of theirs are known.
var families = [lastField + 1]*layout{
	102: layouts[NVTX], 104: layouts[Sample], 106: layouts[Sched], 108: layouts[OtherCall], 109: layouts[Mmap], 110: layouts[Diagnostic], 113: layouts[Process], 123: layouts[MemoryUsage],
	107: fields(0, upTo(9)...).skip(101, 102, 103, 105, 106, 107),
}

// kind tells the kind of an event from its payload.
func (c *classified) kind(b []byte) (Kind, bool) {
	if c.family > lastField || families[c.family] == nil {
		return 0, false
	}
	lay := families[c.family]
	var class uint64
	var detail, name int
	var inside, text []byte
	var domain [2]int64
	for i := 0; i < len(b); {
		num, v, sub, n := field(b[i:])
		if n == 0 {
			return 0, false
		}
		if num > lastField || lay.slot[num] == fieldUnknown {
			c.out.unknown[Unknown{Type: c.typ, Family: c.family, Field: num}]++
			i += n
			continue
		}
		switch c.family {
		case 102:
			switch num {
			case 7:
				text = sub
			case 9:
				domain[0] = int64(v)
			case 13:
				domain[1] = int64(v)
			}
		case 104:
			c.frame(num == 4 && sub != nil, i)
		case 107:
			if num > 100 && sub != nil {
				detail = num
			}
		case 108:
			if c.frame(num == 15 && sub != nil, i); num == 6 {
				class = v
			} else if num == 25 {
				detail, inside = num, sub
			}
		case 113:
			if num == 5 || num == 6 {
				name = num
			}
		}
		i += n
	}
	switch c.family {
	case 102:
		if c.typ == 75 && len(text) > 0 {
			c.out.domains = append(c.out.domains, Domain{domain[0], domain[1], string(text)})
		}
		return NVTX, true
	case 104:
		return Sample, true
	case 106:
		return Sched, true
	case 107:
		k := gpuKinds[min(detail, lastField)]
		return k, k != Kinds
	case 108:
		return c.call(class, detail, inside)
	case 109:
		return Mmap, true
	case 110:
		return Diagnostic, true
	case 123:
		return MemoryUsage, c.typ == 117
	}
	if name == 0 {
		return Nameless, true
	}
	return Process, true
}

// frame counts a frame of a stack.
func (c *classified) frame(is bool, at int) {
	if is {
		if c.frames == 0 {
			c.stackAt = at
		}
		c.frames++
	}
}

// call tells the kind of a call. Those of OpenACC differ by what the detail
// holds. Calls of a class that is not known are counted as such.
func (c *classified) call(class uint64, detail int, inside []byte) (Kind, bool) {
	kind := callKinds[min(class, lastField)]
	switch {
	case kind == Kinds:
		c.out.unknown[Unknown{Type: c.typ, Family: c.family, Class: int(class & 0xffffff)}]++
		return OtherCall, true
	case kind == OpenACCOther && detail == 25:
		for i := 0; i < len(inside); {
			num, _, _, n := field(inside[i:])
			if n == 0 {
				break
			}
			switch num {
			case 101:
				kind = OpenACCLaunch
			case 102:
				return OpenACCData, true
			}
			i += n
		}
	}
	return kind, true
}

// field reads a field: its number, its value or its bytes, and how long it is; 0
// if it is malformed.
func field(b []byte) (num int, v uint64, sub []byte, n int) {
	if len(b) < 2 {
		return 0, 0, nil, 0
	}
	tag, n := uint64(b[0]), 1
	if tag >= 0x80 {
		tag, n = longUvarint(b)
	} else if tag&7 == uint64(cursor.Varint) && b[1] < 0x80 && tag>>3 != 0 {
		return int(tag >> 3), uint64(b[1]), nil, 2 // most are like this
	}
	if n == 0 || tag>>3 == 0 || tag>>3 > 1<<29-1 {
		return 0, 0, nil, 0
	}
	num = int(tag >> 3)
	rest := b[n:]
	switch cursor.Wire(tag & 7) {
	case cursor.Varint:
		v, k := uvarint(rest)
		if k == 0 {
			return 0, 0, nil, 0
		}
		return num, v, nil, n + k
	case cursor.Fixed64:
		if len(rest) >= 8 {
			return num, binary.LittleEndian.Uint64(rest), nil, n + 8
		}
	case cursor.Fixed32:
		if len(rest) >= 4 {
			return num, uint64(binary.LittleEndian.Uint32(rest)), nil, n + 4
		}
	case cursor.Len:
		if size, k := uvarint(rest); k > 0 && size <= uint64(len(rest)-k) {
			return num, 0, rest[k : k+int(size) : k+int(size)], n + k + int(size)
		}
	}
	return 0, 0, nil, 0
}

func fieldSize(b []byte) int {
	_, _, _, n := field(b)
	return n
}

// uvarint reads a varint; n is 0 if it is malformed.
func uvarint(b []byte) (v uint64, n int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return longUvarint(b)
}

func longUvarint(b []byte) (v uint64, n int) {
	for i := 0; i < len(b) && i < 10; i++ {
		c := b[i]
		v |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			if i == 9 && c > 1 {
				return 0, 0
			}
			return v, i + 1
		}
	}
	return 0, 0
}
