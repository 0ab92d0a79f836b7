package section

import (
	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
)

// RuleTable is the table or chart of metrics that a rule shows; false for items
// that are more than a list of metrics.
func RuleTable(it ncurep.Item) (profile.RuleTable, bool) {
	t := profile.RuleTable{Kind: string(it.Kind), Label: it.Label.Or(""), Description: it.Description.Or("")}
	for _, m := range it.Metrics {
		t.Metrics = append(t.Metrics, profile.RuleTableMetric{Name: m.Name, Label: m.Label.Or("")})
	}
	return t, it.Chart || it.Kind == ncurep.ItemTable || it.Kind == ncurep.ItemSources
}
