package launch

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/load"
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
			got, _ := pagetest.Render(t, Details, report, view.FormatText, pagetest.Options("section-folder", dir, "print-details", "all"))
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
		got, notes := pagetest.Render(t, Details, report, view.FormatText, pagetest.Options("set", "full", "print-details", "all", "launch-count", "2"))
		for _, want := range []string{"Section: GPU Speed Of Light", "Section: Launch", "Section: Occupancy"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q", filepath.Base(report), want)
			}
		}
		for _, n := range notes {
			if strings.Contains(n, "expected") || strings.Contains(n, "requires") {
				t.Errorf("%s: %s", filepath.Base(report), n)
			}
		}
	}
}

// TestStockSections evaluates each section that comes with gpuprof, alone, for
// every report: some report has values for it, and where a report has the
// metric that the section is about, the section shows a value. Each is in a set.
func TestStockSections(t *testing.T) {
	lead := map[string]string{
		"SpeedOfLight":               "sm__throughput.avg.pct_of_peak_sustained_elapsed",
		"ComputeWorkloadAnalysis":    "sm__inst_executed.avg.per_cycle_active",
		"MemoryWorkloadAnalysis":     "dram__bytes.sum.per_second",
		"SchedulerStats":             "smsp__issue_active.avg.per_cycle_active",
		"WarpStateStats":             "smsp__average_warp_latency_per_inst_issued.ratio",
		"InstructionStats":           "smsp__inst_executed.sum",
		"LaunchStats":                "launch__block_size",
		"Occupancy":                  "sm__warps_active.avg.pct_of_peak_sustained_active",
		"SourceCounters":             "smsp__inst_executed_op_branch.sum",
		"SpeedOfLight_RooflineChart": "sm__sass_thread_inst_executed_op_ffma_pred_on.sum.per_cycle_elapsed",
	}
	valued := map[string]int{}
	stock := section.Load(nil).Sections
	for _, report := range corpustest.Files(t, "corpus/ncu/*rep*") {
		in, err := load.Open(context.Background(), report)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range in.Report.Actions()[:1] {
			ms, err := a.Metrics()
			if err != nil {
				t.Fatal(err)
			}
			major, minor := a.CC()
			b := section.NewBuilder(section.Options{Details: section.DetailsAll})
			for _, f := range stock {
				s := b.Resolve(f.Definition, section.Target{Arch: 10*major + minor})
				if s == nil {
					continue
				}
				n := 0
				for _, r := range b.Evaluate(s, ms).AllRows() {
					if r.Value != nil {
						n++
					}
				}
				valued[f.Identifier] += n
				if m := lead[f.Identifier]; n == 0 && ms.Lookup(m) != nil {
					t.Errorf("%s: %s shows nothing although there is %s", filepath.Base(report), f.Identifier, m)
				}
			}
		}
		in.Close()
	}
	for _, f := range stock {
		if len(f.Sets) == 0 {
			t.Errorf("%s is in no set", f.Identifier)
		}
		if valued[f.Identifier] == 0 && f.Identifier != nvtxSection && !strings.HasPrefix(f.Identifier, "Nvlink") {
			t.Errorf("%s has no value in any report", f.Identifier)
		}
	}
}

// TestNvtxSection shows the ranges of a launch in the section of the set full,
// once, and leaves the section out where there are none.
func TestNvtxSection(t *testing.T) {
	corpus := filepath.Join(corpustest.Dir(t), "corpus/ncu")
	got, _ := pagetest.Render(t, Details, filepath.Join(corpus, "NVIDIA__nsight-training__manual_nvtx.ncu-rep"), view.FormatText, pagetest.Options("set", "full"))
	if !strings.Contains(got, "Section: NVTX Ranges") || strings.Contains(got, "NVTX Push/Pop Stack") {
		t.Errorf("ranges are not in their section:\n%.2000s", got)
	}
	got, _ = pagetest.Render(t, Details, filepath.Join(corpus, "NVIDIA__nsight-training__CuVectorAddDrv.ncu-rep"), view.FormatText, pagetest.Options("set", "full"))
	if strings.Contains(got, "NVTX") {
		t.Error("a section without ranges")
	}
}
