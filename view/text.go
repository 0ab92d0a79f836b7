package view

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/gpuprof/gpuprof/view/visible"
)

// messageWidth is the column at which text ends the lines of a message.
const messageWidth = 120

// textWriter lays a Document out for people: an indent of two blanks for each
// level of sections, tables framed by rules, messages wrapped and tagged.
type textWriter struct {
	w    io.Writer
	o    Options
	b    []byte
	err  error
	cell cells

	shown []byte            // what of b may be shown
	names map[string]string // short forms of kernels in titles

	stacked string // the row of items that do not fit side by side
}

func renderText(w io.Writer, d *Document, o Options) error {
	t := &textWriter{w: w, o: o, cell: cells{marked: true, visible: true}}
	group, depth := "", depthOf(d)
	t.nameTitles(d)
	var last *Section
	put := func(s *Section) {
		if s.Group != group && s.Group != "" {
			t.folded(0, visible.String(s.Group), "", 2)
		}
		group = s.Group
		t.section(s, depth)
	}
	for s := range d.All() {
		if last != nil {
			put(last)
			t.flush(1 << 15)
		}
		if last = s; t.err != nil {
			return t.err
		}
	}
	if last != nil {
		put(last)
		if depth == 0 && bytes.HasSuffix(t.b, []byte("\n\n")) {
			t.b = t.b[:len(t.b)-1] // nothing follows from which a blank line would set it apart
		}
	}
	t.flush(0)
	return t.err
}

// depthOf is the level of the outermost sections: below a group heading they
// stand indented. Of many sections that are made one at a time the first tells.
func depthOf(d *Document) int {
	for i := range d.Sections {
		if d.Sections[i].Group != "" {
			return 1
		}
	}
	if d.More != nil {
		for s := range d.More {
			if s.Group != "" {
				return 1
			}
			break
		}
	}
	return 0
}

func (t *textWriter) flush(keep int) {
	if len(t.b) > keep && t.w != nil {
		if t.err == nil {
			t.shown = t.show(t.shown[:0], t.b)
			_, t.err = t.w.Write(t.shown)
		}
		t.b = t.b[:0]
	}
}

func (t *textWriter) indent(n int) {
	for range n {
		t.b = append(t.b, ' ')
	}
}

func (t *textWriter) line(indent int, s string) {
	if s != "" {
		t.indent(indent)
		t.b = append(t.b, s...)
	}
	t.b = append(t.b, '\n')
}

// Styles stand in the buffer as a byte each, and become sequences of the terminal
// when all else that a terminal would obey has been made visible: so whatever a
// file brings, no other sequence comes out.
const (
	reset = "\x01"
	bold  = "\x02"
	red   = "\x03"
	green = "\x04"
	amber = "\x05"
	cyan  = "\x06"
)

var sequences = [...]string{1: "\x1b[0m", "\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[36m"}

func (t *textWriter) painted(style, s string) string {
	if !t.o.Color || s == "" {
		return s
	}
	return style + visible.String(s) + reset
}

// show appends text as it goes to the terminal.
func (t *textWriter) show(to, text []byte) []byte {
	for t.o.Color {
		i := bytes.IndexAny(text, reset+bold+red+green+amber+cyan)
		if i < 0 {
			break
		}
		to = append(visible.Append(to, text[:i]), sequences[text[i]]...)
		text = text[i+1:]
	}
	return visible.Append(to, text)
}

func (t *textWriter) section(s *Section, depth int) {
	at := 2 * depth
	if !s.For.people() {
		return
	}
	if s.Title != "" {
		title := t.title(s, at)
		if depth > 1 && !s.Layout.or().Plain {
			title = "Section: " + title
		}
		t.folded(at, title, bold, 4)
	}
	t.items(s.Items, at)
	for i := range s.Sections {
		t.section(&s.Sections[i], depth+1)
	}
}

func (t *textWriter) items(items []Item, at int) {
	afterMessage := false
	t.stacked = ""
	for i := 0; i < len(items); i++ {
		it := &items[i]
		if n := t.beside(items[i:], at); n > 0 {
			i, afterMessage = i+n-1, false
			continue
		}
		if !it.For.people() {
			if it.Chart != nil && (t.o.Charts || it.layout().Drawn) {
				t.chart(it.Chart, at, true, true)
			}
			continue
		}
		lay := it.layout()
		if lay.Heading != "" {
			t.lines(at, strings.Split(lay.Heading, "\n"))
		}
		switch {
		case lay.Lines != nil:
			t.lines(at, lay.Lines)
		case it.Table != nil:
			t.table(it.Table, at, lay.Heading == "")
		case it.Chart != nil:
			t.chart(it.Chart, at, lay.Heading == "", false)
		case it.Message != nil:
			if afterMessage {
				t.line(at, strings.Repeat("-", 5)+" "+strings.Repeat("-", max(1, t.messageWidth()-at-6)))
			}
			t.message(it.Message, at)
			if i+1 == len(items) || items[i+1].Message == nil {
				t.line(0, "")
			}
		}
		afterMessage = it.Message != nil && lay.Lines == nil
	}
}

// message prints the tag, then the text wrapped and padded to messageWidth: so
// does Nsight Compute, and scripts that cut columns rely on it.
func (t *textWriter) message(m *Message, at int) {
	tag := m.Type.Tag()
	first := true
	put := func(s string) {
		t.indent(at)
		if first {
			t.b = append(t.b, t.painted(tagStyle(m.Type), tag)...)
			t.indent(6 - len(tag))
		} else {
			t.indent(6)
		}
		first = false
		t.b = append(t.b, s...)
		t.pad(at + 6 + utf8.RuneCountInString(s))
		t.b = append(t.b, '\n')
	}
	if m.Speedup != nil {
		put(speedupLine(*m.Speedup))
	}
	for _, para := range strings.Split(visible.String(m.Text), "\n") {
		for _, l := range t.wrapped(para, at+6) {
			put(l)
		}
	}
	if t.o.RuleDetails {
		for i := range m.Details {
			t.records(&m.Details[i], at)
		}
	}
}

// records prints each row of a table as lines "name: value", the first of them
// marked. Empty cells are left out.
func (t *textWriter) records(tb *Table, at int) {
	width := 0
	for i := range tb.Columns {
		if !tb.Columns[i].For.people() {
			continue
		}
		width = max(width, utf8.RuneCountInString(visible.String(tb.Columns[i].Heading())))
	}
	for _, row := range tb.Rows {
		mark := ">"
		for i, s := range t.cell.row(tb, row, t.o) {
			if s == "" || !tb.Columns[i].For.people() {
				continue
			}
			head := visible.String(tb.Columns[i].Heading())
			head += strings.Repeat(" ", width-utf8.RuneCountInString(head)) + ": "
			for k, l := range t.wrapped(s, at+6+width+2) {
				t.indent(at)
				t.b = append(t.b, mark...)
				t.indent(6 - len(mark))
				if k > 0 {
					head = strings.Repeat(" ", width+2)
				}
				t.b = append(append(t.b, head...), l...)
				t.pad(at + 6 + utf8.RuneCountInString(head) + utf8.RuneCountInString(l))
				t.b = append(t.b, '\n')
				mark = ""
			}
		}
	}
}

// pad fills a line of a message that has so many characters; on a terminal that would
// be of no use.
func (t *textWriter) pad(used int) {
	if !t.fitted() {
		t.indent(messageWidth - used)
	}
}

// wrapped are the lines of a text of which each begins at a column.
func (t *textWriter) wrapped(s string, at int) []string {
	if t.fitted() {
		return Fold(s, max(t.o.Fit-at, leastFit/2), 0)
	}
	return wrap(s, messageWidth-at)
}

func tagStyle(m MessageType) string {
	switch m {
	case Optimization:
		return green
	case Warning:
		return amber
	case Error:
		return red
	}
	return cyan
}

// wrap breaks s at blanks into lines of less than width characters, the last of
// at most width. As in Nsight Compute the blank at which a line ends counts for
// the next one. A word that does not fit is cut.
func wrap(s string, width int) []string {
	var lines []string
	for {
		cut, n, last := 0, 0, 0
		for cut < len(s) && n < width {
			if s[cut] == ' ' {
				last = cut
			}
			_, size := utf8.DecodeRuneInString(s[cut:])
			cut += size
			n++
		}
		if cut == len(s) {
			return append(lines, strings.Trim(s, " "))
		}
		if last > 0 {
			cut = last
		}
		lines = append(lines, strings.Trim(s[:cut], " "))
		s = s[cut:]
	}
}
