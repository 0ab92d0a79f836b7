package pagetest

import (
	"bytes"
	"context"
	"encoding/csv"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// Render builds a page of a file and renders it, as the command does.
func Render(tb testing.TB, p *page.Page, file string, f view.Format, values map[string][]string) (out string, notes []string) {
	tb.Helper()
	in, err := load.Open(context.Background(), file)
	if err != nil {
		tb.Fatal(err)
	}
	defer in.Close()
	q := &page.Request{Files: []*load.File{in}, Args: []string{file}, Format: f, Values: values,
		Note: func(s string) { notes = append(notes, s) }}
	d, err := p.Do(context.Background(), q)
	if err != nil {
		tb.Fatalf("%s %s: %v", p.Name, filepath.Base(file), err)
	}
	var b bytes.Buffer
	if err := view.Render(&b, d, f, q.ViewOptions()); err != nil {
		tb.Fatal(err)
	}
	return b.String(), notes
}

// Options makes option values of name, value pairs.
func Options(pairs ...string) map[string][]string {
	m := map[string][]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = append(m[pairs[i]], pairs[i+1])
	}
	return m
}

// EachOracle calls f with every report for which the vendor's tool printed the
// named file, and with what it printed.
func EachOracle(t *testing.T, name string, f func(t *testing.T, report, want string)) {
	files := corpustest.Files(t, "oracle/ncu-pages/*/"+name+".gz")
	for _, o := range files {
		report := filepath.Base(filepath.Dir(o))
		t.Run(report, func(t *testing.T) {
			f(t, filepath.Join(corpustest.Dir(t), "corpus", "ncu", report), corpustest.Gunzip(t, o))
		})
	}
}

// SameLines fails with the first few lines that differ.
func SameLines(t *testing.T, got, want string) {
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

// TSVCells reads the table that the renderer wrote as csv and lays it out as the
// vectors are.
func TSVCells(t *testing.T, csvText string) string {
	t.Helper()
	r := csv.NewReader(strings.NewReader(csvText))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, row := range rows {
		for i := range row {
			row[i] = strings.Join(strings.Fields(row[i]), " ")
		}
		b.WriteString(strings.Join(row, "\t") + "\n")
	}
	return b.String()
}
