package view

import (
	"math"
	"strconv"
)

// append appends a number in the style. Rounding looks at the shortest decimal
// that stands for the number and rounds halves away from zero, as SQLite does
// and as people expect of 0.15.
func (n *NumberStyle) append(b []byte, v Value) []byte {
	by := n.Divisor
	if by == 0 {
		by = 1
	}
	if by == 1 && v.kind != KindFloat {
		return v.appendPlain(b)
	}
	if unit := by / math.Pow10(n.Decimals); v.kind == KindInt && n.Decimals > 0 && unit >= 2 && unit < 1e15 && unit == math.Trunc(unit) {
		return appendScaled(b, int64(v.bits), int64(unit), n.Decimals)
	}
	x := v.Float64() / by
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return Float(x, "").appendPlain(b)
	}
	start := len(b)
	b = strconv.AppendFloat(b, x, 'f', -1, 64)
	point := len(b)
	for i := start; i < len(b); i++ {
		if b[i] == '.' {
			point = i
		}
	}
	if point == len(b) && n.Decimals > 0 {
		b = append(b, '.')
	}
	end := point + 1 + n.Decimals // where the number shall end
	if n.Decimals == 0 {
		end = point
	}
	for len(b) < end {
		b = append(b, '0')
	}
	if len(b) == end {
		return b
	}
	next := end
	if next < len(b) && b[next] == '.' {
		next++
	}
	up := next < len(b) && b[next] >= '5'
	b = b[:end]
	if up {
		b = increment(b, start)
	}
	return b
}

// appendScaled appends v/unit, rounded to a whole number, with a point before its
// last digits: the same as the way by floating point, several times faster.
func appendScaled(b []byte, v, unit int64, decimals int) []byte {
	q := uint64(v)
	if v < 0 {
		b = append(b, '-')
		q = -q
	}
	rest := q % uint64(unit)
	q /= uint64(unit)
	if rest >= uint64(unit)-rest {
		q++
	}
	start := len(b)
	b = strconv.AppendUint(b, q, 10)
	for len(b)-start <= decimals { // a digit before the point
		b = append(b, 0)
		copy(b[start+1:], b[start:])
		b[start] = '0'
	}
	point := len(b) - decimals
	b = append(b, 0)
	copy(b[point+1:], b[point:])
	b[point] = '.'
	return b
}

// increment adds one to the last digit of the decimal that begins at start.
func increment(b []byte, start int) []byte {
	for i := len(b) - 1; i >= start; i-- {
		switch {
		case b[i] == '.' || b[i] == '-':
		case b[i] < '9':
			b[i]++
			return b
		default:
			b[i] = '0'
		}
	}
	if b[start] == '-' {
		start++
	}
	b = append(b, 0)
	copy(b[start+1:], b[start:])
	b[start] = '1'
	return b
}
