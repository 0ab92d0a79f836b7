package kineto

import (
	"bytes"
	"math"
)

// A number in the text is what stands there: digits, quoted digits, or a bare
// word such as nan that is no number.

// integer reads a whole number; values above the signed range wrap, so that all
// 64 bits of unsigned ones survive. A fraction is dropped.
func integer(b []byte) (v int64, ok bool) {
	i, neg := 0, false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		i, neg = 1, b[0] == '-'
	}
	if i == len(b) || b[i]-'0' > 9 {
		return 0, false
	}
	u := uint64(0)
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		if u > math.MaxUint64/10 {
			return 0, false
		}
		u = u*10 + uint64(b[i]-'0')
	}
	if i < len(b) {
		switch b[i] {
		case '.':
			if bytes.IndexByte(b[i:], 'e')+bytes.IndexByte(b[i:], 'E') > -2 {
				return exponent(b, 0)
			}
		case 'e', 'E':
			return exponent(b, 0)
		default:
			return 0, false
		}
	}
	if v = int64(u); neg {
		v = -v
	}
	return v, true
}

// nanoseconds reads a time in microseconds, exactly: the fourth digit after the
// point rounds half up, away from zero.
func nanoseconds(b []byte) (ns int64, ok bool) {
	i, neg := 0, false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		i, neg = 1, b[0] == '-'
	}
	if i == len(b) || b[i]-'0' > 9 {
		return 0, false
	}
	u := uint64(0)
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		if u > math.MaxInt64/10 {
			return 0, false
		}
		u = u*10 + uint64(b[i]-'0')
	}
	scale, half := 3, uint64(0)
	if i < len(b) && b[i] == '.' {
		for i++; i < len(b) && b[i]-'0' <= 9; i++ {
			if scale > 0 {
				if u > math.MaxInt64/10 {
					return 0, false
				}
				u, scale = u*10+uint64(b[i]-'0'), scale-1
			} else if scale == 0 {
				scale, half = -1, uint64(b[i]-'0')/5
			}
		}
	}
	if i < len(b) {
		if b[i]|0x20 != 'e' {
			return 0, false
		}
		return exponent(b, 3)
	}
	for ; scale > 0; scale-- {
		if u > math.MaxInt64/10 {
			return 0, false
		}
		u *= 10
	}
	if u += half; u > math.MaxInt64 {
		return 0, false
	}
	if neg {
		return -int64(u), true
	}
	return int64(u), true
}

// exponent is a number such as 1.25e2 times ten to the power of shift, rounded half up.
func exponent(b []byte, shift int) (v int64, ok bool) {
	neg, point, e := false, -1, 0
	var digits []byte
	i := 0
	if b[0] == '-' || b[0] == '+' {
		neg, i = b[0] == '-', 1
	}
	for ; i < len(b) && b[i]|0x20 != 'e'; i++ {
		if b[i] == '.' && point < 0 {
			point = len(digits)
		} else if b[i]-'0' <= 9 {
			digits = append(digits, b[i])
		} else {
			return 0, false
		}
	}
	if point < 0 {
		point = len(digits)
	}
	i++
	down := false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		down = b[i] == '-'
		i++
	}
	if i == len(b) {
		return 0, false
	}
	for ; i < len(b); i++ {
		if b[i]-'0' > 9 || e > 1000 {
			return 0, false
		}
		e = e*10 + int(b[i]-'0')
	}
	if down {
		e = -e
	}
	u := uint64(0)
	end := point + e + shift // digits up to here are whole
	for k := 0; k < end; k++ {
		d := uint64(0)
		if k < len(digits) {
			d = uint64(digits[k] - '0')
		}
		if u > (math.MaxInt64-9)/10 {
			return 0, false
		}
		if u = u*10 + d; u == 0 && k >= len(digits) {
			break
		}
	}
	if end >= 0 && end < len(digits) && digits[end] >= '5' {
		u++
	}
	if neg {
		return -int64(u), true
	}
	return int64(u), true
}

// real reads a number of a few digits, for ratios; 0 if there is none.
func real(b []byte) float32 {
	ns, ok := nanoseconds(b) // six digits after the point are not needed
	if !ok {
		return 0
	}
	return float32(float64(ns) / 1000)
}

// three reads [x, y, z].
func three(b []byte) (v [3]int32) {
	k, in := 0, false
	for _, c := range b {
		switch {
		case c-'0' <= 9 && k < 3:
			if v[k] < math.MaxInt32/10-1 {
				v[k] = v[k]*10 + int32(c-'0')
			}
			in = true
		case in:
			k, in = k+1, false
		}
	}
	return v
}
