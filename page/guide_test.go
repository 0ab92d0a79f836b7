package page

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// TestGuideSections shows the two sample sections of the vendor's customization
// guide, as printed there, for every report: the header table, and the table and
// chart of a regular expression.
func TestGuideSections(t *testing.T) {
	guide, err := os.ReadFile(filepath.Join(corpustest.Dir(t), "seeds", "nsight-compute-customization-guide.txt"))
	if err != nil {
		t.Fatal(err)
	}
	listings := regexp.MustCompile("(?s)```\n(Identifier: \"SampleSection\".*?)```").FindAllStringSubmatch(string(guide), -1)
	if len(listings) != 2 {
		t.Fatalf("%d listings in the guide, want 2", len(listings))
	}
	for i, l := range listings {
		dir := t.TempDir()
		name := filepath.Join(dir, "sample.section")
		if err := os.WriteFile(name, []byte(l[1]), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, warnings, err := section.ParseFile(name, l[1]); err != nil || len(warnings) > 0 {
			t.Errorf("listing %d: %v %v", i, err, warnings)
		}
		for _, report := range corpustest.Files(t, "corpus/ncu/*rep*") {
			got, _ := render(t, "details", report, view.FormatText, options("section-folder", dir, "print-details", "all"))
			sections := strings.Count(got, "    Section: Sample Section\n")
			launches := strings.Count(got, ", Context ")
			want := []string{"Active Warps", "Active Cycles"}
			if i == 1 {
				want = append(want, "Table Name : Example Table", "Table Name : Metrics Table", "Table Name : Metrics Chart", "Avg. Issued Instructions Per Scheduler")
			}
			if sections == 0 || sections != launches {
				t.Errorf("%s: listing %d is shown %d times for %d launches", filepath.Base(report), i, sections, launches)
			}
			for _, w := range want {
				if !strings.Contains(got, w) {
					t.Errorf("%s: listing %d lacks %q", filepath.Base(report), i, w)
				}
			}
		}
	}
}

// TestFullSet shows all sections that come with gpuprof for every report, from
// Pascal to Blackwell.
func TestFullSet(t *testing.T) {
	for _, report := range corpustest.Files(t, "corpus/ncu/*rep*") {
		got, notes := render(t, "details", report, view.FormatText, options("set", "full", "print-details", "all", "launch-count", "2"))
		for _, want := range []string{"Section: GPU Speed Of Light", "Section: Launch", "Section: Occupancy"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q", filepath.Base(report), want)
			}
		}
		for _, n := range notes {
			if strings.Contains(n, "expected") {
				t.Errorf("%s: %s", filepath.Base(report), n)
			}
		}
	}
}
