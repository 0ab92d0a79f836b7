package occupancy

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// The size of one curve of a picture, in pixels.
const (
	plotWidth  = 460
	plotHeight = 240
	plotLeft   = 50
	plotTop    = 40
	plotRight  = 20
	plotBottom = 40
)

// WriteSVG draws curves of d below one another. The title of a curve that limits
// the kernel is red, and a dot marks the kernel.
func (d *Device) WriteSVG(w io.Writer, curves []Curve) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n", plotWidth, plotHeight*len(curves))
	fmt.Fprintln(b, `<rect width="100%" height="100%" fill="white"/>`)
	for i := range curves {
		fmt.Fprintf(b, `<g transform="translate(0,%d)">`+"\n", i*plotHeight)
		d.plot(b, &curves[i])
		fmt.Fprintln(b, "</g>")
	}
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}

func (d *Device) plot(b *bufio.Writer, c *Curve) {
	const width, height = plotWidth - plotLeft - plotRight, plotHeight - plotTop - plotBottom
	first, last := c.X[0], max(c.X[len(c.X)-1], c.X[0]+1)
	x := func(v int) float64 { return plotLeft + width*float64(v-first)/float64(last-first) }
	y := func(v int) float64 { return plotTop + height*(1-float64(v)/float64(d.MaxWaves)) }
	color := "black"
	if c.Limiting {
		color = "red"
	}
	fmt.Fprintf(b, `<text x="%d" y="20" fill="%s">%s over %s, %s</text>`+"\n", plotLeft, color, d.Waves(), d.Word(c.Resource), d.Name)
	fmt.Fprintf(b, `<path d="M%d %dV%dH%d" fill="none" stroke="gray"/>`+"\n", plotLeft, plotTop, plotTop+height, plotLeft+width)
	for i := range 5 {
		v := d.MaxWaves * i / 4
		fmt.Fprintf(b, `<text x="%d" y="%.1f" text-anchor="end">%d</text>`+"\n", plotLeft-6, y(v)+4, v)
		u := first + (last-first)*i/4
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`+"\n", x(u), plotTop+height+18, u)
	}
	var path strings.Builder
	own := 0
	for i, v := range c.X {
		if i == 0 {
			fmt.Fprintf(&path, "M%.1f %.1f", x(v), y(c.Waves[i]))
		} else {
			fmt.Fprintf(&path, "H%.1fV%.1f", x(v), y(c.Waves[i]))
		}
		if v <= c.At {
			own = i
		}
	}
	fmt.Fprintf(b, `<path d="%s" fill="none" stroke="steelblue" stroke-width="2"/>`+"\n", path.String())
	fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="4" fill="%s"/>`+"\n", x(c.At), y(c.Waves[own]), color)
}
