package view

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestShorten: names of any kind stay as many as they were, each within the width, and
// those that fit as they are.
func TestShorten(t *testing.T) {
	part := rapid.SampledFrom([]string{"void cutlass::Kernel<", "float, ", "(int)4, ", "half, ", "128, ", "> >", "(Params)", "_ÄÖ", "x", "1"})
	name := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(part, 1, 40).Draw(t, "parts"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(name, 1, 40, func(s string) string { return s }).Draw(t, "names")
		width := rapid.IntRange(10, 60).Draw(t, "width")
		short, seen := shorten(names, width), map[string]string{}
		for _, n := range names {
			s, shortened := short[n]
			if !shortened {
				s = n
			}
			if utf8.RuneCountInString(s) > width {
				t.Fatalf("%q is longer than %d", s, width)
			}
			if shortened == (utf8.RuneCountInString(n) <= width) {
				t.Fatalf("%q, %d characters: shortened %v", n, width, shortened)
			}
			if other, taken := seen[s]; taken {
				t.Fatalf("%q stands for %q and for %q", s, n, other)
			}
			seen[s] = n
		}
	})
}

// TestShortenTells: what tells kernels apart stays to be seen.
func TestShortenTells(t *testing.T) {
	begin, end := strings.Repeat("namespace::", 9), strings.Repeat("argument, ", 9)
	names := []string{begin + "gemm<float, 128>(" + end, begin + "gemm<half, 128>(" + end, begin + "gemm<double, 64>(" + end}
	short := shorten(names, 40)
	for i, want := range []string{"float, 128", "half, 128", "double, 64"} {
		if !strings.Contains(short[names[i]], want) {
			t.Errorf("%q does not show %q", short[names[i]], want)
		}
	}
}

// TestPartsTellRows: parts of a table that is too wide repeat what tells its rows apart.
func TestPartsTellRows(t *testing.T) {
	for _, c := range []struct {
		keys   []Column
		layout *Layout
		last   string // the row of each part that is the last
	}{
		{[]Column{{Name: "level", Label: "Level", Type: Text}, {Name: "device", Label: "Device", Type: Text}}, nil, "A2    B4 "},
		{[]Column{{Name: "id", Label: "Id", Type: Number}, {Name: "name", Label: "Name", Type: Text}, {Name: "level", Label: "Level", Type: Text}}, &Layout{Same: 2}, "        C4 "},
	} {
		tb := &Table{ID: "t", Columns: c.keys, Layout: c.layout}
		for k := range 12 {
			tb.Columns = append(tb.Columns, Column{Name: fmt.Sprintf("n%d", k), Label: fmt.Sprintf("Number %d", k), Type: Number})
		}
		for i := range 8 {
			row := []Value{String(fmt.Sprint("A", 1+i/4)), String(fmt.Sprint("B", 1+i%4))}
			if c.layout != nil {
				row = []Value{Whole(int64(1 + i/4)), String(fmt.Sprint("B", 1+i/4)), String(fmt.Sprint("C", 1+i%4))}
			}
			for k := range 12 {
				row = append(row, Whole(int64(1000000+k)))
			}
			tb.Rows = append(tb.Rows, row)
		}
		tb.Columns[len(tb.Columns)-1].Label = "of reference"
		d := &Document{Sections: []Section{{ID: "s", Title: "S"}}}
		d.Sections[0].AddTable(tb)
		var b bytes.Buffer
		if err := Render(&b, d, FormatText, Options{Fit: 80}); err != nil {
			t.Fatal(err)
		}
		parts, named := strings.Count(b.String(), "Level"), strings.Count(b.String(), c.last)
		if parts < 2 || named < parts {
			t.Errorf("%d parts, of which %d say which row is which:\n%s", parts, named, b.String())
		}
		if !strings.Contains(b.String(), "reference") {
			t.Errorf("a heading's word is cut:\n%s", b.String())
		}
	}
}

// TestFold: no line is wider, and no word is lost.
func TestFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[ a-zäö]{0,200}`).Draw(t, "text")
		width, indent := rapid.IntRange(4, 90).Draw(t, "width"), rapid.IntRange(0, 20).Draw(t, "indent")
		lines := Fold(s, width, indent)
		for _, l := range lines {
			if utf8.RuneCountInString(l) > width {
				t.Fatalf("%q is wider than %d", l, width)
			}
		}
		squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if squeeze(strings.Join(lines, "")) != squeeze(s) {
			t.Fatalf("%q becomes %q", s, lines)
		}
	})
}

// TestFitTables: tables of any shape fit, and show every cell that is no name, whole.
func TestFitTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns, rows := rapid.IntRange(1, 14).Draw(t, "columns"), rapid.IntRange(0, 12).Draw(t, "rows")
		tb := &Table{Title: "A title of a table that may be wider than the terminal that it stands on"}
		for c := range columns {
			col := Column{Name: fmt.Sprintf("c%d", c), Label: rapid.StringMatching(`[A-Z][a-z]{0,12}( [a-z%()]{1,9}){0,3}`).Draw(t, "head"),
				Type: rapid.SampledFrom([]Type{Text, Number}).Draw(t, "type")}
			if col.Type == Text {
				col.Role = rapid.SampledFrom([]Role{"", RoleKernel, RoleMetric, RoleFinding}).Draw(t, "role")
				col.MaxWidth = rapid.SampledFrom([]int{0, 0, 25}).Draw(t, "most")
			}
			tb.Columns = append(tb.Columns, col)
		}
		for r := range rows {
			var row []Value
			for c, col := range tb.Columns {
				if col.Type == Number {
					row = append(row, Uint(uint64(1_000_000+10_000*r+c), ""))
				} else {
					row = append(row, String(rapid.StringMatching(`[a-z_<>]{0,30}( [a-z_<>]{1,30}){0,4}`).Draw(t, "cell")))
				}
			}
			tb.Rows = append(tb.Rows, row)
		}
		if rapid.Bool().Draw(t, "lazy") {
			all := tb.Rows
			tb.Rows, tb.More = nil, func(yield func([]Value) bool) {
				for _, r := range all {
					if !yield(r) {
						return
					}
				}
			}
		}
		var s Section
		s.AddTable(tb)
		width := rapid.IntRange(30, 200).Draw(t, "width")
		var b bytes.Buffer
		if err := Render(&b, &Document{Sections: []Section{s}}, FormatText, Options{Fit: width}); err != nil {
			t.Fatal(err)
		}
		for l := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimRight(l, "\n")); n > width {
				t.Fatalf("%d characters at a width of %d:\n%s", n, width, b.String())
			}
		}
		for r := range rows {
			for c, col := range tb.Columns {
				if n := fmt.Sprint(1_000_000 + 10_000*r + c); col.Type == Number && !strings.Contains(b.String(), n) {
					t.Fatalf("%s is not shown at a width of %d:\n%s", n, width, b.String())
				}
			}
		}
	})
}

// TestNamesTakeTwoLines: in a column that has a width of its own, names are shortened
// on a terminal however wide, and stay whole elsewhere.
func TestNamesTakeTwoLines(t *testing.T) {
	long := "void gemm<" + strings.Repeat("cutlass::layout::RowMajor, ", 8)
	tb := &Table{ID: "t", Columns: []Column{{Name: "kernel", Label: "Kernel", Type: Text, Role: RoleKernel, MaxWidth: 40, Break: true}, {Name: "n", Type: Number}},
		Rows: [][]Value{{String(long + "(int)1>"), Int(1, "")}, {String(long + "(int)2>"), Int(2, "")}}}
	for _, fit := range []int{0, 300} {
		d := &Document{Sections: []Section{{ID: "s"}}}
		d.Sections[0].AddTable(tb)
		var b strings.Builder
		if err := Render(&b, d, FormatText, Options{Fit: fit}); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(b.String(), "\n"); fit > 0 && lines > 8 || fit == 0 && lines < 12 || !strings.Contains(b.String(), "1>") || !strings.Contains(b.String(), "2>") {
			t.Errorf("width %d, %d lines:\n%s", fit, lines, b.String())
		}
	}
}

// TestFitWords: a text gives way to a terminal between its words while there is room
// for the longest.
func TestFitWords(t *testing.T) {
	d := &Document{Sections: []Section{{}}}
	d.Sections[0].AddTable(&Table{Columns: []Column{{Label: "Class", Type: Text}, {Label: "Meaning", Type: Text}},
		Rows: [][]Value{{String("normalization of layers"), String("means and variances over the elements of a layer")}}})
	for width, want := range map[int]string{26: "normalization ", 50: "normalization of "} {
		var b strings.Builder
		if err := Render(&b, d, FormatText, Options{Fit: width}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "\n"+want) {
			t.Errorf("at %d columns no line begins with %q:\n%s", width, want, b.String())
		}
	}
}

// TestFitHeadings: headings of numbers break before names do, and between their words.
func TestFitHeadings(t *testing.T) {
	d := &Document{Sections: []Section{{}}}
	d.Sections[0].AddTable(&Table{Columns: []Column{{Label: "Peak allocated (bytes)", Type: Number}, {Label: "Peak allocated (bytes)", Type: Number}, {Label: "Name", Type: Text, Role: RoleFunction}},
		Rows: [][]Value{{Int(0, ""), Int(0, ""), String("aten::native_layer_norm_backward")}}})
	var b strings.Builder
	if err := Render(&b, d, FormatText, Options{Fit: 56}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"  allocated   allocated", "aten::native_layer_norm_backward"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q:\n%s", want, b.String())
		}
	}
}
