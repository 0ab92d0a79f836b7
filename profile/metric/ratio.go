package metric

import "strings"

// ratioUnit returns the unit of a ratio metric, whose name is
// [average_]A[_qualifiers]_per_B[_qualifiers]. words is the base name without
// its unit.
func ratioUnit(words string) Unit {
	words = strings.TrimPrefix(words, "sass_")
	words = strings.TrimPrefix(words, "average_")
	over, under, isQuotient := strings.Cut(words, "_per_")
	switch {
	// The latency of a warp is a number of cycles, however it is divided.
	// Divided by stall reason, the cycles become issue slots, counted in
	// instructions.
	case strings.HasPrefix(over, "warp_latency_issue_stalled"):
		return Unit{"inst", "warp"}
	case strings.HasPrefix(over, "warps_issue_stalled"):
		return Unit{Numerator: "inst"}
	case strings.HasPrefix(over, "warp_latency"), strings.HasPrefix(over, "warps_active"):
		return Unit{Numerator: "cycle"}
	case !isQuotient:
		return Unit{}
	}
	a, b := counted(over).unitName(), ratioDivisor(under)
	switch {
	case a == b:
		return Unit{}
	case a == "":
		return Unit{"1", b}
	}
	return Unit{a, b}
}

// ratioDivisor returns the unit of what follows "_per_": a word in the
// singular. Requests and wavefronts do not show in a unit.
func ratioDivisor(words string) string {
	word, _, _ := strings.Cut(words, "_")
	switch word {
	case "sector", "inst", "warp", "thread", "byte", "cycle", "second":
		return word
	case "cta", "block":
		return "block"
	}
	return ""
}
