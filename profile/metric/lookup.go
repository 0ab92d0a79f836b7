package metric

import "strings"

// Type is the sort of a metric. The numbers are those of the NvRules
// interface.
type Type uint8

// The types.
const (
	typeOther Type = iota
	typeCounter
	typeRatio
	typeThroughput
)

// String returns "other", "counter", "ratio" or "throughput".
func (t Type) String() string {
	switch t {
	case typeCounter:
		return "counter"
	case typeRatio:
		return "ratio"
	case typeThroughput:
		return "throughput"
	}
	return "other"
}

// Info is what a metric's name says about it.
type Info struct {
	Unit      Unit
	Type      Type
	Rollup    Rollup
	Submetric Submetric // first level: a peak per second is a peak here
}

// Lookup returns what is known of a metric by its name, whatever the chip.
// It never fails: a name of no known form has no unit and is of type other.
func Lookup(name string) Info {
	if info, ok := amdInfo(name); ok {
		return info
	}
	p := Split(name)
	switch p.Prefix {
	case "group:":
		return Info{}
	case "regex:":
		return Info{Unit: guess(name)}
	}
	info := Info{Rollup: p.Rollup, Submetric: nvRulesSubmetric(p)}
	switch {
	case isHostName(p.Unit):
		info.Unit = hostUnit(p)
		return info
	case p.Suffix == "" && !isBareCounter(p):
		info.Unit = bareUnit(p)
		return info
	}
	words := p.Base[len(p.Unit)+len("__"):]
	info.Unit = grammarUnit(p, words)
	if p.Prefix == "" {
		info.Type = grammarType(p, words)
	}
	return info
}

// isHostName reports whether names of the unit are no hardware counters but
// values that the profiler computes or is told.
func isHostName(unit string) bool {
	switch unit {
	case "", "launch", "derived", "profiler", "device", "nvlink", "numa", "c2clink", "sass":
		return true
	}
	return false
}

// isBareCounter reports whether a name without suffix is a counter:
// those that instrumented code keeps.
func isBareCounter(p Parts) bool {
	return strings.Contains(p.Base, "__sass_") && !strings.HasSuffix(p.Base, "_type")
}

func grammarUnit(p Parts, words string) Unit {
	m := p.Submetric.measure()
	if m == quotient {
		return ratioUnit(words)
	}
	return counted(words).unitOf(m)
}

func grammarType(p Parts, words string) Type {
	switch {
	case p.Rollup == RollupNone && p.Suffix != "":
		return typeRatio
	case strings.HasSuffix(words, "throughput") || strings.HasSuffix(words, "throughput_internal_activity"):
		return typeThroughput
	}
	return typeCounter
}

// nvRulesSubmetric returns the submetric as the NvRules interface has it: what
// stands behind the rollup. The suffix of a ratio is none.
func nvRulesSubmetric(p Parts) Submetric {
	if p.Rollup != RollupNone {
		return p.Submetric.firstLevel()
	}
	return SubmetricNone
}
