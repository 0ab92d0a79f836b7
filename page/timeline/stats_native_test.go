package timeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/view"
)

// TestStatsNativeOracle compares every report that the vendor's tool printed for
// a native report, straight from that report.
func TestStatsNativeOracle(t *testing.T) {
	for _, o := range corpustest.Files(t, "oracle/nsys-stats-native/*/r_*.csv") {
		sameReport(t, o, filepath.Join(corpustest.Dir(t), "corpus", "nsys-rep", filepath.Base(filepath.Dir(o))))
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
			want, _ := pagetest.Render(t, Stats, export, view.FormatCSV, pagetest.Options("report", report))
			if want == "" { // no stacks
				continue
			}
			compared++
			if got, _ := pagetest.Render(t, Stats, native, view.FormatCSV, pagetest.Options("report", report)); got != want {
				t.Errorf("%s: %s differs from its export", name, report)
			}
		}
	}
	if compared < 2 {
		t.Errorf("%d reports of stacks compared", compared)
	}
}
