package metric

import "strings"

// Parts are the parts of a metric's name.
type Parts struct {
	Prefix    string    // "breakdown:", "pmsampling:", "TriageA.", "" for most
	Unit      string    // hardware unit before the first "__": "sm", "l1tex", "launch"
	Base      string    // unit and quantity: "sm__inst_executed"
	Rollup    Rollup    // avg, max, min, sum
	Submetric Submetric // per_second, pct_of_peak_sustained_elapsed...
	Suffix    string    // all that follows Base, without the dot: "avg.per_second", "ratio"
}

// Split takes a metric's name apart.
func Split(name string) Parts {
	var p Parts
	if i := strings.IndexByte(name, ':'); i >= 0 {
		p.Prefix, name = name[:i+1], name[i+1:]
	} else if i := strings.Index(name, "Triage"); i >= 0 {
		if j := strings.IndexByte(name[i:], '.'); j >= 0 {
			p.Prefix, name = name[:i+j+1], name[i+j+1:]
		}
	}
	p.Base, p.Suffix, _ = strings.Cut(name, ".")
	if i := strings.Index(p.Base, "__"); i >= 0 {
		p.Unit = p.Base[:i]
	}
	first, rest, _ := strings.Cut(p.Suffix, ".")
	if p.Rollup = parseRollup(first); p.Rollup == RollupNone {
		rest = p.Suffix
	}
	p.Submetric = parseSubmetric(rest)
	return p
}

// Rollup says how the values of a counter's instances become one.
// The numbers are those of the NvRules interface.
type Rollup uint8

// The rollups.
const (
	RollupNone Rollup = iota
	Avg
	Max
	Min
	Sum
)

var rollupNames = [...]string{"", "avg", "max", "min", "sum"}

// String returns "avg", "max", "min", "sum" or "".
func (r Rollup) String() string {
	if int(r) < len(rollupNames) {
		return rollupNames[r]
	}
	return ""
}

func parseRollup(s string) Rollup {
	for i, n := range rollupNames {
		if s == n {
			return Rollup(i)
		}
	}
	return RollupNone
}

// Submetric says what was made of a counter: a rate, or a share of a peak.
// The numbers are those of the NvRules interface.
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
)

var submetricNames = [...]string{
	"", "peak_sustained", "peak_sustained_active", "peak_sustained_active.per_second",
	"peak_sustained_elapsed", "peak_sustained_elapsed.per_second", "peak_sustained_frame",
	"peak_sustained_frame.per_second", "peak_sustained_region", "peak_sustained_region.per_second",
	"per_cycle_active", "per_cycle_elapsed", "per_cycle_in_frame", "per_cycle_in_region", "per_second",
	"pct_of_peak_sustained_active", "pct_of_peak_sustained_elapsed", "pct_of_peak_sustained_frame",
	"pct_of_peak_sustained_region", "max_rate", "pct", "ratio",
}

// String returns the suffix in names: "per_second", "pct_of_peak_sustained_elapsed".
func (s Submetric) String() string {
	if int(s) < len(submetricNames) {
		return submetricNames[s]
	}
	return ""
}

func parseSubmetric(s string) Submetric {
	for i, n := range submetricNames {
		if s == n {
			return Submetric(i)
		}
	}
	return SubmetricNone
}
