package view

import (
	"strings"
	"unicode/utf8"
)

// gap is how many blanks stand between items that stand side by side.
const gap = 3

// beside prints the items of the row with which items begin side by side, and says how
// many they are: 0 where they begin with none, where nothing is drawn, or where the
// columns do not fit. Those stand below each other.
func (t *textWriter) beside(items []Item, at int) int {
	row, n := items[0].Row, 0
	if row == "" || row == t.stacked || !t.o.Charts {
		return 0
	}
	t.stacked = row // until it is known that they fit
	var columns [][]Item
	for n < len(items) && items[n].Row == row {
		if n == 0 || items[n].Column != items[n-1].Column {
			columns = append(columns, nil)
		}
		columns[len(columns)-1] = append(columns[len(columns)-1], items[n])
		n++
	}
	wide := (t.room(at) - gap*(len(columns)-1)) / len(columns)
	if wide < minWidth {
		return 0
	}
	parts := make([][]string, len(columns))
	head := 0 // lines of the longest heading, so that what is below begins on one line
	for i := range columns {
		if parts[i] = t.alone(columns[i], wide); parts[i] == nil {
			return 0
		}
		head = max(head, headings(&columns[i][0]))
	}
	high := 0
	for i := range parts {
		parts[i] = append(make([]string, head-headings(&columns[i][0])), parts[i]...)
		high = max(high, len(parts[i]))
	}
	for l := range high {
		var b strings.Builder
		used := 0
		for i, p := range parts {
			if l < len(p) && p[l] != "" {
				b.WriteString(strings.Repeat(" ", i*(wide+gap)-used))
				b.WriteString(p[l])
				used = i*(wide+gap) + printed(p[l])
			}
		}
		t.line(at, b.String())
	}
	t.line(0, "")
	t.stacked = ""
	return n
}

// room is the width that drawings have which begin at a column.
func (t *textWriter) room(at int) int {
	if t.fitted() {
		return t.o.Fit - at
	}
	return t.o.width() - at
}

// alone are the lines of items that have a width of their own; nil where one is wider.
func (t *textWriter) alone(items []Item, wide int) []string {
	o := t.o
	o.Fit, o.Width = wide, wide
	own := &textWriter{o: o, cell: cells{marked: true, visible: true}}
	for i := range items {
		items[i].Row = ""
	}
	own.items(items, 0)
	lines := strings.Split(strings.TrimRight(string(own.b), "\n"), "\n")
	for _, l := range lines {
		if printed(l) > wide {
			return nil
		}
	}
	return lines
}

// headings is how many lines stand above an item.
func headings(it *Item) int {
	if h := it.layout().Heading; h != "" {
		return strings.Count(h, "\n") + 1
	}
	return 0
}

// printed is how many characters of a line a terminal shows.
func printed(line string) int {
	n := utf8.RuneCountInString(line)
	for _, r := range line {
		if r > 0 && int(r) < len(sequences) {
			n--
		}
	}
	return n
}
