package metric

import "strings"

// hostUnit returns the unit of a value that is no hardware counter.
func hostUnit(p Parts) Unit {
	switch p.Unit {
	case "launch":
		return launchUnit(p.Base[len("launch__"):])
	case "derived":
		return derivedUnit(p)
	case "device", "nvlink", "numa", "c2clink":
		return Unit{}
	case "sass":
		if strings.Contains(p.Base, "_per_opcode") {
			return Unit{}
		}
	case "":
		return sourceUnit(p.Base)
	}
	return guess(p.Base)
}

// launchUnit returns the unit of a launch__ metric.
func launchUnit(words string) Unit {
	switch words {
	case "occupancy_limit_blocks", "occupancy_limit_registers", "occupancy_limit_shared_mem",
		"occupancy_limit_warps", "occupancy_limit_barriers",
		"block_dim_x", "block_dim_y", "block_dim_z", "cluster_max_potential_size":
		return Unit{Numerator: "block"}
	case "cluster_max_active":
		return Unit{Numerator: "cluster"}
	case "sm_count":
		return Unit{Numerator: "SM"}
	case "thread_count":
		return Unit{Numerator: "thread"}
	case "shared_mem_config_size":
		return Unit{Numerator: "byte"}
	}
	switch {
	case strings.HasPrefix(words, "registers_per_thread"):
		return Unit{"register", "thread"}
	case strings.HasPrefix(words, "shared_mem_per_block"):
		return Unit{"byte", "block"}
	case strings.HasSuffix(words, "_pct"):
		return Unit{Numerator: "%"}
	}
	return Unit{}
}

// derivedUnit returns the unit of a derived__ metric.
func derivedUnit(p Parts) Unit {
	words := p.Base[len("derived__"):]
	if by, ok := strings.CutPrefix(words, "pct_occupancy_per_"); ok {
		switch by {
		case "block_size":
			return Unit{"%", "1"}
		case "register_count":
			return Unit{"%", "register"}
		case "shared_mem_size":
			return Unit{"%", "byte"}
		}
		return Unit{}
	}
	return guess(words)
}

// sourceUnit returns the unit of a metric without a unit prefix: those that
// are collected by instruction and shown beside the source.
func sourceUnit(base string) Unit {
	switch base {
	case "inst_executed", "thread_inst_executed", "thread_inst_executed_true":
		return Unit{Numerator: "inst"}
	}
	if words, ok := strings.CutPrefix(base, "memory_l"); ok {
		switch {
		case strings.Contains(words, "_theoretical_"), strings.Contains(words, "_tag_requests_"),
			strings.Contains(words, "_wavefronts_"):
			return Unit{Numerator: "sectors"}
		case strings.Contains(words, "_sectors_"):
			return Unit{Numerator: "byte"}
		}
	}
	return Unit{}
}
