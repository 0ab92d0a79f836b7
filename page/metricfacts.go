package page

import (
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/section"
)

// A MetricFacts is what is known of a metric beside its value.
type MetricFacts struct {
	Name        string `json:"name"`
	Unit        string `json:"unit"` // base unit, "" for none
	Type        string `json:"type"` // counter, ratio, throughput and so on
	Description string `json:"description"`
	Formula     string `json:"formula"` // "" if it is counted, or the formula is not known
}

// DescribeMetric tells what a name means. Formulas are those of the sections
// that the file carries, of gpuprof's own sections, or what the suffix of the
// name stands for. The file may be nil.
func DescribeMetric(f *load.File, name string) MetricFacts {
	i := metric.Lookup(name)
	return MetricFacts{Name: name, Unit: i.Unit.Base().UnitString(metric.Current), Type: i.Type.String(),
		Description: metric.Describe(name), Formula: formulaOf(f, name)}
}

func formulaOf(f *load.File, name string) string {
	var defs []*section.Definition
	if f != nil && f.Report != nil {
		if as := f.Report.Actions(); len(as) > 0 {
			defs, _ = f.Report.Sections(as[0]) // what can be read of them
		}
	}
	for _, s := range section.Load(nil).Sections {
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
