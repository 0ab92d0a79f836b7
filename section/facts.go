package section

import (
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/profile/metric"
)

// A MetricFacts is what is known of a metric beside its value.
type MetricFacts struct {
	Name        string `json:"name"`
	Unit        string `json:"unit"` // base unit, "" for none
	Type        string `json:"type"` // counter, ratio, throughput and so on
	Description string `json:"description"`
	Formula     string `json:"formula"` // "" if it is counted, or the formula is not known
}

// FactsOf tells what the name of a metric means. Formulas are those of the
// sections that a report carries, of gpuprof's own sections, or what the suffix of
// the name stands for.
func FactsOf(name string, carried []*Definition) MetricFacts {
	i := metric.Lookup(name)
	return MetricFacts{Name: name, Unit: i.Unit.Base().UnitString(metric.Current), Type: i.Type.String(),
		Description: metric.Describe(name), Formula: formulaOf(name, carried)}
}

func formulaOf(name string, carried []*Definition) string {
	defs := slices.Clone(carried)
	for _, s := range Load(nil).Sections {
		defs = append(defs, s.Definition)
	}
	for _, d := range defs {
		if d.Definitions == nil {
			continue
		}
		for _, m := range d.Definitions.Definitions {
			if m.Name == name {
				return m.Expression
			}
		}
	}
	return suffixFormula(name)
}

// suffixFormula is what the submetric of a name computes from the metric itself:
// what NVIDIA documents of the suffixes.
func suffixFormula(name string) string {
	p := metric.Split(name)
	if p.Rollup == metric.RollupNone || p.Submetric == metric.SubmetricNone {
		return ""
	}
	base := p.Prefix + p.Base + "." + p.Rollup.String()
	s := p.Submetric.String()
	rest, rate := strings.CutSuffix(s, ".per_second")
	switch over, share := strings.CutPrefix(rest, "pct_of_peak_sustained_"); {
	case share && !rate:
		return "100 × " + base + ".per_cycle_" + over + " ÷ " + base + ".peak_sustained"
	case s == "per_second":
		return base + " ÷ seconds of the measurement"
	case strings.HasPrefix(s, "per_cycle_"):
		return base + " ÷ cycles (" + strings.ReplaceAll(strings.TrimPrefix(s, "per_cycle_"), "_", " ") + ")"
	}
	return ""
}
