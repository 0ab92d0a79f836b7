package launch

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// detailsOracles are the outputs of Nsight Compute 2024.1.1 and the options that
// made them.
var detailsOracles = []struct {
	name    string
	format  view.Format
	options []string
}{
	{"details.txt", view.FormatText, nil},
	{"details-all.txt", view.FormatText, []string{"print-details", "all"}},
	{"details-names-base.txt", view.FormatText,
		[]string{"print-metric-name", "name", "print-units", "base", "print-rule-details", "true"}},
	{"details.csv", view.FormatCSV, nil},
	{"summary-per-kernel.txt", view.FormatText, []string{"print-summary", "per-kernel"}},
}

func TestDetailsOracle(t *testing.T) {
	for _, o := range detailsOracles {
		t.Run(o.name, func(t *testing.T) {
			pagetest.EachOracle(t, o.name, func(t *testing.T, report, want string) {
				got, _ := pagetest.Render(t, Details, report, o.format, pagetest.Options(append([]string{"compat", "2024.1"}, o.options...)...))
				want = withoutWarnings(want)
				if cut, died := strings.CutSuffix(want, "stold\n"); died {
					// The vendor's tool cannot sort a table by value where a value is
					// missing: it dies there.
					want, got = cut, got[:min(len(cut), len(got))]
				}
				pagetest.SameLines(t, got, want)
			})
		})
	}
}

// withoutWarnings leaves out what the vendor's tool says on stderr, which the
// outputs hold as well.
func withoutWarnings(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		if !strings.HasPrefix(line, "==WARNING== ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// TestDetailsWithoutOracle prints the reports on which the vendor's tool dies.
func TestDetailsWithoutOracle(t *testing.T) {
	dir := filepath.Join(corpustest.Dir(t), "corpus", "ncu")
	for _, c := range []struct{ file, option, value, want string }{
		{"evozone96__matrixMul__profile.nsight-cuprof-report", "print-details", "all", "matrixMulCUDA"},
		{"bwcurless__FaSTED__Mode4.ncu-rep", "print-summary", "per-kernel", "Invocations 1"},
		{"AveryClapp__ESMM-Research__profile~8fce663.ncu-rep", "print-summary", "per-kernel", "(!) nan"},
		{"AlpriElse__cs599k__2025-04-21-vector-based.ncu-rep", "print-details", "all", "Table Name : L2 Cache Eviction Policies"},
	} {
		got, _ := pagetest.Render(t, Details, filepath.Join(dir, c.file), view.FormatText, pagetest.Options(c.option, c.value))
		if !strings.Contains(got, c.want) {
			t.Errorf("%s --%s %s: no %q in\n%.2000s", c.file, c.option, c.value, c.want, got)
		}
	}
}

// A detailsJSON is what the tests read of the page as JSON.
type detailsJSON struct {
	Sections []struct {
		Sections []struct {
			ID     string
			Tables []struct {
				ID      string
				Columns []struct{ Name string }
				Rows    [][]any
			}
			Messages []struct{ Type, Source, Text string }
		}
	}
}

func detailsAsJSON(t *testing.T, report string, values map[string][]string) detailsJSON {
	t.Helper()
	text, _ := pagetest.Render(t, Details, report, view.FormatJSON, values)
	var d detailsJSON
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestDetailsSection chooses sections: an identifier, or an expression that
// matches the whole identifier.
func TestDetailsSection(t *testing.T) {
	report := filepath.Join(corpustest.Dir(t), "corpus/ncu/bwcurless__FaSTED__Pipeline_Depth_1.ncu-rep")
	for _, c := range []struct{ section, want string }{
		{"Occupancy", "Occupancy"},
		{"regex:Memory.*", "MemoryWorkloadAnalysis"},
		{"regex:Memory.*Chart", "MemoryWorkloadAnalysis_Chart"},
		{"regex:SpeedOfLight|LaunchStats", "SpeedOfLight LaunchStats"},
	} {
		d := detailsAsJSON(t, report, pagetest.Options("section", c.section))
		var ids []string
		for _, s := range d.Sections[0].Sections {
			ids = append(ids, s.ID)
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("--section %s: %q, want %q", c.section, got, c.want)
		}
	}
	q := &page.Request{Values: pagetest.Options("section", "regex:(")}
	if _, err := Details.Do(context.Background(), q); !errors.Is(err, page.ErrUsage) {
		t.Errorf("--section regex:( gives %v", err)
	}
	in, err := load.Open(t.Context(), report)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	for _, asked := range []string{"regex:Memory", "Occupanci"} {
		q := &page.Request{Files: []*load.File{in}, Values: pagetest.Options("section", asked)}
		if _, err := Details.Do(t.Context(), q); !errors.Is(err, page.ErrUsage) || !strings.Contains(err.Error(), "Occupancy") {
			t.Errorf("--section %s gives %v", asked, err)
		}
	}
	q = &page.Request{Files: []*load.File{in}, Values: pagetest.Options("metrics", "launch__block_sise")}
	if _, err := Details.Do(t.Context(), q); !errors.Is(err, page.ErrUsage) || !strings.Contains(err.Error(), "did you mean launch__block_size") {
		t.Errorf("--metrics gives %v", err)
	}
}

func TestDetailsMetrics(t *testing.T) {
	report := filepath.Join(corpustest.Dir(t), "corpus/ncu/NVIDIA__nsight-training__CuVectorAddDrv.ncu-rep")
	got, _ := pagetest.Render(t, Details, report, view.FormatText,
		pagetest.Options("metrics", "gpu__time_duration.sum,regex:^launch__grid_dim"))
	want := `    Section: Command line profiler metrics
    ---------------------- ----------- ------------
    Metric Name            Metric Unit Metric Value
    ---------------------- ----------- ------------
    gpu__time_duration.sum          us         3.23
`
	if !strings.HasPrefix(got[strings.Index(got, "    Section"):], want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if strings.Count(got, "Section:") != 1 {
		t.Errorf("other sections are shown:\n%s", got)
	}
}

// TestDetailsNames calls metrics by label, by name and by both.
func TestDetailsNames(t *testing.T) {
	report := filepath.Join(corpustest.Dir(t), "corpus/ncu/NVIDIA__nsight-training__CuVectorAddDrv.ncu-rep")
	for names, want := range map[string]string{
		"label": "    Duration ", "name": "    gpu__time_duration.sum ", "label-name": "    Duration (gpu__time_duration.sum) ",
	} {
		got, _ := pagetest.Render(t, Details, report, view.FormatText, pagetest.Options("print-metric-name", names, "section", "SpeedOfLight"))
		if !strings.Contains(got, want) {
			t.Errorf("--print-metric-name %s: no line %q in\n%s", names, want, got)
		}
	}
}

func TestDetailsKernelNames(t *testing.T) {
	report := filepath.Join(corpustest.Dir(t), "corpus/ncu/NVIDIA__nsight-training__manual_nvtx.ncu-rep")
	for _, c := range []struct{ option, value, want string }{
		{"print-kernel-base", "function", "\n  init_data_kernel (16384"},
		{"print-kernel-base", "mangled", "\n  _Z16init_data_kerneliPd (16384"},
		{"print-nvtx-rename", "kernel", "\n  init_data (16384"},
	} {
		for _, f := range []view.Format{view.FormatText, view.FormatCSV} {
			got, _ := pagetest.Render(t, Details, report, f, pagetest.Options(c.option, c.value))
			want := c.want
			if f == view.FormatCSV {
				want = `"` + strings.TrimSuffix(strings.TrimSpace(c.want), " (16384") + `"`
			}
			if !strings.Contains(got, want) {
				t.Errorf("--%s %s as %s: no %q in\n%.600s", c.option, c.value, f, want, got)
			}
		}
	}
}

// TestDetailsBody shows the items of sections without their headers.
func TestDetailsBody(t *testing.T) {
	report := filepath.Join(corpustest.Dir(t), "corpus/ncu/NVIDIA__nsight-training__CuVectorAddDrv.ncu-rep")
	got, _ := pagetest.Render(t, Details, report, view.FormatText, pagetest.Options("print-details", "body"))
	if !strings.Contains(got, "    Section: GPU Speed Of Light Throughput\n    GPU Throughput Chart\n") || strings.Contains(got, "DRAM Frequency") {
		t.Errorf("got\n%.1500s", got)
	}
}

// TestDetailsSummaries groups launches by GPU and by NVTX state.
func TestDetailsSummaries(t *testing.T) {
	report := filepath.Join(corpustest.Dir(t), "corpus/ncu/NVIDIA__nsight-training__manual_nvtx.ncu-rep")
	got, _ := pagetest.Render(t, Details, report, view.FormatText, pagetest.Options("print-summary", "per-gpu"))
	for _, want := range []string{"\n  Device 0, CC 8.6\n    check_results_kernel(int, double, double *) (16384, 1, 1)x(256, 1, 1), Invocations 1\n" +
		"      Section: GPU Speed Of Light Throughput\n      -----"} {
		if !strings.Contains(got, want) {
			t.Errorf("per-gpu: no %q in\n%.800s", want, got)
		}
	}
	got, _ = pagetest.Render(t, Details, report, view.FormatText, pagetest.Options("print-summary", "per-nvtx"))
	if !strings.Contains(got, "<1,daxpy>") {
		t.Errorf("per-nvtx:\n%.800s", got)
	}
	got, _ = pagetest.Render(t, Details, report, view.FormatCSV, pagetest.Options("print-summary", "per-kernel"))
	rows, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if h := strings.Join(rows[0], ","); h != "Process ID,Process Name,Host Name,Kernel Name,Block Size,Grid Size,Device,CC,Invocations,"+
		"Section Name,Metric Name,Metric Unit,Minimum,Maximum,Average" || len(rows) != 1+3*31 {
		t.Errorf("%d rows below %s", len(rows)-1, h)
	}
}

// TestDetailsJSON checks that JSON has full precision, names, units and
// instances whatever the options for people say.
func TestDetailsJSON(t *testing.T) {
	report := filepath.Join(corpustest.Dir(t), "corpus/ncu/NVIDIA__nsight-training__CuVectorAddDrv.ncu-rep")
	d := detailsAsJSON(t, report, pagetest.Options("print-details", "all"))
	s := d.Sections[0].Sections[0]
	if s.ID != "SpeedOfLight" || len(s.Messages) != 1 || s.Messages[0].Source != "SOLBottleneck" {
		t.Fatalf("got %+v", s)
	}
	rows := s.Tables[0].Rows
	if got := rows[0]; got[0] != "dram__cycles_elapsed.avg.per_second" || got[1] != "DRAM Frequency" || got[2] != "hz" || got[3] != 6653465346.534653 {
		t.Errorf("first row: %v", got)
	}
}

// TestTraceSummary: the summary of an AMD trace adds up what it holds; of a session the
// launches follow.
func TestTraceSummary(t *testing.T) {
	got, _ := pagetest.Render(t, Summary, "../../format/amd/testdata/vectors/234-sections-all.atp", view.FormatText, nil)
	if !strings.Contains(got, "OpenCL API Summary") || !strings.Contains(got, "HSA Kernel Summary") || strings.Contains(got, "OpenCL Kernels\n") {
		t.Error(got)
	}
}
