package view

import (
	"io"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/view/visible"
)

// renderMarkdown writes GitHub-flavoured Markdown: headings by depth, pipe
// tables, messages as quotes.
func renderMarkdown(w io.Writer, d *Document, o Options) error {
	if d.Comment != nil {
		return d.Comment(w)
	}
	m := &markdownWriter{w: w, o: o}
	if d.Title != "" {
		m.put("# " + mdText(d.Title) + "\n\n")
	}
	group := ""
	for s := range d.All() {
		if s.Group != group && s.Group != "" {
			m.put("*" + mdText(s.Group) + "*\n\n")
		}
		group = s.Group
		m.section(s, 2)
	}
	return m.err
}

type markdownWriter struct {
	w    io.Writer
	o    Options
	err  error
	cell cells
}

func (m *markdownWriter) put(s string) {
	if m.err == nil {
		_, m.err = io.WriteString(m.w, s)
	}
}

// mdText keeps what files say from being taken for markup.
func mdText(s string) string { return mdEscaper.Replace(visible.String(s)) }

var mdEscaper = strings.NewReplacer("\\", "\\\\", "|", "\\|", "<", "&lt;", ">", "&gt;", "&", "&amp;",
	"*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "]", "\\]", "#", "\\#", "\n", " ", "\r", " ")

func (m *markdownWriter) section(s *Section, depth int) {
	if s.hidden() {
		return
	}
	if s.Title != "" {
		m.put(strings.Repeat("#", min(depth, 6)) + " " + mdText(s.Title) + "\n\n")
	}
	if s.Description != "" {
		m.put(mdText(s.Description) + "\n\n")
	}
	for i := range s.Items {
		it := &s.Items[i]
		switch {
		case !it.For.people() && it.Chart != nil && it.Chart.Kind == TimelineChart:
			m.series(it.Chart) // elsewhere it is drawn, or left to programs
		case !it.For.people():
		case it.Table != nil:
			m.table(it.Table)
		case it.Chart != nil && (it.Chart.Kind == LineChart || it.Chart.Kind == HistogramChart) && m.series(it.Chart):
		case it.Chart != nil:
			m.table(&it.Chart.Table)
		case it.Message != nil:
			m.message(it.Message)
		}
	}
	for i := range s.Sections {
		m.section(&s.Sections[i], depth+1)
	}
}

func (m *markdownWriter) table(t *Table) {
	if t.Title != "" {
		m.put("**" + mdText(t.Title) + "**\n\n")
	}
	if len(t.Columns) == 0 {
		return
	}
	t = t.In(FormatMarkdown)
	g := m.cell.grid(t, m.o)
	m.row(g.head)
	m.put("|")
	for _, r := range g.right {
		if r {
			m.put(" ---: |")
		} else {
			m.put(" --- |")
		}
	}
	m.put("\n")
	for r := range m.cell.gridRows(g, t, m.o) {
		m.row(r)
	}
	m.put("\n")
}

// series writes the data of a chart of series: for each how many values there
// are, of a timeline also over which time, and all of them in order. It reports
// whether there are any.
func (m *markdownWriter) series(c *Chart) bool {
	p := plot{o: m.o, width: defaultWidth, cell: &cells{}}
	t := Table{Title: c.Table.Title, Columns: []Column{{Name: "metric", Label: "Metric Name", Type: Text}, {Name: "unit", Label: "Unit", Type: Text},
		{Name: "samples", Label: "Samples", Type: Number}, {Name: "time", Label: "Duration", Type: Text, For: EveryoneIf(c.Kind == TimelineChart)}, {Name: "values", Label: "Values", Type: Text}}}
	for _, r := range p.rows(&c.Table) {
		points := ordered(r.points)
		if len(points) == 0 {
			continue
		}
		values := make([]string, len(points))
		for i, x := range points {
			values[i] = strconv.FormatFloat(x.Value.Float64(), 'g', 6, 64)
		}
		span := points[len(points)-1].ID.Float64() - points[0].ID.Float64()
		t.Rows = append(t.Rows, []Value{String(r.label), String(strings.TrimSpace(p.unit(points))), Uint(uint64(len(points)), ""),
			String(prefixed(span/1e9) + "s"), String(strings.Join(values, " "))})
	}
	if len(t.Rows) > 0 {
		m.table(&t)
	}
	return len(t.Rows) > 0
}

func (m *markdownWriter) row(cells []string) {
	m.put("|")
	for _, c := range cells {
		m.put(" " + mdText(c) + " |")
	}
	m.put("\n")
}

func (m *markdownWriter) message(msg *Message) {
	m.put("> **" + msg.Type.Tag() + "**")
	if msg.Speedup != nil {
		m.put(" " + speedupLine(*msg.Speedup) + ".")
	}
	m.put(" " + mdText(msg.Text) + "\n\n")
	if m.o.RuleDetails {
		for i := range msg.Details {
			m.table(&msg.Details[i])
		}
	}
}
