package page

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/view"
)

// A shownMetric is a row of a details page: section, name and value.
type shownMetric struct{ section, name, value string }

// printedMetrics reads the tables of a page that was printed as text. A table is
// three rules of dashes: the header stands between the first two.
func printedMetrics(page string) []shownMetric {
	var out []shownMetric
	section, rules := "", 0
	width := []int{}
	for line := range strings.Lines(page) {
		line = strings.TrimRight(line, "\n")
		body, _ := strings.CutPrefix(line, "    ")
		switch title, ok := strings.CutPrefix(line, "    Section: "); {
		case ok:
			section = title
		case body != "" && strings.Trim(body, "- ") == "" && strings.Count(body, " ") == 2:
			rules = (rules + 1) % 3
			width = width[:0]
			for f := range strings.FieldsSeq(body) {
				width = append(width, len(f))
			}
		case rules == 2:
			r := []rune(body)
			cut := min(len(r), width[0])
			values := strings.TrimSpace(string(r[min(len(r), width[0]+width[1]+2):]))
			if len(r) > 0 {
				out = append(out, shownMetric{section, strings.TrimSpace(string(r[:cut])), values})
			}
		}
	}
	return out
}

// builtMetrics are the rows of the metric tables of a document, in order.
func builtMetrics(d *view.Document, column int) (names []shownMetric, cells []view.Value) {
	for i := range d.Sections {
		for _, s := range d.Sections[i].Sections {
			for _, it := range s.Items {
				t := it.Table
				if it.Chart != nil {
					t = &it.Chart.Table
				}
				if t == nil || it.Mute || len(t.Columns) != 5 {
					continue
				}
				for _, row := range t.Rows {
					names = append(names, shownMetric{section: s.Title, name: row[column].Text()})
					cells = append(cells, row[3])
				}
			}
		}
	}
	return names, cells
}

// TestDetailsDocument compares the Document, before anything is printed, with the
// metrics, values and order that the vendor's tool prints.
func TestDetailsDocument(t *testing.T) {
	eachOracle(t, "details-names-base.txt", func(t *testing.T, report, page string) {
		in, err := load.Open(context.Background(), report)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		q := &Request{Files: []*load.File{in}, Format: view.FormatJSON, Values: options("compat", "2024.1", "print-metric-name", "name")}
		d, err := Lookup("details").Do(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		want := printedMetrics(withoutWarnings(page))
		got, cells := builtMetrics(d, 0)
		if len(want) == 0 || len(got) < len(want) {
			t.Fatalf("%d metrics, the tool prints %d", len(got), len(want))
		}
		if len(got) > len(want) && !strings.HasSuffix(page, "stold\n") {
			t.Errorf("%d metrics, the tool prints %d", len(got), len(want))
		}
		for i, w := range want {
			if got[i].section != w.section || got[i].name != w.name {
				t.Fatalf("row %d: %v, want %v", i, got[i], w)
			}
			if !saysSame(cells[i], w.value) {
				t.Errorf("row %d, %v: %s is printed", i, fmt.Sprint(got[i], cells[i].Float64()), w.value)
			}
		}
	})
}

// saysSame reports whether a cell is what was printed, numbers to two decimals.
func saysSame(v view.Value, printed string) bool {
	if f, err := strconv.ParseFloat(printed, 64); err == nil && v.IsNumber() {
		return math.Abs(v.Float64()-f) <= 0.00501+1e-9*math.Abs(f)
	}
	return !v.IsNumber() && strings.TrimPrefix(printed, "(!) ") == v.Text() || v.IsNumber() && strings.Contains(printed, "nan") && math.IsNaN(v.Float64())
}
