package wiretext

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// A Form is what a field of bytes holds.
type Form uint8

// The forms.
const (
	Unknown Form = iota // found out from the bytes
	Text
	Message
	Bytes
)

// A Field is what is known of a field.
type Field struct {
	Name string // part of the place; "": its number
	Form Form
	Key  int // of a message: the number of the field that names it, 0 for none
}

// A Place is a field of a message, in its message, and so on.
type Place struct {
	Name string
	Data any // the caller's, for Describe

	field  Field
	fields map[int]*Place
}

// Root is a place to begin at.
func Root(name string, data any) *Place { return &Place{Name: name, Data: data} }

// A Walker goes over messages. It is used by one goroutine.
type Walker struct {
	// Describe tells what is known of a field of the messages at a place, and the
	// Data of the field's own place. It may be nil, and is asked once a field.
	Describe func(at *Place, num int) (Field, any)
	// Edit gets each text and each run of bytes, and returns it or what takes its
	// place. Fixed says that this must be as long, blob that it is no text alone.
	Edit func(place string, b []byte, fixed, blob bool) []byte

	places int
}

const (
	maxDepth  = 40
	maxPlaces = 1 << 14 // beyond, fields share the place of their message
	maxKey    = 80      // bytes of a key in the name of a place
)

// at is the place of a field.
func (w *Walker) at(p *Place, num int) *Place {
	if c := p.fields[num]; c != nil {
		return c
	}
	if w.places >= maxPlaces {
		return p
	}
	w.places++
	c := &Place{}
	if w.Describe != nil {
		c.field, c.Data = w.Describe(p, num)
	}
	if c.Name = c.field.Name; c.Name == "" {
		c.Name = fmt.Sprint(num)
	}
	if p.Name != "" {
		c.Name = p.Name + "." + c.Name
	}
	if p.fields == nil {
		p.fields = map[int]*Place{}
	}
	p.fields[num] = c
	return c
}

// Walk goes over the message b at a place. It returns b, or the message with what
// was edited.
func (w *Walker) Walk(at *Place, b []byte) []byte { return w.message(at, b, "", 0) }

func (w *Walker) message(at *Place, b []byte, key string, depth int) []byte {
	var out []byte // what was edited, with all before it
	done := 0      // bytes of b that are in out
	if at.field.Key != 0 {
		key += keyOf(b, at.field.Key)
	}
	for i := 0; i < len(b); {
		f, ok := next(b[i:])
		if !ok {
			break
		}
		start := i
		if i += f.size; f.wire != 2 {
			continue
		}
		val := b[i-f.n : i]
		now := w.value(w.at(at, f.num), val, key, depth)
		if same(now, val) {
			continue
		}
		out = append(out, b[done:start+f.tag]...)
		out = binary.AppendUvarint(out, uint64(len(now)))
		out = append(out, now...)
		done = i
	}
	if done == 0 {
		return b
	}
	return append(out, b[done:]...)
}

func same(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// value edits the content of a field.
func (w *Walker) value(at *Place, b []byte, key string, depth int) []byte {
	if len(b) == 0 {
		return b
	}
	name := at.Name
	if key != "" {
		name += "[" + key + "]"
	}
	form, fixed := at.field.Form, false
	if form == Unknown {
		form, fixed = guess(b)
	}
	switch {
	case form == Text:
		return w.Edit(name, b, fixed, false)
	case form == Message && depth < maxDepth && IsMessage(b):
		return w.message(at, b, key, depth+1)
	}
	return w.Edit(name, b, true, true)
}

// guess tells what a field of bytes holds; fixed: it may be a message as well.
func guess(b []byte) (f Form, fixed bool) {
	text, message := IsText(b), IsMessage(b)
	switch {
	case message && (!text || b[0] < ' '): // the tags of fields 1 to 3
		return Message, false
	case text:
		return Text, message
	}
	return Bytes, true
}

// IsText reports whether b reads as text.
func IsText(b []byte) bool {
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' && c != 0 && c != 0x1b {
			return false
		}
	}
	return utf8.Valid(b)
}

// IsMessage reports whether b is a run of sound fields.
func IsMessage(b []byte) bool {
	for len(b) > 0 {
		f, ok := next(b)
		if !ok {
			return false
		}
		b = b[f.size:]
	}
	return true
}

// keyOf is the content of the field that names a message.
func keyOf(b []byte, num int) string {
	for len(b) > 0 {
		f, ok := next(b)
		if !ok {
			return ""
		}
		if f.num == num {
			if f.wire == 2 {
				v := b[f.size-f.n : f.size]
				if len(v) <= maxKey && IsText(v) {
					return string(v)
				}
				return ""
			}
			return fmt.Sprint(f.v)
		}
		b = b[f.size:]
	}
	return ""
}

// A wireField is a field as it lies in a message.
type wireField struct {
	num, wire int
	tag       int    // bytes of the tag
	n         int    // bytes of the content, of a field of bytes
	size      int    // of all
	v         uint64 // of a varint
}

// next reads the field that b begins with.
func next(b []byte) (f wireField, ok bool) {
	tag, n := binary.Uvarint(b)
	if n <= 0 || tag>>3 == 0 || tag>>3 > 1<<29-1 {
		return f, false
	}
	f = wireField{num: int(tag >> 3), wire: int(tag & 7), tag: n}
	rest := b[n:]
	switch f.wire {
	case 0:
		v, k := binary.Uvarint(rest)
		if k <= 0 {
			return f, false
		}
		f.v, f.size = v, n+k
	case 1:
		f.size = n + 8
	case 5:
		f.size = n + 4
	case 2:
		v, k := binary.Uvarint(rest)
		if k <= 0 || v > uint64(len(rest)-k) {
			return f, false
		}
		f.n, f.size = int(v), n+k+int(v)
	default:
		return f, false
	}
	return f, f.size <= len(b)
}
