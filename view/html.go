package view

import (
	"html"
	"io"

	"github.com/gpuprof/gpuprof/view/visible"
)

// WriteHTML writes d as one page for a browser that needs nothing else: no
// script, no style from elsewhere. Everything that a file says is escaped.
func WriteHTML(w io.Writer, d *Document, o Options) error {
	h := &htmlWriter{w: w, o: o}
	h.put("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>")
	h.text("gpuprof " + d.Title)
	h.put("</title><style>" + htmlStyle + "</style></head><body>\n<h1>")
	h.text("gpuprof " + d.Title)
	h.put("</h1>\n")
	for s := range d.All() {
		h.section(s, 2)
	}
	h.put("</body></html>\n")
	return h.err
}

const htmlStyle = `body{font:14px/1.4 system-ui,sans-serif;margin:2em;color:#222;background:#fff}table{border-collapse:collapse;margin:1em 0}` +
	`th,td{padding:.2em .6em;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}` +
	`p.m{border-left:4px solid #999;padding-left:.6em}p.warning,p.optimization{border-color:#c60}p.error{border-color:#b00}` +
	`@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}th,td{border-color:#444}}`

type htmlWriter struct {
	w    io.Writer
	o    Options
	err  error
	cell cells
}

func (h *htmlWriter) put(s string) {
	if h.err == nil {
		_, h.err = io.WriteString(h.w, s)
	}
}

// text writes what a file says: markup is escaped, and what controls a text is
// shown.
func (h *htmlWriter) text(s string) { h.put(html.EscapeString(visible.String(s))) }

func (h *htmlWriter) section(s *Section, depth int) {
	if s.hidden() {
		return
	}
	if s.Title != "" {
		tag := "h" + string(rune('0'+min(depth, 6)))
		h.put("<" + tag + ">")
		h.text(s.Title)
		h.put("</" + tag + ">\n")
	}
	if s.Description != "" {
		h.put("<p>")
		h.text(s.Description)
		h.put("</p>\n")
	}
	for i := range s.Items {
		switch it := &s.Items[i]; {
		case !it.For.people():
		case it.Table != nil:
			h.table(it.Table)
		case it.Chart != nil:
			h.table(&it.Chart.Table)
		case it.Message != nil:
			h.put("<p class=\"m " + string(it.Message.Type) + "\">")
			h.text(it.Message.Text)
			h.put("</p>\n")
		}
	}
	for i := range s.Sections {
		h.section(&s.Sections[i], depth+1)
	}
}

func (h *htmlWriter) table(t *Table) {
	if len(t.Columns) == 0 {
		return
	}
	t = t.In(FormatMarkdown)
	g := h.cell.grid(t, h.o)
	h.put("<table>")
	if t.Title != "" {
		h.put("<caption>")
		h.text(t.Title)
		h.put("</caption>")
	}
	h.put("<thead>")
	h.row(g.head, g.right, "th")
	h.put("</thead><tbody>\n")
	for r := range h.cell.gridRows(g, t, h.o) {
		h.row(r, g.right, "td")
	}
	h.put("</tbody></table>\n")
}

func (h *htmlWriter) row(cells []string, right []bool, tag string) {
	h.put("<tr>")
	for i, c := range cells {
		if i < len(right) && right[i] {
			h.put("<" + tag + " class=\"n\">")
		} else {
			h.put("<" + tag + ">")
		}
		h.text(c)
		h.put("</" + tag + ">")
	}
	h.put("</tr>\n")
}
