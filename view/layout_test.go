package view

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func rendered(t *testing.T, s Section, f Format, o Options) string {
	t.Helper()
	var b strings.Builder
	if err := Render(&b, &Document{Sections: []Section{s}}, f, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestWrap breaks lines at blanks: the blank at which a line ends counts for the
// next, the last line may be full, and words that do not fit are cut.
func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"", []string{""}},
		{"1234567890", []string{"1234567890"}},
		{"123456789 1", []string{"123456789", "1"}},
		{"1234567890 1", []string{"1234567890", "1"}},
		{"12345 7890 1", []string{"12345", "7890 1"}},
		{"1 12345678 123456789", []string{"1", "12345678", "123456789"}},
		{"1 123456789 12", []string{"1", "123456789", "12"}},
		{" leading", []string{"leading"}},
		{"abcdefghijklmno pq", []string{"abcdefghij", "klmno pq"}},
		{"äöüäöüäöü äöü", []string{"äöüäöüäöü", "äöü"}},
	} {
		if d := cmp.Diff(c.want, wrap(c.in, 10)); d != "" {
			t.Errorf("wrap(%q): %s", c.in, d)
		}
	}
}

// TestHidden keeps what is for programs from people, and the other way round.
func TestHidden(t *testing.T) {
	s := Section{ID: "s", Items: []Item{
		{Table: &Table{ID: "t", Columns: []Column{{Name: "metric", Type: Text, For: Programs}, {Name: "label", Label: "Metric Name", Type: Text}},
			Rows: [][]Value{{String("gpu__time"), String("Duration")}}}},
		{For: Programs, Chart: &Chart{Kind: RooflineChart, Table: Table{ID: "muted", Columns: []Column{{Name: "work"}},
			Rows: [][]Value{{Float(3.25, "")}}}}},
	}}
	for _, f := range []Format{FormatText, FormatCSV, FormatMarkdown} {
		got := rendered(t, s, f, Options{})
		if strings.Contains(got, "gpu__time") || strings.Contains(got, "3.25") || !strings.Contains(got, "Duration") || !strings.Contains(got, "Metric Name") {
			t.Errorf("%s: %s", f, got)
		}
	}
	if got := rendered(t, s, FormatJSON, Options{}); !strings.Contains(got, `["gpu__time","Duration"]`) || !strings.Contains(got, "3.25") {
		t.Errorf("json: %s", got)
	}
}

// TestMessageDetails lists what a message rests on, on request.
func TestMessageDetails(t *testing.T) {
	s := Section{Items: []Item{{Message: &Message{Type: Optimization, Text: "Do.", Speedup: &Speedup{Percent: 0.89971}, Details: []Table{{
		ID: "focus", Layout: &Layout{Numbers: Micro}, Columns: []Column{{Name: "metric", Label: "Metric", Type: Text},
			{Name: "value", Label: "Value", Type: Number}, {Name: "severity", Type: Text, For: Programs}},
		Rows: [][]Value{{String("sm__x"), Float(1, ""), String("high")}}}}}}}}
	lines := func(o Options) []string {
		var out []string
		for l := range strings.Lines(rendered(t, s, FormatText, o)) {
			out = append(out, strings.TrimRight(l, " \n"))
		}
		return out
	}
	want := []string{"OPT   Est. Local Speedup: 0.8997%", "      Do.", ">     Metric: sm__x", "      Value : 1.000000"}
	if d := cmp.Diff(want, lines(Options{RuleDetails: true})); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(want[:2], lines(Options{})); d != "" {
		t.Error(d)
	}
}

// TestScaleOfRow leaves numbers that are names out of a row's scale.
func TestScaleOfRow(t *testing.T) {
	s := Section{Items: []Item{{Table: &Table{Columns: []Column{{Name: "pid", Type: Text}, {Name: "unit", Type: Unit}, {Name: "value"}},
		Rows: [][]Value{{Uint(123456, ""), UnitOf("byte"), Uint(12, "byte")}}}}}}
	if got := rendered(t, s, FormatCSV, Options{}); !strings.Contains(got, `"123456","byte","12"`) {
		t.Error(got)
	}
}

func TestUnavailable(t *testing.T) {
	s := Section{Items: []Item{{Table: &Table{Columns: []Column{{Name: "value"}}, Rows: [][]Value{{Unavailable("n/a")}, {Missing("no data")}}}}}}
	if got := rendered(t, s, FormatText, Options{}); !strings.Contains(got, "(!) n/a") || strings.Contains(got, "(!) no data") {
		t.Error(got)
	}
	if got := rendered(t, s, FormatCSV, Options{}); got != "\"value\"\n\"n/a\"\n\"no data\"\n" {
		t.Errorf("%q", got)
	}
	if got := rendered(t, s, FormatJSON, Options{}); !strings.Contains(got, `"rows":[[null],[null]]`) {
		t.Error(got)
	}
}
