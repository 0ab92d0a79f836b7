package rule

import (
	"fmt"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/section"
)

// parseChart reads the file of a chart that a rule shows: the contents of one
// item of a section's body. It keeps the kind of the chart, its label and its
// metrics.
func parseChart(name, text string) (profile.RuleTable, error) {
	it, _, err := section.ParseChart(name, text) // unknown fields are of newer versions
	if err != nil {
		return profile.RuleTable{}, err
	}
	table := func(kind string, label, description ncurep.Opt[string], ms ...*ncurep.SectionMetric) (profile.RuleTable, error) {
		t := profile.RuleTable{Kind: kind, Label: label.Or(""), Description: description.Or("")}
		for _, m := range ms {
			if m != nil {
				t.Metrics = append(t.Metrics, profile.RuleTableMetric{Name: m.Name, Label: m.Label.Or("")})
			}
		}
		return t, nil
	}
	switch {
	case it.Table != nil:
		return table("table", it.Table.Label, it.Table.Description, it.Table.Metrics...)
	case it.BarChart != nil:
		return table("bar", it.BarChart.Label, it.BarChart.Description, it.BarChart.Metrics...)
	case it.LineChart != nil:
		return table("line", it.LineChart.Label, it.LineChart.Description, it.LineChart.Metrics...)
	case it.HistogramChart != nil:
		return table("histogram", it.HistogramChart.Label, it.HistogramChart.Description, it.HistogramChart.Metric)
	case it.RooflineChart != nil:
		return table("roofline", it.RooflineChart.Label, it.RooflineChart.Description)
	case it.SourceMetricTable != nil:
		return table("source", it.SourceMetricTable.Label, it.SourceMetricTable.Description, it.SourceMetricTable.Metrics...)
	}
	return profile.RuleTable{}, fmt.Errorf("%s: expected the text of a chart or table, found none", name)
}
