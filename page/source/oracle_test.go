package source

import (
	"encoding/csv"
	"os/exec"
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

// withoutText empties the cells of a record that hold the text of an
// instruction, which takes the vendor's disassembler.
func withoutText(rec []string) []string {
	for i, c := range rec[:max(len(rec)-1, 0)] {
		if strings.HasPrefix(c, "0x") {
			rec[i+1] = ""
			break
		}
	}
	return rec
}

// compareCSV compares records cell by cell and returns how many cells were
// compared and how many differ.
func compareCSV(t *testing.T, got, want [][]string) (cells, bad int) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d lines, want %d", len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		g, w := withoutText(got[i]), withoutText(want[i])
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

// TestSourceOracle compares addresses, columns and values of every instruction
// of every report. The text of instructions is left out.
func TestSourceOracle(t *testing.T) {
	t.Setenv("PATH", "") // no disassembler
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
	t.Setenv("PATH", "")
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

// TestSourceTextOracle compares the text of instructions where there is a
// disassembler. It is the vendor's and cannot be installed by this project, so
// its absence is never a failure.
func TestSourceTextOracle(t *testing.T) {
	if _, err := exec.LookPath("nvdisasm"); err != nil {
		t.Skip("there is no nvdisasm on PATH")
	}
	if testing.Short() {
		t.Skip("takes a run of nvdisasm for each kernel")
	}
	pagetest.EachOracle(t, "source.csv", func(t *testing.T, report, want string) {
		texts := map[string]string{}
		for _, rec := range csvLines(t, want) {
			if strings.HasPrefix(rec[0], "0x") && rec[1] != "???" {
				texts[rec[0]] = plainInstruction(rec[1])
			}
		}
		got, notes := pagetest.Render(t, Page, report, view.FormatCSV, nil)
		equal, differ := 0, 0
		for _, rec := range csvLines(t, got) {
			w, ok := texts[rec[0]]
			switch g := plainInstruction(rec[min(1, len(rec)-1)]); {
			case !ok:
			case g == w:
				equal++
			default:
				if differ++; differ < 4 {
					t.Logf("%s: got %q, want %q", rec[0], g, w)
				}
			}
		}
		t.Logf("%d texts are equal, %d differ; notes %.300q", equal, differ, notes)
		if 10*differ > equal { // versions of the disassembler differ
			t.Errorf("%d of %d texts differ", differ, equal+differ)
		}
	})
}

// plainInstruction drops what the vendor's tools write differently: blanks, and
// hints to the register cache.
func plainInstruction(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), ".reuse", "")
}
