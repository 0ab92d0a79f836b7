package timeline

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/stats"
	"github.com/gpuprof/gpuprof/view"
)

// TestStatsOracle compares every report that the vendor's tool printed for a
// file, cell by cell and then byte by byte.
func TestStatsOracle(t *testing.T) {
	for _, o := range corpustest.Files(t, "oracle/nsys-stats/*/r_*.csv") {
		file := filepath.Base(filepath.Dir(o))
		sameReport(t, o, filepath.Join(corpustest.Dir(t), "corpus", "nsys", file+".sqlite"))
	}
}

// sameReport compares the report of a file with what the vendor's tool printed,
// a file r_REPORT.csv or r_REPORT_ARGUMENT.csv in a folder named as the input.
func sameReport(t *testing.T, oracle, input string) {
	name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(oracle), "r_"), ".csv")
	t.Run(filepath.Base(filepath.Dir(oracle))+"/"+name, func(t *testing.T) {
		report := name
		if at := strings.LastIndexByte(name, '_'); stats.Lookup(name) == nil && at > 0 {
			name, report = name[:at], name[:at]+":"+name[at+1:]
		}
		shown, option := Stats, "report"
		if r := stats.Lookup(name); r == nil {
			t.Fatalf("there is no report %s", name)
		} else if r.Rule {
			shown, option, report = Analyze, "rule", report+":rows=-1"
		}
		got, _ := pagetest.Render(t, shown, input, view.FormatCSV, pagetest.Options(option, report))
		b, err := os.ReadFile(oracle)
		if err != nil {
			t.Fatal(err)
		}
		sameCells(t, got, string(b))
		if !t.Failed() && got != string(b) {
			t.Error("the cells are equal, the bytes are not")
		}
	})
}

// sameCells compares two tables in CSV.
func sameCells(t *testing.T, got, want string) {
	t.Helper()
	g, w := parseCSV(t, got), parseCSV(t, want)
	if len(g) != len(w) {
		t.Errorf("%d lines, want %d", len(g), len(w))
	}
	bad := 0
	for i := range min(len(g), len(w)) {
		if len(g[i]) != len(w[i]) {
			t.Fatalf("line %d: %d cells, want %d\n got %q\nwant %q", i+1, len(g[i]), len(w[i]), g[i], w[i])
		}
		for c := range w[i] {
			if g[i][c] != w[i][c] {
				if bad++; bad <= 5 {
					t.Errorf("line %d, %s: %.120q, want %.120q", i+1, w[0][c], g[i][c], w[i][c])
				}
			}
		}
	}
	if bad > 5 {
		t.Errorf("%d cells differ", bad)
	}
}

func parseCSV(t *testing.T, s string) [][]string {
	t.Helper()
	r := csv.NewReader(strings.NewReader(s))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestStatsNative compares the reports, with their arguments, that the vendor's
// tool printed for the native file of which an export was made.
func TestStatsNative(t *testing.T) {
	for _, o := range corpustest.Files(t, "oracle/nsys-stats-native/*/r_*.csv") {
		file := filepath.Base(filepath.Dir(o))
		file = strings.TrimSuffix(file, filepath.Ext(file))
		export := filepath.Join(corpustest.Dir(t), "corpus", "nsys", file+".sqlite")
		if _, err := os.Stat(export); err == nil { // not every file has an export
			sameReport(t, o, export)
		}
	}
}
