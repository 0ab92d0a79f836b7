package load

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// TestExportOverlay writes what an overlay adds into a report and reads it back.
func TestExportOverlay(t *testing.T) {
	ctx := context.Background()
	f, err := Open(ctx, filepath.Join("..", "examples", "transpose.ncu-rep"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var o profile.Overlay
	added := profile.RuleResult{Identifier: "New", DisplayName: "A new rule", Section: "SpeedOfLight",
		Messages: []profile.RuleMessage{
			{ID: 1, Type: profile.MessageOptimization, Name: "One", Text: "first", Speedup: &profile.Speedup{Type: profile.SpeedupGlobal, Percent: 12.5},
				Focus: []profile.FocusMetric{{MessageID: 1, Name: "m", Value: 2.5, Severity: 2, Info: "why"}, {MessageID: 1, Name: "n", Value: 1}}},
			{ID: 2, Type: profile.MessageOK, Text: "second"}},
		Tables: []profile.RuleTable{{Kind: "bar", Label: "Bars", Metrics: []profile.RuleTableMetric{{Name: "m", Label: "M"}}},
			{Kind: "data", Label: "Cells", Description: "own", MessageID: 1, Columns: []string{"a", "b", "c"}, SortBy: -1, Rows: [][]metric.Value{
				{metric.String("x"), metric.Double(-2.5), metric.Uint64(1 << 60)}, {metric.String(""), {}, metric.Uint64(0)}}}},
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
		for _, r := range old {
			if len(rs) == 1 && a.ID == 0 { // the first rule of the report is replaced
				r.Messages = []profile.RuleMessage{{ID: 1, Text: "replaced"}}
				r.Tables, r.Markers, r.Proposals = nil, nil, nil
				rs = append(rs, r)
				continue
			}
			kept = append(kept, r)
		}
		o.AddMetrics(a, []profile.Metric{
			profile.NewMetric("rule__new", metric.Double(1.5), []profile.Instance{{ID: metric.Uint64(7), Value: metric.String("x")}}),
			profile.NewMetric("launch__block_size", metric.Uint64(3), nil)})
		o.AddRuleResults(a, rs)
		want = append(want, append(kept, rs...))
	}
	name := filepath.Join(t.TempDir(), "out.ncu-rep")
	report, err := f.Report.Export(f.Report.Actions(), &o)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := report.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	g, err := Open(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for i, a := range g.Report.Actions() {
		ms, err := a.Metrics()
		if err != nil {
			t.Fatal(err)
		}
		if m := ms.Lookup("launch__block_size"); m == nil || m.Value.Uint64() != 3 {
			t.Errorf("action %d: the metric that a rule replaced is %v", i, m)
		}
		if m := ms.Lookup("rule__new"); m == nil || m.Value.Double() != 1.5 || m.NumInstances() != 1 || m.Instances()[0].Value.Text() != "x" || m.Instances()[0].ID.Uint64() != 7 {
			t.Errorf("action %d: the metric that a rule added is %v", i, m)
		}
		got, err := a.RuleResults()
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want[i], got, cmp.Comparer(func(a, b metric.Value) bool { return a == b })); d != "" {
			t.Errorf("action %d: %s", i, d)
		}
	}
}
