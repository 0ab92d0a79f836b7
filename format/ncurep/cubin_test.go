package ncurep

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// TestLinesLikeVendor compares source lines and PTX of instruction addresses
// with what Nsight Compute's own Python module says about them.
func TestLinesLikeVendor(t *testing.T) {
	dir := filepath.Join(corpustest.Dir(t), "oracle", "ncu-pages")
	lines, ptx := 0, 0
	for _, name := range corpusFiles(t) {
		r, err := os.Open(filepath.Join(dir, filepath.Base(name), "ncu_report_deep.json.gz"))
		if err != nil {
			continue // the vendor's program crashes on this report
		}
		defer r.Close()
		z, err := gzip.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		var deep struct {
			Actions []struct {
				Name string
				PCs  [][]any
			}
		}
		text, err := io.ReadAll(z)
		check(t, err)
		// The dump writes numbers that JSON has no word for, in parts not read here.
		text = regexp.MustCompile(`\b(NaN|-?Infinity)\b`).ReplaceAll(text, []byte("null"))
		if err := json.Unmarshal(text, &deep); err != nil {
			t.Fatal(err)
		}
		f, err := OpenFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range deep.Actions {
			code, err := f.Results[i].SourceOf().Code()
			check(t, err)
			for _, pc := range a.PCs {
				l, p := comparePC(t, filepath.Base(name), code, pc)
				lines += l
				ptx += p
			}
		}
		f.Close()
	}
	t.Logf("%d source lines, %d lines of PTX", lines, ptx)
	if lines < 100 || ptx < 100 {
		t.Errorf("only %d source lines and %d lines of PTX compared", lines, ptx)
	}
}

// comparePC checks one entry [pc, sass, ptx, [file, line]].
func comparePC(t *testing.T, name string, code *Code, entry []any) (lines, ptx int) {
	pc := uint64(entry[0].(float64))
	loc, ok := code.Locate(pc)
	if want, _ := entry[2].(string); want != "" {
		got := ""
		if ok && loc.PTXLine > 0 && loc.PTXLine <= len(code.PTX) {
			got = strings.TrimSpace(code.PTX[loc.PTXLine-1])
		}
		if got != strings.TrimSpace(want) {
			t.Errorf("%s: PTX of %#x (%v): got %q, want %q", name, pc, ok, got, want)
		}
		ptx++
	}
	if info, _ := entry[3].([]any); info != nil {
		file, line := info[0].(string), int(info[1].(float64))
		if loc.File != file || loc.Line != line {
			t.Errorf("%s: line of %#x (%v): got %s:%d, want %s:%d", name, pc, ok, loc.File, loc.Line, file, line)
		}
		lines++
	}
	return lines, ptx
}
