package view

import (
	"bufio"
	"errors"
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// ErrNoPicture says that a document holds nothing that WriteSVG can draw.
var ErrNoPicture = errors.New("there is neither a chart of two columns of numbers nor a heat map to draw")

// The size of one plot of a picture and the room around it, in pixels.
const (
	svgWidth  = 480
	svgHeight = 280
	svgLeft   = 56
	svgTop    = 44
	svgRight  = 24
	svgBottom = 52
)

// svgStyle has the colours as custom properties: light, dark where the reader's
// system is, and whatever a page that holds the picture sets on --gpuprof-….
const svgStyle = `<style>
.gpuprof { --back: var(--gpuprof-back, #ffffff); --text: var(--gpuprof-text, #1f2328); --grid: var(--gpuprof-grid, #d1d9e0);
  --line: var(--gpuprof-line, #0969da); --mark: var(--gpuprof-mark, #cf222e); font: 12px system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { .gpuprof { --back: var(--gpuprof-back, #0d1117); --text: var(--gpuprof-text, #e6edf3);
  --grid: var(--gpuprof-grid, #3d444d); --line: var(--gpuprof-line, #58a6ff); --mark: var(--gpuprof-mark, #ff7b72); } }
.back { fill: var(--back); } text { fill: var(--text); } .end { text-anchor: end; } .middle { text-anchor: middle; }
.title { font-weight: 600; font-size: 13px; } .emphasis { fill: var(--mark); } .grid { stroke: var(--grid); fill: none; }
.area { fill: var(--line); opacity: 0.15; } .line { stroke: var(--line); stroke-width: 2; fill: none; }
.mark { stroke: var(--mark); stroke-dasharray: 3 3; } .dot { fill: var(--mark); stroke: var(--back); stroke-width: 2; }
</style>
`

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
	columns := min(2, len(charts))
	width, height := columns*svgWidth, (len(charts)+columns-1)/columns*svgHeight
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" class="gpuprof" role="img" aria-labelledby="gpuprof-title gpuprof-desc" viewBox="0 0 %d %d" width="%d" height="%d">`+"\n",
		width, height, width, height)
	title := d.Sections[0].Title
	if title == "" {
		title = d.Title
	}
	fmt.Fprintf(b, "<title id=\"gpuprof-title\">%s</title>\n<desc id=\"gpuprof-desc\">%s</desc>\n", html.EscapeString(title), html.EscapeString(inWords(charts)))
	b.WriteString(svgStyle + "<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n")
	for i, c := range charts {
		fmt.Fprintf(b, "<g transform=\"translate(%d,%d)\">\n", i%columns*svgWidth, i/columns*svgHeight)
		drawSVG(b, c, curveOf(c))
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.Flush()
}

// writeHeatSVG draws the heat maps of d.
func writeHeatSVG(w io.Writer, d *Document) error {
	var charts []*Chart
	for i := range d.Sections {
		charts = heatsIn(charts, &d.Sections[i])
	}
	if len(charts) == 0 {
		return ErrNoPicture
	}
	title := d.Sections[0].Title
	if title == "" {
		title = d.Title
	}
	b := bufio.NewWriter(w)
	writeHeats(b, title, charts)
	return b.Flush()
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

// drawSVG draws one plot at the origin.
func drawSVG(b *bufio.Writer, c *Chart, cv *curve) {
	const width, height = svgWidth - svgLeft - svgRight, svgHeight - svgTop - svgBottom
	x := func(v float64) float64 { return svgLeft + width*(v-cv.first)/(cv.last-cv.first) }
	y := func(v float64) float64 { return svgTop + height*(1-(v-cv.least)/(cv.most-cv.least)) }
	emphasis := ""
	if c.Emphasis {
		emphasis = " emphasis"
	}
	fmt.Fprintf(b, "<text class=\"title%s\" x=\"%d\" y=\"24\">%s</text>\n", emphasis, svgLeft, html.EscapeString(c.Table.Title))
	for _, v := range ticks(cv.least, cv.most) {
		fmt.Fprintf(b, "<path class=\"grid\" d=\"M%d %.1fh%d\"/><text class=\"end\" x=\"%d\" y=\"%.1f\">%s</text>\n", svgLeft, y(v), width, svgLeft-8, y(v)+4, short(v))
	}
	for _, v := range ticks(cv.first, cv.last) {
		fmt.Fprintf(b, "<path class=\"grid\" d=\"M%.1f %dv5\"/><text class=\"middle\" x=\"%.1f\" y=\"%d\">%s</text>\n", x(v), svgTop+height, x(v), svgTop+height+19, short(v))
	}
	fmt.Fprintf(b, "<text class=\"middle\" x=\"%d\" y=\"%d\">%s</text>\n", svgLeft+width/2, svgHeight-12, html.EscapeString(c.X.Label))
	var path strings.Builder
	fmt.Fprintf(&path, "M%.1f %.1f", x(cv.x[0]), y(cv.y[0]))
	for i := 1; i < len(cv.x); i++ {
		if cv.y[i] != cv.y[i-1] || i+1 == len(cv.x) {
			fmt.Fprintf(&path, "H%.1fV%.1f", x(cv.x[i]), y(cv.y[i]))
		}
	}
	fmt.Fprintf(b, "<path class=\"area\" d=\"%sV%.1fH%.1fZ\"/><path class=\"line\" d=\"%s\"/>\n", path.String(), y(cv.least), x(cv.x[0]), path.String())
	if math.IsNaN(cv.mark) {
		return
	}
	fmt.Fprintf(b, "<path class=\"mark\" d=\"M%.1f %dV%d\"/><circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"><title>%s: %s</title></circle>\n",
		x(cv.mark), svgTop, svgTop+height, x(cv.mark), y(cv.marked), short(cv.mark), short(cv.marked))
	side, at := "", x(cv.mark)+8
	if at > svgLeft+width-70 {
		side, at = " end", x(cv.mark)-8
	}
	fmt.Fprintf(b, "<text class=\"emphasis%s\" x=\"%.1f\" y=\"%.1f\">%s: %s</text>\n", side, at, max(svgTop+12, y(cv.marked)-8), short(cv.mark), short(cv.marked))
}
