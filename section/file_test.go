package section

import (
	"fmt"
	"reflect"
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
		`x.section:1:1: the section Mine has no DisplayName; it is shown by its Identifier`,
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

// TestEveryField checks that a text may set every field that reports have, and
// that what it says comes back from the wire form.
func TestEveryField(t *testing.T) {
	var say func(of *ncurep.Message, depth int) string
	say = func(of *ncurep.Message, depth int) string {
		var b strings.Builder
		for _, name := range of.FieldNames() {
			value := ""
			switch f := of.Field(name); f.Kind {
			case ncurep.FieldMessage:
				if depth > 5 {
					continue
				}
				value = "{ " + say(f.Of, depth+1) + "}"
			case ncurep.FieldText:
				value = fmt.Sprintf("%q", name)
			case ncurep.FieldBool:
				value = "true"
			case ncurep.FieldDouble:
				value = "1.5"
			case ncurep.FieldEnum:
				value = strings.Replace(f.EnumWords()[0], "<major*10+minor>", "75", 1)
			default:
				value = "7"
			}
			fmt.Fprintf(&b, "%s: %s ", name, value)
		}
		return b.String()
	}
	def, warnings, err := ParseFile("x", say(ncurep.Describe[ncurep.Section](), 0))
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	var look func(v reflect.Value, depth int)
	look = func(v reflect.Value, depth int) {
		for i := range v.NumField() {
			f := v.Field(i)
			if f.Type() == reflect.TypeFor[ncurep.Unknown]() {
				if f.Len() > 0 {
					t.Errorf("%v: unknown bytes %x", v.Type(), f.Bytes())
				}
				continue
			}
			if f.Kind() == reflect.Slice && f.Len() > 0 {
				f = f.Index(0)
			}
			if f.Kind() == reflect.Pointer && !f.IsNil() {
				look(f.Elem(), depth+1)
			} else if f.IsZero() && depth < 6 {
				t.Errorf("%v: %s is not set", v.Type(), v.Type().Field(i).Name)
			}
		}
	}
	look(reflect.ValueOf(def).Elem(), 0)
	if name := "MinKmd"; ncurep.Describe[ncurep.MetricFilter]().Field(name).Kind != ncurep.FieldOpaque {
		t.Errorf("%s has a number", name)
	}
}
