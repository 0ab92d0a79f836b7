package lifetime

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// Series is one line or one set of bars of a chart.
type Series struct {
	Name   string
	Bins   []Bin   // for a histogram
	Points []Point // for a cumulative distribution
}

// chart geometry in SVG units.
const (
	chartW, chartH            = 720, 360
	left, right, top, chartBt = 64, 16, 34, 48
)

var colours = []string{"#3366cc", "#dc3912", "#109618", "#ff9900", "#990099", "#0099c6"}

// axis is a logarithmic time axis over whole decades.
type axis struct{ lo, hi int }

func newAxis(series []Series) axis {
	a := axis{math.MaxInt, math.MinInt}
	see := func(ns float64) {
		if ns > 0 && !math.IsInf(ns, 1) {
			a.lo, a.hi = min(a.lo, int(math.Floor(math.Log10(ns)))), max(a.hi, int(math.Ceil(math.Log10(ns))))
		}
	}
	for _, s := range series {
		for _, b := range s.Bins {
			see(b.FromNS)
			see(b.ToNS)
		}
		for _, p := range s.Points {
			see(p.NS)
		}
	}
	if a.lo > a.hi {
		return axis{0, 1}
	}
	a.hi = max(a.hi, a.lo+1)
	return a
}

// x places a time; what is shorter than the first decade lies on its left edge.
func (a axis) x(ns float64) float64 {
	if ns <= 0 {
		return left
	}
	f := (math.Log10(ns) - float64(a.lo)) / float64(a.hi-a.lo)
	return left + math.Max(0, math.Min(1, f))*(chartW-left-right)
}

func y(share float64) float64 { return chartH - chartBt - share*(chartH-top-chartBt) }

// decade names 10^e ns.
func decade(e int) string {
	units := []string{"ps", "ns", "us", "ms", "s"}
	u := min(max((e+3)/3, 0), len(units)-1)
	return strings.TrimSuffix(fmt.Sprintf("%.0f", math.Pow10(e-3*(u-1))), ".") + " " + units[u]
}

func (a axis) frame(w io.Writer, title, ylabel string, ymax float64) {
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n", chartW, chartH, chartW, chartH)
	fmt.Fprintf(w, `<title>%s</title><rect width="100%%" height="100%%" fill="#fff"/>`+"\n", html.EscapeString(title))
	fmt.Fprintf(w, `<text x="%d" y="18" font-size="14">%s</text>`+"\n", left, html.EscapeString(title))
	for i := 0; i <= 4; i++ {
		f := float64(i) / 4
		fmt.Fprintf(w, `<path d="M%d %.1fH%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.3g %%</text>`+"\n", left, y(f), chartW-right, left-6, y(f)+4, f*ymax*100)
	}
	step := 1 + (a.hi-a.lo)/12
	for e := a.lo; e <= a.hi; e += step {
		x := a.x(math.Pow10(e))
		fmt.Fprintf(w, `<path d="M%.1f %dV%d" stroke="#ddd"/><text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", x, top, chartH-chartBt, x, chartH-chartBt+16, decade(e))
	}
	fmt.Fprintf(w, `<text x="%d" y="%d" text-anchor="middle">lifetime</text>`+"\n", (left+chartW-right)/2, chartH-10)
	fmt.Fprintf(w, `<text x="14" y="%d" transform="rotate(-90 14 %d)" text-anchor="middle">%s</text>`+"\n", chartH/2, chartH/2, html.EscapeString(ylabel))
}

func legend(w io.Writer, series []Series) {
	for i, s := range series {
		yy := top + 14 + 16*i
		fmt.Fprintf(w, `<rect x="%d" y="%d" width="10" height="10" fill="%s"/><text x="%d" y="%d">%s</text>`+"\n", left+8, yy-9, colours[i%len(colours)], left+22, yy, html.EscapeString(s.Name))
	}
}

// WriteHistogramSVG draws histograms over the logarithm of the lifetime: bars of
// the share of lifetimes in each bin, one colour for each series.
func WriteHistogramSVG(w io.Writer, title string, series []Series) error {
	b := bufio.NewWriter(w)
	ymax := 0.0
	for _, s := range series {
		for _, bin := range s.Bins {
			ymax = math.Max(ymax, float64(bin.N)/total(s.Bins))
		}
	}
	if ymax == 0 {
		ymax = 1
	}
	a := newAxis(series)
	a.frame(b, title, "share of lifetimes", ymax)
	for i, s := range series {
		for _, bin := range s.Bins {
			x0, x1 := a.x(bin.FromNS), a.x(bin.ToNS)
			part := (x1 - x0) / float64(len(series))
			x0 += part * float64(i)
			h := y(0) - y(float64(bin.N)/total(s.Bins)/ymax)
			if bin.N > 0 {
				fmt.Fprintf(b, `<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" fill="%s"><title>%s: %d lifetimes of %.4g to %.4g ns</title></rect>`+"\n",
					x0, y(0)-h, math.Max(part-0.5, 0.5), h, colours[i%len(colours)], html.EscapeString(s.Name), bin.N, bin.FromNS, bin.ToNS)
			}
		}
	}
	legend(b, series)
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}

func total(bins []Bin) float64 {
	var n uint64
	for _, b := range bins {
		n += b.N
	}
	return math.Max(float64(n), 1)
}

// WriteCDFSVG draws cumulative distributions: which share of the lifetimes is at
// most so long (solid), and which share of the occupied memory they are (dashed).
func WriteCDFSVG(w io.Writer, title string, series []Series) error {
	b := bufio.NewWriter(w)
	a := newAxis(series)
	a.frame(b, title, "share", 1)
	for i, s := range series {
		if len(s.Points) == 0 {
			continue
		}
		for _, dashed := range []bool{false, true} {
			var path strings.Builder
			last := y(0)
			fmt.Fprintf(&path, "M%.1f %.1f", a.x(s.Points[0].NS), last)
			for _, p := range s.Points {
				v := p.Share
				if dashed {
					v = p.Time
				}
				fmt.Fprintf(&path, "H%.1fV%.1f", a.x(p.NS), y(v))
			}
			fmt.Fprintf(&path, "H%d", chartW-right)
			style := ""
			if dashed {
				style = ` stroke-dasharray="4 3"`
			}
			fmt.Fprintf(b, `<path d="%s" fill="none" stroke="%s" stroke-width="1.5"%s/>`+"\n", path.String(), colours[i%len(colours)], style)
		}
	}
	legend(b, series)
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}
