package metric

import "math"

// A Dialect is a way of spelling units.
type Dialect uint8

const (
	// Current is the newer spelling: ns, us, ms, s, hz, Ghz. Seen from 2025.1 on.
	Current Dialect = iota
	// Compat2024 is the spelling up to Nsight Compute 2024.1 at least: nsecond, usecond,
	// cycle/nsecond.
	Compat2024
)

// A Scale is a unit with an SI prefix, and the factor that goes with it.
// The zero Scale has no unit and changes nothing.
type Scale struct {
	Unit Unit
	Step int8 // powers of 1000 by which values are divided, 0 to 4
}

// Base returns the scale that leaves values of u as reports store them.
func (u Unit) Base() Scale { return Scale{Unit: u} }

// Auto returns the scale that shows v in 1 to 999 of a prefixed unit, as far
// as the unit takes prefixes: bytes K to T, times n to none, and rates per
// second up to per nanosecond. NaN and infinities stay in the base unit.
func (u Unit) Auto(v float64) Scale {
	s := Scale{Unit: u}
	most := u.steps()
	if most == 0 || math.IsInf(v, 0) {
		return s
	}
	for v = math.Abs(v); v >= 1000 && s.Step < most; s.Step++ {
		v /= 1000
	}
	return s
}

// steps returns the number of prefixes that u takes.
func (u Unit) steps() int8 {
	switch {
	case u.Numerator == "byte" || u.Denominator == "byte":
		return 4
	case u.Numerator == "second" || u.Denominator == "second":
		return 3
	}
	return 0
}

// Apply returns v in the scaled unit.
func (s Scale) Apply(v float64) float64 {
	for range s.Step {
		v /= 1000
	}
	return v
}

const (
	upPrefixes   = " KMGT" // times 1000 each
	timePrefixes = "num "  // nanoseconds are the stored base
	ratePrefixes = " mun"  // per second is the stored base
)

// AppendUnit appends the unit as pages print it: "Kbyte/block", "usecond" or
// "us", "cycle/nsecond" or "Ghz", and nothing for no unit.
func (s Scale) AppendUnit(dst []byte, d Dialect) []byte {
	num, den := s.Unit.Numerator, s.Unit.Denominator
	if d == Current && num == "cycle" && den == "second" {
		return append(appendPrefix(dst, upPrefixes, s.Step), "hz"...)
	}
	switch num {
	case "1":
	case "byte":
		dst = append(appendPrefix(dst, upPrefixes, s.Step), num...)
	case "second":
		dst = appendSecond(appendPrefix(dst, timePrefixes, s.Step), d)
	default:
		dst = append(dst, num...)
	}
	if den == "" {
		return dst
	}
	dst = append(dst, '/')
	switch {
	case den == "1":
	case den == "byte" && num != "byte":
		dst = append(appendPrefix(dst, upPrefixes, s.Step), den...)
	case den == "second" && num == "byte":
		dst = appendSecond(dst, d)
	case den == "second":
		dst = appendSecond(appendPrefix(dst, ratePrefixes, s.Step), d)
	default:
		dst = append(dst, den...)
	}
	return dst
}

// UnitString is AppendUnit as a string.
func (s Scale) UnitString(d Dialect) string { return string(s.AppendUnit(nil, d)) }

func appendPrefix(dst []byte, prefixes string, step int8) []byte {
	if int(step) < len(prefixes) && prefixes[step] != ' ' {
		dst = append(dst, prefixes[step])
	}
	return dst
}

func appendSecond(dst []byte, d Dialect) []byte {
	if d == Compat2024 {
		return append(dst, "second"...)
	}
	return append(dst, 's')
}
