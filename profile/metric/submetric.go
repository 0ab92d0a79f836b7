package metric

// Submetric says what was made of a counter or a ratio: a rate, a peak, a
// share of a peak. The numbers are those of the NvRules interface.
type Submetric uint8

// The submetrics.
const (
	SubmetricNone Submetric = iota
	PeakSustained
	PeakSustainedActive
	PeakSustainedActivePerSecond
	PeakSustainedElapsed
	PeakSustainedElapsedPerSecond
	PeakSustainedFrame
	PeakSustainedFramePerSecond
	PeakSustainedRegion
	PeakSustainedRegionPerSecond
	PerCycleActive
	PerCycleElapsed
	PerCycleInFrame
	PerCycleInRegion
	PerSecond
	PctOfPeakSustainedActive
	PctOfPeakSustainedElapsed
	PctOfPeakSustainedFrame
	PctOfPeakSustainedRegion
	MaxRate
	Pct
	Ratio
	submetrics // their number
)

// String returns the submetric as it stands in names: "per_second",
// "pct_of_peak_sustained_elapsed".
func (s Submetric) String() string {
	switch s {
	case PeakSustained:
		return "peak_sustained"
	case PeakSustainedActive:
		return "peak_sustained_active"
	case PeakSustainedActivePerSecond:
		return "peak_sustained_active.per_second"
	case PeakSustainedElapsed:
		return "peak_sustained_elapsed"
	case PeakSustainedElapsedPerSecond:
		return "peak_sustained_elapsed.per_second"
	case PeakSustainedFrame:
		return "peak_sustained_frame"
	case PeakSustainedFramePerSecond:
		return "peak_sustained_frame.per_second"
	case PeakSustainedRegion:
		return "peak_sustained_region"
	case PeakSustainedRegionPerSecond:
		return "peak_sustained_region.per_second"
	case PerCycleActive:
		return "per_cycle_active"
	case PerCycleElapsed:
		return "per_cycle_elapsed"
	case PerCycleInFrame:
		return "per_cycle_in_frame"
	case PerCycleInRegion:
		return "per_cycle_in_region"
	case PerSecond:
		return "per_second"
	case PctOfPeakSustainedActive:
		return "pct_of_peak_sustained_active"
	case PctOfPeakSustainedElapsed:
		return "pct_of_peak_sustained_elapsed"
	case PctOfPeakSustainedFrame:
		return "pct_of_peak_sustained_frame"
	case PctOfPeakSustainedRegion:
		return "pct_of_peak_sustained_region"
	case MaxRate:
		return "max_rate"
	case Pct:
		return "pct"
	case Ratio:
		return "ratio"
	}
	return ""
}

// ParseSubmetric is the inverse of [Submetric.String]; it returns
// SubmetricNone for any other word.
func ParseSubmetric(s string) Submetric {
	switch s {
	case "":
		return SubmetricNone
	case "per_second":
		return PerSecond
	case "pct_of_peak_sustained_elapsed":
		return PctOfPeakSustainedElapsed
	}
	for m := PeakSustained; m < submetrics; m++ {
		if m.String() == s {
			return m
		}
	}
	return SubmetricNone
}

// measure is what a submetric does to the unit of the counted quantity.
type measure uint8

const (
	plain     measure = iota // the quantity itself
	perCycle                 // quantity / cycle
	perSecond                // quantity / second
	percent                  // %
	quotient                 // a ratio of two quantities
)

func (s Submetric) measure() measure {
	switch s {
	case SubmetricNone:
		return plain
	case PerSecond, PeakSustainedActivePerSecond, PeakSustainedElapsedPerSecond,
		PeakSustainedFramePerSecond, PeakSustainedRegionPerSecond:
		return perSecond
	case PctOfPeakSustainedActive, PctOfPeakSustainedElapsed, PctOfPeakSustainedFrame,
		PctOfPeakSustainedRegion, Pct:
		return percent
	case MaxRate, Ratio:
		return quotient
	}
	return perCycle
}

// firstLevel returns the submetric that the third part of a name says, all
// that the NvRules interface looks at: a peak per second is only a peak there.
func (s Submetric) firstLevel() Submetric {
	switch s {
	case PeakSustainedActivePerSecond, PeakSustainedElapsedPerSecond,
		PeakSustainedFramePerSecond, PeakSustainedRegionPerSecond:
		return s - 1
	}
	return s
}
