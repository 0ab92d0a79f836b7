// Package svg draws plots as pictures that follow the colours of the reader's
// system and say in words, too, what they show.
package svg

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// A Plot shows series over two axes.
type Plot struct {
	Title    string
	Emphasis bool // of the title
	X, Y     Axis
	Series   []Series
	Mark     *Mark // nil: none
}

// An Axis goes from First to Last, which differ.
type Axis struct {
	Label       string
	First, Last float64
	Log         bool // in powers of ten; what is not above First lies at its start
	Ticks       []Tick
}

// A Tick names a place of an axis.
type Tick struct {
	At   float64
	Text string
}

// A Series is a line of steps, each value of Y holding from its X to the next, or
// bars.
type Series struct {
	Name   string // for the legend; "" has no place there
	Color  int    // series of one number have one colour, 0 the main one
	X, Y   []float64
	Area   bool // shade what is below the line
	Dashed bool
	Bars   []Bar
}

// A Bar stands on the X axis. Series with bars of one range share its width.
type Bar struct {
	From, To, Height float64
	Text             string // shown beside the pointer
}

// A Mark points at a place of the plot.
type Mark struct {
	X, Y float64
	Text string
}

// The size of one plot of a picture and the room around it, in pixels.
const (
	plotWidth   = 480
	plotHeight  = 280
	left        = 56
	top         = 44
	rightMargin = 24
	bottom      = 52
	width       = plotWidth - left - rightMargin
	height      = plotHeight - top - bottom
)

// style has the colours as custom properties: light, dark where the reader's
// system is, and whatever a page that holds the picture sets on --gpuprof-….
const style = `<style>
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

// colors are those of series after the first.
var colors = []string{"#dc3912", "#109618", "#ff9900", "#990099", "#0099c6"}

// Write draws plots, two beside one another, as one picture.
func Write(w io.Writer, title, words string, plots []Plot) error {
	columns := min(2, len(plots))
	all, high := columns*plotWidth, (len(plots)+columns-1)/columns*plotHeight
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" class="gpuprof" role="img" aria-labelledby="gpuprof-title gpuprof-desc" viewBox="0 0 %d %d" width="%d" height="%d">`+"\n",
		all, high, all, high)
	fmt.Fprintf(b, "<title id=\"gpuprof-title\">%s</title>\n<desc id=\"gpuprof-desc\">%s</desc>\n", html.EscapeString(title), html.EscapeString(words))
	b.WriteString(style + "<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n")
	for i := range plots {
		fmt.Fprintf(b, "<g transform=\"translate(%d,%d)\">\n", i%columns*plotWidth, i/columns*plotHeight)
		plots[i].draw(b)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.Flush()
}

// part is where v lies on the axis, 0 to 1 from First to Last.
func (a *Axis) part(v float64) float64 {
	if !a.Log {
		return (v - a.First) / (a.Last - a.First)
	}
	if v <= a.First {
		return 0
	}
	return min(1, math.Log10(v/a.First)/math.Log10(a.Last/a.First))
}

func (p *Plot) x(v float64) float64 { return left + width*p.X.part(v) }
func (p *Plot) y(v float64) float64 { return top + height*(1-p.Y.part(v)) }

// draw draws the plot at the origin.
func (p *Plot) draw(b *bufio.Writer) {
	emphasis := ""
	if p.Emphasis {
		emphasis = " emphasis"
	}
	fmt.Fprintf(b, "<text class=\"title%s\" x=\"%d\" y=\"24\">%s</text>\n", emphasis, left, html.EscapeString(p.Title))
	for _, t := range p.Y.Ticks {
		fmt.Fprintf(b, "<path class=\"grid\" d=\"M%d %.1fh%d\"/><text class=\"end\" x=\"%d\" y=\"%.1f\">%s</text>\n", left, p.y(t.At), width, left-8, p.y(t.At)+4, html.EscapeString(t.Text))
	}
	for _, t := range p.X.Ticks {
		fmt.Fprintf(b, "<path class=\"grid\" d=\"M%.1f %dv5\"/><text class=\"middle\" x=\"%.1f\" y=\"%d\">%s</text>\n", p.x(t.At), top+height, p.x(t.At), top+height+19, html.EscapeString(t.Text))
	}
	fmt.Fprintf(b, "<text class=\"middle\" x=\"%d\" y=\"%d\">%s</text>\n", left+width/2, plotHeight-12, html.EscapeString(p.X.Label))
	if p.Y.Label != "" {
		fmt.Fprintf(b, "<text x=\"%d\" y=\"%d\">%s</text>\n", left, top-6, html.EscapeString(p.Y.Label))
	}
	named := 0
	for i := range p.Series {
		s := &p.Series[i]
		end := ""
		if s.Color > 0 {
			fmt.Fprintf(b, "<g style=\"--line: %s\">\n", colors[(s.Color-1)%len(colors)])
			end = "</g>\n"
		}
		p.bars(b, s, i)
		p.line(b, s)
		if s.Name != "" {
			at := left + 120 + 60*named
			named++
			fmt.Fprintf(b, "<rect style=\"fill: var(--line)\" x=\"%d\" y=\"%d\" width=\"10\" height=\"10\"/><text x=\"%d\" y=\"%d\">%s</text>\n", at, top-15, at+14, top-6, html.EscapeString(s.Name))
		}
		b.WriteString(end)
	}
	p.mark(b)
}

// bars draws the bars of series i in its part of their widths.
func (p *Plot) bars(b *bufio.Writer, s *Series, i int) {
	for _, bar := range s.Bars {
		part := (p.x(bar.To) - p.x(bar.From)) / float64(len(p.Series))
		fmt.Fprintf(b, "<rect style=\"fill: var(--line)\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>%s</title></rect>\n",
			p.x(bar.From)+part*float64(i), p.y(bar.Height), max(part-0.5, 0.5), top+height-p.y(bar.Height), html.EscapeString(bar.Text))
	}
}

func (p *Plot) line(b *bufio.Writer, s *Series) {
	if len(s.X) == 0 {
		return
	}
	var path strings.Builder
	fmt.Fprintf(&path, "M%.1f %.1f", p.x(s.X[0]), p.y(s.Y[0]))
	for i := 1; i < len(s.X); i++ {
		if s.Y[i] != s.Y[i-1] || i+1 == len(s.X) {
			fmt.Fprintf(&path, "H%.1fV%.1f", p.x(s.X[i]), p.y(s.Y[i]))
		}
	}
	if s.Area {
		fmt.Fprintf(b, "<path class=\"area\" d=\"%sV%.1fH%.1fZ\"/>", path.String(), p.y(p.Y.First), p.x(s.X[0]))
	}
	dashes := ""
	if s.Dashed {
		dashes = ` stroke-dasharray="4 3"`
	}
	fmt.Fprintf(b, "<path class=\"line\" d=\"%s\"%s/>\n", path.String(), dashes)
}

func (p *Plot) mark(b *bufio.Writer) {
	m := p.Mark
	if m == nil {
		return
	}
	text := html.EscapeString(m.Text)
	fmt.Fprintf(b, "<path class=\"mark\" d=\"M%.1f %dV%d\"/><circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"><title>%s</title></circle>\n",
		p.x(m.X), top, top+height, p.x(m.X), p.y(m.Y), text)
	side, at := "", p.x(m.X)+8
	if at > left+width-70 {
		side, at = " end", p.x(m.X)-8
	}
	fmt.Fprintf(b, "<text class=\"emphasis%s\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", side, at, max(top+12, p.y(m.Y)-8), text)
}
