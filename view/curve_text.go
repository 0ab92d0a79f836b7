package view

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/gpuprof/gpuprof/view/visible"
)

// The height of a curve in text: as many lines as make every line a round number
// of the axis, where there is such a number.
const (
	curveHeight      = 10
	leastCurveHeight = 8
	mostCurveHeight  = 13
	widestCurve      = 256
)

var columnEighths = []rune(" ▁▂▃▄▅▆▇█")

// curve draws the area below a curve, a column of characters for each step of the
// axis, with a mark below the place that the chart points at.
func (p *plot) curve(c *Chart, cv *curve) []string {
	height, step := cv.lines(c.Y.Ticks)
	level := func(line int) string {
		if line%step != 0 {
			return ""
		}
		return levelName(math.Round((cv.least+(cv.most-cv.least)*float64(line)/float64(height))*100) / 100)
	}
	label := 0
	for i := 0; i <= height; i++ {
		label = max(label, utf8.RuneCountInString(level(i)))
	}
	width := max(8, min(p.width-label-3, widestCurve))
	column := func(x float64) int { return int(math.Round((x - cv.first) / (cv.last - cv.first) * float64(width-1))) }
	values := make([]float64, width)
	for i := range values {
		x := cv.first + (cv.last-cv.first)*float64(i)/float64(width-1)
		v := cv.at(x)
		if x < cv.x[0] || c.X.HasMax && x > cv.x[len(cv.x)-1] {
			v = cv.least // the axis is longer than the curve
		}
		values[i] = max(0, v-cv.least) / (cv.most - cv.least) * float64(height) // in lines
	}
	var out []string
	for line := height; line > 0; line-- {
		row := make([]rune, width)
		for i, v := range values {
			part := max(0, min(1, v-float64(line-1)))
			row[i] = columnEighths[int(math.Round(part*8))]
		}
		out = append(out, right(level(line), label)+" ┤"+p.paint(cyan, strings.TrimRight(string(row), " ")))
	}
	axis := []rune(strings.Repeat("─", width))
	if !math.IsNaN(cv.mark) {
		axis[column(cv.mark)] = '▲'
	}
	out = append(out, right(level(0), label)+" ┼"+string(axis))
	return append(out, strings.TrimRight(strings.Repeat(" ", label+2)+cv.legend(c, width, column), " "))
}

// lines is the height of a curve, and how many lines stand between names of the axis:
// as many names as are asked for, else one a line.
func (cv *curve) lines(ticks int) (height, step int) {
	if ticks > 1 && ticks <= mostCurveHeight+1 {
		step = max(1, curveHeight/(ticks-1))
		return step * (ticks - 1), step
	}
	for h := mostCurveHeight; h >= leastCurveHeight; h-- {
		if s := (cv.most - cv.least) / float64(h); s == math.Trunc(s) {
			return h, 1
		}
	}
	return curveHeight, 1
}

// named sets the names of the axes above and below a curve.
func (p *plot) named(c *Chart, cv *curve, lines []string) []string {
	if c.Y.Label != "" {
		lines = append([]string{fit(visible.String(c.Y.Label), p.width)}, lines...)
	}
	below := visible.String(c.X.Label)
	for _, g := range c.X.Guides {
		below += "   ▲ "
		if g.Label != c.X.Label {
			below += visible.String(g.Label) + " "
		}
		below += cv.placeName(g.At)
	}
	if below = strings.TrimLeft(below, " "); below != "" {
		lines = append(lines, "  "+fit(below, p.width-2))
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// placeName is a number of an axis: short, with a prefix where it is large, in hex where
// the axis is one of addresses.
func (cv *curve) placeName(v float64) string {
	if cv.first >= 1<<32 && cv.last < 1<<63 {
		return string(Hex(uint64(v)).appendPlain(nil))
	}
	return levelName(v)
}

func levelName(v float64) string {
	if math.Abs(v) >= 1e6 {
		return prefixed(v)
	}
	return short(v)
}

// legend writes the mark and the ends of the axis below their places, the mark
// first where they are too close.
func (cv *curve) legend(c *Chart, width int, column func(float64) int) string {
	line := []rune(strings.Repeat(" ", width))
	put := func(s string, at int) {
		n := utf8.RuneCountInString(s)
		at = max(0, min(at-n/2, width-n))
		for i := max(0, at-1); i < min(width, at+n+1); i++ {
			if line[i] != ' ' {
				return
			}
		}
		copy(line[at:], []rune(s))
	}
	if !math.IsNaN(cv.mark) {
		s := cv.placeName(cv.mark) + ": " + levelName(cv.marked)
		if utf8.RuneCountInString(s) > width {
			s = cv.placeName(cv.mark)
		}
		put(s, column(cv.mark))
	}
	put(cv.placeName(cv.first), 0)
	put(cv.placeName(cv.last), width)
	for _, v := range cv.ticks(c.X.Ticks) {
		put(cv.placeName(v), column(v))
	}
	return string(line)
}
