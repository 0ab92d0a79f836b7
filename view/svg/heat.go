package svg

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"math"
)

// A Heat shows shares over time: a row for each series, darker for more.
type Heat struct {
	Title string
	Rows  []HeatRow
	Span  string // of the time from left to right
}

// A HeatRow has shares from 0 to 1, each of an equal part of the time.
type HeatRow struct {
	Label  string
	Shares []float64
}

// The size of heat maps, in pixels.
const (
	heatWidth   = 960
	heatLeft    = 64
	heatTop     = 40
	heatBottom  = 36
	heatCells   = 860
	heatTallest = 18
	heatRoom    = 900 // for all rows of one
	shades      = 16
)

// size is the height of a row and of the whole map.
func (h *Heat) size() (row float64, all int) {
	row = math.Min(heatTallest, heatRoom/math.Max(float64(len(h.Rows)), 1))
	return row, heatTop + int(math.Ceil(row*float64(len(h.Rows)))) + heatBottom
}

// WriteHeats draws heat maps below one another, as one picture.
func WriteHeats(w io.Writer, title, description string, heats []Heat) error {
	height := 0
	for i := range heats {
		_, h := heats[i].size()
		height += h
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" class="gpuprof" role="img" aria-labelledby="gpuprof-title gpuprof-desc" viewBox="0 0 %d %d" width="%d" height="%d">`+"\n",
		heatWidth, height, heatWidth, height)
	fmt.Fprintf(b, "<title id=\"gpuprof-title\">%s</title>\n<desc id=\"gpuprof-desc\">%s</desc>\n", html.EscapeString(title), html.EscapeString(description))
	b.WriteString(style + "<style>.heat { fill: var(--line); }</style>\n<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n")
	at := 0
	for i := range heats {
		fmt.Fprintf(b, "<g transform=\"translate(0,%d)\">\n", at)
		at += heats[i].draw(b)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.Flush()
}

// draw draws a map and returns its height. Neighbours of equal shade are one box.
func (h *Heat) draw(b *bufio.Writer) int {
	tall, height := h.size()
	fmt.Fprintf(b, "<text class=\"title\" x=\"%d\" y=\"24\">%s</text>\n", heatLeft, html.EscapeString(h.Title))
	every := int(math.Ceil(12 / tall)) // labels that have room
	for i, r := range h.Rows {
		y := heatTop + tall*float64(i)
		if i%every == 0 {
			fmt.Fprintf(b, "<text class=\"end\" x=\"%d\" y=\"%.1f\">%s</text>\n", heatLeft-8, y+tall/2+4, html.EscapeString(r.Label))
		}
		wide := heatCells / math.Max(float64(len(r.Shares)), 1)
		for k := 0; k < len(r.Shares); {
			shade, to := shadeOf(r.Shares[k]), k+1
			for to < len(r.Shares) && shadeOf(r.Shares[to]) == shade {
				to++
			}
			if shade > 0 {
				fmt.Fprintf(b, "<rect class=\"heat\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" opacity=\"%.3f\"/>\n",
					heatLeft+wide*float64(k), y, wide*float64(to-k), math.Max(tall-1, tall*0.8), float64(shade)/shades)
			}
			k = to
		}
	}
	base := heatTop + int(math.Ceil(tall*float64(len(h.Rows)))) + 18
	fmt.Fprintf(b, "<text x=\"%d\" y=\"%d\">0</text><text class=\"end\" x=\"%d\" y=\"%d\">%s</text>\n", heatLeft, base, heatLeft+heatCells, base, html.EscapeString(h.Span))
	return height
}

// shadeOf is the shade of a share.
func shadeOf(share float64) int {
	if math.IsNaN(share) {
		return 0
	}
	return int(math.Round(math.Min(math.Max(share, 0), 1) * shades))
}
