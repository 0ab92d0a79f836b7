package view

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gpuprof/gpuprof/view/visible"
)

// table prints the grid, then a blank line; with titles also a title line and a
// description line before it.
func (t *textWriter) table(tb *Table, at int, titles bool) {
	if titles && tb.Title != "" {
		t.folded(at, oneLine(tb.Title), "", 2)
	}
	if titles && tb.Description != "" {
		t.folded(at, "Table Description : "+visible.String(tb.Description), "", 2)
	}
	if len(tb.Columns) == 0 {
		return
	}
	if t.matrix(tb, at) {
		return
	}
	if lay := tb.Layout.or(); lay.Most > 0 && tb.exceeds(lay.Most) {
		defer t.folded(at, fmt.Sprintf("Only the first %d rows are shown as text; %s.", lay.Most, lay.Others), "", 0)
	}
	tb = tb.In(FormatText)
	g := t.cell.grid(tb, t.o)
	if room := t.o.Fit - at; t.fitted() && len(g.width) > 0 && !g.fit(tb, room) {
		t.narrowed(tb, g, at, room)
		return
	}
	t.gridLines(tb, g, at)
}

// gridLines prints a grid within its frame, and a blank line.
func (t *textWriter) gridLines(tb *Table, g *grid, at int) {
	frame := tb.Layout.or().Frame
	if frame != FrameHeader {
		t.rule(g, at)
	}
	t.gridHead(g, at)
	t.rule(g, at)
	for r := range t.cell.gridRows(g, tb, t.o) {
		if t.flush(1 << 15); t.err != nil {
			return
		}
		t.gridRow(g, r, at)
	}
	if frame == FrameFull {
		t.rule(g, at)
	}
	t.line(0, "")
}

func (t *textWriter) rule(g *grid, at int) {
	t.indent(at)
	for i, w := range g.width {
		if i > 0 {
			t.b = append(t.b, ' ')
		}
		if g.ragged && i+1 == len(g.width) {
			w = min(w, utf8.RuneCountInString(g.head[i]))
		}
		for range w {
			t.b = append(t.b, '-')
		}
	}
	t.b = append(t.b, '\n')
}

// gridHead prints the headings. Where they have to fit, a word that does fit is not cut
// for the blank before it.
func (t *textWriter) gridHead(g *grid, at int) {
	t.wrappedRow(g, g.head, at, func(k int, s string) []string {
		if t.fitted() && !g.anywhere[k] {
			return Fold(s, g.width[k], 0)
		}
		return g.wrap(k, s)
	})
}

// gridRow prints a row; where cells wrap it takes several lines.
func (t *textWriter) gridRow(g *grid, row []string, at int) { t.wrappedRow(g, row, at, g.wrap) }

func (t *textWriter) wrappedRow(g *grid, row []string, at int, wrapped func(k int, s string) []string) {
	lines := 1
	for i, s := range row {
		if m := g.max[i]; m > 0 && utf8.RuneCountInString(s) > g.width[i] {
			g.wrapped[i] = wrapped(i, s)
			lines = max(lines, len(g.wrapped[i]))
		} else {
			g.wrapped[i] = append(g.wrapped[i][:0], s)
		}
	}
	for l := range lines {
		t.indent(at)
		for i := range g.width {
			s := ""
			if i < len(row) && l < len(g.wrapped[i]) {
				s = g.wrapped[i][l]
			}
			pad := g.width[i] - utf8.RuneCountInString(s)
			if i > 0 {
				t.b = append(t.b, ' ')
			}
			if g.right[i] {
				t.indent(pad)
				t.b = append(t.b, s...)
			} else {
				t.b = append(t.b, s...)
				t.indent(pad)
			}
		}
		for g.ragged && t.b[len(t.b)-1] == ' ' {
			t.b = t.b[:len(t.b)-1]
		}
		t.b = append(t.b, '\n')
	}
}

// wrap breaks a cell of column k into lines.
func (g *grid) wrap(k int, s string) []string {
	if g.names[k] {
		return wrapName(s, g.width[k])
	}
	if g.fitted[k] && !g.anywhere[k] {
		return Fold(s, g.width[k], 0)
	}
	return wrapCell(s, g.width[k], g.anywhere[k])
}

// wrapName breaks a name into lines of at most width characters, behind what divides
// its words where it takes no more lines for that.
func wrapName(s string, width int) []string {
	var out []string
	for r := []rune(s); ; {
		if len(r) <= width {
			return append(out, string(r))
		}
		lines := (len(r) + width - 1) / width
		cut := width
		for k := width; k > 0 && k >= len(r)-(lines-1)*width; k-- {
			if strings.ContainsRune("_:/.,<( ", r[k-1]) && r[k] != r[k-1] {
				cut = k
				break
			}
		}
		out = append(out, string(r[:cut]))
		r = r[cut:]
	}
}

// wrapCell breaks a cell into lines of at most width characters: anywhere, or
// before the last blank in reach. As in ncu the blank goes with the next line,
// where it counts although it is not shown.
func wrapCell(s string, width int, anywhere bool) []string {
	var out []string
	for longer(s, width) {
		cut, last := 0, 0
		for range width {
			if s[cut] == ' ' {
				last = cut
			}
			_, n := utf8.DecodeRuneInString(s[cut:])
			cut += n
		}
		if !anywhere && last > 0 {
			cut = last
		}
		out = append(out, trimBlank(s[:cut], anywhere))
		s = s[cut:]
	}
	return append(out, trimBlank(s, anywhere))
}

// longer reports whether s has more than n characters, looking at no more of it.
func longer(s string, n int) bool {
	if len(s) <= n {
		return false
	}
	for range s {
		if n--; n < 0 {
			return true
		}
	}
	return false
}

func trimBlank(s string, keep bool) string {
	if keep {
		return s
	}
	return strings.Trim(s, " ")
}

// A grid is a table in formatted cells with the widths of its columns.
type grid struct {
	head     []string
	from     []int      // columns of the table
	rows     [][]string // none where the table has More
	width    []int
	cell     []int // widest cell of each column
	max      []int // widest a column may become; 0: any width
	right    []bool
	anywhere []bool // break wherever the width ends
	names    []bool // break between the words of names
	fitted   []bool // narrowed to fit a terminal
	wrapped  [][]string
	ragged   bool // no blanks at the end of a line
}

// grid formats the cells of tb for reading. A List column is not shown by
// itself: its series follow the cell before, in parentheses, where asked for.
func (c *cells) grid(tb *Table, o Options) *grid {
	g := &grid{ragged: tb.Layout.or().Ragged}
	for i, col := range tb.Columns {
		if col.Type == List || !col.For.people() {
			continue
		}
		head := visible.String(col.Heading())
		g.from = append(g.from, i)
		g.head = append(g.head, head)
		g.width = append(g.width, max(col.MinWidth, utf8.RuneCountInString(head)))
		g.max = append(g.max, col.MaxWidth)
		g.anywhere, g.names = append(g.anywhere, col.Break), append(g.names, false)
		g.fitted = append(g.fitted, false)
		right := col.Align == AlignRight || col.Align == AlignAuto && col.Type != Text
		g.right = append(g.right, right)
	}
	g.wrapped, g.cell = make([][]string, len(g.from)), make([]int, len(g.from))
	rows, content := 0, make([]int, len(g.from)) // characters of each column
	flat := make([]string, len(g.from)*max(len(tb.Rows), 1))
	for row := range tb.All() {
		r := flat[:len(g.from):len(g.from)]
		if tb.More == nil {
			flat = flat[len(g.from):]
			g.rows = append(g.rows, r)
		}
		g.fill(r, c.row(tb, row, o), tb)
		for k, s := range r {
			w := utf8.RuneCountInString(s)
			content[k] += w
			if g.max[k] > 0 {
				w = min(w, g.max[k])
			}
			g.cell[k] = max(g.cell[k], w)
			g.width[k] = max(g.width[k], w)
		}
		rows++
	}
	for k := range g.width {
		g.bound(k, rows, content[k])
	}
	return g
}

// A column may be padded with blanks to paddingFree characters in all and to
// mostPadding times what is in it; beyond that a few cells are far wider than the
// others, and stand out by themselves.
const (
	paddingFree = 1 << 20
	mostPadding = 20
	widestAlone = 256
)

// bound narrows a column whose padding would be too much: wider cells are printed
// whole, and what follows them on their line is not aligned.
func (g *grid) bound(k, rows, content int) {
	if g.width[k]*(rows+3) > paddingFree+mostPadding*content {
		g.width[k] = min(g.width[k], widestAlone)
	}
}

// gridRows yields the formatted rows. Those that are made when they are wanted are
// made twice rather than kept: the grid knows how wide they are and has none of
// them. A row is valid until the next.
func (c *cells) gridRows(g *grid, tb *Table, o Options) iter.Seq[[]string] {
	if tb.More == nil {
		return slices.Values(g.rows)
	}
	return func(yield func([]string) bool) {
		row := make([]string, len(g.from))
		for values := range tb.All() {
			g.fill(row, c.row(tb, values, o), tb)
			if !yield(row) {
				return
			}
		}
	}
}

// fill puts the formatted cells of a row into those of the grid.
func (g *grid) fill(to, all []string, tb *Table) {
	for k, i := range g.from {
		to[k] = ""
		if i >= len(all) {
			continue
		}
		if to[k] = all[i]; !tb.Layout.or().Verbatim {
			to[k] = strings.ReplaceAll(to[k], "\n", " ")
		}
	}
}
