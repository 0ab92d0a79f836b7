package source

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/source"
	"github.com/gpuprof/gpuprof/view"
)

// csvLines splits the csv of a source page into records. Lines of the vendor's
// tool that are no csv are left out.
func csvLines(t *testing.T, s string) [][]string {
	t.Helper()
	var out [][]string
	for _, line := range strings.Split(s, "\n") {
		if line == "" || strings.HasPrefix(line, "==") {
			continue
		}
		r := csv.NewReader(strings.NewReader(line))
		r.FieldsPerRecord = -1
		r.LazyQuotes = true // the vendor's tool does not double quotes in source text
		rec, err := r.Read()
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		out = append(out, rec)
	}
	return out
}

// compareCSV compares records cell by cell and returns how many cells were
// compared and how many differ.
func compareCSV(t *testing.T, got, want [][]string) (cells, bad int) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d lines, want %d", len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		g, w := got[i], want[i]
		if len(g) != len(w) {
			bad++
			t.Errorf("line %d: %d cells, want %d:\n got %.200q\nwant %.200q", i+1, len(g), len(w), g, w)
		} else {
			for k := range w {
				cells++
				if g[k] != w[k] {
					if bad++; bad < 5 {
						t.Errorf("line %d cell %d (%.60q): got %.100q, want %.100q", i+1, k, w[0], g[k], w[k])
					}
				}
			}
		}
		if bad > 20 {
			t.Fatal("and more")
		}
	}
	return cells, bad
}

// TestSourceOracle compares addresses, texts, columns and values of every
// instruction of every report.
func TestSourceOracle(t *testing.T) {
	pagetest.EachOracle(t, "source.csv", func(t *testing.T, report, want string) {
		got, _ := pagetest.Render(t, Page, report, view.FormatCSV, pagetest.Options("compat", "2024.1"))
		cells, bad := compareCSV(t, csvLines(t, got), csvLines(t, want))
		t.Logf("%d cells, %d differ", cells, bad)
		if cells == 0 {
			t.Error("nothing compared")
		}
		for i, line := range strings.SplitAfter(want, "\n") {
			if strings.HasPrefix(line, `"Kernel Name"`) && !strings.Contains(got, line) {
				t.Errorf("line %d %.100q is missing as it is", i+1, line)
			}
		}
	})
}

// sourceTexts evens out the texts of source lines and returns how many differ. The
// vendor's tool looks lines of a second imported file up in the first.
func sourceTexts(got, want [][]string) int {
	n := 0
	for i := range min(len(got), len(want)) {
		g, w := got[i], want[i]
		if len(g) >= 4 && len(w) >= 4 && g[0] != "" && g[0] == w[0] && g[0] != "Line No" && g[1] != w[1] &&
			g[1] != source.NoText && w[1] != source.NoText {
			n++
			g[1] = w[1]
		}
	}
	return n
}

// TestSourceLineOracle compares source lines with their instructions.
func TestSourceLineOracle(t *testing.T) {
	pagetest.EachOracle(t, "source-cuda-sass.csv", func(t *testing.T, report, want string) {
		got, notes := pagetest.Render(t, Page, report, view.FormatCSV, pagetest.Options("compat", "2024.1", "print-source", "cuda,sass"))
		var warnings []string
		for _, line := range strings.Split(want, "\n") {
			if w, ok := strings.CutPrefix(line, "==WARNING== "); ok {
				warnings = append(warnings, w)
			}
		}
		if !slices.EqualFunc(notes, warnings, func(n, w string) bool {
			return n == w || len(w) > 1000 && strings.HasPrefix(n, w) // it cuts long ones
		}) {
			t.Errorf("notes %q, want %q", notes, warnings)
		}
		g, w := csvLines(t, got), csvLines(t, want)
		if n := len(w); n > 0 && w[n-1][0] == "Function Name" && len(g) > n {
			// The vendor's tool stops where a line is not in the imported file.
			t.Logf("ends at %q after %d of %d lines", w[n-2][1], n, len(g))
			g = g[:n]
		}
		texts := sourceTexts(g, w)
		cells, bad := compareCSV(t, g, w)
		t.Logf("%d cells, %d differ; %d source texts differ", cells, bad, texts)
	})
}
