package ncurep

import (
	"math"
	"reflect"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// read stores a value that has the wire type of f in the struct field to. A
// second occurrence of a message is merged, as protocol buffers ask.
func (f *Field) read(d *decoder, v wireValue, to reflect.Value) {
	switch {
	case f.repeated:
		if f.Kind == FieldText {
			d.budget -= 16
		}
		if d.budget < 0 && f.wire == cursor.Len {
			return
		}
		n := to.Len()
		to.Grow(1)
		to.SetLen(n + 1)
		to = to.Index(n)
		to.SetZero()
	case f.optional:
		to.Field(1).SetBool(true)
		to = to.Field(0)
	}
	switch f.Kind {
	case FieldMessage:
		if to.IsNil() {
			to.Set(reflect.New(f.Of.typ))
		}
		f.Of.merge(d, v, to.Elem())
	case FieldText:
		to.SetString(d.str(v))
	case FieldBool:
		to.SetBool(v.u != 0)
	case FieldDouble:
		to.SetFloat(math.Float64frombits(v.u))
	case FieldFloat:
		to.SetFloat(float64(math.Float32frombits(uint32(v.u))))
	case fieldValue:
		readMetricValue(d, v, to.Addr().Interface().(*Value))
	default:
		if to.CanInt() {
			to.SetInt(int64(v.u))
		} else {
			to.SetUint(v.u)
		}
	}
}

func readMetricValue(d *decoder, v wireValue, to *Value) {
	c := cursor.New(d.file, v.at, v.b)
	kind, bits, str := readKind(&c, len(v.b))
	if err := c.Err(); err != nil {
		d.problems.add(err)
		return
	}
	*to = Value{kind: kind, bits: bits, str: string(str)}
}

// append appends tag and value of the struct field v, nothing if it is absent.
func (f *Field) append(b []byte, v reflect.Value) []byte {
	switch {
	case f.repeated:
		for i := range v.Len() {
			b = f.appendOne(b, v.Index(i))
		}
		return b
	case f.optional && !v.Field(1).Bool():
		return b
	case f.optional:
		return f.appendOne(b, v.Field(0))
	}
	return f.appendOne(b, v)
}

func (f *Field) appendOne(b []byte, v reflect.Value) []byte {
	switch f.Kind {
	case FieldMessage:
		if v.IsNil() {
			return b
		}
		return appendLen(b, f.Number, func(b []byte) []byte { return f.Of.append(b, v.Elem()) })
	case FieldText:
		return appendString(b, f.Number, v.String())
	case FieldBool:
		if v.Bool() {
			return appendUint(b, f.Number, 1)
		}
		return appendUint(b, f.Number, 0)
	case FieldDouble:
		return appendDouble(b, f.Number, v.Float())
	case FieldFloat:
		return appendFloat(b, f.Number, float32(v.Float()))
	case fieldValue:
		return appendLen(b, f.Number, v.Addr().Interface().(*Value).appendTo)
	}
	if v.CanInt() {
		return appendUint(b, f.Number, uint64(v.Int()))
	}
	return appendUint(b, f.Number, v.Uint())
}
