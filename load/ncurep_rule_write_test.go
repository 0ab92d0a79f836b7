package load

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/profile"
)

// TestWriteRules writes results into a report and reads them back.
func TestWriteRules(t *testing.T) {
	ctx := context.Background()
	f, err := Open(ctx, filepath.Join("..", "examples", "transpose.ncu-rep"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	results := map[*profile.Action][]profile.RuleResult{}
	added := profile.RuleResult{Identifier: "New", DisplayName: "A new rule", Section: "SpeedOfLight",
		Messages: []profile.RuleMessage{
			{ID: 1, Type: profile.MessageOptimization, Name: "One", Text: "first", Speedup: &profile.Speedup{Type: profile.SpeedupGlobal, Percent: 12.5},
				Focus: []profile.FocusMetric{{MessageID: 1, Name: "m", Value: 2.5, Severity: 2, Info: "why"}, {MessageID: 1, Name: "n", Value: 1}}},
			{ID: 2, Type: profile.MessageOK, Text: "second"}},
		Tables:    []profile.RuleTable{{Kind: "bar", Label: "Bars", Metrics: []profile.RuleTableMetric{{Name: "m", Label: "M"}}}},
		Markers:   []profile.SourceMarker{{Source: true, File: "a.cu", Line: 3, Text: "here", Type: profile.MessageWarning}, {Address: 0x100, Text: "there"}},
		Proposals: []string{"Other"}}
	var want [][]profile.RuleResult
	for _, a := range f.Report.Actions() {
		old, err := a.RuleResults()
		if err != nil {
			t.Fatal(err)
		}
		again := added
		rs := []profile.RuleResult{again}
		var kept []profile.RuleResult
		for _, o := range old {
			if len(rs) == 1 && a.ID == 0 { // the first rule of the report is replaced
				o.Messages = []profile.RuleMessage{{ID: 1, Text: "replaced"}}
				o.Tables, o.Markers, o.Proposals = nil, nil, nil
				rs = append(rs, o)
				continue
			}
			kept = append(kept, o)
		}
		results[a] = rs
		want = append(want, append(kept, rs...))
	}
	name := filepath.Join(t.TempDir(), "out.ncu-rep")
	if err := f.Report.WriteRules(name, results); err != nil {
		t.Fatal(err)
	}
	g, err := Open(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for i, a := range g.Report.Actions() {
		got, err := a.RuleResults()
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want[i], got); d != "" {
			t.Errorf("action %d: %s", i, d)
		}
	}
}
