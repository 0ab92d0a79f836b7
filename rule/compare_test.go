package rule_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/rule"
)

var update = flag.Bool("update", false, "write the comparison of rules to docs")

// questions pairs rules of this project with those of Nsight Compute that ask
// the same.
var questions = []struct {
	ours   []string
	theirs []string
}{
	{[]string{"SpeedOfLightBottleneck"}, []string{"SOLBottleneck"}},
	{[]string{"RooflinePosition"}, []string{"SOLFPRoofline"}},
	{[]string{"LaunchShape"}, []string{"LaunchConfiguration"}},
	{[]string{"TheoreticalOccupancyLimit"}, []string{"TheoreticalOccupancy"}},
	{[]string{"TheoreticalOccupancyLimit", "AchievedOccupancyGap"}, []string{"Occupancy"}}, // before 2023
	{[]string{"AchievedOccupancyGap"}, []string{"AchievedOccupancy"}},
	{[]string{"IssueSlots"}, []string{"IssueSlotUtilization"}},
	{[]string{"StallReasons"}, []string{"CPIStall", "CPIStallLongScoreboard"}},
	{[]string{"GlobalCoalescing"}, []string{"MemoryCacheAccessPattern"}},
	{[]string{"BankConflicts"}, []string{"SharedMemoryConflicts"}},
	{[]string{"Divergence"}, []string{"ThreadDivergence"}},
	{[]string{"FloatFusion"}, []string{"FPInstructions"}},
	{[]string{"UncoalescedLines"}, []string{"UncoalescedGlobalAccess"}},
	{[]string{"SharedCoalescing"}, []string{"UncoalescedSharedAccess"}},
	{[]string{"Imbalance"}, []string{"WorkloadImbalance"}},
}

// tally counts the launches on which a rule of each side spoke.
type tally struct {
	both, onlyTheirs, onlyOurs, neither int
	speedups                            int
	differences                         []float64 // of estimated speedups, in points
}

// advises returns whether a result advises something, and the largest estimated
// speedup with it, 0 if there is none.
func advises(r *profile.RuleResult) (spoke bool, speedup float64) {
	for _, m := range r.Messages {
		if m.Type != profile.MessageWarning && m.Type != profile.MessageOptimization || strings.Contains(m.Text, "could not be found") {
			continue
		}
		spoke = true
		if m.Speedup != nil {
			speedup = max(speedup, m.Speedup.Percent)
		}
	}
	return spoke, speedup
}

func (c *tally) add(ours, theirs bool, a, b float64) {
	switch {
	case ours && theirs:
		c.both++
		if a > 0 && b > 0 {
			c.speedups++
			c.differences = append(c.differences, math.Abs(a-b))
		}
	case theirs:
		c.onlyTheirs++
	case ours:
		c.onlyOurs++
	default:
		c.neither++
	}
}

// TestCompare counts where rules of this project and those of Nsight Compute
// agree, on the launches whose report has a result of the latter. -update writes
// the table to docs, which has to be this one.
func TestCompare(t *testing.T) {
	ctx := context.Background()
	h, s := stockRules(t)
	tallies := make([]tally, len(questions))
	for _, name := range corpustest.Files(t, "corpus/ncu/*.*-*") {
		f, err := load.Open(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range f.Report.Actions() {
			compareLaunch(t, h, s, f.Report.Report, a, tallies)
		}
		f.Close()
	}
	var b strings.Builder
	b.WriteString("| rule | rule of Nsight Compute | both advise | only theirs | only ours | neither | speedups compared | median difference, points |\n|---|---|---|---|---|---|---|---|\n")
	agreed, all := 0, 0
	for i, q := range questions {
		c := &tallies[i]
		median := "–"
		if slices.Sort(c.differences); len(c.differences) > 0 {
			median = fmt.Sprintf("%.1f", c.differences[len(c.differences)/2])
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | %d | %s |\n", strings.Join(q.ours, ", "), strings.Join(q.theirs, ", "), c.both, c.onlyTheirs, c.onlyOurs, c.neither, c.speedups, median)
		agreed += c.both + c.neither
		all += c.both + c.neither + c.onlyOurs + c.onlyTheirs
	}
	t.Logf("%d of %d agree\n%s", agreed, all, b.String())
	if agreed < all*3/4 {
		t.Errorf("only %d of %d verdicts agree", agreed, all)
	}
	if *update {
		writeBetween(t, "../docs/rules.md", "<!-- comparison -->\n", "<!-- end -->", b.String())
	}
	docs, err := os.ReadFile("../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(docs), "<!-- comparison -->\n"+b.String()+"<!-- end -->") {
		t.Error("docs/rules.md has another table; -update writes it")
	}
}

func compareLaunch(t *testing.T, h *rule.Host, s *rule.Set, r *profile.Report, a *profile.Action, tallies []tally) {
	t.Helper()
	out, err := h.Apply(context.Background(), rule.Job{Report: r, Action: a, Rules: s.Rules})
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := a.RuleResults()
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range questions {
		var asked, spoke bool
		var speedup float64
		for k := range theirs {
			if slices.Contains(q.theirs, theirs[k].Identifier) {
				s, x := advises(&theirs[k])
				asked, spoke, speedup = true, spoke || s, max(speedup, x)
			}
		}
		var ran, ours bool
		var x float64
		for k := range out {
			if slices.Contains(q.ours, out[k].Rule.ID) && out[k].Err == nil {
				s, y := advises(&out[k].Result)
				ran, ours, x = true, ours || s, max(x, y)
			}
		}
		if asked && ran {
			tallies[i].add(ours, spoke, x, speedup)
		}
	}
}

// writeBetween replaces what stands between two marks of a file.
func writeBetween(t *testing.T, name, from, to, text string) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(b), from)
	_, tail, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		t.Fatalf("%s: expected %q and %q", name, from, to)
	}
	if err := os.WriteFile(name, []byte(head+from+text+to+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}
