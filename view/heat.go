package view

import (
	"bufio"
	"fmt"
	"html"
	"math"
)

// The size of heat maps, in pixels.
const (
	heatWidth   = 960
	heatLeft    = 64
	heatTop     = 40
	heatBottom  = 36
	heatCells   = 860
	heatTallest = 18
	heatRoom    = 900 // for all rows of one
)

// heatRows are the rows of a heat chart: a label and a series of percentages.
func heatRows(c *Chart) []plotRow {
	if c.Kind != HeatChart {
		return nil
	}
	p := plot{cell: &cells{}}
	var out []plotRow
	for _, r := range p.rows(&c.Table) {
		if len(r.points) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// heatsIn appends the charts of s that are heat maps.
func heatsIn(charts []*Chart, s *Section) []*Chart {
	for i := range s.Items {
		if c := s.Items[i].Chart; c != nil && len(heatRows(c)) > 0 {
			charts = append(charts, c)
		}
	}
	for i := range s.Sections {
		charts = heatsIn(charts, &s.Sections[i])
	}
	return charts
}

// heatHeight is the height of a row and of the whole map.
func heatHeight(rows int) (row float64, all int) {
	row = math.Min(heatTallest, heatRoom/float64(rows))
	return row, heatTop + int(math.Ceil(row*float64(rows))) + heatBottom
}

// writeHeats draws heat maps below one another: a row for each series, time from
// left to right, darker for more. Neighbours of equal shade are one box.
func writeHeats(b *bufio.Writer, title string, charts []*Chart) {
	height := 0
	for _, c := range charts {
		_, h := heatHeight(len(heatRows(c)))
		height += h
	}
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" class="gpuprof" role="img" aria-labelledby="gpuprof-title gpuprof-desc" viewBox="0 0 %d %d" width="%d" height="%d">`+"\n",
		heatWidth, height, heatWidth, height)
	fmt.Fprintf(b, "<title id=\"gpuprof-title\">%s</title>\n<desc id=\"gpuprof-desc\">", html.EscapeString(title))
	for _, c := range charts {
		rows := heatRows(c)
		low, high := rows[0], rows[0]
		for _, r := range rows {
			if r.value < low.value {
				low = r
			}
			if r.value > high.value {
				high = r
			}
		}
		fmt.Fprintf(b, "%s: least of %s, %s; most of %s, %s. ", html.EscapeString(c.Table.Title), html.EscapeString(low.label), short(math.Round(10*low.value)/10),
			html.EscapeString(high.label), short(math.Round(10*high.value)/10))
	}
	b.WriteString("</desc>\n" + svgStyle + "<style>.heat { fill: var(--line); }</style>\n<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n")
	at := 0
	for _, c := range charts {
		fmt.Fprintf(b, "<g transform=\"translate(0,%d)\">\n", at)
		at += drawHeat(b, c)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
}

// shades is how many shades there are.
const shades = 16

func drawHeat(b *bufio.Writer, c *Chart) int {
	rows := heatRows(c)
	tall, height := heatHeight(len(rows))
	fmt.Fprintf(b, "<text class=\"title\" x=\"%d\" y=\"24\">%s</text>\n", heatLeft, html.EscapeString(c.Table.Title))
	every := int(math.Ceil(12 / tall)) // labels that have room
	for i, r := range rows {
		y := heatTop + tall*float64(i)
		if i%every == 0 {
			fmt.Fprintf(b, "<text class=\"end\" x=\"%d\" y=\"%.1f\">%s</text>\n", heatLeft-8, y+tall/2+4, html.EscapeString(r.label))
		}
		wide := heatCells / float64(len(r.points))
		for k := 0; k < len(r.points); {
			shade, to := shadeOf(r.points[k]), k+1
			for to < len(r.points) && shadeOf(r.points[to]) == shade {
				to++
			}
			if shade > 0 {
				fmt.Fprintf(b, "<rect class=\"heat\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" opacity=\"%.3f\"/>\n", heatLeft+wide*float64(k), y, wide*float64(to-k), math.Max(tall-1, tall*0.8), float64(shade)/shades)
			}
			k = to
		}
	}
	first, last := rows[0].points[0].ID, rows[0].points[len(rows[0].points)-1].ID
	base := heatTop + int(math.Ceil(tall*float64(len(rows)))) + 18
	fmt.Fprintf(b, "<text x=\"%d\" y=\"%d\">0 s</text><text class=\"end\" x=\"%d\" y=\"%d\">%s</text>\n", heatLeft, base, heatLeft+heatCells, base,
		html.EscapeString(Words(Float(last.Float64()-first.Float64(), "ns"))))
	return height
}

// shadeOf is the shade of a percentage.
func shadeOf(p Point) int {
	v := p.Value.Float64()
	if math.IsNaN(v) {
		return 0
	}
	return int(math.Round(math.Min(math.Max(v, 0), 100) / 100 * shades))
}
