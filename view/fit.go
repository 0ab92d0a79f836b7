package view

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gpuprof/gpuprof/view/visible"
)

// leastFit is the narrowest terminal that text is fitted to: below it lines break
// where the terminal breaks them.
const leastFit = 20

// Fold breaks a line at blanks into lines of at most width characters, those after the
// first set in by indent; a word that is too long is cut. A line that fits is the one
// that comes out.
func Fold(s string, width, indent int) []string {
	indent = min(indent, width/2)
	var out []string
	for longer(s, width) {
		cut, last := 0, 0
		for range width {
			if s[cut] == ' ' && strings.TrimLeft(s[:cut], " ") != "" {
				last = cut
			}
			_, n := utf8.DecodeRuneInString(s[cut:])
			cut += n
		}
		if cut < len(s) && s[cut] == ' ' {
			last = cut
		}
		if last > 0 {
			cut = last
		}
		out = append(out, strings.TrimRight(s[:cut], " "))
		s = strings.Repeat(" ", indent) + strings.TrimLeft(s[cut:], " ")
	}
	return append(out, s)
}

// fitted reports whether lines have to fit a terminal.
func (t *textWriter) fitted() bool { return t.o.Fit >= leastFit }

// messageWidth is the column at which the lines of messages end.
func (t *textWriter) messageWidth() int {
	if t.fitted() {
		return t.o.Fit
	}
	return messageWidth
}

// folded prints a line of words: where it does not fit, several lines, those after the
// first set in by more than the line's own indent.
func (t *textWriter) folded(indent int, s, style string, more int) {
	paint := func(s string) string {
		if style == "" {
			return s
		}
		return t.painted(style, s)
	}
	if !t.fitted() {
		t.line(indent, paint(s))
		return
	}
	own := len(s) - len(strings.TrimLeft(s, " "))
	for _, part := range Fold(s, max(t.o.Fit-indent, leastFit/2), own+more) {
		t.line(indent, paint(part))
	}
}

// oneLine is a title, which may hold a name out of a file, for a line of its own.
func oneLine(s string) string {
	return lineBreaks.Replace(visible.String(s))
}

var lineBreaks = strings.NewReplacer("\n", " ", "\t", " ")

// title is the title of a section, in which the name of a kernel that would take
// lines is shortened.
func (t *textWriter) title(s *Section, at int) string {
	whole := oneLine(s.Title)
	if !t.fitted() {
		return whole
	}
	room := 2*(t.o.Fit-at) - 4
	over := utf8.RuneCountInString(whole) - room
	if over <= 0 {
		return whole
	}
	for _, p := range s.Properties {
		if name := visible.String(p.Value.Text()); p.Name == "kernel" && name != "" && strings.HasPrefix(whole, name) {
			short := t.names[name]
			if width := max(utf8.RuneCountInString(name)-over, leastShort); short == "" || longer(short, width) {
				short = middle(name, width)
			}
			return short + whole[len(name):]
		}
	}
	return whole
}

// nameTitles learns the kernels of the sections of a document, so that titles that are
// shortened can be told apart. Of sections that are made one at a time nothing is known.
func (t *textWriter) nameTitles(d *Document) {
	if !t.fitted() {
		return
	}
	var names []string
	for i := range d.Sections {
		for _, p := range d.Sections[i].Properties {
			if p.Name == "kernel" {
				names = append(names, visible.String(p.Value.Text()))
			}
		}
	}
	t.names = shorten(names, max(t.o.Fit-4, leastShort)) // the rest of a title takes a line of its own
}

// width is the width of what column k needs, with its heading on one line or, if
// broken, on several.
func (g *grid) need(k int, broken bool) int {
	head := utf8.RuneCountInString(g.head[k])
	if broken {
		head = longestWord(g.head[k])
	}
	return max(g.cell[k], head)
}

func longestWord(s string) int {
	w := 0
	for f := range strings.FieldsSeq(s) {
		w = max(w, utf8.RuneCountInString(f))
	}
	return w
}

// The least widths of columns of texts: names are shortened or cut, words need less.
const (
	leastName = 20
	leastText = 12
)

// least is the least width at which column k is of use.
func (g *grid) least(tb *Table, k int) int {
	need := g.need(k, true)
	c := &tb.Columns[g.from[k]]
	switch {
	case g.right[k] && c.MaxWidth == 0:
		return need
	case c.Role == RoleKernel || c.Role == RoleFunction || c.Role == RoleMetric || c.Role == RoleCode:
		return min(need, leastName)
	}
	return min(need, max(leastText, min(longestWord(g.head[k]), leastName)))
}

// fit narrows the columns of a grid so that it takes at most room characters: first
// headings break, then texts give way, the widest first. It is false, and leaves the
// grid as it is, where numbers alone take more. Where it fits, names that would take
// many lines of a column that has a width of its own are shortened all the same.
func (g *grid) fit(tb *Table, room int) bool {
	if !g.fits(tb, room) {
		return false
	}
	for k := range g.width {
		if c := &tb.Columns[g.from[k]]; (c.Role == RoleKernel || c.Role == RoleFunction) && g.max[k] > 0 && tb.More == nil && !tb.Layout.or().Verbatim {
			g.shorten(k, g.width[k])
		}
	}
	return true
}

func (g *grid) fits(tb *Table, room int) bool {
	n := len(g.width)
	total, least := n-1, n-1
	width := make([]int, n)
	for k := range n {
		width[k] = max(g.need(k, false), g.width[k])
		total += width[k]
		least += g.least(tb, k)
	}
	if total <= room {
		return true
	}
	if least > room {
		return false
	}
	for total > room { // headings of numbers break
		widest := -1
		for k := range n {
			if g.right[k] && tb.Columns[g.from[k]].MaxWidth == 0 && width[k] > g.least(tb, k) && (widest < 0 || width[k] > width[widest]) {
				widest = k
			}
		}
		if widest < 0 {
			break
		}
		width[widest]--
		total--
	}
	floor := g.floors(tb, room)
	for total > room { // take from the widest that can give
		widest := -1
		for k := range n {
			if width[k] > floor[k] && (widest < 0 || width[k] > width[widest]) {
				widest = k
			}
		}
		width[widest]--
		total--
	}
	for k := range n {
		g.narrow(tb, k, width[k])
	}
	return true
}

// floors are the widths that columns keep while a grid becomes narrower: where there
// is room for it, texts keep that of their longest word, so that none is cut.
func (g *grid) floors(tb *Table, room int) []int {
	floor, whole := make([]int, len(g.width)), make([]int, len(g.width))
	total := len(g.width) - 1
	for k := range g.width {
		floor[k] = g.least(tb, k)
		whole[k] = floor[k]
		if !g.right[k] && floor[k] < g.need(k, true) {
			for _, r := range g.rows {
				if k < len(r) {
					whole[k] = max(whole[k], min(longestWord(r[k]), leastName))
				}
			}
		}
		total += whole[k]
	}
	if total > room {
		return floor
	}
	return whole
}

// narrow sets the width of a column, in which longer cells then break, or names are
// shortened.
func (g *grid) narrow(tb *Table, k, width int) {
	g.width[k] = width
	if g.cell[k] <= width && utf8.RuneCountInString(g.head[k]) <= width {
		return
	}
	g.max[k], g.fitted[k] = width, true
	switch c := &tb.Columns[g.from[k]]; c.Role {
	case RoleKernel, RoleFunction:
		if tb.More == nil && !tb.Layout.or().Verbatim {
			g.shorten(k, width)
			g.names[k] = true
		}
	case RoleMetric, RoleCode, RoleFile:
		g.anywhere[k] = true
	}
}

// mostLines is how many lines a name may take before it is shortened.
const mostLines = 2

// shorten shortens the names of a column that would take more than a few lines.
func (g *grid) shorten(k, width int) {
	names := make([]string, 0, len(g.rows))
	for _, r := range g.rows {
		names = append(names, r[k])
	}
	short := shorten(names, width*mostLines)
	for _, r := range g.rows {
		if s, ok := short[r[k]]; ok {
			r[k] = s
		}
	}
	g.anywhere[k] = true
}

// columns is the grid of some of the columns of g.
func (g *grid) columns(which []int) *grid {
	out := &grid{ragged: g.ragged}
	for _, k := range which {
		out.head, out.from = append(out.head, g.head[k]), append(out.from, g.from[k])
		out.width, out.max, out.cell = append(out.width, g.width[k]), append(out.max, g.max[k]), append(out.cell, g.cell[k])
		out.right, out.anywhere, out.names = append(out.right, g.right[k]), append(out.anywhere, g.anywhere[k]), append(out.names, g.names[k])
		out.fitted = append(out.fitted, g.fitted[k])
	}
	out.wrapped = make([][]string, len(which))
	for _, r := range g.rows {
		row := make([]string, len(which))
		for i, k := range which {
			row[i] = r[k]
		}
		out.rows = append(out.rows, row)
	}
	return out
}

// narrowed prints a table that is wider than the terminal in another form: turned on
// its side where it has few rows, else in parts that repeat the first column.
func (t *textWriter) narrowed(tb *Table, g *grid, at, room int) {
	if t.turned(tb, g, at, room) {
		return
	}
	for _, which := range g.parts(tb, room) {
		part := g.columns(which)
		if !part.fit(tb, room) { // a number that is wider than the terminal
			for k := range which {
				part.narrow(tb, k, max(1, min(part.need(k, true), (room-len(which)+1)/len(which))))
				part.anywhere[k] = true
			}
		}
		t.gridLines(tb, part, at)
	}
}

// parts divides the columns of a grid so that each part fits, the first column in all of
// them, and the second where a number stands before a name or where the first alone does
// not tell rows apart, in the order of the table.
func (g *grid) parts(tb *Table, room int) [][]int {
	key := []int{0}
	if len(g.width) > 2 && !g.right[1] && (g.right[0] || g.repeats(0)) && g.least(tb, 0)+1+g.least(tb, 1) <= room/2 {
		key = []int{0, 1}
	}
	if same := slices.Index(g.from, tb.Layout.or().Same); same >= len(key) && !g.right[same] {
		key = append(key, same) // what rows differ in whose first cells are the same
	}
	taken := len(key) - 1
	for _, k := range key {
		taken += g.least(tb, k)
	}
	if taken > room/2 {
		key, taken = nil, -1
	}
	var out [][]int
	part, used := slices.Clone(key), taken
	for k := range g.width {
		if slices.Contains(key, k) {
			continue
		}
		w := g.least(tb, k) + 1
		if used+w > room && len(part) > len(key) {
			out = append(out, part)
			part, used = slices.Clone(key), taken
		}
		part = append(part, k)
		used += w
	}
	out = append(out, part)
	for _, part := range out {
		slices.Sort(part)
	}
	return out
}

// repeats reports whether a column has the same in rows that follow each other.
func (g *grid) repeats(k int) bool {
	for i := 1; i < len(g.rows); i++ {
		if g.rows[i][k] == g.rows[i-1][k] {
			return true
		}
	}
	return false
}

// mostTurned is how many rows a table has at most that is turned on its side.
const mostTurned = 6

// turned prints a table with a line for each column and a column for each row.
func (t *textWriter) turned(tb *Table, g *grid, at, room int) bool {
	if tb.More != nil || len(g.rows) == 0 || len(g.rows) > mostTurned || len(g.head) < 4 {
		return false
	}
	side := &grid{wrapped: make([][]string, len(g.rows)+1)}
	turnedTable := &Table{Layout: &Layout{Frame: FrameOpen}}
	add := func(head string, right bool) {
		k := len(side.head)
		side.head, side.from = append(side.head, head), append(side.from, k)
		side.width, side.max, side.cell = append(side.width, utf8.RuneCountInString(head)), append(side.max, 0), append(side.cell, 0)
		side.right, side.anywhere, side.names = append(side.right, right), append(side.anywhere, right), append(side.names, false)
		side.fitted = append(side.fitted, false)
		turnedTable.Columns = append(turnedTable.Columns, Column{Type: Text, MaxWidth: room})
	}
	add(g.head[0], false)
	for _, r := range g.rows {
		add(r[0], true)
	}
	for k := 1; k < len(g.head); k++ {
		row := []string{g.head[k]}
		for _, r := range g.rows {
			row = append(row, r[k])
		}
		side.rows = append(side.rows, row)
		for i, s := range row {
			n := utf8.RuneCountInString(s)
			side.cell[i] = max(side.cell[i], n)
			side.width[i] = max(side.width[i], n)
		}
	}
	if !side.fit(turnedTable, room) {
		return false
	}
	t.gridLines(turnedTable, side, at)
	return true
}

// lines prints the lines of a layout, folded.
func (t *textWriter) lines(at int, lines []string) {
	for _, l := range lines {
		t.folded(at, visible.String(l), "", 2)
	}
}
