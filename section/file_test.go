package section

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/format/ncurep"
)

func TestParseFile(t *testing.T) {
	def, warnings, err := ParseFile("x.section", `
Identifier: "Mine"
DisplayName: "My Section"
Order: 7
Sets { Identifier: "basic" }
Extends: "SpeedOfLight"
Filter { MinArch: CC_70 Items { MinArch: CC_121 } CollectionFilter { CollectionScopes: Launch Importance: Required } }
Header {
  Rows: 1
  Metrics { Name: "a" Label: "A" Options { Name: "b" Filter { MaxArch: CC_72 } } }
}
Body {
  SetDefault: 1
  DisplayName: "B"
  Items { Table { Columns: 2 Order: ColumnMajor Metrics { Name: "regex:^c" Multiplier: 1.5 UserMetricExpr: "X = 1" } } }
  Items { BarChart { Direction: Vertical ValueAxis { Range { Min: -5 Max: 100 } } } }
}
MetricDefinitions { MetricDefinitions { Name: "d" Expression: "a / b" } }
`)
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	table := def.Bodies[0].Items[0].Table
	got := fmt.Sprint(def.Identifier, def.DisplayName, def.Order.Value, def.Sets[0].Identifier, def.Extends.Value,
		def.Filter.MinArch.Value, def.Filter.Ranges[0].MinArch.Value, def.Filter.Collection.Scopes, def.Filter.Collection.Importance.Value,
		def.Header.Metrics[0].Options[0].Filter.MaxArch.Value, def.Bodies[0].SetDefault.Value, table.Columns, table.Order.Value,
		table.Metrics[0].Multiplier.Value, def.Bodies[0].Items[1].BarChart.ValueAxis.Range.Min.Value, def.Definitions.Definitions[0].Expression)
	want := fmt.Sprint("Mine", "My Section", 7, "basic", "SpeedOfLight", ncurep.Arch(70), ncurep.Arch(121), []ncurep.CollectionScope{1}, ncurep.CollectionImportance(1),
		ncurep.Arch(72), true, 2, ncurep.LayoutOrder(1), 1.5, -5, "a / b")
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// TestLenient checks that what is unknown or does not fit is a warning with its
// place, and that the rest is there.
func TestLenient(t *testing.T) {
	def, warnings, err := ParseFile("x.section", "Identifier: \"Mine\"\nDisplayNam: \"D\"\nOrder: \"seven\"\nHeader: 5\nBody { Items { Tabel { } } }\n"+
		"Header { Metrics { Name: 7 Label: \"L\" Filter { MinArch: CC_huge } } }\nFuture { Deep { X: 1 } }")
	if err != nil || def.Identifier != "Mine" || def.DisplayName != "Mine" || def.Header.Metrics[0].Label.Value != "L" {
		t.Fatal(err, def)
	}
	var got []string
	for _, w := range warnings {
		got = append(got, w.String())
	}
	want := []string{
		`x.section:2:1: unknown field DisplayNam; did you mean DisplayName?`,
		`x.section:3:8: Order: "seven" is not a whole number`,
		`x.section:4:9: Header: expected a message in braces`,
		`x.section:5:16: unknown field Tabel; did you mean Table?`,
		`x.section:6:26: Name: "7" is not a string in quotes`,
		`x.section:6:57: MinArch: "CC_huge" is not one of CC_<major*10+minor>`,
		`x.section:7:1: unknown field Future`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

func TestUnusableFiles(t *testing.T) {
	for in, want := range map[string]string{
		"":                              "x:1:1: expected a section with an Identifier, found none",
		"Identifier: \"a b\"":           `x:1:13: expected an Identifier without blanks, found "a b"`,
		"Identifier: \"a\" Header {":    "x:1:25: expected a field name or '}', found the end of the text",
		"\x7fELF\x00":                   "x:1:1: expected a field name",
		strings.Repeat("Body {", 1<<20): "expected messages at most 64 deep",
	} {
		_, _, err := ParseFile("x", in)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %s", in, err, want)
		}
	}
}

func TestParseChart(t *testing.T) {
	item, warnings, err := ParseChart("x.chart", `BarChart { Label: "B" Metrics { Name: "m" } }`)
	if err != nil || len(warnings) > 0 || item.BarChart.Metrics[0].Name != "m" {
		t.Error(item, warnings, err)
	}
}

// TestSchema checks that the decoder knows every field that the schema numbers:
// a field it does not know would be kept aside without being shown.
func TestSchema(t *testing.T) {
	var probe func(of string, depth int) []byte
	probe = func(of string, depth int) []byte {
		var b []byte
		for _, f := range messages[of] {
			switch {
			case f.kind == opaque || f.kind == message && depth > 5:
			case f.kind == message:
				sub := probe(f.of, depth+1)
				b = append(appendLength(b, f.number, len(sub)), sub...)
			case f.kind == text:
				b = append(appendLength(b, f.number, 1), 'x')
			case f.kind == double:
				b = append(appendTag(b, f.number, 1), 0, 0, 0, 0, 0, 0, 0, 0)
			default:
				b = append(appendTag(b, f.number, 0), 1)
			}
		}
		return b
	}
	def, err := ncurep.Decode[ncurep.Section]("probe", probe("ProfilerSection", 0))
	if err != nil {
		t.Fatal(err)
	}
	for name, u := range map[string]ncurep.Unknown{
		"section": def.Unknown, "header": def.Header.Unknown, "metric": def.Header.Metrics[0].Unknown,
		"filter": def.Filter.Unknown, "body": def.Bodies[0].Unknown, "item": def.Bodies[0].Items[0].Unknown,
		"table": def.Bodies[0].Items[0].Table.Unknown, "roofline": def.Bodies[0].Items[0].RooflineChart.Unknown,
		"timeline": def.Bodies[0].Items[0].Timeline.Unknown, "suffixes": def.Bodies[0].Items[0].SuffixTable.Unknown,
	} {
		if u.Fields() > 0 {
			t.Errorf("the decoder does not know fields %v of a %s", u.Numbers(), name)
		}
	}
}
