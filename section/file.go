package section

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/format/prototext"
	"github.com/gpuprof/gpuprof/internal/spelling"
)

// fieldKind is the type of a field in the schema.
type fieldKind uint8

const (
	opaque fieldKind = iota // known by name alone: accepted, passed over
	text
	boolean
	integer
	double
	enum
	message
)

// A field of a message of the schema.
type field struct {
	name   string
	number int // 0: not known
	kind   fieldKind
	of     string // message or enumeration
}

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
	def, err := ncurep.Decode[ncurep.Section](name, e.message(nil, m, "ProfilerSection"))
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
	item, err := ncurep.Decode[ncurep.BodyItem](name, e.message(nil, m, "ProfilerSectionBodyItem"))
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
func (e *encoder) message(b []byte, m prototext.Message, of string) []byte {
	fields := messages[of]
	for i := range m {
		f := &m[i]
		k := slices.IndexFunc(fields, func(d field) bool { return d.name == f.Name })
		if k < 0 {
			e.warn(f.Pos, "unknown field %s%s", f.Name, suggestion(f.Name, fields))
			continue
		}
		if fields[k].kind != opaque {
			b = e.field(b, f, &fields[k])
		}
	}
	return b
}

func (e *encoder) field(b []byte, f *prototext.Field, d *field) []byte {
	if (d.kind == message) != (f.Kind == prototext.KindMessage) {
		want := "a value"
		if d.kind == message {
			want = "a message in braces"
		}
		e.warn(f.Value, "%s: expected %s", f.Name, want)
		return b
	}
	switch d.kind {
	case message:
		own, next := f.Message, prototext.Message(nil)
		if d.of == "ProfilerSectionBodyItem" {
			own, next = e.nestedItems(own)
		}
		sub := e.message(nil, own, d.of)
		b = append(appendLength(b, d.number, len(sub)), sub...)
		for i := range next {
			b = e.field(b, &next[i], d)
		}
		return b
	case text:
		if f.Kind == prototext.KindString {
			return append(appendLength(b, d.number, len(f.Text)), f.Text...)
		}
	case double:
		if v, ok := f.Float64(); ok {
			return binary.LittleEndian.AppendUint64(appendTag(b, d.number, 1), math.Float64bits(v))
		}
	default:
		if v, ok := e.varint(f, d); ok {
			return binary.AppendUvarint(appendTag(b, d.number, 0), v)
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

func (e *encoder) varint(f *prototext.Field, d *field) (uint64, bool) {
	switch d.kind {
	case boolean:
		v, ok := f.Bool()
		if v {
			return 1, ok
		}
		return 0, ok
	case enum:
		if f.Kind == prototext.KindIdentifier {
			return enumValue(d.of, f.Text)
		}
	}
	if v, ok := f.Uint64(); ok {
		return v, true
	}
	v, ok := f.Int64()
	return uint64(v), ok
}

// enumValue knows the names of the schema, and that the architecture CC_<n> is
// n whatever n is.
func enumValue(of, name string) (uint64, bool) {
	if of == "GpuArch" {
		switch name {
		case "InvalidArch":
			return 0, true
		case "MinArch":
			return 50, true
		case "MaxArch": // the newest that the writer knew: no bound
			return 1<<31 - 1, true
		}
		n, err := strconv.ParseUint(strings.TrimPrefix(name, "CC_"), 10, 16)
		return n, err == nil && strings.HasPrefix(name, "CC_")
	}
	v, ok := enums[of][name]
	return v, ok
}

func wanted(d *field) string {
	switch d.kind {
	case text:
		return "a string in quotes"
	case boolean:
		return "true or false"
	case double:
		return "a number"
	case enum:
		var names []string
		for n := range enums[d.of] {
			names = append(names, n)
		}
		slices.Sort(names)
		if d.of == "GpuArch" {
			names = []string{"CC_<major*10+minor>"}
		}
		return "one of " + strings.Join(names, ", ")
	}
	return "a whole number"
}

// suggestion names the field that was likely meant.
func suggestion(name string, fields []field) string {
	best, least := "", 3
	for _, f := range fields {
		if d := spelling.Distance(strings.ToLower(name), strings.ToLower(f.name), least); d < least {
			best, least = f.name, d
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
