package rule

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/profile"
)

func TestParseChart(t *testing.T) {
	got, err := parseChart("x.chart", "# c\nLineChart {\n Label: \"L\" Description: \"D\"\n Metrics { Label: \"A\" Name: \"a\" Filter { Name: \"x\" } }\n Metrics < Name: 'b' >\n}")
	want := profile.RuleTable{Kind: "line", Label: "L", Description: "D", Metrics: []profile.RuleTableMetric{{Name: "a", Label: "A"}, {Name: "b"}}}
	if err != nil || !cmp.Equal(got, want) {
		t.Errorf("%v, %s", err, cmp.Diff(want, got))
	}
	for _, s := range []string{"", "x", "BarChart {", "BarChart }", "Label: \"x\"", "BarChart { Label: \"x }"} {
		if _, err := parseChart("x.chart", s); err == nil {
			t.Errorf("%q: no error", s)
		}
	}
}

func FuzzParseChart(f *testing.F) {
	f.Add("BarChart { Label: \"x\" Metrics { Name: \"a\" } }")
	f.Add("}{<>\"'#\\")
	f.Fuzz(func(t *testing.T, s string) { _, _ = parseChart("x.chart", s) }) // must end
}
