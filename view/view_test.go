package view

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/profile/metric"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sample has one of everything.
func sample() *Document {
	kernel := Section{ID: "0", Title: "kernel<a, b>", Group: "[1] app@host",
		Properties: []Property{{"grid", String("(1, 2, 3)")}}}
	points := []Point{{Uint(0, ""), Float(0.5, "")}, {String("FFMA"), Float(math.NaN(), "")}, {Null, Float(2e9, "")}}
	part := Section{ID: "SpeedOfLight", Title: "Speed", Description: "How fast.", Items: []Item{
		{Table: &Table{ID: "header", Layout: &Layout{Frame: FrameFull}, Columns: []Column{{Name: "metric", Label: "Metric Name", Type: Text},
			{Name: "unit", Label: "Metric Unit", Type: Unit}, {Name: "value", Label: "Metric Value", MaxWidth: 30}, {Name: "instances", Type: List}},
			Rows: [][]Value{
				{String("Duration"), UnitOf("second"), Float(775680, "second")},
				{String("Bandwidth"), UnitOf("byte_per_second"), Float(1.5e9, "byte_per_second"), Series(Null, points, metric.IDPlain)},
				{String("Grid"), UnitOf(""), Uint(1<<63+1, "")},
				{String("Nothing"), UnitOf(""), Null},
				{String("Not collected"), UnitOf("cycle"), Missing("no data")},
				{String("Broken"), UnitOf("cycle"), Float(math.NaN(), "cycle")},
				{String("Endless"), UnitOf("cycle"), Float(math.Inf(-1), "cycle")},
				{String("Text"), UnitOf(""), String("a \"quoted\", long | text\nof two lines")},
			}}},
		{Chart: &Chart{Kind: BarChart, Y: Axis{Label: "%", Min: 0, HasMin: true}, Table: Table{ID: "chart", Title: "Chart", Layout: &Layout{Frame: FrameFull, Heading: "Body\nTable Name : Chart"},
			Columns: []Column{{Name: "label", Type: Text}, {Name: "value", Unit: "%", Type: Number}},
			Rows:    [][]Value{{String("Memory"), Float(33.333, "%")}, {String("Compute"), Float(100, "%")}}}}},
		{Message: &Message{Type: Optimization, Source: "Rule", Title: "Tail", Text: strings.Repeat("Launch more blocks than the device can hold. ", 4),
			Speedup: &Speedup{Global: true, Percent: 50}}},
		{Message: &Message{Type: Warning, Text: "Second message with <markup> & *stars*."}},
	}}
	kernel.Sections = []Section{part}
	return &Document{Title: "sample", Sections: []Section{kernel}}
}

func TestGolden(t *testing.T) {
	for _, c := range []struct {
		name   string
		format Format
		o      Options
	}{
		{"text", FormatText, Options{}},
		{"text-base-instances", FormatText, Options{Units: UnitsBase, Instances: InstancesDetails, Spelling: Spelling2024}},
		{"text-color", FormatText, Options{Color: true}},
		{"csv", FormatCSV, Options{Units: UnitsBase}},
		{"csv-fp", FormatCSV, Options{FloatPoint: true, Instances: InstancesValues}},
		{"json", FormatJSON, Options{FloatPoint: true, Units: UnitsAuto}},
		{"md", FormatMarkdown, Options{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Render(&b, sample(), c.format, c.o); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", c.name+".golden")
			if *update {
				if err := os.MkdirAll("testdata", 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), b.String()); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
		})
	}
}

// TestJSONIsWhole reads the JSON with another program's reader and looks for
// the raw numbers.
func TestJSONIsWhole(t *testing.T) {
	var b bytes.Buffer
	if err := Render(&b, sample(), FormatJSON, Options{}); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Schema   string
		Sections []struct {
			Sections []struct {
				Tables []struct {
					Columns []struct{ Name, Type string }
					Rows    [][]any
				}
				Messages []struct{ Speedup *struct{ Percent float64 } }
			}
		}
	}
	d := json.NewDecoder(&b)
	d.UseNumber()
	if err := d.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	s := doc.Sections[0].Sections[0]
	var got []any
	for _, r := range s.Tables[0].Rows {
		got = append(got, r[2])
		if len(r) != len(s.Tables[0].Columns) {
			t.Errorf("a row of %d cells under %d columns", len(r), len(s.Tables[0].Columns))
		}
	}
	want := []any{json.Number("775680"), json.Number("1500000000"), json.Number("9223372036854775809"), nil, nil, "nan", "-inf",
		"a \"quoted\", long | text\nof two lines"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if doc.Schema != schema || s.Messages[0].Speedup.Percent != 50 {
		t.Errorf("schema %q, speedup %+v", doc.Schema, s.Messages[0].Speedup)
	}
}

func TestWrapCell(t *testing.T) {
	for _, c := range []struct {
		in       string
		width    int
		anywhere bool
		want     []string
	}{
		{"short", 20, false, []string{"short"}},
		{"cudaFuncCachePreferNone", 20, false, []string{"cudaFuncCachePreferN", "one"}},
		{"32 (32; 32; 32; 32; 32; 32; 32; 32; 32; 32)", 20, false, []string{"32 (32; 32; 32; 32;", "32; 32; 32; 32;", "32; 32)"}},
		{"äöüäöü äöü", 6, false, []string{"äöüäöü", "äöü"}},
		{"ab cd ef", 4, true, []string{"ab c", "d ef"}},
		{"", 4, false, []string{""}},
	} {
		if d := cmp.Diff(c.want, wrapCell(c.in, c.width, c.anywhere)); d != "" {
			t.Errorf("%q to %d: -want +got\n%s", c.in, c.width, d)
		}
	}
}

func TestWrapName(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  []string
	}{
		{"aten::native_batch_norm_backward", 20, []string{"aten::native_batch_", "norm_backward"}},
		{"aten::convolution_backward", 22, []string{"aten::convolution_", "backward"}},
		{"abc::def", 5, []string{"abc::", "def"}},
		{"abc::def", 4, []string{"abc:", ":def"}}, // in two lines there is no other way
		{"NativeBatchNormBackward0", 20, []string{"NativeBatchNormBackw", "ard0"}},
		{"äöü_äöü_äöü", 9, []string{"äöü_äöü_", "äöü"}},
		{"", 4, []string{""}},
	} {
		if d := cmp.Diff(c.want, wrapName(c.in, c.width)); d != "" {
			t.Errorf("%q to %d: -want +got\n%s", c.in, c.width, d)
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	if err := Render(&bytes.Buffer{}, sample(), "png", Options{}); err == nil || !strings.Contains(err.Error(), "text, csv, json, md") {
		t.Errorf("got %v", err)
	}
}
