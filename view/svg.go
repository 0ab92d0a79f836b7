package view

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/gpuprof/gpuprof/view/svg"
)

// ErrNoPicture says that a document holds nothing that WriteSVG can draw.
var ErrNoPicture = errors.New("there is neither a chart of two columns of numbers nor a heat map to draw")

// WriteSVG draws the charts of d that are curves, two beside one another, or else
// its heat maps, as one picture that says in words, too, what it shows.
func WriteSVG(w io.Writer, d *Document) error {
	var charts []*Chart
	for i := range d.Sections {
		charts = curvesIn(charts, &d.Sections[i])
	}
	if len(charts) == 0 {
		return writeHeatSVG(w, d)
	}
	title := d.Sections[0].Title
	if title == "" {
		title = d.Title
	}
	plots := make([]svg.Plot, len(charts))
	for i, c := range charts {
		plots[i] = plotOf(c, curveOf(c))
	}
	return svg.Write(w, title, inWords(charts), plots)
}

// curvesIn appends the charts of s that are curves.
func curvesIn(charts []*Chart, s *Section) []*Chart {
	for i := range s.Items {
		if c := s.Items[i].Chart; c != nil && curveOf(c) != nil {
			charts = append(charts, c)
		}
	}
	for i := range s.Sections {
		charts = curvesIn(charts, &s.Sections[i])
	}
	return charts
}

// inWords is the description of a picture.
func inWords(charts []*Chart) string {
	var b strings.Builder
	for i, c := range charts {
		if i > 0 {
			b.WriteByte(' ')
		}
		cv := curveOf(c)
		fmt.Fprintf(&b, "%s: from %s at %s to %s at %s", c.Table.Title, short(cv.y[0]), short(cv.first), short(cv.y[len(cv.y)-1]), short(cv.x[len(cv.x)-1]))
		if !math.IsNaN(cv.mark) {
			fmt.Fprintf(&b, "; %s at the mark, %s", short(cv.marked), short(cv.mark))
		}
		b.WriteByte('.')
	}
	return b.String()
}

func plotOf(c *Chart, cv *curve) svg.Plot {
	p := svg.Plot{Title: c.Table.Title, Emphasis: c.Emphasis, Series: []svg.Series{{X: cv.x, Y: cv.y, Area: true}},
		X: svg.Axis{Label: c.X.Label, First: cv.first, Last: cv.last, Ticks: ticksOf(cv.first, cv.last)},
		Y: svg.Axis{First: cv.least, Last: cv.most, Ticks: ticksOf(cv.least, cv.most)}}
	if !math.IsNaN(cv.mark) {
		p.Mark = &svg.Mark{X: cv.mark, Y: cv.marked, Text: short(cv.mark) + ": " + short(cv.marked)}
	}
	return p
}

func ticksOf(first, last float64) []svg.Tick {
	var out []svg.Tick
	for _, v := range ticks(first, last) {
		out = append(out, svg.Tick{At: v, Text: short(v)})
	}
	return out
}
