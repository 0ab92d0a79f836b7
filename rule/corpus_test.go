package rule_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/rule"
	"github.com/gpuprof/gpuprof/rule/python"
)

// stockRules loads the stock rules into a host that ends with the test.
func stockRules(t *testing.T) (*rule.Host, *rule.Set) {
	t.Helper()
	ctx := context.Background()
	h, err := rule.NewHost(ctx, rule.Options{Cache: python.CacheDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	s, err := h.Load(ctx, rule.Stock())
	if err != nil {
		t.Fatal(err)
	}
	return h, s
}

// TestOtherProfiles applies the stock rules to launches that Nsight Compute knows
// nothing of: they say nothing, or why.
func TestOtherProfiles(t *testing.T) {
	ctx := context.Background()
	h, s := stockRules(t)
	launches := 0
	for _, name := range corpustest.Files(t, "corpus/amd/*") {
		f, err := load.Open(ctx, name)
		if err != nil || f.Report == nil {
			continue // no profile of launches
		}
		actions := f.Report.Actions()
		for _, a := range actions[:min(3, len(actions))] {
			launches++
			out, err := h.Apply(ctx, rule.Job{Report: f.Report.Report, Action: a, Rules: s.Rules})
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range out {
				if strings.HasPrefix(o.Rule.Section, "AMD") {
					continue // is for them
				}
				var e *rule.Error
				if !errors.As(o.Err, &e) || !e.Raised || !strings.Contains(e.Text, "needs metrics") || len(o.Result.Messages) > 0 {
					t.Errorf("%s: launch %d: %s: %v, %+v", name, a.ID, o.Rule.ID, o.Err, o.Result.Messages)
				}
			}
		}
		f.Close()
	}
	if launches == 0 {
		t.Error("no launches")
	}
}

// TestCorpus applies the stock rules to all launches of all reports: no
// exception, and nothing absurd.
func TestCorpus(t *testing.T) {
	ctx := context.Background()
	h, s := stockRules(t)
	said := map[string]int{}
	launches := 0
	for _, name := range corpustest.Files(t, "corpus/ncu/*.*-*") {
		f, err := load.Open(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		actions := f.Report.Actions()
		for _, a := range actions {
			launches++
			out, err := h.Apply(ctx, rule.Job{Report: f.Report.Report, Action: a, Rules: s.Rules})
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range out {
				var e *rule.Error
				if o.Err != nil && (!errors.As(o.Err, &e) || !e.Raised) {
					t.Errorf("%s: launch %d: %s: %v", name, a.ID, o.Rule.ID, o.Err)
				}
				for _, m := range o.Result.Messages {
					said[o.Rule.ID]++
					if m.Text == "" || m.Name == "" || m.Speedup != nil && !(m.Speedup.Percent > 0 && m.Speedup.Percent <= 100) {
						t.Errorf("%s: launch %d: %s: %+v", name, a.ID, o.Rule.ID, m)
					}
				}
			}
		}
		if len(actions) > 100 {
			t.Logf("%d launches: %v", len(actions), time.Since(start))
		}
		f.Close()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d launches, messages by rule: %v", launches, said)
	for _, r := range s.Rules {
		if said[r.ID] == 0 {
			t.Logf("%s said nothing", r.ID)
		}
	}
}
