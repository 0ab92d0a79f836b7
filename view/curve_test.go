package view

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

func steps(x, y []float64) *Chart {
	c := &Chart{Kind: LineChart, Table: Table{Title: "a < b", Layout: &Layout{Drawn: true}, Columns: []Column{{Name: "x", Type: Number}, {Name: "y", Type: Number}}}}
	for i := range x {
		c.Table.Rows = append(c.Table.Rows, []Value{Float(x[i], ""), Float(y[i], "")})
	}
	return c
}

func TestCurveText(t *testing.T) {
	c := steps([]float64{0, 25, 100}, []float64{16, 8, 4})
	c.X = Axis{HasMark: true, Mark: 30}
	d := &Document{Sections: []Section{{Items: []Item{{Chart: c}}}}}
	var b bytes.Buffer
	if err := Render(&b, d, FormatText, Options{Width: 44}); err != nil {
		t.Fatal(err)
	}
	want := `a < b
16 ┤██████████
14 ┤██████████
12 ┤██████████
10 ┤██████████
 8 ┤██████████████████████████████████████
 6 ┤██████████████████████████████████████
 4 ┤███████████████████████████████████████
 2 ┤███████████████████████████████████████
 0 ┼───────────▲───────────────────────────
    0        30: 8    50        75      100
`
	if b.String() != want {
		t.Errorf("got\n%q\nwant\n%q", b.String(), want)
	}
}

func TestCurveOf(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]*Chart{
		"empty": steps(nil, nil), "no numbers": steps([]float64{nan, math.Inf(1)}, []float64{1, 1}),
		"bars": {Kind: BarChart, Table: steps([]float64{1}, []float64{1}).Table},
	} {
		if curveOf(c) != nil {
			t.Errorf("%s: is a curve", name)
		}
		if err := WriteSVG(io.Discard, &Document{Sections: []Section{{Items: []Item{{Chart: c}}}}}); !errors.Is(err, ErrNoPicture) {
			t.Errorf("%s: %v", name, err)
		}
	}
	cv := curveOf(steps([]float64{1, 1, 0, nan, 5, 9}, []float64{3, 4, 5, 6, 7, math.Inf(-1)}))
	if !slices.Equal(cv.x, []float64{1, 5}) || !slices.Equal(cv.y, []float64{3, 7}) {
		t.Errorf("places that do not rise are kept: %v %v", cv.x, cv.y)
	}
	for x, want := range map[float64]float64{-1: 3, 1: 3, 4.9: 3, 5: 7, 100: 7} {
		if got := cv.at(x); got != want {
			t.Errorf("at %g: %g, want %g", x, got, want)
		}
	}
}

// TestCurveHostile draws what strains arithmetic; nothing may fail.
func TestCurveHostile(t *testing.T) {
	for _, v := range [][2][]float64{
		{{0}, {0}}, {{-5}, {-5}}, {{1e300, 1.5e308}, {1e308, -1e308}}, {{0, 1e-300}, {1e-300, 0}}, {{-math.MaxFloat64, math.MaxFloat64}, {-math.MaxFloat64, math.MaxFloat64}},
	} {
		c := steps(v[0], v[1])
		c.X = Axis{HasMark: true, Mark: v[0][0], Label: "<&"}
		d := &Document{Sections: []Section{{Items: []Item{{Chart: c}}}}}
		for _, width := range []int{1, 40, 5000} {
			if err := Render(io.Discard, d, FormatText, Options{Width: width}); err != nil {
				t.Error(err)
			}
		}
		var b bytes.Buffer
		if err := WriteSVG(&b, d); err != nil && !errors.Is(err, ErrNoPicture) {
			t.Fatal(err)
		}
		for x := xml.NewDecoder(&b); ; {
			if _, err := x.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if strings.Contains(b.String(), "NaN") {
			t.Errorf("%v: NaN in the picture", v)
		}
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		first, last float64
		want        []float64
	}{
		{0, 64, []float64{0, 16, 32, 48, 64}}, {1, 1024, []float64{256, 512, 768, 1024}}, {0, 255, []float64{0, 50, 100, 150, 200, 250}},
		{0, 65536, []float64{0, 16384, 32768, 49152, 65536}}, {0, 232448, []float64{0, 50000, 100000, 150000, 200000}},
	} {
		if got := ticks(c.first, c.last); !slices.Equal(got, c.want) {
			t.Errorf("%g to %g: %v, want %v", c.first, c.last, got, c.want)
		}
	}
}
