package lifetime

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/gpuprof/gpuprof/view/svg"
)

// Series is one line or one set of bars of a chart.
type Series struct {
	Name   string
	Bins   []Bin   // for a histogram
	Points []Point // for a cumulative distribution
}

// timeAxis is a logarithmic axis over the whole decades of the series.
func timeAxis(series []Series) svg.Axis {
	first, last := math.MaxInt, math.MinInt // powers of ten
	see := func(ns float64) {
		if ns > 0 && !math.IsInf(ns, 1) {
			first, last = min(first, int(math.Floor(math.Log10(ns)))), max(last, int(math.Ceil(math.Log10(ns))))
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
	if first > last {
		first, last = 0, 1
	}
	last = max(last, first+1)
	a := svg.Axis{Label: "lifetime", First: math.Pow10(first), Last: math.Pow10(last), Log: true}
	for e := first; e <= last; e += 1 + (last-first)/8 {
		a.Ticks = append(a.Ticks, svg.Tick{At: math.Pow10(e), Text: decade(e)})
	}
	return a
}

// shareAxis is an axis from 0 to a share.
func shareAxis(label string, most float64) svg.Axis {
	a := svg.Axis{Label: label, Last: most}
	for i := range 5 {
		v := float64(i) / 4 * most
		a.Ticks = append(a.Ticks, svg.Tick{At: v, Text: fmt.Sprintf("%.3g %%", v*100)})
	}
	return a
}

// decade names 10^e ns.
func decade(e int) string {
	units := []string{"ps", "ns", "us", "ms", "s"}
	u := min(max((e+3)/3, 0), len(units)-1)
	return strings.TrimSuffix(fmt.Sprintf("%.0f", math.Pow10(e-3*(u-1))), ".") + " " + units[u]
}

// WriteHistogramSVG draws histograms over the logarithm of the lifetime: bars of
// the share of lifetimes in each bin, one colour for each series.
func WriteHistogramSVG(w io.Writer, title string, series []Series) error {
	most := 0.0
	words := make([]string, len(series))
	p := svg.Plot{Title: title, X: timeAxis(series), Series: make([]svg.Series, len(series))}
	for i, s := range series {
		to := svg.Series{Name: s.Name, Color: i}
		for _, b := range s.Bins {
			if b.N == 0 {
				continue
			}
			share := float64(b.N) / total(s.Bins)
			most = max(most, share)
			to.Bars = append(to.Bars, svg.Bar{From: b.FromNS, To: b.ToNS, Height: share,
				Text: fmt.Sprintf("%s: %d lifetimes of %.4g to %.4g ns", s.Name, b.N, b.FromNS, b.ToNS)})
		}
		p.Series[i], words[i] = to, fmt.Sprintf("%s: %d bins with lifetimes.", s.Name, len(to.Bars))
	}
	if most == 0 {
		most = 1
	}
	p.Y = shareAxis("share of lifetimes", most)
	return svg.Write(w, title, strings.Join(words, " "), []svg.Plot{p})
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
	p := svg.Plot{Title: title, X: timeAxis(series), Y: shareAxis("share", 1)}
	words := make([]string, len(series))
	for i, s := range series {
		words[i] = fmt.Sprintf("%s: %d steps.", s.Name, len(s.Points))
		solid := svg.Series{Name: s.Name, Color: i}
		dashed := svg.Series{Color: i, Dashed: true}
		for k, pt := range s.Points {
			if k == 0 {
				solid.X, solid.Y = []float64{pt.NS}, []float64{0}
				dashed.X, dashed.Y = []float64{pt.NS}, []float64{0}
			}
			solid.X, solid.Y = append(solid.X, pt.NS), append(solid.Y, pt.Share)
			dashed.X, dashed.Y = append(dashed.X, pt.NS), append(dashed.Y, pt.Time)
		}
		if n := len(s.Points); n > 0 {
			last := s.Points[n-1]
			solid.X, solid.Y = append(solid.X, p.X.Last), append(solid.Y, last.Share)
			dashed.X, dashed.Y = append(dashed.X, p.X.Last), append(dashed.Y, last.Time)
		}
		p.Series = append(p.Series, solid, dashed)
	}
	return svg.Write(w, title, strings.Join(words, " "), []svg.Plot{p})
}
