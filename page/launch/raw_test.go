package launch

import (
	"testing"

	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/view"
)

func TestRawOracle(t *testing.T) {
	for _, c := range []struct {
		file    string
		format  view.Format
		options []string
	}{
		{"raw.csv", view.FormatCSV, nil},
		{"raw-base.csv", view.FormatCSV, []string{"print-units", "base", "print-fp", "true"}},
		{"raw-instances.csv", view.FormatCSV, []string{"print-metric-instances", "details"}},
		{"raw.txt", view.FormatText, []string{"print-metric-instances", "values"}},
	} {
		t.Run(c.file, func(t *testing.T) {
			pagetest.EachOracle(t, c.file, func(t *testing.T, report, want string) {
				got, _ := pagetest.Render(t, Raw, report, c.format, pagetest.Options(append(c.options, "compat", "2024.1")...))
				pagetest.SameLines(t, got, want)
			})
		})
	}
}
