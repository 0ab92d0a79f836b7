package page

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/stats"
	"github.com/gpuprof/gpuprof/view"
)

// TestStatsNativeOracle compares every report that the vendor's tool printed for
// a native report, straight from that report.
func TestStatsNativeOracle(t *testing.T) {
	for _, o := range corpustest.Files(t, "oracle/nsys-stats-native/*/r_*.csv") {
		file := filepath.Base(filepath.Dir(o))
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(o), "r_"), ".csv")
		t.Run(file+"/"+name, func(t *testing.T) {
			report := name
			for _, arg := range []string{"base", "mangled", "nvtx-name"} {
				if s, ok := strings.CutSuffix(name, "_"+arg); ok {
					report = s + ":" + arg
				}
			}
			base, _, _ := strings.Cut(report, ":")
			page, option := "stats", "report"
			if r := stats.Lookup(base); r == nil {
				t.Fatalf("there is no report %s", base)
			} else if r.Rule {
				page, option, report = "analyze", "rule", report+":rows=-1"
			}
			got, _ := render(t, page, filepath.Join(corpustest.Dir(t), "corpus", "nsys-rep", file), view.FormatCSV, options(option, report))
			b, err := os.ReadFile(o)
			if err != nil {
				t.Fatal(err)
			}
			sameCells(t, got, string(b))
			if !t.Failed() && got != string(b) {
				t.Error("the cells are equal, the bytes are not")
			}
		})
	}
}

// TestStacksNative compares call stacks of a native file with those of its
// export.
func TestStacksNative(t *testing.T) {
	dir := filepath.Join(corpustest.Dir(t), "corpus")
	compared := 0
	for _, native := range corpustest.Files(t, "corpus/nsys-rep/*") {
		name := strings.TrimSuffix(filepath.Base(native), filepath.Ext(native))
		export := filepath.Join(dir, "nsys", name+".sqlite")
		if ext := filepath.Ext(native); ext != ".qdrep" && ext != ".nsys-rep" {
			continue
		}
		if _, err := os.Stat(export); err != nil {
			continue
		}
		for _, report := range []string{"callchain_func_sum:rows=-1", "callchain_stack_sum:rows=-1"} {
			want, _ := render(t, "stats", export, view.FormatCSV, options("report", report))
			if want == "" { // no stacks
				continue
			}
			compared++
			if got, _ := render(t, "stats", native, view.FormatCSV, options("report", report)); got != want {
				t.Errorf("%s: %s differs from its export", name, report)
			}
		}
	}
	if compared < 2 {
		t.Errorf("%d reports of stacks compared", compared)
	}
}
