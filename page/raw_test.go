package page

import (
	"testing"

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
			eachOracle(t, c.file, func(t *testing.T, report, want string) {
				got, _ := render(t, "raw", report, c.format, options(append(c.options, "compat", "2024.1")...))
				sameLines(t, got, want)
			})
		})
	}
}
