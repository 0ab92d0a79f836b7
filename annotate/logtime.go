package annotate

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/format/nvtxt"
)

// units are the names of decimal units of time, with their number of digits
// in ns.
var units = map[string]int{"ns": 0, "us": 3, "µs": 3, "ms": 6, "s": 9}

// layouts are tried for the times of a log in their order; all take a fraction
// of a second after a point or comma.
var layouts = []string{
	time.RFC3339,
	"2006-01-02T15:04:05",
	"2006-01-02 15:04:05Z07:00",
	"2006-01-02 15:04:05",
	"2006/01/02 15:04:05",
	time.Stamp,
	"15:04:05",
}

// logTime reads times. format is a unit, a layout of package time, or "": then
// a number with a point is in seconds, one without in ns, and anything else
// has one of layouts.
type logTime struct {
	format   string
	location *time.Location
	last     string // layout that fitted last
}

func (l *logTime) parse(s string) (ns int64, err error) {
	s = strings.TrimSpace(s)
	if digits, ok := units[l.format]; ok {
		return decimal(s, digits)
	}
	if l.format != "" {
		return l.layout(l.format, s)
	}
	if strings.Trim(s, "0123456789.") == "" {
		if strings.Contains(s, ".") {
			return decimal(s, 9)
		}
		return decimal(s, 0)
	}
	if l.last != "" {
		if ns, err = l.layout(l.last, s); err == nil {
			return ns, nil
		}
	}
	for _, lay := range layouts {
		if ns, err = l.layout(lay, s); err == nil {
			l.last = lay
			return ns, nil
		}
	}
	return 0, fmt.Errorf("%s is no known form of time", nvtxt.QuoteName(s))
}

// layout reads s; a time without a year is of 1970, one without a date of
// 1 January 1970, so that it counts from midnight.
func (l *logTime) layout(layout, s string) (int64, error) {
	t, err := time.ParseInLocation(layout, s, l.location)
	if err != nil {
		return 0, fmt.Errorf("%s is no time like %q", nvtxt.QuoteName(s), layout)
	}
	if t.Year() == 0 {
		t = t.AddDate(1970, 0, 0)
	}
	if t.Year() < 1678 || t.Year() > 2261 {
		return 0, fmt.Errorf("the year %d is beyond 64 bits of ns", t.Year())
	}
	return t.UnixNano(), nil
}

// duration reads a number of l's unit (seconds, if the format is a layout or
// none) or a duration such as "1.5ms".
func (l *logTime) duration(s string) (int64, error) {
	s = strings.TrimSpace(s)
	digits, ok := units[l.format]
	if !ok {
		digits = 9
	}
	if ns, err := decimal(s, digits); err == nil {
		return ns, nil
	}
	d, err := time.ParseDuration(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		return 0, fmt.Errorf("%s is no duration", nvtxt.QuoteName(s))
	}
	return int64(d), nil
}

// decimal reads a number of a unit that has the given number of digits in ns.
// Digits below a ns are dropped.
func decimal(s string, digits int) (int64, error) {
	bad := func() (int64, error) {
		return 0, fmt.Errorf("%s is no decimal number within 64 bits of ns", nvtxt.QuoteName(s))
	}
	t, neg := strings.CutPrefix(s, "-")
	whole, frac, point := strings.Cut(t, ".")
	if !point {
		whole, frac, _ = strings.Cut(t, ",")
	}
	frac = (frac + "000000000")[:max(digits, len(frac))]
	if whole == "" || strings.Trim(whole+frac, "0123456789") != "" {
		return bad()
	}
	u, err := strconv.ParseUint(whole+frac[:digits], 10, 63)
	if err != nil {
		return bad()
	}
	if neg {
		return -int64(u), nil
	}
	return int64(u), nil
}
