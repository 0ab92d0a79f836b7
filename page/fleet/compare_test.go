package fleet_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/internal/examples"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
)

// results writes reports of so many days and runs a day. From a day on the first
// kernel takes a tenth more time. Noise of 1 % is the same in each call.
func results(t *testing.T, dir string, days, runs, from int) (names []string) {
	t.Helper()
	noise := uint64(1)
	for day := range days {
		for run := range runs {
			r := examples.Transpose()
			began := time.Date(2026, 3, 1+day, 3+run, 0, 0, 0, time.UTC)
			r.Session.CreationTime = ncurep.Some(uint64(began.Unix()))
			for i, x := range r.Results {
				noise = noise*6364136223846793005 + 1442695040888963407
				factor := 1 + float64(noise>>40)/float64(1<<24)/100
				if i == 0 && day >= from {
					factor *= 1.1
				}
				for k := range x.Metrics {
					if x.Metrics[k].Name == "gpu__time_duration.sum" {
						ns, _ := x.Metrics[k].Value.Uint64()
						x.Metrics[k].Value = ncurep.Uint64Value(uint64(float64(ns) * factor))
					}
				}
			}
			name := filepath.Join(dir, fmt.Sprintf("day%02d", day), fmt.Sprintf("run%d.ncu-rep", run))
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := r.WriteFile(name); err != nil {
				t.Fatal(err)
			}
			names = append(names, name)
		}
	}
	return names
}

// TestReport finds the kernel that takes more time from a date on, and no other.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	names := results(t, dir, 12, 3, 7)
	for _, values := range [][]string{{}, {"shard-size", "1", "metric", "gpu__time_duration.sum"}, {"unit", "folder"}, {"points", "report"}} {
		d, _ := ask(t, "fleet report", options(values...), dir)
		var said []string
		for _, it := range d.Sections[0].Items {
			if it.Message != nil && it.Message.Source == "regression" {
				said = append(said, it.Message.Text)
			}
		}
		where := "2026-03-08"
		if len(values) > 0 && values[0] == "points" {
			where = names[21]
		}
		if !d.Failed || len(said) != 1 || !strings.Contains(said[0], "takes") || !strings.Contains(said[0], "more time from "+where) {
			t.Errorf("%v: %q, want one kernel from %s on", values, said, where)
		}
		if tb := d.Sections[0].Items[len(d.Sections[0].Items)-1].Table; tb == nil || len(tb.Rows) != 3 {
			t.Errorf("%v: want three kernels", values)
		}
		if len(d.Sections) != 2 || d.Sections[1].ID != "trend1" {
			t.Errorf("%v: want one kernel drawn by itself", values)
		}
	}
	d, _ := ask(t, "fleet report", options("top", "1"), filepath.Join(dir, "day00"), filepath.Join(dir, "day01"))
	if d.Failed || len(d.Sections) != 1 {
		t.Error("two days with nothing between them: something moved")
	}
	bad := filepath.Join(dir, "bad.ncu-rep")
	if err := os.WriteFile(bad, []byte("NVR\x00 and no more"), 0o666); err != nil {
		t.Fatal(err)
	}
	d, _ = ask(t, "fleet report", nil, dir)
	if last := d.Sections[len(d.Sections)-1]; last.ID != "problems" || !strings.Contains(last.Items[0].Message.Text, "bad.ncu-rep") {
		t.Errorf("a broken report is not named: %+v", last)
	}
}

// TestCheck compares the gate over folders with the gate over files.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	old, work := filepath.Join(dir, "old"), filepath.Join(dir, "work")
	results(t, old, 1, 4, 9)
	heads := results(t, filepath.Join(dir, "new"), 1, 4, 0)
	policy := filepath.Join(dir, "perf.yaml")
	text := "version: 1\ndefaults: {on_undecided: fail}\nkernels:\n  - match: '.*'\n    limits:\n" +
		"      - {metric: gpu__time_duration.sum, max_increase: 5%}\n      - {metric: launch__registers_per_thread, max: 200}\n    count: {min: 1}\n"
	if err := os.WriteFile(policy, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	q := &page.Request{Values: options("policy", policy)}
	for _, name := range heads {
		f, err := load.Open(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		q.Files = append(q.Files, f)
	}
	olds, _ := filepath.Glob(filepath.Join(old, "*", "*.ncu-rep"))
	q.Values["baseline"] = olds
	d, err := pageOf(t, "check").Do(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	want := rendered(t, d)
	got, text := ask(t, "fleet check", options("policy", policy, "baseline", old, "work", work), filepath.Join(dir, "new"))
	if !got.Failed || text != want || !strings.Contains(text, "broken") {
		t.Errorf("%s\nwant %s", text, want)
	}
	if same, text := ask(t, "fleet check", options("policy", policy, "baseline", old), old); same.Failed {
		t.Errorf("the baseline against itself: %s", text)
	}
	if err := os.WriteFile(policy, []byte("version: 1\nkernels:\n  - {match: '.*', count: {min: 1}}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"fleet merge", "fleet check"} {
		r := &page.Request{Args: []string{work}}
		if p == "fleet check" {
			r = &page.Request{Args: []string{filepath.Join(dir, "new")}, Values: options("policy", policy, "baseline", old, "work", work)}
		}
		if _, err := pageOf(t, p).Do(context.Background(), r); err == nil || !strings.Contains(err.Error(), "work") {
			t.Errorf("%s, after the policy changed: %v", p, err)
		}
	}
}

// TestReportTellsDamage: a report that is cut is told of beside the answer of the
// others, and by every work.
func TestReportTellsDamage(t *testing.T) {
	whole := filepath.Join("..", "..", "examples", "transpose.ncu-rep")
	b, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut.ncu-rep")
	if err := os.WriteFile(cut, b[:3000], 0o600); err != nil {
		t.Fatal(err)
	}
	for name, values := range map[string]map[string][]string{"fleet report": nil, "fleet details": options("metric", "gpu__time_duration.sum")} {
		d, _ := ask(t, name, values, cut, whole)
		last := d.Sections[len(d.Sections)-1]
		if !d.Failed || last.ID != "problems" || !strings.Contains(last.Items[0].Message.Text, "cut.ncu-rep: ") {
			t.Errorf("%s: %+v", name, last)
		}
	}
}
