package metric

import "strings"

// quantity is what a counter counts.
type quantity uint8

const (
	unknown   quantity = iota // no word of the name says it
	pureCount                 // things without a unit: operations, wavefronts, conflicts
	bytes
	cycles
	insts
	sectors
	requests
	warps
	threads
	blocks
	seconds
	samples
	passes
	operations // as pureCount, but a rate of it is 1/second
)

// unitName returns the unit's word, "" if there is none.
func (q quantity) unitName() string {
	switch q {
	case bytes:
		return "byte"
	case cycles:
		return "cycle"
	case insts:
		return "inst"
	case sectors:
		return "sector"
	case requests:
		return "request"
	case warps:
		return "warp"
	case threads:
		return "thread"
	case blocks:
		return "block"
	case seconds:
		return "second"
	case samples:
		return "sample"
	case passes:
		return "pass"
	}
	return ""
}

// counted returns the quantity of a counter. The first word that names a
// quantity decides, from the left: l1tex__data_pipe_lsu_wavefronts_mem_shared
// counts wavefronts, sm__sass_thread_inst_executed_op_fadd instructions. Where
// none does, "active" makes it cycles: sm__issue_active.
//
// words is a base name without its unit.
func counted(words string) quantity {
	active := unknown
	for word := ""; words != ""; {
		word, words, _ = strings.Cut(words, "_")
		if q := quantityOf(word); q != unknown {
			return q
		}
		if word == "active" {
			active = cycles
		}
	}
	return active
}

// quantityOf returns the quantity that one word of a counter's name means.
func quantityOf(word string) quantity {
	switch word {
	case "bytes":
		return bytes
	case "cycles", "inst0":
		return cycles
	case "inst", "insts", "instructions":
		return insts
	case "sectors":
		return sectors
	case "requests":
		return requests
	case "warps":
		return warps
	case "threads":
		return threads
	case "ctas":
		return blocks
	case "time":
		return seconds
	case "wavefronts", "conflicts", "reads", "writes", "accesses", "targets":
		return pureCount
	case "ops":
		return operations
	}
	return unknown
}

// unitOf returns the unit of a counter's submetric.
func (q quantity) unitOf(m measure) Unit {
	if m == percent {
		return Unit{Numerator: "%"}
	}
	name := q.unitName()
	switch m {
	case perCycle:
		return q.per(name, "cycle")
	case perSecond:
		return q.per(name, "second")
	}
	return Unit{Numerator: name}
}

// per divides a quantity by a unit.
func (q quantity) per(name, by string) Unit {
	switch {
	case q == operations:
		return Unit{"1", by}
	case q == warps && by == "cycle":
		// Warps are counted once for each cycle that they spend in a state, so
		// a rate per cycle is a number of warps.
		return Unit{Numerator: name}
	case name == "" || name == by:
		return Unit{}
	}
	return Unit{name, by}
}
