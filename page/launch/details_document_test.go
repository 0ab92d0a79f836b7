package launch

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
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
	for l := range d.All() {
		for _, s := range l.Sections {
			for _, it := range s.Items {
				t := it.Table
				if it.Chart != nil {
					t = &it.Chart.Table
				}
				if t == nil || it.For == view.Programs || len(t.Columns) != 5 {
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
	pagetest.EachOracle(t, "details-names-base.txt", func(t *testing.T, report, printed string) {
		in, err := load.Open(context.Background(), report)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		q := &page.Request{Files: []*load.File{in}, Format: view.FormatJSON, Values: pagetest.Options("compat", "2024.1", "print-metric-name", "name")}
		d, err := Details.Do(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		want := printedMetrics(withoutWarnings(printed))
		got, cells := builtMetrics(d, 0)
		if len(want) == 0 || len(got) < len(want) {
			t.Fatalf("%d metrics, the tool prints %d", len(got), len(want))
		}
		if len(got) > len(want) && !strings.HasSuffix(printed, "stold\n") {
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

// printedLabels are the rows of a printed page without the further lines of a
// value that wraps.
func printedLabels(page string) []shownMetric {
	var out []shownMetric
	for _, m := range printedMetrics(page) {
		if m.name != "" {
			m.value, _, _ = strings.Cut(strings.TrimPrefix(m.value, "(!) "), " (")
			out = append(out, m)
		}
	}
	return out
}

// A jsonTable is a table or chart in the JSON form of a page.
type jsonTable struct {
	ID, Kind string
	Columns  []struct{ Name string }
	Rows     [][]any
}

// place orders the tables of a section as they stand on the page: the header,
// then bodies and their items by number.
func (t *jsonTable) place() []int {
	var at []int
	for part := range strings.SplitSeq(strings.TrimPrefix(t.ID, "body"), ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return []int{-1}
		}
		at = append(at, n)
	}
	return at
}

// jsonMetrics are the rows of the metric tables and charts of the JSON form of
// a page, those of bodies included, in the order of the page.
func jsonMetrics(t *testing.T, text string) (names []shownMetric, values []any) {
	t.Helper()
	var d struct {
		Sections []struct {
			Sections []struct {
				Title          string
				Tables, Charts []jsonTable
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	for _, l := range d.Sections {
		for _, s := range l.Sections {
			tables := slices.DeleteFunc(append(s.Tables, s.Charts...), func(t jsonTable) bool {
				return len(t.Columns) != 5 || t.Columns[0].Name != "metric" || t.Kind == "timeline" || t.ID != "header" && !strings.HasPrefix(t.ID, "body")
			})
			slices.SortStableFunc(tables, func(a, b jsonTable) int { return slices.Compare(a.place(), b.place()) })
			for _, table := range tables {
				for _, row := range table.Rows {
					if row[1] == "" { // a blank cell of the header, an empty line in print
						continue
					}
					names = append(names, shownMetric{section: s.Title, name: fmt.Sprint(row[1])})
					values = append(values, row[3])
				}
			}
		}
	}
	return names, values
}

// scaled reports whether v is the number that was printed, under some decimal
// prefix of its unit.
func scaled(v any, printed string) bool {
	f, isNumber := v.(float64)
	p, err := strconv.ParseFloat(printed, 64)
	if !isNumber || err != nil {
		return isNumber == (err == nil) || printed == "nan"
	}
	for _, factor := range []float64{1, 1e3, 1e6, 1e9, 1e12, 1e-3, 1e-6, 1e-9} {
		if math.Abs(f/factor-p) <= 0.00501+1e-9*math.Abs(p) {
			return true
		}
	}
	return false
}

// TestDetailsDocumentBodies compares the JSON form of the page with the labels,
// values and order of all that the vendor's tool prints, the tables and charts of
// bodies included.
func TestDetailsDocumentBodies(t *testing.T) {
	pagetest.EachOracle(t, "details-all.txt", func(t *testing.T, report, page string) {
		text, _ := pagetest.Render(t, Details, report, view.FormatJSON, pagetest.Options("compat", "2024.1", "print-details", "all"))
		want := printedLabels(withoutWarnings(page))
		got, values := jsonMetrics(t, text)
		if len(got) < len(want) || len(got) > len(want) && !strings.HasSuffix(page, "stold\n") {
			t.Errorf("%d metrics, the tool prints %d", len(got), len(want))
		}
		bad := 0
		for i, w := range want {
			if i >= len(got) || got[i].section != w.section || got[i].name != w.name {
				t.Fatalf("row %d: %v, want %v", i, got[min(i, len(got)-1)], w)
			}
			if !scaled(values[i], w.value) && bad < 5 {
				bad++
				t.Errorf("row %d, %v: %v, %s is printed", i, got[i], values[i], w.value)
			}
		}
	})
}
