package metric

import (
	"math"
	"strconv"
)

// A Style is a way of printing numbers.
type Style uint8

const (
	// Compact prints whole numbers without decimals and others with two: the
	// details page, as text and CSV, and the raw page as text.
	Compact Style = iota
	// Column prints six decimals if the metric has a unit, and is Compact
	// otherwise: the raw page as CSV.
	Column
	// Fixed prints two decimals always: --print-fp and --print-summary.
	Fixed
)

// AppendNumber appends v, a value of the scale's unit as the report stores it.
func (st Style) AppendNumber(dst []byte, v float64, s Scale) []byte {
	v = s.Apply(v)
	if math.IsNaN(v) {
		return append(dst, "nan"...)
	}
	if math.IsInf(v, 0) {
		if v < 0 {
			dst = append(dst, '-')
		}
		return append(dst, "inf"...)
	}
	switch {
	case st == Column && !s.Unit.IsZero():
		return strconv.AppendFloat(dst, v, 'f', 6, 64)
	case st != Fixed && v == math.Trunc(v):
		return strconv.AppendFloat(dst, v, 'f', 0, 64)
	}
	return strconv.AppendFloat(dst, v, 'f', 2, 64)
}

// Append appends the cell that shows v: the number in the scale's unit, the
// string, or "no data" if there is no value.
func (st Style) Append(dst []byte, v Value, s Scale) []byte {
	switch {
	case v.Kind == KindString:
		return append(dst, v.Text...)
	case !v.IsNumber():
		return append(dst, "no data"...)
	case st != Fixed && s.Step == 0 && (v.Kind == KindUint64 || v.Kind == KindUint32) && (st == Compact || s.Unit.IsZero()):
		return strconv.AppendUint(dst, v.Uint, 10)
	}
	return st.AppendNumber(dst, v.Number, s)
}
