package metric

import "strings"

// bareUnit returns the unit of a hardware unit's metric without a suffix: a
// setting, a count of samples, or a name from before PerfWorks.
func bareUnit(p Parts) Unit {
	words := p.Base[len(p.Unit)+len("__"):]
	switch {
	case strings.HasSuffix(words, "_evict_type") && strings.HasPrefix(words, "sass_"):
		return Unit{} // a code, not a count
	case strings.HasPrefix(words, "branch_targets_"):
		return Unit{}
	case strings.HasPrefix(words, "maximum_warps_avg"):
		return Unit{Numerator: "warp"}
	case strings.HasSuffix(words, "_pct"):
		return Unit{Numerator: "%"}
	}
	return oldUnit(words)
}

// oldUnit returns the unit of a name of 2018, when Pascal was supported:
// quantity, rollup and rate are words of one name, as in
// inst_executed_avg_per_active_cycle and m_rd_bytes_global_atom_per_sec.
func oldUnit(words string) Unit {
	switch {
	case words == "frequency":
		return Unit{"cycle", "second"}
	case strings.HasPrefix(words, "warp_cycles_per_"):
		return Unit{Numerator: "cycle"}
	}
	if count, ok := strings.CutSuffix(words, "_per_sec"); ok {
		return guessed(count).unitOf(perSecond)
	}
	for _, rate := range [...]string{"_per_active_cycle", "_per_elapsed_cycle"} {
		if count, ok := strings.CutSuffix(words, rate); ok {
			return guessed(count).unitOf(perCycle)
		}
	}
	if strings.Contains(words, "_per_inst_") || strings.Contains(words, "_per_issue_") {
		return Unit{}
	}
	return guess(words)
}

// guess returns the unit that the words of a name suggest, for names of no
// known grammar. Percentages come first: they are never counts.
func guess(name string) Unit {
	if strings.Contains(name, "pct") {
		return Unit{Numerator: "%"}
	}
	return Unit{Numerator: guessed(name).unitName()}
}

// guessed returns the quantity that the words of a name suggest. The order of
// the words does not count: the finer thing wins over the coarser, threads over
// instructions over warps.
func guessed(name string) quantity {
	best, bestRank := unknown, len(guessRank)
	for name != "" {
		end := strings.IndexAny(name, "_.")
		if end < 0 {
			end = len(name)
		}
		q := guessOf(name[:end])
		name = name[min(end+1, len(name)):]
		if r := guessRank[q]; q != unknown && r < bestRank {
			best, bestRank = q, r
		}
	}
	return best
}

// guessRank orders quantities for guessed; the lowest wins.
var guessRank = [...]int{
	unknown: 99, pureCount: 99, operations: 99,
	threads: 0, insts: 1, warps: 2, requests: 3, bytes: 4, sectors: 5,
	cycles: 6, passes: 7, samples: 8, seconds: 9, blocks: 10,
}

// guessOf returns the quantity that a word suggests: more words than
// [quantityOf] knows, and no counts without a unit.
func guessOf(word string) quantity {
	switch word {
	case "thread":
		return threads
	case "warp":
		return warps
	case "sector":
		return sectors
	case "passes":
		return passes
	case "samples":
		return samples
	case "mem", "memory":
		return bytes
	}
	if q := quantityOf(word); q.unitName() != "" {
		return q
	}
	return unknown
}
