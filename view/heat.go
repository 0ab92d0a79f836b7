package view

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/gpuprof/gpuprof/view/svg"
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
	var words strings.Builder
	heats := make([]svg.Heat, len(charts))
	for i, c := range charts {
		heats[i] = heatOf(c, &words)
	}
	return svg.WriteHeats(w, title, strings.TrimSpace(words.String()), heats)
}

// heatOf is a heat chart as a picture has it; its extremes go to words.
func heatOf(c *Chart, words *strings.Builder) svg.Heat {
	rows := heatRows(c)
	h := svg.Heat{Title: c.Table.Title}
	low, high := rows[0], rows[0]
	for _, r := range rows {
		if r.value < low.value {
			low = r
		}
		if r.value > high.value {
			high = r
		}
		shares := make([]float64, len(r.points))
		for k, p := range r.points {
			shares[k] = p.Value.Float64() / 100
		}
		h.Rows = append(h.Rows, svg.HeatRow{Label: r.label, Shares: shares})
	}
	first, last := rows[0].points[0].ID, rows[0].points[len(rows[0].points)-1].ID
	h.Span = Words(Float(last.Float64()-first.Float64(), "ns"))
	fmt.Fprintf(words, "%s: least of %s, %s; most of %s, %s. ", c.Table.Title, low.label, short(math.Round(10*low.value)/10), high.label, short(math.Round(10*high.value)/10))
	return h
}
