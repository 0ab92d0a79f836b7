package tabular

import (
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gpuprof/gpuprof/view"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func sample() *view.Table {
	number := &view.NumberStyle{Decimals: 1}
	t := &view.Table{Columns: []view.Column{
		{Name: "time", Label: "Total Time (ns)", Type: view.Number, Number: number, Unit: "nsecond"},
		{Name: "row", Type: view.Number, For: view.Programs},
		{Name: "count", Label: "Count", Type: view.Number, Number: &view.NumberStyle{}},
		{Name: "name", Label: "Name", Type: view.Text}}}
	for i, name := range []string{"plain", `a "quoted", one`, "tab\there <b>&", "two\nlines", strings.Repeat("long ", 30), ""} {
		t.Rows = append(t.Rows, []view.Value{view.Float(1234567.25*float64(i), "nsecond"), view.Int(int64(i), ""), view.Int(int64(-1000*i), ""), view.String(name)})
	}
	t.Rows = append(t.Rows, []view.Value{view.Null, view.Null, view.Null, view.Null})
	return t
}

func TestForms(t *testing.T) {
	for _, spec := range []string{"column", "column:nohdr:nolimit:nofmt", "column:8:0:.", "table", "table:nohdr:12", "csv", "csv:nohdr",
		"tsv", "tsv:esc:nohdr", "json:objects", "hdoc", "hdoc:css=http://example.org/s.css:title=A & B: c", "htable"} {
		t.Run(spec, func(t *testing.T) {
			f, err := Parse(spec)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := f.Write(&b, "Summary of <things>", sample(), view.Options{}); err != nil {
				t.Fatal(err)
			}
			clean := strings.NewReplacer(":", "_", "/", "_", " ", "_", "&", "_", "=", "_").Replace(spec)
			golden := filepath.Join("testdata", clean+"."+f.Ext())
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestCSV compares with the renderer of documents.
func TestCSV(t *testing.T) {
	tab := sample()
	tab.Layout = &view.Layout{Unquoted: true}
	d := &view.Document{Sections: []view.Section{{Items: []view.Item{{Table: tab}}}}}
	var doc, form strings.Builder
	if err := view.Render(&doc, d, view.FormatCSV, view.Options{}); err != nil {
		t.Fatal(err)
	}
	f, err := Parse("csv")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Write(&form, "", tab, view.Options{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(doc.String(), form.String()); diff != "" {
		t.Error(diff)
	}
}

func TestParseErrors(t *testing.T) {
	for spec, want := range map[string]string{
		"yaml":           `no form "yaml"`,
		"csv:esc":        `no argument "esc"`,
		"column:wide":    `"wide" is no width`,
		"column:-3":      `"-3" is no width`,
		"htable:title=x": "takes no",
		"hdoc:blue":      `no argument "blue"`,
		"json:nohdr":     `no argument "nohdr"`,
	} {
		if _, err := Parse(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", spec, err, want)
		}
	}
}

// TestAnyCell prints tables of any words: objects stay sound JSON, and rows of
// columns keep their width and number.
func TestAnyCell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab := &view.Table{Columns: []view.Column{{Name: "a", Type: view.Text}, {Name: "b", Type: view.Any}}}
		n := rapid.IntRange(0, 250).Draw(t, "rows")
		word := rapid.String().Draw(t, "word")
		for range n {
			tab.Rows = append(tab.Rows, []view.Value{view.String(word), view.String(rapid.StringN(0, 8, -1).Draw(t, "cell"))})
		}
		print := func(spec string) string {
			f, err := Parse(spec)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := f.Write(&b, "", tab, view.Options{}); err != nil {
				t.Fatal(err)
			}
			return b.String()
		}
		var rows []map[string]any
		if err := json.Unmarshal([]byte(print("json:objects")), &rows); err != nil || len(rows) != n {
			t.Fatalf("%d objects of %d: %v", len(rows), n, err)
		}
		if lines := strings.Count(print("column"), "\n"); lines != n+2 {
			t.Fatalf("%d lines of %d rows", lines, n)
		}
		if lines := strings.Count(print("tsv:nohdr"), "\n"); lines != n {
			t.Fatalf("%d lines of %d rows", lines, n)
		}
	})
}

func TestThousands(t *testing.T) {
	for in, want := range map[string]string{"": "", "1": "1", "999": "999", "1000": "1,000", "-1234567.5": "-1,234,567.5", "0x12345": "0x12345", "1e+09": "1e+09", "nan": "nan", "12345": "12,345"} {
		if got := thousands(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func TestParseDocument(t *testing.T) {
	for spec, want := range map[string]Form{
		"hdoc":                             {},
		"hdoc:title=a: b":                  {Title: "a: b"},
		"hdoc:css=http://x/y.css:title=z":  {CSS: "http://x/y.css", Title: "z"},
		"hdoc:title=a:css=b:title=c":       {CSS: "b", Title: "c"},
		"hdoc:title=:css=":                 {},
		"hdoc:title=x=1:css=s.css?a=1:b=2": {Title: "x=1", CSS: "s.css?a=1:b=2"},
	} {
		f, err := Parse(spec)
		if err != nil || f.Title != want.Title || f.CSS != want.CSS {
			t.Errorf("%s: %+v, %v", spec, f, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"column:nohdr:.:0:12", "hdoc:title=a:css=b:title=c", "tsv:esc", "csv:time=ms", "json:objects", "table:999999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		form, err := Parse(spec)
		if err != nil {
			return
		}
		if !Is(spec) {
			t.Errorf("%q is parsed, but no form", spec)
		}
		tab := sample()
		if err := form.Write(io.Discard, "", tab, view.Options{}); err != nil {
			t.Error(err)
		}
	})
}
