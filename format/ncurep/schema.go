package ncurep

import (
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// The many small messages of a report (sections, rule results, NVTX states,
// session details) are declared, not coded: the tags of a struct number its
// fields, and that drives decoding, encoding and the text form of section files
// alike, so they cannot drift apart. The few large ones (metrics, block
// payloads) have decoders of their own.
//
//	Order  Opt[uint32]     `ncu:"3"`            field 3, called Order in text
//	Bodies []*SectionBody  `ncu:"5,Body"`       field 5, called Body there
//	Unknown Unknown        `ncu:"MinKmd,MaxKmd"` fields known by name alone
//
// A plain field is always written, an [Opt] or pointer if it is present, a slice
// as often as it has elements.

// A Message describes the messages of one Go type: the fields that they have.
type Message struct {
	typ     reflect.Type
	fields  []Field   // in ascending order of their numbers, as the profiler writes them
	later   []Field   // known by name alone
	index   [32]uint8 // field number to position+1, for small numbers
	unknown int       // position of the field Unknown in the struct; -1 without
}

// A Field is a field of a [Message].
type Field struct {
	Name   string // as section files spell it
	Number int    // 0: not known
	Kind   FieldKind
	Of     *Message // the type of a field of kind FieldMessage

	at       int // position in the struct
	wire     cursor.Wire
	repeated bool
	optional bool         // an Opt
	enum     reflect.Type // of kind FieldEnum
}

// FieldKind is the type of a field.
type FieldKind uint8

// The types of fields.
const (
	FieldOpaque  FieldKind = iota // known by name alone
	FieldText                     // wire type 2
	FieldBool                     // wire type 0
	FieldInteger                  // wire type 0
	FieldEnum                     // wire type 0, with words
	FieldDouble                   // wire type 1
	FieldFloat                    // wire type 5
	FieldMessage                  // wire type 2
	fieldValue                    // wire type 2: a Value
)

var descriptions struct {
	sync.Mutex
	of    map[reflect.Type]*Message
	ready sync.Map // the complete ones, to look up without a lock
}

// Describe returns the description of M, one of the messages of this package.
func Describe[M any]() *Message {
	t := reflect.TypeFor[M]()
	if m, ok := descriptions.ready.Load(t); ok {
		return m.(*Message)
	}
	descriptions.Lock()
	defer descriptions.Unlock()
	if descriptions.of == nil {
		descriptions.of = map[reflect.Type]*Message{}
	}
	m := describe(descriptions.of, t)
	descriptions.ready.Store(t, m)
	return m
}

// describe reads the tags of a struct and of those below it, each once: a body
// item may hold a container of body items.
func describe(known map[reflect.Type]*Message, t reflect.Type) *Message {
	if m, ok := known[t]; ok {
		return m
	}
	m := &Message{typ: t, unknown: -1}
	known[t] = m
	for i := range t.NumField() {
		sf := t.Field(i)
		tag := sf.Tag.Get("ncu")
		if sf.Type == reflect.TypeFor[Unknown]() {
			m.unknown = i
			for _, name := range strings.FieldsFunc(tag, func(r rune) bool { return r == ',' }) {
				m.later = append(m.later, Field{Name: name})
			}
			continue
		}
		number, name, renamed := strings.Cut(tag, ",")
		if !renamed {
			name = sf.Name
		}
		if n, err := strconv.Atoi(number); err == nil {
			f := Field{Name: name, Number: n, at: i}
			f.setType(known, sf.Type)
			m.fields = append(m.fields, f)
			if n < len(m.index) {
				m.index[n] = uint8(len(m.fields))
			}
		}
	}
	return m
}

// setType tells from the Go type of a field how it is written.
func (f *Field) setType(known map[reflect.Type]*Message, t reflect.Type) {
	switch {
	case t == reflect.TypeFor[Value]():
		f.Kind, f.wire = fieldValue, cursor.Len
		return
	case t.Kind() == reflect.Slice:
		f.repeated, t = true, t.Elem()
	case t.Kind() == reflect.Struct: // an Opt
		f.optional, t = true, t.Field(0).Type
	}
	switch t.Kind() {
	case reflect.Pointer:
		f.Kind, f.wire, f.Of = FieldMessage, cursor.Len, describe(known, t.Elem())
	case reflect.String:
		f.Kind, f.wire = FieldText, cursor.Len
	case reflect.Bool:
		f.Kind, f.wire = FieldBool, cursor.Varint
	case reflect.Float64:
		f.Kind, f.wire = FieldDouble, cursor.Fixed64
	case reflect.Float32:
		f.Kind, f.wire = FieldFloat, cursor.Fixed32
	default:
		f.Kind, f.wire = FieldInteger, cursor.Varint
		if t.PkgPath() != "" {
			f.Kind, f.enum = FieldEnum, t
		}
	}
}

// find returns the field of a number, nil if there is none.
func (t *Message) find(num int) *Field {
	if num < len(t.index) {
		if i := t.index[num]; i != 0 {
			return &t.fields[i-1]
		}
		return nil
	}
	for i := range t.fields {
		if t.fields[i].Number == num {
			return &t.fields[i]
		}
	}
	return nil
}

// Field returns the field of a name, nil if there is none.
func (t *Message) Field(name string) *Field {
	for _, list := range [][]Field{t.fields, t.later} {
		for i := range list {
			if list[i].Name == name {
				return &list[i]
			}
		}
	}
	return nil
}

// FieldNames lists the names of all fields.
func (t *Message) FieldNames() []string {
	var names []string
	for _, list := range [][]Field{t.fields, t.later} {
		for i := range list {
			names = append(names, list[i].Name)
		}
	}
	return names
}
