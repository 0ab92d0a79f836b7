package lifetime

import (
	"math"
	"strconv"
	"strings"
)

// pythonFloat prints a number as Python's repr does, which is what GainSight's
// files hold: the shortest digits that read back the same, always with a point or
// an exponent. NaN is an empty cell.
func pythonFloat(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	if math.IsInf(v, 0) {
		return strings.ToLower(strconv.FormatFloat(v, 'g', -1, 64))
	}
	if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// appendFixed2 appends v with two decimals, the same as strconv does but faster:
// scaling by 100 is exact enough unless the result lies almost on a half.
func appendFixed2(b []byte, v float64) []byte {
	scaled := v * 100
	if !(scaled >= 0 && scaled < 1<<50) {
		return strconv.AppendFloat(b, v, 'f', 2, 64)
	}
	whole := math.Floor(scaled)
	rest := scaled - whole
	if math.Abs(rest-0.5) < 1e-3 || rest > 1-1e-3 {
		return strconv.AppendFloat(b, v, 'f', 2, 64)
	}
	n := uint64(whole)
	if rest > 0.5 {
		n++
	}
	b = strconv.AppendUint(b, n/100, 10)
	return append(b, '.', byte('0'+n/10%10), byte('0'+n%10))
}
