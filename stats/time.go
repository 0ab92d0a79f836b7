package stats

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ParseTime reads a time in nanoseconds, or numbers with units that add up:
// 1s2ms3us4ns.
func ParseTime(s string) (int64, error) {
	var sum int64
	for rest := s; rest != "" || s == ""; {
		n := numberPrefix(rest)
		number := rest[:n]
		rest = rest[n:]
		end := strings.IndexFunc(rest, func(r rune) bool { return r < 'a' || r > 'z' })
		if end < 0 {
			end = len(rest)
		}
		unit, ok := timeUnits[rest[:end]]
		rest = rest[end:]
		whole, err := strconv.ParseInt(number, 10, 64)
		x, ferr := strconv.ParseFloat(number, 64)
		switch {
		case ok && err == nil && unit == 1 && sum == 0:
			sum = whole
		case !ok || ferr != nil || math.IsNaN(x) || math.Abs(float64(sum)+x*float64(unit)) >= math.MaxInt64:
			return 0, fmt.Errorf("%q is no time; expected nanoseconds, or numbers with the units h, m, s, ms, us, ns, such as 1s500ms", s)
		case err == nil:
			sum += whole * unit
		default:
			sum += int64(x * float64(unit))
		}
	}
	return sum, nil
}

// numberPrefix is the length of the number that a text begins with. An e is part
// of it before a digit or sign.
func numberPrefix(s string) int {
	for i := range len(s) {
		c := s[i]
		digit := func(k int) bool { return k < len(s) && s[k] >= '0' && s[k] <= '9' }
		switch {
		case c >= '0' && c <= '9' || c == '.':
		case (c == '-' || c == '+') && (i == 0 || s[i-1] == 'e' || s[i-1] == 'E'):
		case (c == 'e' || c == 'E') && i > 0 && (digit(i+1) || i+1 < len(s) && (s[i+1] == '-' || s[i+1] == '+') && digit(i+2)):
		default:
			return i
		}
	}
	return len(s)
}

// timeUnits are the units of times in nanoseconds, as nsys names them.
var timeUnits = map[string]int64{"": 1, "ns": 1, "nsec": 1, "us": 1e3, "usec": 1e3, "ms": 1e6, "msec": 1e6, "s": 1e9, "sec": 1e9,
	"m": 60e9, "min": 60e9, "h": 3600e9, "hour": 3600e9}
