package catalogue

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// standsIn is what a line holds of which something was taken out.
var standsIn = regexp.MustCompile(`user[0-9]+|host[0-9]+|\[removed\]|\[secret\]|192\.0\.2\.|2001:db8::|user@example\.com|xxx|\b[uhk][0-9]+\b`)

// TestScrubKeepsAnalysis scrubs real profiles: details, raw and the reports of stats
// say what they said, line by line, but for what was taken out. With
// GPUPROF_EVERY_FILE=1 all are, else some of each kind.
func TestScrubKeepsAnalysis(t *testing.T) {
	root := filepath.Join(corpustest.Dir(t), "corpus")
	dir := t.TempDir()
	for _, kind := range []string{"ncu", "nsys", "nsys-rep", "kineto", "amd", "rocm"} {
		n := 0
		filepath.WalkDir(filepath.Join(root, kind), func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			st, err := d.Info()
			if n++; err != nil || os.Getenv("GPUPROF_EVERY_FILE") == "" && (n%12 != 3 || st.Size() > 300<<10) {
				return err
			}
			t.Run(kind+"/"+d.Name(), func(t *testing.T) { keepsAnalysis(t, name, filepath.Join(dir, d.Name())) })
			return nil
		})
	}
}

func keepsAnalysis(t *testing.T, name, clean string) {
	ctx := context.Background()
	before, err := load.Options{Alone: true}.Open(ctx, name)
	if err != nil {
		t.Skip(err)
	}
	defer before.Close()
	q := &page.Request{Page: Pages().Lookup("scrub"), Args: []string{name}, Output: clean}
	if _, err := q.Page.Do(ctx, q); err != nil {
		t.Skip(err) // a damaged one, or a format that is not scrubbed
	}
	defer os.Remove(clean)
	after := open(t, clean)
	defer after.Close()
	pages := []string{"details", "raw"}
	if before.Trace != nil {
		pages = []string{"stats"}
	}
	for _, p := range pages {
		want, got := answer(t, p, before), answer(t, p, after)
		a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
		if len(a) != len(b) {
			t.Errorf("%s: %d lines became %d", p, len(a), len(b))
			continue
		}
		for i := range a {
			if a[i] != b[i] && !standsIn.MatchString(b[i]) {
				t.Errorf("%s: line %d: %q became %q", p, i+1, a[i], b[i])
				break
			}
		}
	}
}

// answer is what a page says of a file, as CSV, or why it says nothing.
func answer(t *testing.T, name string, f *load.File) string {
	q := &page.Request{Page: Pages().Lookup(name), Files: []*load.File{f}, Args: []string{f.Name}, Format: view.FormatCSV}
	d, err := q.Page.Do(context.Background(), q)
	if err != nil {
		return strings.ReplaceAll(err.Error(), f.Name, "")
	}
	var b bytes.Buffer
	if err := view.Render(&b, d, view.FormatCSV, q.ViewOptions()); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(b.String(), f.Name, "")
}
