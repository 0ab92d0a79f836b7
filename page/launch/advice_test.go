package launch

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/pagetest"
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
		rows := adviceDocument(&page.Request{Format: c.format}, found, make([]advicePlace, len(found)), 5, c.format == view.FormatText || c.format == view.FormatMarkdown).Sections[0].Items[0].Table.Rows
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

// By time saved the launches of a kernel count together, what is of a part of a launch
// comes last, and what the findings rest on is named.
func TestAdviceSaved(t *testing.T) {
	out, _ := pagetest.Render(t, Advice, filepath.Join("..", "..", "examples", "transpose.ncu-rep"), view.FormatMarkdown, pagetest.Options("sort", "saved"))
	var order []int
	for _, text := range []string{"| ExampleUncoalescedStores |", "| SpeedOfLightBottleneck |", "| DramUtilization |", "| AchievedOccupancyGap |", "| HotLines |"} {
		order = append(order, strings.Index(out, text))
	}
	if !slices.IsSorted(order) || order[0] < 0 || !strings.Contains(out, "112.418") || !strings.Contains(out, "gpu\\_\\_dram\\_throughput.avg.pct\\_of\\_peak\\_sustained\\_elapsed 88 %") {
		t.Errorf("%v: %s", order, out)
	}
	at := advicePlace{duration: 2000}
	message := func(kind profile.SpeedupType, percent float64) *profile.RuleMessage {
		return &profile.RuleMessage{Speedup: &profile.Speedup{Type: kind, Percent: percent}}
	}
	if got := at.saves(message(profile.SpeedupGlobal, 25)); got != 500 {
		t.Errorf("25 %% of 2000 ns save %v", got)
	}
	for _, m := range []*profile.RuleMessage{{}, message(profile.SpeedupLocal, 25)} {
		if got := at.saves(m); !math.IsNaN(got) {
			t.Errorf("%v: saves %v, which nothing tells", m, got)
		}
	}
}

// The columns of the table of launches are metrics of choice, in the order asked for.
func TestSummaryMetrics(t *testing.T) {
	file := filepath.Join("..", "..", "examples", "transpose.ncu-rep")
	out, notes := pagetest.Render(t, Summary, file, view.FormatMarkdown, pagetest.Options("metrics", "launch__registers_per_thread,gpu__time_duration.sum,none.sum"))
	if !strings.Contains(out, "| Launch | Kernel | launch\\_\\_registers\\_per\\_thread") || !strings.Contains(out, "| gpu\\_\\_time\\_duration.sum") || strings.Contains(out, "Findings") {
		t.Error(out)
	}
	if !slices.ContainsFunc(notes, func(s string) bool { return strings.Contains(s, `no launch has "none.sum"`) }) {
		t.Errorf("notes: %v", notes)
	}
	if out, _ = pagetest.Render(t, Summary, file, view.FormatMarkdown, pagetest.Options("table", "launches")); strings.Contains(out, "Findings") || !strings.Contains(out, "Registers") {
		t.Error(out)
	}
}
