package ncurep

import (
	"encoding/binary"
	"math"
	"reflect"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// wireValue is a field's value before it has a type.
type wireValue struct {
	u  uint64 // varint, fixed32, fixed64
	b  []byte // length-delimited
	at int64  // file offset of b
}

// maxDepth bounds nested messages. The deepest that the tool writes is about 10
// (section, body, item, container, item, chart, value, metric, option, filter).
const maxDepth = 40

// decoder decodes messages of one file entry.
type decoder struct {
	file     string
	text     string // copy of the entry; strings are cut from it
	textBase int64  // file offset of text
	depth    int
	budget   int // bytes that messages may still take
	problems Problems
}

// budgetFor is what the messages decoded from n bytes may take. It keeps a
// hostile entry of empty messages (two bytes each) from taking a hundred times
// its size; the largest factor in real entries of some size is 4.1.
func budgetFor(n int64) int { return int(64<<10 + 16*n) }

// newDecoder prepares for the message b at file offset base.
func newDecoder(file string, base int64, b []byte) *decoder {
	return &decoder{file: file, text: string(b), textBase: base, budget: budgetFor(int64(len(b)))}
}

func (d *decoder) str(v wireValue) string {
	if i := v.at - d.textBase; i >= 0 && i+int64(len(v.b)) <= int64(len(d.text)) {
		return d.text[i : i+int64(len(v.b))]
	}
	return string(v.b)
}

// readMessage decodes b, which lies at file offset base, into m. What precedes
// a defect is kept, the defect goes to d.problems.
func readMessage[M any](d *decoder, base int64, b []byte, m *M) {
	Describe[M]().read(d, base, b, reflect.ValueOf(m).Elem())
}

// newMessage decodes v into a fresh message, charged to the budget.
func newMessage[M any](d *decoder, v wireValue) *M {
	m := new(M)
	Describe[M]().merge(d, v, reflect.ValueOf(m).Elem())
	return m
}

// appendMessage appends the encoding of m without length or tag.
func appendMessage[M any](b []byte, m *M) []byte {
	return Describe[M]().append(b, reflect.ValueOf(m).Elem())
}

// read decodes b, which lies at file offset base, into the struct m.
func (t *Message) read(d *decoder, base int64, b []byte, m reflect.Value) {
	if d.depth >= maxDepth {
		d.problems.add(&formatError{File: d.file, Offset: base, Want: "messages nested at most 40 deep", Found: "a deeper one", Err: cursor.ErrCorrupt})
		return
	}
	if d.budget < 0 {
		return // reported where it ran out
	}
	d.depth++
	defer func() { d.depth-- }()
	c := cursor.New(d.file, base, b)
	for {
		start := c.Pos()
		num, wire, ok := c.Field()
		if !ok {
			break
		}
		v := readValue(&c, wire)
		if c.Err() != nil {
			break
		}
		t.apply(d, num, wire, v, b[start:c.Pos()], m)
	}
	if err := c.Err(); err != nil {
		d.problems.add(err)
	}
}

// apply stores one field. A known number with a foreign wire type is kept as
// unknown rather than guessed at.
func (t *Message) apply(d *decoder, num int, wire cursor.Wire, v wireValue, raw []byte, m reflect.Value) {
	f := t.find(num)
	switch {
	case f != nil && f.wire == wire:
		f.read(d, v, m.Field(f.at))
	case f != nil && f.wire == cursor.Varint && f.repeated && wire == cursor.Len: // packed
		p := cursor.New(d.file, v.at, v.b)
		for p.More() {
			if u := p.Uvarint(); p.Err() == nil {
				f.read(d, wireValue{u: u}, m.Field(f.at))
			}
		}
		if err := p.Err(); err != nil {
			d.problems.add(err)
		}
	case t.unknown >= 0:
		u := m.Field(t.unknown)
		u.SetBytes(append(u.Bytes(), raw...))
	}
}

// merge decodes v into m, charged to the budget.
func (t *Message) merge(d *decoder, v wireValue, m reflect.Value) {
	if before := d.budget; before >= 0 {
		if d.budget -= int(t.typ.Size()) + 8; d.budget < 0 {
			d.problems.add(&formatError{File: d.file, Offset: v.at, Want: "messages that carry something", Found: "a flood of near-empty ones", Err: cursor.ErrCorrupt})
		}
	}
	t.read(d, v.at, v.b, m)
}

// append appends the fields of the struct m, then what is unknown.
func (t *Message) append(b []byte, m reflect.Value) []byte {
	for i := range t.fields {
		b = t.fields[i].append(b, m.Field(t.fields[i].at))
	}
	if t.unknown >= 0 {
		b = append(b, m.Field(t.unknown).Bytes()...)
	}
	return b
}

func readValue(c *cursor.Cursor, wire cursor.Wire) (v wireValue) {
	switch wire {
	case cursor.Varint:
		v.u = c.Uvarint()
	case cursor.Fixed64:
		v.u = c.Fixed64()
	case cursor.Fixed32:
		v.u = uint64(c.Fixed32())
	default:
		v.b = c.LenBytes()
		v.at = c.Offset() - int64(len(v.b))
	}
	return v
}

func appendTag(b []byte, num int, wire cursor.Wire) []byte {
	return binary.AppendUvarint(b, uint64(num)<<3|uint64(wire))
}

// appendLen appends tag, length and what body appends.
func appendLen(b []byte, num int, body func(b []byte) []byte) []byte {
	b = appendTag(b, num, cursor.Len)
	start := len(b)
	b = body(b)
	n := len(b) - start
	var l [binary.MaxVarintLen64]byte
	k := binary.PutUvarint(l[:], uint64(n))
	b = append(b, l[:k]...)
	copy(b[start+k:], b[start:start+n])
	copy(b[start:], l[:k])
	return b
}

func appendString(b []byte, num int, s string) []byte {
	b = appendTag(b, num, cursor.Len)
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

func appendUint(b []byte, num int, u uint64) []byte {
	return binary.AppendUvarint(appendTag(b, num, cursor.Varint), u)
}

func appendDouble(b []byte, num int, f float64) []byte {
	return binary.LittleEndian.AppendUint64(appendTag(b, num, cursor.Fixed64), math.Float64bits(f))
}

func appendFloat(b []byte, num int, f float32) []byte {
	return binary.LittleEndian.AppendUint32(appendTag(b, num, cursor.Fixed32), math.Float32bits(f))
}
