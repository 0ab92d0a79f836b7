package ncurep

import (
	"encoding/binary"
	"math"
	"reflect"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// The many small messages of a report (sections, rule results, NVTX states,
// session details) are declared, not coded: each struct has one table of fields
// that drives decoding and encoding alike, so the two cannot drift apart. The
// few large ones (metrics, block payloads) have decoders of their own.

// message is the pointer type of a struct with a field table. Tables reach each
// other through this method at run time, which lets a body item hold a
// container of body items.
type message[T any] interface {
	*T
	table() *table[T]
}

// field reads and writes one field number of a T.
type field[T any] struct {
	num  int
	wire cursor.Wire
	read func(d *decoder, v wireValue, m *T)
	// write appends tag and value, nothing if the field is absent.
	write func(b []byte, m *T) []byte
	// packable marks a repeated varint, which writers may also send as one
	// length-delimited run.
	packable bool
}

// table is the layout of one message: fields in ascending order of their
// numbers, which is the order that the profiler writes them in.
type table[T any] struct {
	fields  []field[T]
	index   [32]uint8 // field number to position+1, for small numbers
	size    int       // bytes of a T, for the allocation budget
	unknown func(m *T) *Unknown
}

func newTable[T any](unknown func(m *T) *Unknown, fields ...field[T]) *table[T] {
	t := &table[T]{fields: fields, unknown: unknown, size: int(reflect.TypeFor[T]().Size())}
	for i, f := range fields {
		if f.num < len(t.index) {
			t.index[f.num] = uint8(i + 1)
		}
	}
	return t
}

func (t *table[T]) find(num int) *field[T] {
	if num < len(t.index) {
		if i := t.index[num]; i != 0 {
			return &t.fields[i-1]
		}
		return nil
	}
	for i := range t.fields {
		if t.fields[i].num == num {
			return &t.fields[i]
		}
	}
	return nil
}

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
func readMessage[T any](d *decoder, t *table[T], base int64, b []byte, m *T) {
	if d.depth >= maxDepth {
		d.problems.add(&FormatError{File: d.file, Offset: base, Want: "messages nested at most 40 deep", Found: "a deeper one", Err: cursor.ErrCorrupt})
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
func (t *table[T]) apply(d *decoder, num int, wire cursor.Wire, v wireValue, raw []byte, m *T) {
	f := t.find(num)
	switch {
	case f != nil && f.wire == wire:
		f.read(d, v, m)
	case f != nil && f.packable && wire == cursor.Len:
		p := cursor.New(d.file, v.at, v.b)
		for p.More() {
			if u := p.Uvarint(); p.Err() == nil {
				f.read(d, wireValue{u: u}, m)
			}
		}
		if err := p.Err(); err != nil {
			d.problems.add(err)
		}
	default:
		u := t.unknown(m)
		*u = append(*u, raw...)
	}
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

// newMessage decodes v into a fresh message, charged to the budget.
func newMessage[M any, P message[M]](d *decoder, v wireValue) *M {
	m := new(M)
	mergeMessage[M, P](d, v, m)
	return m
}

func mergeMessage[M any, P message[M]](d *decoder, v wireValue, m *M) {
	t := P(m).table()
	if before := d.budget; before >= 0 {
		if d.budget -= t.size + 8; d.budget < 0 {
			d.problems.add(&FormatError{File: d.file, Offset: v.at, Want: "messages that carry something", Found: "a flood of near-empty ones", Err: cursor.ErrCorrupt})
		}
	}
	readMessage(d, t, v.at, v.b, m)
}

// appendMessage appends the encoding of m without length or tag.
func appendMessage[M any, P message[M]](b []byte, m *M) []byte {
	t := P(m).table()
	for i := range t.fields {
		b = t.fields[i].write(b, m)
	}
	return append(b, *t.unknown(m)...)
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
