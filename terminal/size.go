package terminal

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Size is the value of a flag that takes bytes, such as 500M or 8G.
type Size int64

// String implements pflag.Value.
func (s *Size) String() string {
	if *s == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*s), 10)
}

// Type implements pflag.Value.
func (s *Size) Type() string { return "SIZE" }

// Set implements pflag.Value.
func (s *Size) Set(text string) error {
	digits, unit := text, int64(1)
	if i := strings.IndexAny(text, "KMGTkmgt"); i > 0 && i == len(strings.TrimRight(text, "iBb"))-1 {
		unit = 1 << (10 * (1 + strings.IndexByte("KMGT", strings.ToUpper(text)[i])))
		digits = text[:i]
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > math.MaxInt64/unit {
		return fmt.Errorf("expected a number of bytes such as 500M or 8G, found %q", text)
	}
	*s = Size(n * unit)
	return nil
}
