package metric

import "strings"

// A Unit is a unit of measure as a fraction, such as byte/second.
// The zero Unit means that the value has no unit, or none that is known.
//
// Names are PerfWorks' words in the singular: byte, cycle, inst, sector,
// second, warp. "%" is percent. "1" stands for a dimensionless side of a
// fraction: {"1", "cycle"} counts events per cycle.
type Unit struct {
	Numerator   string
	Denominator string // "" if the unit is no fraction
}

// ParseUnit reads the canonical spelling that [Unit.String] writes:
// "byte", "byte_per_second", "1_per_cycle".
func ParseUnit(s string) Unit {
	num, den, _ := strings.Cut(s, "_per_")
	return Unit{num, den}
}

// String returns the canonical spelling, "byte_per_second". It is the one of
// Nsight Compute's Python interface, which leaves a dimensionless denominator
// out.
func (u Unit) String() string {
	if u.Denominator == "" || u.Denominator == "1" {
		return u.Numerator
	}
	return u.Numerator + "_per_" + u.Denominator
}

// IsZero reports whether u says nothing.
func (u Unit) IsZero() bool { return u == Unit{} }
