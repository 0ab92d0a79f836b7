package tabular

import (
	"bufio"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gpuprof/gpuprof/view"
	"github.com/gpuprof/gpuprof/view/visible"
)

const (
	sampled  = 100 // rows that tell how wide columns are
	maxWidth = 100 // of a column that finds its own width
)

// A grid prints rows in columns.
type grid struct {
	form  *Form
	w     *bufio.Writer
	right []bool
	width []int
	line  []byte
}

// columns prints columns of text, with lines around the cells for a table.
func (f *Form) columns(w *bufio.Writer, t *view.Table, o view.Options) error {
	g := &grid{form: f, w: w}
	for _, c := range shown(t) {
		g.right = append(g.right, c.Type == view.Number)
	}
	var first [][]string // the header and the rows that tell the widths
	for row := range view.CellRows(t, o) {
		if len(first) > sampled {
			g.row(g.cells(row, false), false)
			continue
		}
		first = append(first, slices.Clone(g.cells(row, len(first) == 0)))
		if len(first) == sampled+1 {
			g.begin(first)
		}
	}
	if len(first) <= sampled {
		g.begin(first)
	}
	g.rule()
	return nil
}

// cells makes a row fit for people: no character in it does anything, and numbers
// are readable.
func (g *grid) cells(row []string, head bool) []string {
	for i, s := range row {
		row[i] = breaks.Replace(visible.String(s))
	}
	if head || g.form.NoFormat {
		return row
	}
	for i, s := range row {
		if i < len(g.right) && g.right[i] {
			row[i] = thousands(s)
		}
	}
	return row
}

// begin finds the widths and prints the rows that told them.
func (g *grid) begin(rows [][]string) {
	g.width = make([]int, len(g.right))
	for i := range g.width {
		if i < len(g.form.Widths) && g.form.Widths[i] != Auto {
			g.width[i] = g.form.Widths[i]
			continue
		}
		for k, row := range rows {
			if i < len(row) && !(k == 0 && g.form.NoHeader) {
				g.width[i] = max(g.width[i], utf8.RuneCountInString(row[i]))
			}
		}
		if !g.form.NoLimit {
			g.width[i] = min(g.width[i], maxWidth)
		}
		g.width[i] = max(g.width[i], 1)
	}
	if g.form.Name == "table" {
		g.rule()
	}
	if !g.form.NoHeader && len(rows) > 0 {
		g.row(rows[0], true)
		g.dashes()
	}
	if len(rows) > 0 {
		for _, row := range rows[1:] {
			g.row(row, false)
		}
	}
}

var breaks = strings.NewReplacer("\n", " ", "\t", " ") // they would break the line

// dashes prints the line below the header.
func (g *grid) dashes() {
	if g.form.Name == "table" {
		g.rule()
		return
	}
	g.cellsOf(func(i int) string { return strings.Repeat("-", g.width[i]) }, false)
}

// rule prints a line of a table across all columns; other forms have none.
func (g *grid) rule() {
	if g.form.Name != "table" {
		return
	}
	g.line = append(g.line[:0], '+')
	for _, w := range g.width {
		if w == 0 {
			continue
		}
		for range w + 2 {
			g.line = append(g.line, '-')
		}
		g.line = append(g.line, '+')
	}
	g.w.Write(append(g.line, '\n'))
}

func (g *grid) row(row []string, head bool) {
	g.cellsOf(func(i int) string {
		if i < len(row) {
			return row[i]
		}
		return ""
	}, head)
}

// cellsOf prints a line of cells.
func (g *grid) cellsOf(cell func(i int) string, head bool) {
	table := g.form.Name == "table"
	g.line = g.line[:0]
	for i, w := range g.width {
		if w == 0 {
			continue
		}
		switch {
		case table:
			g.line = append(g.line, "| "...)
		case len(g.line) > 0:
			g.line = append(g.line, "  "...)
		default:
			g.line = append(g.line, ' ')
		}
		g.line = appendCell(g.line, cell(i), w, g.right[i], head)
		if table {
			g.line = append(g.line, ' ')
		}
	}
	if table {
		g.line = append(g.line, '|')
	}
	g.w.Write(append(g.line, '\n'))
}

// appendCell appends a cell of w characters: clipped, or padded left, right, or
// for a header on both sides.
func appendCell(b []byte, s string, w int, right, head bool) []byte {
	n := utf8.RuneCountInString(s)
	if n > w {
		r := []rune(s)
		return append(append(b, string(r[:w-1])...), "…"...)
	}
	left := 0
	switch {
	case head:
		left = (w - n) / 2
	case right:
		left = w - n
	}
	for range left {
		b = append(b, ' ')
	}
	b = append(b, s...)
	for range w - n - left {
		b = append(b, ' ')
	}
	return b
}

// thousands sets commas between each three digits before the point.
func thousands(s string) string {
	digits := strings.TrimPrefix(s, "-")
	whole, _, _ := strings.Cut(digits, ".")
	if len(whole) <= 3 || strings.Trim(whole, "0123456789") != "" {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:len(s)-len(digits)])
	for i, c := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	b.WriteString(digits[len(whole):])
	return b.String()
}
