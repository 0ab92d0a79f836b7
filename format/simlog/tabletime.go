package simlog

import (
	"math"
	"strconv"
	"strings"
)

// A log may state times in place of cycles (column time_ns). Its cycles are then those of
// the clock that it states before its first row, or else nanoseconds, and count from the
// first row of each kernel: a time since 1970 tells nothing of when a kernel began.

// tick is a moment in ns: whole ones, and the rest.
type tick struct {
	ns   int64
	rest float64
}

func parseTick(b []byte) (tick, bool) {
	whole, fraction, _ := strings.Cut(string(b), ".")
	ns, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return tick{}, false
	}
	if fraction == "" {
		return tick{ns: ns}, true
	}
	if strings.Trim(fraction, "0123456789") != "" {
		return tick{}, false
	}
	rest, err := strconv.ParseFloat("0."+fraction, 64)
	if strings.HasPrefix(whole, "-") {
		rest = -rest
	}
	return tick{ns: ns, rest: rest}, err == nil
}

// timedMHz is the clock of a log that states times and no clock: a cycle is 1 ns.
const timedMHz = 1000

// timed turns the time of a row into cycles since the first row of its kernel. It is
// false where they are too many.
func (r *rowReader) timed(row *tableRow) bool {
	if r.meta.timed = true; r.meta.clock == 0 {
		r.meta.clock = timedMHz
	}
	if !r.open || r.kernel.ID != row.kernel {
		r.began = row.time
	}
	cycle, ok := r.cycles(row.time)
	row.cycle = cycle
	return ok
}

// cycles is a moment on the clock of the running kernel.
func (r *rowReader) cycles(t tick) (int64, bool) {
	ns := t.ns - r.began.ns
	if (t.ns < r.began.ns) != (ns < 0) {
		return 0, false
	}
	v := math.Round((float64(ns) + t.rest - r.began.rest) * r.meta.clock / 1000)
	return int64(v), math.Abs(v) < 1<<62
}
