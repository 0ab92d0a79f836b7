package metric

import "strings"

// Describe composes a line from the parts of a metric's name, in our own
// words: what is counted, where, rolled up how, over what. It knows no more than
// the name says.
//
//	sm__inst_executed_pipe_lsu.avg.per_cycle_active
//	instructions executed pipe LSU on each SM, average over the SMs, per active cycle
func Describe(name string) string {
	if s := amdDescriptions[name]; s != "" {
		return s
	}
	p := Split(name)
	var b strings.Builder
	b.WriteString(prefixPhrase(p.Prefix))
	writeWords(&b, strings.TrimPrefix(p.Base, p.Unit+"__"))
	where, each := unitPhrase(p.Unit)
	b.WriteString(where)
	if p.Rollup != RollupNone {
		b.WriteString(rollupPhrase(p.Rollup, each))
	}
	b.WriteString(submetricPhrase(p.Submetric))
	return b.String()
}

func prefixPhrase(prefix string) string {
	switch {
	case prefix == "":
		return ""
	case prefix == "breakdown:":
		return "members of the breakdown of "
	case prefix == "group:":
		return "members of the group "
	case prefix == "regex:":
		return "metrics that match "
	}
	return "samples over time of " // pmsampling: and trigger groups
}

// writeWords writes the words of a base name, those known in plain English.
func writeWords(b *strings.Builder, words string) {
	for i, word := range strings.Split(words, "_") {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(plainWord(word))
	}
}

// plainWord returns what an abbreviation in names stands for.
func plainWord(word string) string {
	switch word {
	case "inst":
		return "instructions"
	case "op":
		return "of kind"
	case "mem":
		return "memory"
	case "lg":
		return "local and global"
	case "ld":
		return "load"
	case "st":
		return "store"
	case "atom":
		return "atomic"
	case "red":
		return "reduction"
	case "ctas", "cta":
		return "thread blocks"
	case "pred":
		return "predicated"
	case "src":
		return "source"
	case "dst":
		return "destination"
	case "srcunit":
		return "from unit"
	case "sysmem":
		return "system memory"
	case "pcsamp":
		return "program counter samples"
	case "alu", "fma", "lsu", "xu", "adu", "cbu", "tex", "fp16", "fp32", "fp64", "tma", "sass", "l1tex", "ecc":
		return strings.ToUpper(word)
	}
	return word
}

// unitPhrase returns where a unit is and what several of it are called.
func unitPhrase(unit string) (where, each string) {
	switch unit {
	case "", "launch", "derived", "profiler", "device", "numa", "sass":
		return "", ""
	case "sm":
		return " on each SM", "the SMs"
	case "smsp":
		return " on each sub-partition of an SM", "the sub-partitions"
	case "tpc", "gpc":
		return " on each " + strings.ToUpper(unit), "the " + strings.ToUpper(unit) + "s"
	case "l1tex", "tex":
		return " in each L1 and texture cache", "the caches"
	case "lts":
		return " in each slice of the L2 cache", "the slices"
	case "ltc":
		return " in the L2 cache", "its parts"
	case "lrc":
		return " in each L2 request coalescer", "the coalescers"
	case "dram":
		return " on each channel of the device memory", "the channels"
	case "fbpa":
		return " on each partition of the frame buffer", "the partitions"
	case "idc":
		return " in each indexed constant cache", "the caches"
	case "gpu":
		return " of the GPU", "its parts"
	case "pcie":
		return " over PCIe", "the links"
	case "nvlrx":
		return " received over NVLink", "the links"
	case "nvltx":
		return " sent over NVLink", "the links"
	}
	return " in " + unit, "its instances"
}

func rollupPhrase(r Rollup, each string) string {
	if each == "" {
		each = "all instances"
	}
	switch r {
	case Avg:
		return ", average over " + each
	case Max:
		return ", maximum over " + each
	case Min:
		return ", minimum over " + each
	}
	return ", sum over " + each
}

// submetricPhrase turns "pct_of_peak_sustained_active" into ", % of the peak
// sustained over active cycles".
func submetricPhrase(s Submetric) string {
	switch s {
	case SubmetricNone:
		return ""
	case Pct:
		return ", in %"
	case Ratio:
		return ", as a ratio"
	case MaxRate:
		return ", the highest ratio possible"
	case PerSecond:
		return ", per second"
	case PerCycleInFrame, PerCycleInRegion:
		return ", per cycle of the " + strings.TrimPrefix(s.String(), "per_cycle_in_")
	case PerCycleActive, PerCycleElapsed:
		return ", per " + strings.TrimPrefix(s.String(), "per_cycle_") + " cycle"
	}
	name, rate := strings.CutSuffix(s.String(), ".per_second")
	name, share := strings.CutPrefix(name, "pct_of_")
	phrase := ", the peak sustained"
	if share {
		phrase = ", % of the peak sustained"
	}
	switch over := strings.TrimPrefix(name, "peak_sustained"); over {
	case "":
	case "_active", "_elapsed":
		phrase += " over " + over[1:] + " cycles"
	default:
		phrase += " over the " + over[1:]
	}
	if rate {
		phrase += ", per second"
	}
	return phrase
}

// Label returns the name that a breakdown table shows for a metric: the unit
// and the words of its quantity, "DRAM: Cycles Active" for
// dram__cycles_active.avg.pct_of_peak_sustained_elapsed.
func Label(name string) string {
	p := Split(name)
	b := []byte(breakdownUnit(p.Unit))
	b = append(b, ':')
	for _, word := range strings.Split(strings.TrimPrefix(p.Base, p.Unit+"__"), "_") {
		b = append(b, ' ')
		if word != "" {
			b = append(b, upper(word[0]))
			b = append(b, word[1:]...)
		}
	}
	return string(b)
}

func breakdownUnit(unit string) string {
	switch unit {
	case "lts":
		return "L2"
	case "l1tex":
		return "L1"
	case "fbpa":
		return "DRAM"
	}
	return strings.ToUpper(unit)
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}
