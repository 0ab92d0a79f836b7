package source

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/source"
	"github.com/gpuprof/gpuprof/view"
)

// A sourceRow is a line of a table: an instruction, a source line, or the gap
// between two instructions that do not follow each other.
type sourceRow struct {
	pc   uint64
	line int    // of a source line
	text string // of a source line
	lost string // why there is no text
	rows []int32
	gap  bool
}

// A rowGroup is a row with the rows that belong below it.
type rowGroup struct {
	head sourceRow
	body []sourceRow
	from int // number of the group in the order of the code, from 0
}

// sourceView is the kind of lines that a table has.
type sourceView uint8

const (
	sassView     sourceView = iota // instructions
	lineView                       // source lines
	lineSassView                   // source lines, below each its instructions
)

// table makes a table of groups.
func (b *sourceBuilder) table(s *source.Listing, v sourceView, groups []rowGroup) *view.Table {
	for i := range groups {
		groups[i].from = i
	}
	b.sortGroups(s, groups)
	if n := b.Count("limit"); n > 0 && n < len(groups) {
		groups = groups[:n]
	}
	cols := b.columns(s, v)
	t := &view.Table{Layout: &view.Layout{Ragged: true}}
	for i := range cols {
		t.Columns = append(t.Columns, cols[i].Column)
	}
	add := func(g *rowGroup, r *sourceRow) {
		row := make([]view.Value, len(cols))
		for i := range cols {
			row[i] = cols[i].cell(g, r)
		}
		t.Rows = append(t.Rows, row)
	}
	for i := range groups {
		g := &groups[i]
		add(g, &g.head)
		for k := range g.body {
			if g.body[k].gap && b.Whole() {
				continue
			}
			add(g, &g.body[k])
		}
	}
	return t
}

// sortKeys are the columns that --sort names, the first decides.
func (b *sourceBuilder) sortKeys(s *source.Listing) []*source.Column {
	switch by := b.Text("sort"); by {
	case "":
	case "hot":
		b.sorted = true
		return []*source.Column{s.Samples, s.Issued}
	case "address", "line", "number", "#":
		b.sorted = true // as they are
	default:
		for i := range s.Columns {
			if c := &s.Columns[i]; strings.EqualFold(c.Metric.Name, by) || strings.EqualFold(c.Metric.Label, by) {
				b.sorted = true
				return []*source.Column{c}
			}
		}
	}
	return nil
}

// keyOf is the value of a group in a column.
func (b *sourceBuilder) keyOf(s *source.Listing, c *source.Column, g *rowGroup) float64 {
	return c.Cell(s, g.head.rows, !b.Compat2024() && g.head.pc == 0).Float64()
}

// sortGroups puts the largest first in the column that --sort names.
func (b *sourceBuilder) sortGroups(s *source.Listing, groups []rowGroup) {
	for _, key := range slices.Backward(b.sortKeys(s)) {
		if key == nil {
			continue
		}
		value := make([]float64, len(groups))
		for i := range groups {
			value[groups[i].from] = b.keyOf(s, key, &groups[i])
		}
		slices.SortStableFunc(groups, func(x, y rowGroup) int { return cmp.Compare(value[y.from], value[x.from]) })
	}
}

// sortValue is the largest value that any group has in the column of --sort, 0
// without one.
func (b *sourceBuilder) sortValue(s *source.Listing, groups []rowGroup) float64 {
	v := 0.0
	for _, key := range b.sortKeys(s) {
		if key == nil {
			continue
		}
		for i := range groups {
			v = max(v, b.keyOf(s, key, &groups[i]))
		}
		break
	}
	return v
}
