package page

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/view"
)

// render builds a page of a file and renders it, as the command does.
func render(tb testing.TB, name, file string, f view.Format, values map[string][]string) (out string, notes []string) {
	tb.Helper()
	in, err := load.Open(context.Background(), file)
	if err != nil {
		tb.Fatal(err)
	}
	defer in.Close()
	q := &Request{Files: []*load.File{in}, Args: []string{file}, Format: f, Values: values,
		Note: func(s string) { notes = append(notes, s) }}
	d, err := Lookup(name).Do(context.Background(), q)
	if err != nil {
		tb.Fatalf("%s %s: %v", name, filepath.Base(file), err)
	}
	var b bytes.Buffer
	if err := view.Render(&b, d, f, q.ViewOptions()); err != nil {
		tb.Fatal(err)
	}
	return b.String(), notes
}

// options makes option values of name, value pairs.
func options(pairs ...string) map[string][]string {
	m := map[string][]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = append(m[pairs[i]], pairs[i+1])
	}
	return m
}

// eachOracle calls f with every report for which the vendor's tool printed the
// named file, and with what it printed.
func eachOracle(t *testing.T, name string, f func(t *testing.T, report, want string)) {
	files := corpustest.Files(t, "oracle/ncu-pages/*/"+name+".gz")
	for _, o := range files {
		report := filepath.Base(filepath.Dir(o))
		t.Run(report, func(t *testing.T) {
			f(t, filepath.Join(corpustest.Dir(t), "corpus", "ncu", report), corpustest.Gunzip(t, o))
		})
	}
}

// sameLines fails with the first few lines that differ.
func sameLines(t *testing.T, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	if len(g) != len(w) {
		t.Errorf("%d lines, want %d", len(g), len(w))
	}
	shown := 0
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Errorf("line %d:\n got %.300q\nwant %.300q", i+1, g[i], w[i])
			if shown++; shown == 5 {
				return
			}
		}
	}
}
