package metric

import "strings"

// Parts are the parts of a metric's name.
type Parts struct {
	Prefix    string    // "breakdown:", "pmsampling:", "SM.TriageA."; "" for most
	Unit      string    // what is counted on, before the first "__": "sm", "l1tex", "launch"
	Base      string    // unit and quantity: "sm__inst_executed"
	Suffix    string    // all that follows Base and its dot: "avg.per_second", "ratio"
	Rollup    Rollup    // of Suffix
	Submetric Submetric // of Suffix
}

// Split takes a metric's name apart. The parts are substrings of it, and
// Prefix + Base + "." + Suffix is the name again (without the dot if there is
// no suffix).
func Split(name string) Parts {
	var p Parts
	n := prefixLen(name)
	p.Prefix, name = name[:n], name[n:]
	p.Base, p.Suffix, _ = strings.Cut(name, ".")
	if i := strings.Index(p.Base, "__"); i >= 0 {
		p.Unit = p.Base[:i]
	}
	first, rest, _ := strings.Cut(p.Suffix, ".")
	if p.Rollup = ParseRollup(first); p.Rollup == RollupNone {
		rest = p.Suffix
	}
	p.Submetric = ParseSubmetric(rest)
	return p
}

// OnRawPage reports whether the raw page shows a metric of this name. It leaves
// out those that only list other metrics.
func OnRawPage(name string) bool {
	switch Split(name).Prefix {
	case "breakdown:", "group:", "regex:":
		return false
	}
	return true
}

// prefixLen returns the length of what stands before the name proper: a word
// and a colon, or the trigger group of a sampled metric, "SM.TriageA.".
func prefixLen(name string) int {
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == ':':
			return i + 1
		case c == '.':
			return triageLen(name, i)
		case c == '_' && i+1 < len(name) && name[i+1] == '_':
			return 0
		}
	}
	return 0
}

// triageLen is prefixLen for a name whose first dot, at index dot, comes
// before any "__".
func triageLen(name string, dot int) int {
	if strings.HasPrefix(name, "Triage") {
		return dot + 1
	}
	if group := name[dot+1:]; strings.HasPrefix(group, "Triage") {
		if i := strings.IndexByte(group, '.'); i >= 0 {
			return dot + 1 + i + 1
		}
	}
	return 0
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

// Rollups are the rollups in the order in which tools list them.
var Rollups = [...]Rollup{Avg, Max, Min, Sum}

// String returns "avg", "max", "min", "sum" or "".
func (r Rollup) String() string {
	switch r {
	case Avg:
		return "avg"
	case Max:
		return "max"
	case Min:
		return "min"
	case Sum:
		return "sum"
	}
	return ""
}

// ParseRollup is the inverse of [Rollup.String]; it returns RollupNone for
// any other word.
func ParseRollup(s string) Rollup {
	switch s {
	case "avg":
		return Avg
	case "max":
		return Max
	case "min":
		return Min
	case "sum":
		return Sum
	}
	return RollupNone
}
