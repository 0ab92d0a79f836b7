package expr

import (
	"math"
	"strconv"

	"github.com/gpuprof/gpuprof/profile"
)

// apply combines two values. The result has the kind of a; it is none where one
// of the two is none or b is text that is not a number.
func apply(o op, a, b profile.MetricValue) profile.MetricValue {
	switch { // the two that are frequent
	case a.Kind() == profile.KindDouble && b.Kind() == profile.KindDouble:
		return profile.DoubleValue(arithmetic(o, a.Double(), b.Double()))
	case a.Kind() == profile.KindUint64 && b.Kind() == profile.KindUint64 && b.Uint64() != 0:
		return profile.Uint64Value(arithmetic(o, a.Uint64(), b.Uint64()))
	}
	return applyConverted(o, a, b)
}

func applyConverted(o op, a, b profile.MetricValue) profile.MetricValue {
	if a.Kind() == profile.KindString || a.Kind() == profile.KindNone {
		return a
	}
	zero := b.IsInteger() && b.Uint64() == 0
	b = convert(b, a.Kind())
	if b.Kind() == profile.KindNone {
		return b
	}
	if o == opDivide && (zero || b.IsInteger() && b.Uint64() == 0) {
		return a
	}
	switch a.Kind() {
	case profile.KindDouble:
		return profile.DoubleValue(arithmetic(o, a.Double(), b.Double()))
	case profile.KindFloat:
		return profile.FloatValue(arithmetic(o, float32(a.Double()), float32(b.Double())))
	case profile.KindUint32:
		return profile.Uint32Value(arithmetic(o, uint32(a.Uint64()), uint32(b.Uint64())))
	}
	return profile.Uint64Value(arithmetic(o, a.Uint64(), b.Uint64()))
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
func convert(v profile.MetricValue, to profile.ValueKind) profile.MetricValue {
	if v.Kind() == to || v.Kind() == profile.KindNone {
		return v
	}
	if v.Kind() == profile.KindString {
		if v = number(v.Text()); v.Kind() == profile.KindNone {
			return v
		}
	}
	switch to {
	case profile.KindDouble:
		return profile.DoubleValue(v.Double())
	case profile.KindFloat:
		return profile.FloatValue(float32(v.Double()))
	case profile.KindUint32:
		return profile.Uint32Value(uint32(v.Uint64()))
	case profile.KindUint64:
		return profile.Uint64Value(v.Uint64())
	}
	return v
}

func number(text string) profile.MetricValue {
	if u, err := strconv.ParseUint(text, 10, 64); err == nil {
		return profile.Uint64Value(u)
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return profile.DoubleValue(f)
	}
	return profile.MetricValue{}
}

func nanAsZero(v profile.MetricValue) profile.MetricValue {
	if !math.IsNaN(v.Double()) {
		return v
	}
	return convert(profile.Uint64Value(0), v.Kind())
}
