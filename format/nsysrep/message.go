package nsysrep

import (
	"fmt"
	"slices"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// A Field is a field of a Message.
type Field struct {
	Num   int
	Int   uint64 // of a number
	Bytes []byte // of a text or message; nil for a number
}

// A Message is a small message of a report, field by field in their order. The
// numbers of fields are in docs/formats/nsys-rep.md.
type Message []Field

// Parse reads a message.
func Parse(b []byte) (Message, error) { return parse("", 0, b) }

// Numbers are the numbers of the fields, sorted, each as often as it is there.
func (m Message) Numbers() []int {
	out := make([]int, len(m))
	for i := range m {
		out[i] = m[i].Num
	}
	slices.Sort(out)
	return out
}

// All returns the fields of a number.
func (m Message) All(num int) []Field {
	var out []Field
	for i := range m {
		if m[i].Num == num {
			out = append(out, m[i])
		}
	}
	return out
}

// maxFields bounds the fields of a message, of which the smallest take two bytes.
const maxFields = 1 << 21

func parse(name string, at int64, b []byte) (Message, error) {
	c := cursor.New(name, at, b)
	var m Message
	for {
		num, wire, ok := c.Field()
		if !ok {
			return m, c.Err()
		}
		if len(m) >= maxFields {
			c.Failf(fmt.Sprintf("at most %d fields", maxFields), "more: the rest is left out")
			return m, c.Err()
		}
		f := Field{Num: num}
		switch wire {
		case cursor.Varint:
			f.Int = c.Uvarint()
		case cursor.Fixed32:
			f.Int = uint64(c.Fixed32())
		case cursor.Fixed64:
			f.Int = c.Fixed64()
		case cursor.Len:
			f.Bytes = c.LenBytes()
			if f.Bytes == nil {
				f.Bytes = []byte{}
			}
		}
		if c.Err() == nil {
			m = append(m, f)
		}
	}
}

// Find returns the first field of a number, or nil.
func (m Message) Find(num int) *Field {
	for i := range m {
		if m[i].Num == num {
			return &m[i]
		}
	}
	return nil
}

// Int returns the number in a field, 0 if it is absent.
func (m Message) Int(num int) int64 {
	if f := m.Find(num); f != nil {
		return int64(f.Int)
	}
	return 0
}

// Text returns the text in a field, "" if it is absent.
func (m Message) Text(num int) string {
	if f := m.Find(num); f != nil {
		return string(f.Bytes)
	}
	return ""
}

// Sub returns the message in a field; one that is absent or malformed is empty.
func (m Message) Sub(num int) Message {
	if f := m.Find(num); f != nil {
		s, _ := parse("", 0, f.Bytes)
		return s
	}
	return nil
}

// Subs returns the messages in all fields of a number.
func (m Message) Subs(num int) []Message {
	var out []Message
	for i := range m {
		if m[i].Num == num && m[i].Bytes != nil {
			s, _ := parse("", 0, m[i].Bytes)
			out = append(out, s)
		}
	}
	return out
}
