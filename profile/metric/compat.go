package metric

import "strings"

// Lookup2024 returns what Nsight Compute 2024.1 says of a metric, where that
// is less than what is known. It asks the counter library of the chip, so a
// name without an entry there is of type other, and on a chip that it does not
// know almost nothing has a unit.
//
// cc is the chip's compute capability times ten, 75 or 90; 0 if unknown.
func Lookup2024(name string, cc int) Info {
	info := Lookup(name)
	p := Split(name)
	switch {
	case !knownChip2024(cc):
		info.Type = typeOther
		if !hasUnitOnAnyChip2024(name) {
			info.Unit = Unit{}
		}
	case name == "lts__average_gcomp_input_sector_success_rate.pct" && cc < 80:
		// The chip has no such counter; its section stores a constant there.
		return Info{Unit: Unit{Numerator: "sector"}}
	case isNewer2024(p) || cc < 80 && strings.Contains(p.Base, "_gcomp_"):
		info.Type = typeOther
		info.Unit = guess(name)
	case name == "launch__occupancy_limit_barriers":
		info.Unit = Unit{}
	}
	if strings.Contains(p.Prefix, "Triage") {
		info.Rollup, info.Submetric = triage2024(p)
	}
	return info
}

// knownChip2024 reports whether Nsight Compute 2024.1 has counters for the
// chip: Volta to Hopper.
func knownChip2024(cc int) bool {
	switch cc {
	case 70, 72, 75, 80, 86, 87, 89, 90:
		return true
	}
	return false
}

// isNewer2024 reports whether a name belongs to a unit whose counters came
// after 2024.1.
func isNewer2024(p Parts) bool {
	switch p.Unit {
	case "lrc", "syslts", "gr":
		return p.Prefix == ""
	}
	return false
}

// hasUnitOnAnyChip2024 reports whether the profiler itself knows the unit.
func hasUnitOnAnyChip2024(name string) bool {
	switch name {
	case "inst_executed", "thread_inst_executed", "thread_inst_executed_true",
		"launch__cluster_max_active", "launch__cluster_max_potential_size", "launch__sm_count",
		"launch__occupancy_limit_blocks", "launch__occupancy_limit_registers",
		"launch__occupancy_limit_shared_mem", "launch__occupancy_limit_warps",
		"sm__maximum_warps_avg_per_active_cycle", "smsp__maximum_warps_avg_per_active_cycle":
		return true
	}
	return strings.HasPrefix(name, "memory_l")
}

// triage2024 returns rollup and submetric of a name with a trigger group. The
// second and third of the parts between dots are taken for them, which the
// group has shifted: only a ratio's suffix can end up in the right place.
func triage2024(p Parts) (Rollup, Submetric) {
	if strings.Count(p.Prefix, ".") == 1 && !strings.Contains(p.Suffix, ".") && p.Rollup == RollupNone {
		return RollupNone, p.Submetric
	}
	return RollupNone, SubmetricNone
}

// BodyUnit2024 returns the unit in the tables in a section's body, which
// --print-details all shows. Nsight Compute 2024.1 guesses there as well what
// its counter library does not know, but in another order: "mem" is bytes even
// in "membar" and "memdesc", and instructions come before threads.
func BodyUnit2024(name string, cc int) Unit {
	unit := Lookup2024(name, cc).Unit
	switch {
	case !knownChip2024(cc):
	case strings.HasPrefix(name, "smsp__pcsamp_") && strings.Contains(name, "_stalled_mem"),
		strings.HasPrefix(name, "smsp__inst_executed_memdesc_"):
		return Unit{Numerator: "byte"}
	case strings.HasPrefix(name, "derived__") && strings.Contains(name, "_thread_inst_"):
		return Unit{Numerator: "inst"}
	}
	return unit
}
