package amd

import (
	"math/bits"
	"strconv"
	"strings"
)

// ParseDims parses up to three sizes set apart by blanks, commas or semicolons,
// as they stand within the braces of work sizes; n is their number. ok is false
// for anything else, such as "NULL".
func ParseDims(s string) (d [3]uint64, n int, ok bool) {
	d = [3]uint64{1, 1, 1}
	i := 0
	for {
		for i < len(s) && (s[i] == ' ' || s[i] == ',' || s[i] == ';' || s[i] == '{' || s[i] == '}') {
			i++
		}
		if i == len(s) {
			return d, n, n > 0
		}
		begin := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		v, isNumber := number(s[begin:i])
		if !isNumber || n == 3 {
			return d, n, false
		}
		d[n] = v
		n++
	}
}

// product is the product of a list such as "[64,64,1]", or "".
func product(s string) string {
	if !strings.HasPrefix(s, "[") || !strings.HasSuffix(s, "]") {
		return ""
	}
	d, _, ok := ParseDims(s[1 : len(s)-1])
	if !ok {
		return ""
	}
	p := uint64(1)
	for _, v := range d {
		hi, lo := bits.Mul64(p, v)
		if hi != 0 {
			return ""
		}
		p = lo
	}
	return strconv.FormatUint(p, 10)
}
