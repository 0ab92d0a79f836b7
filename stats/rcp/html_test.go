package rcp

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/internal/corpustest"
)

var (
	htmlRow  = regexp.MustCompile(`(?s)<tr.*?</tr>`)
	htmlCell = regexp.MustCompile(`(?s)<t[dh][^>]*>(.*?)</t[dh]>`)
	htmlTag  = regexp.MustCompile(`<[^<>]*>`)
)

// htmlTable is the table of one of AMD's pages, laid out as the vectors are.
func htmlTable(page string) string {
	var b strings.Builder
	for _, row := range htmlRow.FindAllString(page, -1) {
		var cells []string
		for _, c := range htmlCell.FindAllStringSubmatch(row, -1) {
			text := strings.ReplaceAll(htmlTag.ReplaceAllString(c[1], ""), "&nbsp;", " ")
			cells = append(cells, strings.Join(strings.Fields(text), " "))
		}
		b.WriteString(strings.Join(cells, "\t") + "\n")
	}
	return b.String()
}

// TestHTML compares with pages as AMD's program wrote them, of a trace that pocl
// made and of a trace of HSA.
func TestHTML(t *testing.T) {
	dir := filepath.Join(corpustest.Dir(t), "oracle", "amd")
	for _, trace := range []string{"pocl_vadd", "h"} {
		a, err := New(context.Background(), open(t, filepath.Join(dir, trace+".atp")), Options{Compat: true})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, p := range Pages() {
			b, err := os.ReadFile(filepath.Join(dir, trace+"."+p.Name+".html"))
			if err != nil || trace+p.Name == "hHSABestPractices" { // that page was made by another version
				continue
			}
			table, _ := a.page(p)
			if table == nil {
				t.Errorf("%s: no %s", trace, p.Name)
				continue
			}
			n++
			if got, want := cells(table), htmlTable(string(b)); got != want {
				t.Errorf("%s %s:\n got %s\nwant %s", trace, p.Name, got, want)
			}
		}
		if n < 4 {
			t.Errorf("%s: %d pages compared", trace, n)
		}
	}
}

// TestLocales reads occupancy files of all separators, one of them that AMD's
// own program cannot read.
func TestLocales(t *testing.T) {
	dir := filepath.Join(corpustest.Dir(t), "oracle", "amd")
	var first amd.Occupancy
	for i, name := range []string{"comma", "semi", "issue187"} {
		b, err := os.ReadFile(filepath.Join(dir, name+".occupancy"))
		if err != nil {
			t.Fatal(err)
		}
		o, err := amd.ReadOccupancy(strings.NewReader(string(b)), int64(len(b)), name)
		if err != nil || o.Len() != 2 || len(o.Problems) > 0 {
			t.Fatalf("%s: %v", name, err)
		}
		if i == 0 {
			first = o.Row(0)
		}
		if o.Row(0) != first || o.Row(1) != first || first.Percent != 50 {
			t.Errorf("%s: %+v", name, o.Row(0))
		}
	}
}
