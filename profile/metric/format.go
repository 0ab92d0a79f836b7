package metric

import (
	"math"
	"strconv"
)

// A Style is a way of printing numbers. No style looks at a locale: the point
// is a point and thousands are not separated.
type Style uint8

const (
	// Compact prints whole numbers without decimals and others with two: the
	// details page, as text and CSV, and the raw page as text.
	Compact Style = iota
	// SixDecimals prints six decimals: the raw page as CSV, where a column has
	// a unit and it was chosen to fit the column.
	SixDecimals
	// Fixed prints two decimals always: --print-fp, and minimum, maximum and
	// average of --print-summary.
	Fixed
)

// AppendNumber appends v, which needs no more scaling. NaN is "nan", infinity
// "inf" or "-inf". Only SixDecimals shows the sign of NaN: "-nan".
func (st Style) AppendNumber(dst []byte, v float64) []byte {
	switch {
	case math.IsNaN(v):
		if st == SixDecimals && math.Signbit(v) {
			dst = append(dst, '-')
		}
		return append(dst, "nan"...)
	case math.IsInf(v, 1):
		return append(dst, "inf"...)
	case math.IsInf(v, -1):
		return append(dst, "-inf"...)
	case st == SixDecimals:
		return strconv.AppendFloat(dst, v, 'f', 6, 64)
	case st == Fixed:
		return strconv.AppendFloat(dst, v, 'f', 2, 64)
	}
	const exact = 1 << 53 // whole numbers below are exact as int64
	switch whole := math.Trunc(v); {
	case v != whole:
		return strconv.AppendFloat(dst, v, 'f', 2, 64)
	case whole > -exact && whole < exact:
		return strconv.AppendInt(dst, int64(whole), 10) // and -0 is "0"
	}
	return strconv.AppendFloat(dst, v, 'f', 0, 64)
}

// Append appends v in the scale: the number, the string as it is, or "no data"
// if there is no value.
func (st Style) Append(dst []byte, v Value, s Scale) []byte {
	switch {
	case v.Kind() == KindString:
		return append(dst, v.Text()...)
	case !v.isNumber():
		return append(dst, "no data"...)
	case st == Compact && s.Step == 0 && v.IsInteger():
		return strconv.AppendUint(dst, v.Uint64(), 10)
	}
	return st.AppendNumber(dst, s.Apply(v.Double()))
}
