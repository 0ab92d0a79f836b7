package expr

import (
	"math"
	"strconv"

	"github.com/gpuprof/gpuprof/profile/metric"
)

// apply combines two values. The result has the kind of a; it is none where one
// of the two is none or b is text that is not a number.
func apply(o op, a, b metric.Value) metric.Value {
	switch { // the two that are frequent
	case a.Kind() == metric.KindDouble && b.Kind() == metric.KindDouble:
		return metric.Double(arithmetic(o, a.Double(), b.Double()))
	case a.Kind() == metric.KindUint64 && b.Kind() == metric.KindUint64 && b.Uint64() != 0:
		return metric.Uint64(arithmetic(o, a.Uint64(), b.Uint64()))
	}
	return applyConverted(o, a, b)
}

func applyConverted(o op, a, b metric.Value) metric.Value {
	if a.Kind() == metric.KindString || a.Kind() == metric.KindNone {
		return a
	}
	zero := b.IsInteger() && b.Uint64() == 0
	b = convert(b, a.Kind())
	if b.Kind() == metric.KindNone {
		return b
	}
	if o == opDivide && (zero || b.IsInteger() && b.Uint64() == 0) {
		return a
	}
	switch a.Kind() {
	case metric.KindDouble:
		return metric.Double(arithmetic(o, a.Double(), b.Double()))
	case metric.KindFloat:
		return metric.Float(arithmetic(o, float32(a.Double()), float32(b.Double())))
	case metric.KindUint32:
		return metric.Uint32(arithmetic(o, uint32(a.Uint64()), uint32(b.Uint64())))
	}
	return metric.Uint64(arithmetic(o, a.Uint64(), b.Uint64()))
}

// arithmetic is what the processor does: integers wrap around.
func arithmetic[T float32 | float64 | uint32 | uint64](o op, a, b T) T {
	switch o {
	case opAdd:
		return a + b
	case opSubtract:
		return a - b
	case opMultiply:
		return a * b
	}
	return a / b
}

// convert brings a value to a kind. Text is read as a number; what is none, and
// text that is no number, becomes none. A fraction is cut off; what is negative,
// not a number or too large for 64 bits becomes the integer 0, and 32 bits hold
// the lower half of 64.
func convert(v metric.Value, to metric.Kind) metric.Value {
	if v.Kind() == to || v.Kind() == metric.KindNone {
		return v
	}
	if v.Kind() == metric.KindString {
		if v = number(v.Text()); v.Kind() == metric.KindNone {
			return v
		}
	}
	switch to {
	case metric.KindDouble:
		return metric.Double(v.Double())
	case metric.KindFloat:
		return metric.Float(float32(v.Double()))
	case metric.KindUint32:
		return metric.Uint32(uint32(v.Uint64()))
	case metric.KindUint64:
		return metric.Uint64(v.Uint64())
	}
	return v
}

func number(text string) metric.Value {
	if u, err := strconv.ParseUint(text, 10, 64); err == nil {
		return metric.Uint64(u)
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return metric.Double(f)
	}
	return metric.Value{}
}

func nanAsZero(v metric.Value) metric.Value {
	if !math.IsNaN(v.Double()) {
		return v
	}
	return convert(metric.Uint64(0), v.Kind())
}
