package view

import (
	"io"
	"strings"
)

// renderMarkdown writes GitHub-flavoured Markdown: headings by depth, pipe
// tables, messages as quotes.
func renderMarkdown(w io.Writer, d *Document, o Options) error {
	m := &markdownWriter{w: w, o: o}
	if d.Title != "" {
		m.put("# " + mdText(d.Title) + "\n\n")
	}
	group := ""
	for i := range d.Sections {
		s := &d.Sections[i]
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
func mdText(s string) string { return mdEscaper.Replace(s) }

var mdEscaper = strings.NewReplacer("\\", "\\\\", "|", "\\|", "<", "&lt;", ">", "&gt;", "&", "&amp;",
	"*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "]", "\\]", "#", "\\#", "\n", " ", "\r", " ")

func (m *markdownWriter) section(s *Section, depth int) {
	if s.Title != "" {
		m.put(strings.Repeat("#", min(depth, 6)) + " " + mdText(s.Title) + "\n\n")
	}
	if s.Description != "" {
		m.put(mdText(s.Description) + "\n\n")
	}
	for i := range s.Items {
		it := &s.Items[i]
		switch {
		case it.Mute:
		case it.Table != nil:
			m.table(it.Table)
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
	for _, r := range g.rows {
		m.row(r)
	}
	m.put("\n")
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
