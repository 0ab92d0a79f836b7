package view

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

func barChart(title string, upright bool, values ...float64) *Chart {
	c := &Chart{Kind: BarChart, Upright: upright, Table: Table{ID: title, Title: title, Columns: []Column{{Name: "label", Type: Text}, {Name: "value"}}}}
	for i, v := range values {
		c.Table.Rows = append(c.Table.Rows, []Value{String(strings.Repeat("x", i+1)), Float(v, "")})
	}
	return c
}

func text(t *testing.T, d *Document, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Render(&b, d, FormatText, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestBeside sets items of a row side by side where each has room, whatever is
// around them, and below each other where one has not.
func TestBeside(t *testing.T) {
	d := func() *Document {
		return &Document{Sections: []Section{{Items: []Item{
			{Chart: barChart("before", false, 1)},
			{Row: "r", Chart: barChart("left", false, 1, 2)}, {Row: "r", Column: 1, Chart: barChart("middle", true, 1, 2)}, {Row: "r", Column: 1, Chart: barChart("under", false, 3)},
			{Row: "r", Column: 2, Chart: barChart("right", false, 1)},
			{Row: "s", Chart: barChart("other", false, 4)}, {Row: "s", Column: 1, Message: &Message{Text: "words"}},
		}}}}
	}
	for _, c := range []struct {
		name    string
		o       Options
		beside  bool
		longest int
	}{
		{"wide", Options{Charts: true, Width: 130}, true, 130}, {"fitted", Options{Charts: true, Width: 130, Fit: 130}, true, 130},
		{"narrow", Options{Charts: true, Width: 100, Fit: 100}, false, 100}, {"tables", Options{Width: 130}, false, 130},
		{"colours", Options{Charts: true, Width: 130, Color: true}, true, 0},
	} {
		got := text(t, d(), c.o)
		lines := strings.Split(got, "\n")
		one := func(words ...string) bool {
			for _, l := range lines {
				if strings.Join(strings.Fields(l), " ") == strings.Join(words, " ") {
					return true
				}
			}
			return false
		}
		if one("left", "middle", "right") != c.beside || one("left") == c.beside {
			t.Errorf("%s:\n%s", c.name, got)
		}
		for _, title := range []string{"before", "left", "middle", "under", "right", "other", "words"} {
			if strings.Count(got, title) != 1 {
				t.Errorf("%s: %q is there %d times:\n%s", c.name, title, strings.Count(got, title), got)
			}
		}
		for _, l := range lines {
			if c.longest > 0 && utf8.RuneCountInString(l) > c.longest {
				t.Errorf("%s: %d characters: %s", c.name, utf8.RuneCountInString(l), l)
			}
		}
	}
}

// TestMatrix prints a table in two dimensions where charts are drawn and it fits,
// and as a list elsewhere.
func TestMatrix(t *testing.T) {
	table := func(m *Matrix) *Document {
		return &Document{Sections: []Section{{Items: []Item{{Table: &Table{Matrix: m, Columns: []Column{{Name: "label", Type: Text}, {Name: "unit", Type: Unit}, {Name: "value"}},
			Rows: [][]Value{{String("a"), UnitOf("byte"), Float(1, "byte")}, {String("b"), UnitOf(""), Float(2, "")}, {String("c"), UnitOf(""), Unavailable("n/a")}}}}}}}}
	}
	grid := &Matrix{Cells: [][]int{{0, 2}, {1, -1}, {9, 0}}}
	named := &Matrix{Rows: []string{"r"}, Columns: []string{"x", "y"}, Cells: [][]int{{0, 1}}}
	for _, c := range []struct {
		m         *Matrix
		o         Options
		has, lack string
	}{
		{grid, Options{Charts: true}, "a                 1 byte c", "Metric Unit"}, {grid, Options{Charts: true}, "b                      2  ", ""},
		{named, Options{Charts: true}, "r           1 byte 2", ""}, {named, Options{}, "a     byte       1", "Metric Name"},
		{grid, Options{Charts: true, Fit: 40, Width: 40}, "a     byte", "Metric Value"}, {named, Options{Charts: true, Instances: InstancesValues}, "a     byte", "Metric Name"},
		{nil, Options{Charts: true}, "a     byte", "Metric Name"},
	} {
		got := text(t, table(c.m), c.o)
		if !strings.Contains(got, c.has) || c.lack != "" && strings.Contains(got, c.lack) {
			t.Errorf("%+v %+v: no %q, or %q:\n%s", c.m, c.o, c.has, c.lack, got)
		}
	}
	var b bytes.Buffer
	if err := Render(&b, table(grid), FormatJSON, Options{}); err != nil || !strings.Contains(b.String(), `"matrix":{"rows":[],"columns":[],"cells":[[0,2],[1,null],[9,0]]}`) {
		t.Error(err, b.String())
	}
}

func lineChart(series ...[]float64) *Chart {
	c := &Chart{Kind: LineChart, Table: Table{Columns: []Column{{Name: "label", Type: Text}, {Name: "value"}, {Name: "instances", Type: List}}}}
	for i, s := range series {
		var points []Point
		for x, y := range s {
			points = append(points, Point{ID: Uint(uint64(10*x), ""), Value: Float(y, "")})
		}
		c.Table.Rows = append(c.Table.Rows, []Value{String(string(rune('a' + i))), Null, Series(Null, points, 0)})
	}
	return c
}

// TestLineRange draws lines over the range of their axes, with the names that are
// asked for.
func TestLineRange(t *testing.T) {
	c := lineChart([]float64{0, 10, 20, 30})
	c.X = Axis{Label: "across", HasMin: true, Min: 0, HasMax: true, Max: 20, Ticks: 3, Guides: []Guide{{10, "here"}}}
	c.Y = Axis{Label: "up", HasMin: true, HasMax: true, Max: 40, Ticks: 3}
	got := text(t, &Document{Sections: []Section{{Items: []Item{{Chart: c}}}}}, Options{Charts: true, Width: 50})
	for _, want := range []string{"up\n40 ┤\n", "\n20 ┤", "\n 0 ┼", "  across   ▲ here 10\n", "10: 10"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "30") {
		t.Errorf("beyond the axis:\n%s", got)
	}
	two := lineChart([]float64{5, 5, 5, 1000}, []float64{10, 10, 10, 10})
	two.X, two.Y = c.X, Axis{Label: "warps", HasMin: true, HasMax: true, Max: 10}
	got = text(t, &Document{Sections: []Section{{Items: []Item{{Chart: two}}}}}, Options{Charts: true, Width: 60})
	for _, want := range []string{"a ▅", "b █", "height of a line: 0 – 10 warps", " 10 "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "1k") {
		t.Errorf("a point beyond the axis:\n%s", got)
	}
	address := lineChart([]float64{1, 2})
	for i := range 2 {
		address.Table.Rows[0][2].points[i].ID = Hex(0x7f0000000000 + uint64(i)<<20)
	}
	if got := text(t, &Document{Sections: []Section{{Items: []Item{{Chart: address}}}}}, Options{Charts: true, Width: 90}); !strings.Contains(got, "0x7f0000000000") {
		t.Errorf("addresses are no addresses:\n%s", got)
	}
}
