package launch

import (
	"fmt"
	"testing"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/rule"
	"github.com/gpuprof/gpuprof/view"
)

func adviceCell(v view.Value) string {
	if v.IsNumber() {
		return fmt.Sprint(v.Float64())
	}
	return v.Text()
}

// TestAdviceGathers has people see once what a rule says of several launches of a
// kernel, and programs each time.
func TestAdviceGathers(t *testing.T) {
	said := func(launch int, kernel string, percent float64, titles ...string) rule.Finding {
		f := rule.Finding{Report: "r", Kernel: kernel, Launch: launch, Result: profile.RuleResult{Identifier: "R"}}
		for _, title := range titles {
			f.Result.Messages = append(f.Result.Messages, profile.RuleMessage{Type: profile.MessageOptimization, Name: title, Text: "about " + title,
				Speedup: &profile.Speedup{Type: profile.SpeedupLocal, Percent: percent}})
		}
		return f
	}
	found := []rule.Finding{said(0, "a", 5, "x", "x"), said(1, "a", 7, "x", "x"), said(2, "a", 6, "x", "y"), said(3, "b", 1, "x"),
		{Report: "r", Kernel: "b", Launch: 4, Result: profile.RuleResult{Identifier: "R", Messages: []profile.RuleMessage{{Type: profile.MessageOK, Text: "fine"}}}}}
	for _, c := range []struct {
		format view.Format
		want   []string
	}{
		{view.FormatText, []string{"1 +2 a 7", "1 a 7", "2 a 6", "3 b 1"}},
		{view.FormatMarkdown, []string{"1 +2 a 7", "1 a 7", "2 a 6", "3 b 1"}},
		{view.FormatCSV, []string{"1 a 7", "1 a 7", "2 a 6", "2 a 6", "0 a 5", "0 a 5", "3 b 1"}},
		{view.FormatJSON, []string{"1 a 7", "1 a 7", "2 a 6", "2 a 6", "0 a 5", "0 a 5", "3 b 1", "4 b "}},
	} {
		rows := adviceDocument(&page.Request{Format: c.format}, found, make([]advicePlace, len(found)), 5).Sections[0].Items[0].Table.Rows
		if len(rows) != len(c.want) {
			t.Errorf("%s: %d rows, want %d", c.format, len(rows), len(c.want))
			continue
		}
		for i, r := range rows {
			if got := adviceCell(r[2]) + " " + adviceCell(r[3]) + " " + adviceCell(r[0]); got != c.want[i] {
				t.Errorf("%s: row %d is %q, want %q", c.format, i, got, c.want[i])
			}
		}
	}
}
