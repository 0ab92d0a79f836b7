package view

import (
	"math"
	"strings"
	"unicode/utf8"
)

// roofRow is a row of a roofline chart's table.
type roofRow struct {
	label, kind              string
	work, traffic, intensity float64
}

// roofRows reads the table of a roofline chart by the names of its columns; rows
// whose numbers cannot stand on a logarithmic axis are left out.
func roofRows(t *Table) []roofRow {
	column := map[string]int{}
	for i, c := range t.Columns {
		column[c.Name] = i
	}
	var out []roofRow
	for _, row := range t.Rows {
		at := func(name string) Value {
			if i, ok := column[name]; ok && i < len(row) {
				return row[i]
			}
			return Null
		}
		r := roofRow{at("label").Text(), at("kind").Text(), at("work").Float64(), at("traffic").Float64(), at("intensity").Float64()}
		if positive(r.intensity) && (r.kind == "wall" || positive(r.work) && positive(r.traffic)) {
			out = append(out, r)
		}
	}
	return out
}

func positive(f float64) bool { return f > 0 && finite(f) }

// roofline draws roofs, walls and achieved points on a grid with logarithmic
// axes: work per second upwards, work by traffic to the right.
func (p *plot) roofline(c *Chart) []string {
	rows := roofRows(&c.Table)
	x, y, ok := roofRanges(rows, c)
	if !ok {
		return nil
	}
	const margin = 8
	g := newGrid(p.width-margin-1, min(20, max(10, p.width/5)), x, y)
	letter := 'A'
	var legend []string
	for _, r := range rows {
		switch r.kind {
		case "wall":
			g.wall(r.intensity)
			legend = append(legend, "┊ "+r.label+": "+prefixed(r.intensity))
		case "roofline":
			g.roof(r)
			legend = append(legend, "─ "+r.label+": "+prefixed(r.work)+"/s, ╱ "+prefixed(r.traffic)+"byte/s")
		}
	}
	for _, r := range rows {
		if r.kind == "achieved" {
			g.put(r.intensity, r.work, letter)
			legend = append(legend, string(letter)+" "+r.label+": "+prefixed(r.work)+"/s at intensity "+prefixed(r.intensity)+below(rows, r))
			if letter++; letter > 'Z' {
				letter = 'A'
			}
		}
	}
	return append(p.framed(g, c, margin), p.wrapped(legend)...)
}

// wrapped breaks lines where the drawing ends; what follows is set in.
func (p *plot) wrapped(lines []string) []string {
	var out []string
	for _, l := range lines {
		for i, part := range wrap(l, p.width-2) {
			if part = strings.TrimSpace(part); i > 0 {
				part = "  " + part
			}
			out = append(out, part)
		}
	}
	return out
}

// below says how far a point is below the roofs over it: the nearest above.
func below(rows []roofRow, point roofRow) string {
	best, name := math.Inf(1), ""
	for _, r := range rows {
		if r.kind != "roofline" {
			continue
		}
		if top := min(r.work, r.traffic*point.intensity); top < best && top >= point.work {
			best, name = top, r.label
		}
	}
	if name == "" {
		return ""
	}
	return ", " + prefixed(100*point.work/best) + " % of " + name
}

// roofRanges finds what the axes show: a decade around all ridges and points, in
// place of an end that the chart does not set.
func roofRanges(rows []roofRow, c *Chart) (x, y [2]float64, ok bool) {
	x, y = [2]float64{math.Inf(1), 0}, [2]float64{math.Inf(1), 0}
	for _, r := range rows {
		x = [2]float64{min(x[0], r.intensity/8), max(x[1], r.intensity*8)}
		if r.kind != "wall" {
			y = [2]float64{min(y[0], r.work/8), max(y[1], r.work*2)}
			ok = true
		}
	}
	for _, a := range []struct {
		axis Axis
		r    *[2]float64
	}{{c.X, &x}, {c.Y, &y}} {
		if a.axis.HasMin && positive(a.axis.Min) && a.axis.Min < a.r[1] {
			a.r[0] = a.axis.Min
		}
		if a.axis.HasMax && positive(a.axis.Max) && a.axis.Max > a.r[0] {
			a.r[1] = a.axis.Max
		}
	}
	return x, y, ok && positive(x[0]) && positive(y[0]) && finite(x[1]) && finite(y[1])
}

// A dotGrid is a drawing area with logarithmic axes.
type dotGrid struct {
	cells [][]rune
	x, y  [2]float64
}

func newGrid(width, height int, x, y [2]float64) *dotGrid {
	g := &dotGrid{x: x, y: y, cells: make([][]rune, height)}
	for i := range g.cells {
		g.cells[i] = []rune(strings.Repeat(" ", width))
	}
	return g
}

func (g *dotGrid) width() int { return len(g.cells[0]) }

// xAt is the intensity in the middle of a column.
func (g *dotGrid) xAt(column int) float64 {
	return g.x[0] * math.Pow(g.x[1]/g.x[0], (float64(column)+0.5)/float64(g.width()))
}

// yAt is the work in the middle of a line, counted from below.
func (g *dotGrid) yAt(line int) float64 {
	return g.y[0] * math.Pow(g.y[1]/g.y[0], (float64(line)+0.5)/float64(len(g.cells)))
}

// line is where a value stands, counted from below; it may be outside.
func (g *dotGrid) line(v float64) int {
	return int(math.Floor(math.Log(v/g.y[0]) / math.Log(g.y[1]/g.y[0]) * float64(len(g.cells))))
}

func (g *dotGrid) column(v float64) int {
	return int(math.Floor(math.Log(v/g.x[0]) / math.Log(g.x[1]/g.x[0]) * float64(g.width())))
}

func (g *dotGrid) set(column, line int, r rune) {
	if line >= 0 && line < len(g.cells) && column >= 0 && column < g.width() {
		g.cells[len(g.cells)-1-line][column] = r
	}
}

// put marks a point; one outside stands at the edge.
func (g *dotGrid) put(x, y float64, r rune) {
	g.set(min(g.width()-1, max(0, g.column(x))), min(len(g.cells)-1, max(0, g.line(y))), r)
}

// roof draws the slope up to the ridge and the flat part behind it.
func (g *dotGrid) roof(r roofRow) {
	for i := range g.width() {
		if x := g.xAt(i); x*r.traffic < r.work {
			g.set(i, g.line(x*r.traffic), '╱')
		} else {
			g.set(i, g.line(r.work), '─')
		}
	}
	for l := range g.cells { // steep slopes leave lines out
		if y := g.yAt(l); y < r.work {
			g.set(g.column(y/r.traffic), l, '╱')
		}
	}
}

func (g *dotGrid) wall(x float64) {
	for l := range g.cells {
		g.set(g.column(x), l, '┊')
	}
}

// framed sets the grid between its axes.
func (p *plot) framed(g *dotGrid, c *Chart, margin int) []string {
	var out []string
	if c.Y.Label != "" {
		out = append(out, strings.TrimRight(fit(c.Y.Label, p.width), " "))
	}
	for i, cells := range g.cells {
		tick := ""
		switch i {
		case 0:
			tick = prefixed(g.y[1])
		case len(g.cells) / 2:
			tick = prefixed(math.Sqrt(g.y[0] * g.y[1]))
		case len(g.cells) - 1:
			tick = prefixed(g.y[0])
		}
		out = append(out, right(tick, margin-1)+" │"+strings.TrimRight(p.points(cells), " "))
	}
	out = append(out, fit("", margin)+"└"+strings.Repeat("─", g.width()))
	low, high := prefixed(g.x[0]), prefixed(g.x[1])
	middle := fit(c.X.Label, max(0, min(utf8.RuneCountInString(c.X.Label), g.width()-len(low)-len(high)-2)))
	gap := max(2, g.width()-len(low)-len(high)-utf8.RuneCountInString(middle))
	return append(out, fit("", margin+1)+low+strings.Repeat(" ", gap/2)+middle+strings.Repeat(" ", gap-gap/2)+high)
}

// points paints the letters of achieved points.
func (p *plot) points(cells []rune) string {
	var b strings.Builder
	for _, r := range cells {
		if r >= 'A' && r <= 'Z' {
			b.WriteString(p.paint(bold, string(r)))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
