package rcp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/view"
)

const vectorDir = "../../format/amd/testdata/vectors"

func open(tb testing.TB, name string) *amd.Trace {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		tb.Fatal(err)
	}
	t, err := amd.ReadTrace(f, st.Size(), name)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// cells lays a table out as the vectors are: white space within cells collapsed.
func cells(t *view.Table) string {
	var b strings.Builder
	put := func(i int, s string) {
		if i > 0 {
			b.WriteByte('\t')
		}
		b.WriteString(strings.Join(strings.Fields(s), " "))
	}
	for i := range t.Columns {
		put(i, t.Columns[i].Heading())
	}
	b.WriteByte('\n')
	for row := range t.All() {
		for i, v := range row {
			put(i, v.Text())
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestVectors: with Compat, every page of every vector is that of Radeon Compute
// Profiler, and no page is there that it did not write.
func TestVectors(t *testing.T) {
	files, err := filepath.Glob(vectorDir + "/*.atp")
	if err != nil || len(files) == 0 {
		t.Fatal("no vectors", err)
	}
	pages := 0
	for _, file := range files {
		base := strings.TrimSuffix(file, ".atp")
		t.Run(filepath.Base(base), func(t *testing.T) {
			o := Options{Compat: true}
			if f, err := os.Open(base + ".rules"); err == nil {
				if o.Rules, err = ParseRules(f, true); err != nil {
					t.Fatal(err)
				}
				f.Close()
			}
			a, err := New(context.Background(), open(t, file), o)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range Pages() {
				want, err := os.ReadFile(fmt.Sprintf("%s.%s.tsv", base, p.Name))
				got, notes := a.page(p)
				switch {
				case err != nil && got != nil:
					t.Errorf("%s: a page that should not be there:\n%s", p.Name, cells(got))
				case err == nil && got == nil:
					t.Errorf("%s is missing", p.Name)
				case err == nil:
					pages++
					if g := cells(got); g != string(want) {
						t.Errorf("%s:\n got %s\nwant %s", p.Name, g, want)
					}
				}
				note, _ := os.ReadFile(fmt.Sprintf("%s.%s.note.txt", base, p.Name))
				if g := strings.Join(notes, "\n"); g != strings.TrimSpace(string(note)) {
					t.Errorf("%s: note %q, want %q", p.Name, g, note)
				}
			}
		})
	}
	if pages < 600 {
		t.Errorf("%d pages compared", pages)
	}
}
