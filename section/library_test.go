package section

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestStock checks that what comes with gpuprof is without fault.
func TestStock(t *testing.T) {
	l := Load(nil)
	if len(l.Failed) > 0 {
		t.Fatal(l.Failed)
	}
	for _, s := range l.Sections {
		if len(s.Warnings) > 0 || len(s.Shadows) > 0 {
			t.Errorf("%s: %v %v", s.Source, s.Warnings, s.Shadows)
		}
		if s.Description.Value == "" || len(s.Sets) == 0 || !s.Order.Set {
			t.Errorf("%s: without description, set or order", s.Source)
		}
	}
	sets := l.Sets()
	for _, name := range []string{"basic", "detailed", "full", "roofline", "source"} {
		if len(sets[name]) == 0 {
			t.Errorf("no section is in the set %s", name)
		}
	}
	if len(sets["full"]) < 12 || len(sets["basic"]) != 3 {
		t.Errorf("%d sections in full, %d in basic", len(sets["full"]), len(sets["basic"]))
	}
}

func TestSearchPath(t *testing.T) {
	near, far := t.TempDir(), t.TempDir()
	write := func(dir, name, content string) {
		t.Helper()
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(near, "a.section", `Identifier: "A" DisplayName: "near" Order: 1`)
	write(near, "bad.section", "Identifier: \"B\"\nHeader {")
	write(near, "notes.txt", "not a section")
	write(near, "deep/d.section", `Identifier: "D" Order: 1`)
	write(far, "a.section", `Identifier: "A" DisplayName: "far"`)
	write(far, "deep/e.section", `Identifier: "E" DisplayName: "E" Order: 1`)
	write(far, "launch.section", `Identifier: "LaunchStats" DisplayName: "Mine"`)
	l := Load([]Folder{{Path: near}, {Path: far, Recursive: true}, {Path: filepath.Join(near, "none")}})
	got := map[string]string{}
	for _, s := range l.Sections {
		if s.Folder < 2 {
			got[s.Identifier] = s.DisplayName + " " + strings.Join(s.Shadows, " ")
		}
	}
	want := map[string]string{"A": "near " + filepath.Join(far, "a.section"), "E": "E ", "LaunchStats": "Mine stock/LaunchStats.section"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if len(l.Failed) != 2 || !strings.Contains(l.Failed[0].Error(), "bad.section:2:9: expected") || !strings.Contains(l.Failed[1].Error(), "none") {
		t.Errorf("failed: %v", l.Failed)
	}
}

func TestMetricNames(t *testing.T) {
	for _, s := range Load(nil).Sections {
		if s.Identifier == "SpeedOfLight" {
			pascal, volta := MetricNames(s.Definition, Target{Arch: 61}), MetricNames(s.Definition, Target{Arch: 70})
			if !strings.Contains(strings.Join(pascal, " "), "gpu__time_duration ") || !strings.Contains(strings.Join(volta, " "), "gpu__time_duration.sum ") {
				t.Errorf("Pascal %v\nVolta %v", pascal, volta)
			}
		}
	}
}
