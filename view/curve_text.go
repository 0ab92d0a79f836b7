package view

import (
	"math"
	"strings"
	"unicode/utf8"
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
	height := curveHeight
	for h := mostCurveHeight; h >= leastCurveHeight; h-- {
		if s := (cv.most - cv.least) / float64(h); s == math.Trunc(s) {
			height = h
			break
		}
	}
	level := func(line int) string {
		return short(math.Round((cv.least+(cv.most-cv.least)*float64(line)/float64(height))*100) / 100)
	}
	label := 0
	for i := 0; i <= height; i++ {
		label = max(label, len(level(i)))
	}
	width := max(8, min(p.width-label-3, widestCurve))
	column := func(x float64) int { return int(math.Round((x - cv.first) / (cv.last - cv.first) * float64(width-1))) }
	values := make([]float64, width)
	for i := range values {
		v := cv.at(cv.first + (cv.last-cv.first)*float64(i)/float64(width-1))
		values[i] = (v - cv.least) / (cv.most - cv.least) * float64(height) // in lines
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
		s := short(cv.mark) + ": " + short(cv.marked)
		if utf8.RuneCountInString(s) > width {
			s = short(cv.mark)
		}
		put(s, column(cv.mark))
	}
	put(short(cv.first), 0)
	put(short(cv.x[len(cv.x)-1]), width)
	for _, v := range ticks(cv.first, cv.last) {
		put(short(v), column(v))
	}
	return string(line)
}
