package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/compare/sample"
)

// counted writes a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Percent writes a ratio as a change of the old value: +3.1 %, −9.0 %; of three
// times and beyond as "3.0 times".
func Percent(ratio float64) string {
	switch {
	case math.IsNaN(ratio):
		return ""
	case ratio >= 3:
		return fmt.Sprintf("%.1f times", ratio)
	}
	return signed(100*(ratio-1)) + " %"
}

// signed writes a number with its sign, with as many decimals as tell something.
func signed(v float64) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', 1, 64)
	if math.Abs(v) < 0.1 {
		s = strconv.FormatFloat(math.Abs(v), 'f', 2, 64)
	}
	switch {
	case strings.Trim(s, "0.") == "":
		return s
	case v < 0:
		return "−" + s
	}
	return "+" + s
}

// amount writes the size of a change without its sign: "3.1 %", "3.0 times".
func amount(ratio float64) string {
	return strings.TrimLeft(Percent(ratio), "+−")
}

// Sentence says what a verdict means, for a metric that is a time or another:
// "takes 3.1 % more time", "is 2.0 % less".
func Sentence(v sample.Verdict, ratio float64, isTime bool) string {
	verb, noun := "is", ""
	if isTime {
		verb, noun = "takes", " time"
	}
	switch v {
	case sample.TakesMore:
		if ratio >= 3 {
			return fmt.Sprintf("%s %s the%s", verb, amount(ratio), orDefault(noun, " value"))
		}
		return fmt.Sprintf("%s %s more%s", verb, amount(ratio), noun)
	case sample.TakesLess:
		return fmt.Sprintf("%s %s less%s", verb, amount(ratio), noun)
	case sample.Same:
		return "the same"
	case sample.CannotTell:
		return "cannot tell"
	}
	return "not clear"
}

func orDefault(s, d string) string {
	if s == "" {
		return d
	}
	return s
}
