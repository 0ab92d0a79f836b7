package metric

import "strings"

// Type is the sort of a metric. The numbers are those of the NvRules interface.
type Type uint8

// The types.
const (
	Other Type = iota
	Counter
	RatioType
	Throughput
)

var typeNames = [...]string{"other", "counter", "ratio", "throughput"}

// String returns "other", "counter", "ratio" or "throughput".
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return ""
}

// Info is what a metric's name says about it.
type Info struct {
	Unit      Unit
	Type      Type
	Rollup    Rollup
	Submetric Submetric
}

// Lookup returns what is known of a metric by its name.
func Lookup(name string) Info {
	p := Split(name)
	info := Info{Rollup: p.Rollup, Submetric: p.Submetric}
	q := p.Base
	if p.Rollup != RollupNone {
		info.Type = Counter
		if strings.HasSuffix(q, "throughput") {
			info.Type = Throughput
		}
	} else if p.Suffix == "pct" || p.Suffix == "ratio" || p.Suffix == "max_rate" {
		info.Type = RatioType
	}
	switch p.Submetric {
	case PctOfPeakSustainedActive, PctOfPeakSustainedElapsed, Pct:
		info.Unit = Unit{Numerator: "%"}
		return info
	}
	for _, w := range []string{"bytes", "cycles", "inst", "sectors", "requests", "warps", "thread"} {
		if strings.Contains(q, w) {
			info.Unit.Numerator = strings.TrimSuffix(w, "s")
			break
		}
	}
	switch p.Submetric {
	case PerSecond:
		info.Unit.Denominator = "second"
	case PerCycleActive, PerCycleElapsed, PeakSustained:
		info.Unit.Denominator = "cycle"
	}
	return info
}
