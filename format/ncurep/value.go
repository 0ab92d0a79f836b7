package ncurep

import (
	"math"
	"strconv"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// Kind is the type that a metric value was stored with; the numbers are the
// field numbers of the format. Tools differ in what they store: launch__ metrics
// are doubles up to 2022 and 64-bit integers later, so meaning must not hang on
// the kind.
type Kind uint8

// The kinds.
const (
	KindNone   Kind = 0 // no value: requested but not collected
	KindString Kind = 1
	KindFloat  Kind = 2
	KindDouble Kind = 3
	KindUint32 Kind = 4
	KindUint64 Kind = 5
)

var kindNames = []string{"none", "string", "float", "double", "uint32", "uint64"}

func (k Kind) String() string { return enumName("Kind", kindNames, k) }

// Value is one metric value, instance value or correlation id. The zero Value
// is "no value". Values compare with ==, except that a NaN equals itself.
type Value struct {
	bits uint64
	str  string
	kind Kind
}

// StringValue returns a Value of [KindString].
func StringValue(s string) Value { return Value{kind: KindString, str: s} }

// FloatValue returns a Value of [KindFloat].
func FloatValue(f float32) Value {
	return Value{kind: KindFloat, bits: uint64(math.Float32bits(f))}
}

// DoubleValue returns a Value of [KindDouble].
func DoubleValue(f float64) Value { return Value{kind: KindDouble, bits: math.Float64bits(f)} }

// Uint32Value returns a Value of [KindUint32].
func Uint32Value(u uint32) Value { return Value{kind: KindUint32, bits: uint64(u)} }

// Uint64Value returns a Value of [KindUint64].
func Uint64Value(u uint64) Value { return Value{kind: KindUint64, bits: u} }

// Kind returns how the value was stored.
func (v Value) Kind() Kind { return v.kind }

// Float64 returns the number, converted if it is an integer; ok is false for
// strings and absent values.
func (v Value) Float64() (f float64, ok bool) {
	switch v.kind {
	case KindFloat:
		return float64(math.Float32frombits(uint32(v.bits))), true
	case KindDouble:
		return math.Float64frombits(v.bits), true
	case KindUint32, KindUint64:
		return float64(v.bits), true
	}
	return 0, false
}

// Uint64 returns the number as an integer; ok is false for strings, absent
// values, and numbers that an unsigned integer cannot hold exactly.
func (v Value) Uint64() (u uint64, ok bool) {
	switch v.kind {
	case KindUint32, KindUint64:
		return v.bits, true
	case KindFloat, KindDouble:
		f, _ := v.Float64()
		if f >= 0 && f < 1<<64 && f == math.Trunc(f) {
			return uint64(f), true
		}
	}
	return 0, false
}

// Text returns the string; ok is false if the value is not one.
func (v Value) Text() (s string, ok bool) { return v.str, v.kind == KindString }

// String prints the value at full precision, "" if there is none.
func (v Value) String() string {
	switch v.kind {
	case KindString:
		return v.str
	case KindFloat:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(v.bits))), 'g', -1, 32)
	case KindDouble:
		return strconv.FormatFloat(math.Float64frombits(v.bits), 'g', -1, 64)
	case KindUint32, KindUint64:
		return strconv.FormatUint(v.bits, 10)
	}
	return ""
}

// appendTo appends the value message's content.
func (v Value) appendTo(b []byte) []byte {
	switch v.kind {
	case KindString:
		return appendString(b, int(KindString), v.str)
	case KindFloat:
		return appendFloat(b, int(KindFloat), math.Float32frombits(uint32(v.bits)))
	case KindDouble:
		return appendDouble(b, int(KindDouble), math.Float64frombits(v.bits))
	case KindUint32, KindUint64:
		return appendUint(b, int(v.kind), v.bits)
	}
	return b
}

// readKind reads one value message that lies in the next n bytes of c. A string
// is returned as bytes of the input. The last field known wins.
func readKind(c *cursor.Cursor, end int) (kind Kind, bits uint64, str []byte) {
	for c.Pos() < end {
		num, wire, ok := c.Field()
		if !ok {
			break
		}
		switch {
		case wire == cursor.Fixed64 && num == int(KindDouble):
			kind, bits, str = KindDouble, c.Fixed64(), nil
		case wire == cursor.Varint && num == int(KindUint64):
			kind, bits, str = KindUint64, c.Uvarint(), nil
		case wire == cursor.Len && num == int(KindString):
			str = c.LenBytes()
			kind, bits = KindString, 0
		case wire == cursor.Varint && num == int(KindUint32):
			kind, bits, str = KindUint32, uint64(uint32(c.Uvarint())), nil
		case wire == cursor.Fixed32 && num == int(KindFloat):
			kind, bits, str = KindFloat, uint64(c.Fixed32()), nil
		default:
			c.SkipField(wire)
		}
	}
	return kind, bits, str
}
