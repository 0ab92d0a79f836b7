package nvtxt

import "fmt"

// Dialect chooses whose reading of the language is followed.
type Dialect uint8

const (
	// Guide is the language as it is documented, read generously: any
	// variable name, the documented default definitions, Qpc times, all
	// errors of a file reported and every other line kept.
	Guide Dialect = iota
	// Nsys is the language as the importer of Nsight Systems reads it: what it
	// refuses is refused, the first error ends the file, and values are taken
	// as it takes them.
	Nsys
)

// String returns "guide" or "nsys".
func (d Dialect) String() string {
	switch d {
	case Guide:
		return "guide"
	case Nsys:
		return "nsys"
	}
	return fmt.Sprintf("Dialect(%d)", uint8(d))
}

// ParseDialect is the inverse of [Dialect.String].
func ParseDialect(s string) (Dialect, error) {
	switch s {
	case "guide":
		return Guide, nil
	case "nsys":
		return Nsys, nil
	}
	return 0, fmt.Errorf("unknown dialect %q: expected guide or nsys", s)
}

// TimeBase tells which clock a time of a file was read from.
type TimeBase uint8

const (
	// NoTimeBase: the file does not say. Guide reads such times as Manual.
	NoTimeBase TimeBase = iota
	// Manual times are nanoseconds of the session, or units that a [Mode] maps to them.
	Manual
	// Relative times are nanoseconds since the session began.
	Relative
	// ClockMonotonicRaw times are nanoseconds of clock_gettime(CLOCK_MONOTONIC_RAW) on the target.
	ClockMonotonicRaw
	// CNTVCT times are ticks of the virtual counter of an Arm processor.
	CNTVCT
	// Qpc times are ticks of QueryPerformanceCounter. The importer of Nsight
	// Systems does not know this base.
	Qpc
	numTimeBases = iota
)

var timeBaseNames = [numTimeBases]string{"", "Manual", "Relative", "ClockMonotonicRaw", "CNTVCT", "Qpc"}

// String returns the name as files spell it; "" for NoTimeBase.
func (b TimeBase) String() string {
	if int(b) < len(timeBaseNames) {
		return timeBaseNames[b]
	}
	return fmt.Sprintf("TimeBase(%d)", uint8(b))
}

// ParseTimeBase is the inverse of [TimeBase.String].
func ParseTimeBase(s string) (TimeBase, error) {
	if b := timeBaseOf([]byte(s)); b != NoTimeBase {
		return b, nil
	}
	return 0, fmt.Errorf("unknown time base %q: expected Manual, Relative, ClockMonotonicRaw, CNTVCT or Qpc", s)
}

func timeBaseOf(name []byte) TimeBase {
	for i := 1; i < numTimeBases; i++ {
		if string(name) == timeBaseNames[i] {
			return TimeBase(i)
		}
	}
	return NoTimeBase
}
