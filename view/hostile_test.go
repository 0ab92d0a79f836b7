package view

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/view/visible"
)

const evil = "k\x1b]0;owned\x07\x1b[2J\u009b31m\u202egpj\x01\x02\x7f\r"

// hostileDocument has evil wherever a document has text.
func hostileDocument() *Document {
	table := func() Table {
		return Table{ID: evil, Title: evil, Description: evil,
			Columns: []Column{{Name: "n", Label: evil, Type: Text}, {Name: "m", Label: evil, Type: Number, Unit: evil}, {Name: "u", Type: Text}},
			Rows:    [][]Value{{String(evil), Uint(1, evil), String(evil)}, {Named(3, evil), String(evil), Null}},
			Layout:  &Layout{Preamble: [][]Value{{String(evil)}}}}
	}
	t := table()
	d := &Document{Title: evil}
	s := Section{ID: evil, Title: evil, Description: evil, Group: evil, Items: []Item{
		{Table: &t},
		{Message: &Message{Type: Warning, Title: evil, Text: evil, Source: evil, Details: []Table{table()}}},
	}, Properties: []Property{{Name: evil, Value: String(evil)}}}
	for _, kind := range []ChartKind{BarChart, LineChart, HistogramChart, TimelineChart, RooflineChart} {
		s.Items = append(s.Items, Item{Chart: &Chart{Kind: kind, Table: table(), X: Axis{Label: evil}, Y: Axis{Label: evil}}})
	}
	// What lays tables, messages and sections out brings texts, and ways of its own to
	// print those of others.
	wrapped := table()
	wrapped.Columns[0].MaxWidth, wrapped.Columns[2].MaxWidth, wrapped.Columns[2].Break = 5, 5, true
	s.Items = append(s.Items, Item{Table: &wrapped})
	for _, l := range []Layout{{Heading: evil + "\n" + evil}, {Lines: []string{evil, "", evil}}, {Verbatim: true}, {Ragged: true}, {Frame: FrameOpen, Numbers: Fixed}, {Frame: FrameFull}} {
		laid := table()
		laid.Layout = &l
		s.Items = append(s.Items, Item{Table: &laid}, Item{Message: &Message{Type: Error, Title: evil, Text: evil, Layout: &l}},
			Item{Chart: &Chart{Kind: HeatChart, Table: laid, X: Axis{Label: evil, Guides: []Guide{{1, evil}}}}}, Item{Chart: &Chart{Kind: FlameChart, Table: laid}})
	}
	s.Sections = []Section{{Title: evil, Items: []Item{{Table: &t}}}, {Title: evil, Layout: &Layout{Plain: true}, Items: []Item{{Table: &t}}}}
	d.Sections = []Section{s}
	return d
}

var ansi = regexp.MustCompile(`\x1b\[(0|1|3[1236])m`)

// What people read has no character that a terminal obeys but the styles that are
// ours.
func TestNothingDangerousIsShown(t *testing.T) {
	for _, f := range []Format{FormatText, FormatMarkdown, FormatJSON} {
		for _, o := range []Options{{}, {Color: true, Charts: true, RuleDetails: true}, {Cells: true, RuleDetails: true}} {
			var b bytes.Buffer
			if err := Render(&b, hostileDocument(), f, o); err != nil {
				t.Fatal(err)
			}
			got := b.String()
			if o.Color && f == FormatText {
				got = ansi.ReplaceAllString(got, "")
			}
			if got = strings.ReplaceAll(got, "\n", ""); strings.ContainsFunc(got, visible.Dangerous) {
				t.Errorf("%s %+v: %.300q", f, o, got)
			}
			if !strings.Contains(got, `\u202e`) || !strings.Contains(got, "owned") {
				t.Errorf("%s: the name is lost: %.300q", f, got)
			}
			if f != FormatJSON {
				continue
			}
			var d struct {
				Title string `json:"title"`
			}
			if err := json.Unmarshal(b.Bytes(), &d); err != nil || d.Title != evil {
				t.Errorf("json: title %q, %v", d.Title, err)
			}
		}
	}
}

// An HTML page of a document has none either, nor has what stands in it become markup.
func TestNothingDangerousInHTML(t *testing.T) {
	var b bytes.Buffer
	if err := WriteHTML(&b, hostileDocument(), Options{}); err != nil {
		t.Fatal(err)
	}
	got := strings.NewReplacer("\n", "", "\t", "").Replace(b.String())
	if strings.ContainsFunc(got, visible.Dangerous) || !strings.Contains(got, `\u202e`) {
		t.Errorf("%.300q", got)
	}
}

// CSV is for programs: they get what stands in the file.
func TestCSVKeepsCharacters(t *testing.T) {
	tb := &Table{Columns: []Column{{Name: "a", Type: Text}, {Name: "b", Type: Text}},
		Rows: [][]Value{{String(evil), String("=cmd|'/c calc'!A0")}, {String("-1.5e3"), String("@SUM(1)")}, {Int(-4, ""), String("-k")}}}
	d := &Document{Sections: []Section{{Items: []Item{{Table: tb}}}}}
	for _, c := range []struct {
		o    Options
		want [][]string
	}{
		{Options{}, [][]string{{"a", "b"}, {evil, "=cmd|'/c calc'!A0"}, {"-1.5e3", "@SUM(1)"}, {"-4", "-k"}}},
		{Options{CSVSafe: true}, [][]string{{"a", "b"}, {evil, "'=cmd|'/c calc'!A0"}, {"-1.5e3", "'@SUM(1)"}, {"-4", "'-k"}}},
	} {
		var b bytes.Buffer
		if err := Render(&b, d, FormatCSV, c.o); err != nil {
			t.Fatal(err)
		}
		got, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.want {
			for k := range c.want[i] {
				if got[i][k] != c.want[i][k] {
					t.Errorf("%+v: got %q, want %q", c.o, got[i][k], c.want[i][k])
				}
			}
		}
	}
}

func TestInert(t *testing.T) {
	for in, want := range map[string]string{"": "", "kernel": "kernel", "=1+1": "'=1+1", "+1": "+1", "-1,234.5": "-1,234.5", "+1+cmd": "'+1+cmd",
		"-2+3": "'-2+3", "\tx": "'\tx", "\r=1": "'\r=1", "＝1": "'＝1", "5%": "5%", "-5%": "-5%", "--": "'--", "e": "e", "-": "'-"} {
		if got := Inert(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// TestTitleOfOneLine keeps a name with line breaks from breaking the title it stands in.
func TestTitleOfOneLine(t *testing.T) {
	d := &Document{Sections: []Section{{Title: "GPU 0 (one\ntwo\x1b[2J\tthree)"}}}
	d.Sections[0].AddTable(&Table{Title: "Of one\ntwo", Columns: []Column{{Label: "A"}}})
	for _, fit := range []int{0, 80} {
		var b strings.Builder
		if err := Render(&b, d, FormatText, Options{Fit: fit}); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); !strings.HasPrefix(got, "GPU 0 (one two\\x1b[2J three)\nOf one two\nA\n") {
			t.Errorf("%q", got)
		}
	}
}
