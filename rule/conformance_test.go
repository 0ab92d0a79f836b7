package rule_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/rule"
	"github.com/gpuprof/gpuprof/rule/python"
)

func conformance(t *testing.T, folder string, o rule.Options, r *profile.Report, added *profile.Overlay) []rule.Outcome {
	t.Helper()
	ctx := context.Background()
	o.Cache = python.CacheDir()
	h, err := rule.NewHost(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	s, err := h.Load(ctx, rule.Folder(folder))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range s.Problems {
		t.Error(p)
	}
	if c := s.Lookup("Conformance"); c == nil || strings.Join(c.Metrics, " ") != "launch__block_size launch__grid_size gpu__time_duration.sum" || strings.Join(c.Rules, " ") != "Parent GpuArch" {
		t.Errorf("%+v", c)
	}
	out, err := h.Apply(ctx, rule.Job{Report: r, Action: r.Ranges[0].Actions[0], Overlay: added, Rules: s.Rules, Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// copyFiles copies the files that a pattern names to a folder.
func copyFiles(t *testing.T, pattern, folder string) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, filepath.Base(name)), b, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestConformance calls every member of NvRules in both hosts: with equal
// results.
func TestConformance(t *testing.T) {
	f, err := load.Open(context.Background(), corpustest.Files(t, "corpus/ncu/NVIDIA*nvtx.ncu-rep")[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var warning string
	var added profile.Overlay
	added.AddRuleResults(f.Report.Actions()[0], []profile.RuleResult{{Identifier: "Marks", Section: "SourceCounters",
		Markers: []profile.SourceMarker{{Source: true, File: "a.cu", Line: 3, Text: "line"}, {Address: 16, Text: "pc"}}}})
	// The rule and what tells which members it called.
	folder := t.TempDir()
	for _, from := range []string{"testdata/conformance/*", "python/testdata/called.py"} {
		copyFiles(t, from, folder)
	}
	names, err := os.ReadFile("python/testdata/api.txt")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "api_names.py"), fmt.Appendf(nil, "TEXT = %q\n", names), 0o644); err != nil {
		t.Fatal(err)
	}
	embedded := conformance(t, folder, rule.Options{}, f.Report.Report, &added)
	native := conformance(t, folder, rule.Options{Python: corpustest.Python(t), Launcher: []string{exe, "confine"}, Warn: func(s string) { warning = s }}, f.Report.Report, &added)
	if warning != "" {
		t.Log(warning)
	}
	same := cmp.Options{cmpopts.IgnoreFields(rule.Outcome{}, "Elapsed"), cmpopts.IgnoreUnexported(rule.Rule{}), cmpopts.EquateNaNs(),
		cmp.AllowUnexported(metric.Value{}), cmpopts.IgnoreUnexported(profile.Metric{})}
	if d := cmp.Diff(embedded, native, same); d != "" {
		t.Errorf("embedded and user's Python differ: %.2000s", d)
	}
	ids := map[string]rule.Outcome{}
	for _, o := range embedded {
		ids[o.Rule.ID] = o
	}
	if m := ids["GpuArch"].Result.Messages; len(m) != 1 || m[0].Text != "Running on major compute capability 8" {
		t.Errorf("%+v", ids["GpuArch"])
	}
	if m := ids["Imports"]; m.Err != nil || len(m.Result.Tables) != 1 {
		t.Errorf("%+v", m)
	}
	c := ids["Conformance"]
	for _, line := range strings.Split(c.Printed, "\n") {
		if strings.HasPrefix(line, "never ") || strings.Contains(line, "did not fail") {
			t.Error(line)
		}
	}
	e, ok := c.Err.(*rule.Error)
	if !ok || !e.Raised || e.Text != "the end" || e.Line == 0 {
		t.Errorf("ended with %v", c.Err)
	}
	r := c.Result
	if len(r.Messages) < 5 || len(r.Markers) != 4 || len(r.Tables) != 3 || len(r.Proposals) != 1 || len(c.Added) != 7 {
		t.Errorf("%d messages, %d markers, %d tables, %v, %d metrics added", len(r.Messages), len(r.Markers), len(r.Tables), r.Proposals, len(c.Added))
	}
	t.Logf("%d lines printed, %d messages", strings.Count(c.Printed, "\n"), len(r.Messages))
	for _, table := range r.Tables {
		if table.Kind == "bar" && (table.Label != "Bars" || len(table.Metrics) != 2 || table.Metrics[1].Name != "launch__block_size") {
			t.Errorf("%+v", table)
		}
	}
}
