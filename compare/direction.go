package compare

import "regexp"

// Better says which way of a metric is the better one.
type Better uint8

// The directions. Most metrics have none: more occupancy, more throughput and
// more cache hits come with more time as often as with less.
const (
	Neither Better = iota
	Lower
	Higher
)

// String is none, lower or higher.
func (b Better) String() string { return [...]string{"none", "lower", "higher"}[b] }

// A Direction is what a rule says of a metric.
type Direction struct {
	Better Better
	Class  string // time, cost, rate, derived, count, exact, clock, context, other
}

// directions are tried from first to last; the first that is found in the name
// decides. Only times and costs have a better side.
var directions = []struct {
	pattern *regexp.Regexp
	Direction
}{
	{regexp.MustCompile(`^(device__|numa__|nvlink__|c2clink__|profiler__|breakdown|group:|regex:|pmsampling|.*TriageA)`), Direction{Neither, "context"}},
	{regexp.MustCompile(`^(gr|gpc|sm|smsp|dram|lts|l1tex|ltc|fbpa|sys|pcie|nvl.x)__cycles_(elapsed|active)[^/]*\.per_second$`), Direction{Neither, "clock"}},
	{regexp.MustCompile(`\.(max_rate|peak_sustained)$`), Direction{Neither, "context"}},
	{regexp.MustCompile(`average_data_bytes_per_sector`), Direction{Higher, "cost"}},
	{regexp.MustCompile(`time_duration`), Direction{Lower, "time"}},
	{regexp.MustCompile(`^(sm|smsp|gpc|gpu|gr)__cycles_elapsed\.(max|avg|sum|min)$`), Direction{Lower, "time"}},
	{regexp.MustCompile(`time_active`), Direction{Lower, "time"}},
	{regexp.MustCompile(`\.per_second$`), Direction{Neither, "rate"}},
	{regexp.MustCompile(`pct_of_peak|throughput|_utilization|speed_of_light`), Direction{Neither, "rate"}},
	{regexp.MustCompile(`^launch__`), Direction{Neither, "exact"}},
	{regexp.MustCompile(`occupancy|warps_active|warps_eligible|issue_active|ipc|inst_per_cycle|inst_executed\.(avg|sum)\.per_cycle`), Direction{Neither, "derived"}},
	{regexp.MustCompile(`hit_rate`), Direction{Neither, "derived"}},
	{regexp.MustCompile(`bank_conflict`), Direction{Lower, "cost"}},
	{regexp.MustCompile(`local_(load|store|ld|st|op)|_local_|op_local|spill`), Direction{Lower, "cost"}},
	{regexp.MustCompile(`excessive|_uncoalesced`), Direction{Lower, "cost"}},
	{regexp.MustCompile(`stall(ed)?_selected|not_predicated`), Direction{Neither, "derived"}},
	{regexp.MustCompile(`stalled|warp_issue_stalled|stall_|warp_latency|average_warp_latency`), Direction{Neither, "derived"}},
	{regexp.MustCompile(`thread_inst_executed_per_inst|pred_on_per|branch_targets_threads_uniform|thread_inst_executed.*ratio`), Direction{Higher, "cost"}},
	{regexp.MustCompile(`divergent`), Direction{Lower, "cost"}},
	{regexp.MustCompile(`(inst_executed|inst_issued|thread_inst_executed|op_[a-z0-9]+_pred_on)[^/]*\.(sum|avg|max|min)$|^inst_executed|^thread_inst`), Direction{Neither, "count"}},
	{regexp.MustCompile(`ops_path|transactions|bytes|sectors|requests|wavefronts|tag_requests|t_output|data_`), Direction{Neither, "count"}},
}

// A Rule says which way of the metrics is the better one in whose names its pattern
// is found.
type Rule struct {
	Pattern string `json:"pattern"` // an expression that Go and JavaScript read alike
	Better  string `json:"better"`  // as [Better.String] writes it
}

// Directions are the rules of [DirectionOf]: the first that fits decides. Faces that
// compare numbers which they have already judge by them.
func Directions() []Rule {
	rules := make([]Rule, len(directions))
	for i, d := range directions {
		rules[i] = Rule{d.pattern.String(), d.Better.String()}
	}
	return rules
}

// DirectionOf tells which way of a metric is the better one, by its name.
func DirectionOf(metric string) Direction {
	for i := range directions {
		if directions[i].pattern.MatchString(metric) {
			return directions[i].Direction
		}
	}
	return Direction{Neither, "other"}
}
