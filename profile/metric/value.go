package metric

import "math"

// Kind says how a report stores a metric's value.
// The numbers are those of the NvRules interface.
type Kind uint8

// The kinds of values.
const (
	KindNone   Kind = 0 // requested but not collected, or only instances
	KindString Kind = 2 // text
	KindFloat  Kind = 3 // 32-bit float
	KindDouble Kind = 4 // 64-bit float
	KindUint32 Kind = 5 // 32-bit unsigned integer
	KindUint64 Kind = 6 // 64-bit unsigned integer
)

func (k Kind) String() string {
	return [...]string{"none", "none", "string", "float", "double", "uint32", "uint64"}[min(k, KindUint64)]
}

// A Value is one number or text of a report, in the unit that the report stores:
// bytes, nanoseconds for "second", everything else as the unit says. The zero
// value is none. Integers are exact beyond 2^53.
type Value struct {
	kind Kind
	bits uint64
	text string
}

// String returns a text.
func String(s string) Value { return Value{kind: KindString, text: s} }

// Double returns a 64-bit float.
func Double(f float64) Value { return Value{kind: KindDouble, bits: math.Float64bits(f)} }

// Float returns a 32-bit float.
func Float(f float32) Value { return Value{kind: KindFloat, bits: math.Float64bits(float64(f))} }

// Uint64 returns a 64-bit unsigned integer.
func Uint64(u uint64) Value { return Value{kind: KindUint64, bits: u} }

// Uint32 returns a 32-bit unsigned integer.
func Uint32(u uint32) Value { return Value{kind: KindUint32, bits: uint64(u)} }

// Kind tells what the value is.
func (v Value) Kind() Kind { return v.kind }

// isNumber reports whether the value is a number by kind; NaN is one.
func (v Value) isNumber() bool { return v.kind >= KindFloat }

// IsInteger reports whether the value is an integer by kind.
func (v Value) IsInteger() bool { return v.kind >= KindUint32 }

// Text is the text of a string value, else "".
func (v Value) Text() string { return v.text }

// Double converts the value to a double; 0 for none and for text.
func (v Value) Double() float64 {
	switch v.kind {
	case KindFloat, KindDouble:
		return math.Float64frombits(v.bits)
	case KindUint32, KindUint64:
		return float64(v.bits)
	}
	return 0
}

// Uint64 converts the value to an integer, truncating; 0 for none, text, NaN
// and what is out of range.
func (v Value) Uint64() uint64 {
	switch v.kind {
	case KindFloat, KindDouble:
		f := math.Float64frombits(v.bits)
		if f >= 0 && f < 1<<64 {
			return uint64(f)
		}
		return 0
	case KindUint32, KindUint64:
		return v.bits
	}
	return 0
}
