package rule

import (
	"fmt"

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
	shown, _ := it.Item()
	if t, ok := section.RuleTable(shown); ok {
		return t, nil
	}
	return profile.RuleTable{}, fmt.Errorf("%s: expected the text of a chart or table, found none", name)
}
