package section

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/format/prototext"
	"github.com/gpuprof/gpuprof/internal/spelling"
)

// A Warning is something in a section file that is passed over.
type Warning struct {
	File string
	Pos  prototext.Pos
	Text string
}

func (w Warning) String() string { return fmt.Sprintf("%s:%v: %s", w.File, w.Pos, w.Text) }

// ParseFile reads a section file: one section in the text format of protocol
// buffers. Unknown fields and values are warnings, for newer files add some; a
// syntax error, or a section without identifier, makes the file unusable. The
// error names file, line and column.
func ParseFile(name, content string) (*Definition, []Warning, error) {
	m, err := prototext.Parse(name, content)
	if err != nil {
		return nil, nil, err
	}
	return define(name, m)
}

// define makes a definition of what a section file says.
func define(name string, m prototext.Message) (*Definition, []Warning, error) {
	e := encoder{file: name}
	def, err := ncurep.Decode[ncurep.Section](name, e.message(nil, m, ncurep.Describe[ncurep.Section]()))
	if err != nil {
		return nil, e.warnings, err
	}
	switch id := def.Identifier; {
	case id == "":
		err = &prototext.SyntaxError{File: name, Pos: prototext.Pos{Line: 1, Col: 1}, Want: "a section with an Identifier", Found: "none"}
	case strings.ContainsAny(id, " \t\n"):
		err = &prototext.SyntaxError{File: name, Pos: posOf(m, "Identifier"), Want: "an Identifier without blanks", Found: strconv.Quote(id)}
	}
	if err != nil {
		return nil, e.warnings, err
	}
	if def.DisplayName == "" {
		e.warn(prototext.Pos{Line: 1, Col: 1}, "the section %s has no DisplayName; it is shown by its Identifier", def.Identifier)
		def.DisplayName = def.Identifier
	}
	return def, e.warnings, nil
}

// ParseChart reads a chart file: the contents of one item of a body.
func ParseChart(name, content string) (*ncurep.BodyItem, []Warning, error) {
	m, err := prototext.Parse(name, content)
	if err != nil {
		return nil, nil, err
	}
	e := encoder{file: name}
	item, err := ncurep.Decode[ncurep.BodyItem](name, e.message(nil, m, ncurep.Describe[ncurep.BodyItem]()))
	return item, e.warnings, err
}

func posOf(m prototext.Message, name string) prototext.Pos {
	for i := range m {
		if m[i].Name == name {
			return m[i].Value
		}
	}
	return prototext.Pos{Line: 1, Col: 1}
}

// encoder turns a text message into the wire form that reports hold, by the
// names of the schema.
type encoder struct {
	file     string
	warnings []Warning
}

func (e *encoder) warn(p prototext.Pos, format string, args ...any) {
	e.warnings = append(e.warnings, Warning{File: e.file, Pos: p, Text: fmt.Sprintf(format, args...)})
}

// message appends the fields of m, a message of the given type.
func (e *encoder) message(b []byte, m prototext.Message, of *ncurep.Message) []byte {
	for i := range m {
		f := &m[i]
		switch d := of.Field(f.Name); {
		case d == nil:
			e.warn(f.Pos, "unknown field %s%s", f.Name, suggestion(f.Name, of.FieldNames()))
		case d.Kind != ncurep.FieldOpaque:
			b = e.field(b, f, d)
		}
	}
	return b
}

func (e *encoder) field(b []byte, f *prototext.Field, d *ncurep.Field) []byte {
	if (d.Kind == ncurep.FieldMessage) != (f.Kind == prototext.KindMessage) {
		want := "a value"
		if d.Kind == ncurep.FieldMessage {
			want = "a message in braces"
		}
		e.warn(f.Value, "%s: expected %s", f.Name, want)
		return b
	}
	switch d.Kind {
	case ncurep.FieldMessage:
		own, next := f.Message, prototext.Message(nil)
		if d.Of == ncurep.Describe[ncurep.BodyItem]() {
			own, next = e.nestedItems(own)
		}
		sub := e.message(nil, own, d.Of)
		b = append(appendLength(b, d.Number, len(sub)), sub...)
		for i := range next {
			b = e.field(b, &next[i], d)
		}
		return b
	case ncurep.FieldText:
		if f.Kind == prototext.KindString {
			return append(appendLength(b, d.Number, len(f.Text)), f.Text...)
		}
	case ncurep.FieldDouble:
		if v, ok := f.Float64(); ok {
			return binary.LittleEndian.AppendUint64(appendTag(b, d.Number, 1), math.Float64bits(v))
		}
	default:
		if v, ok := e.varint(f, d); ok {
			return binary.AppendUvarint(appendTag(b, d.Number, 0), v)
		}
	}
	e.warn(f.Value, "%s: %q is not %s", f.Name, f.Text, wanted(d))
	return b
}

// nestedItems takes the items out of an item. The guide prints a section in which
// an item is closed too late, so that those after it stand within it.
func (e *encoder) nestedItems(m prototext.Message) (own, next prototext.Message) {
	for i := range m {
		if m[i].Name == "Items" && m[i].Kind == prototext.KindMessage {
			next = append(next, m[i])
		} else {
			own = append(own, m[i])
		}
	}
	return own, next
}

func (e *encoder) varint(f *prototext.Field, d *ncurep.Field) (uint64, bool) {
	switch d.Kind {
	case ncurep.FieldBool:
		v, ok := f.Bool()
		if v {
			return 1, ok
		}
		return 0, ok
	case ncurep.FieldEnum:
		if f.Kind == prototext.KindIdentifier {
			return d.Enum(f.Text)
		}
	}
	if v, ok := f.Uint64(); ok {
		return v, true
	}
	v, ok := f.Int64()
	return uint64(v), ok
}

func wanted(d *ncurep.Field) string {
	switch d.Kind {
	case ncurep.FieldText:
		return "a string in quotes"
	case ncurep.FieldBool:
		return "true or false"
	case ncurep.FieldDouble:
		return "a number"
	case ncurep.FieldEnum:
		return "one of " + strings.Join(d.EnumWords(), ", ")
	}
	return "a whole number"
}

// suggestion names the field that was likely meant.
func suggestion(name string, fields []string) string {
	best, least := "", 3
	for _, f := range fields {
		if d := spelling.Distance(strings.ToLower(name), strings.ToLower(f), least); d < least {
			best, least = f, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

func appendTag(b []byte, number, wire int) []byte {
	return binary.AppendUvarint(b, uint64(number)<<3|uint64(wire))
}

func appendLength(b []byte, number, n int) []byte {
	return binary.AppendUvarint(appendTag(b, number, 2), uint64(n))
}
