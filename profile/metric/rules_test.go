package metric

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// TestRulesGeneralise is a cross-validation: of the bases of the known names,
// half are drawn; a name of the other half counts as right if every rule that it
// takes is one that a name of the first half takes as well, so that somebody who
// had seen only the first half could have written it. A rule that names one
// metric is of no help in that.
func TestRulesGeneralise(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(corpustest.Dir(t), "formats", "ncu-metric-facts.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	bases := map[string][]string{}
	for _, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")[1:] {
		name, _, _ := strings.Cut(line, "\t")
		if base := Split(name).Base; !strings.HasPrefix(base, "device__") {
			bases[base] = append(bases[base], name)
		}
	}
	const splits = 50
	lowest, sum := 1.0, 0.0
	for seed := range splits {
		right, all := halfScore(bases, uint64(seed))
		score := float64(right) / float64(all)
		lowest, sum = min(lowest, score), sum+score
	}
	t.Logf("%d bases without device attributes, %d splits: mean %.1f %%, lowest %.1f %%", len(bases), splits, 100*sum/splits, 100*lowest)
	if lowest < 0.9 {
		t.Errorf("the rules learnt on one half cover only %.1f %% of the other", 100*lowest)
	}
}

func halfScore(bases map[string][]string, seed uint64) (right, all int) {
	names := make([]string, 0, len(bases))
	for base := range bases {
		names = append(names, base)
	}
	// Map order is random: sort, then shuffle with the seed.
	slices.Sort(names)
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	seen := map[string]bool{}
	for _, base := range names[:len(names)/2] {
		for _, name := range bases[base] {
			for _, r := range rulesOf(name) {
				seen[r] = true
			}
		}
	}
	for _, base := range names[len(names)/2:] {
		for _, name := range bases[base] {
			all++
			if known := allIn(rulesOf(name), seen); known {
				right++
			}
		}
	}
	return right, all
}

func allIn(rules []string, seen map[string]bool) bool {
	for _, r := range rules {
		if !seen[r] {
			return false
		}
	}
	return true
}

// rulesOf returns the rules that Lookup takes for a name.
func rulesOf(name string) []string {
	p := Split(name)
	rules := []string{"prefix " + p.Prefix}
	words := strings.TrimPrefix(p.Base, p.Unit+"__")
	switch {
	case p.Prefix == "group:" || p.Prefix == "regex:":
		return rules
	case isHostName(p.Unit):
		rules = append(rules, "host "+p.Unit)
		if info := Lookup(name); info.Unit.IsZero() {
			return append(rules, "no unit")
		}
		if guess(p.Base) == Lookup(name).Unit {
			return append(rules, "guess "+guess(p.Base).String())
		}
		switch { // rules that a prefix makes general
		case strings.HasPrefix(words, "shared_mem_per_block"), strings.HasPrefix(words, "registers_per_thread"),
			strings.HasPrefix(words, "block_dim"), strings.HasPrefix(words, "memory_l"):
			return append(rules, "host "+words[:9])
		}
		return append(rules, "only "+words)
	case p.Suffix == "" && !isBareCounter(p):
		if guess(words) == Lookup(name).Unit {
			return append(rules, "bare", "guess "+guess(words).String())
		}
		return append(rules, "bare", "old "+Lookup(name).Unit.String())
	}
	m := p.Submetric.measure()
	rules = append(rules, "suffix "+p.Rollup.String()+" "+p.Submetric.String(), "type "+grammarType(p, words).String())
	if m == quotient {
		return append(rules, "ratio "+ratioUnit(words).String())
	}
	if m != percent {
		rules = append(rules, "word "+decidingWord(words))
	}
	return rules
}

// decidingWord returns the word by which counted decides.
func decidingWord(words string) string {
	for _, word := range strings.Split(words, "_") {
		if quantityOf(word) != unknown {
			return word
		}
	}
	return ""
}
