package load

import (
	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// ncuGenerated is the record of a table with cells of a rule's own.
func ncuGenerated(t *profile.RuleTable) *ncurep.GeneratedTable {
	o := &ncurep.GeneratedTable{Title: ncurep.Some(t.Label), Description: ncurep.Some(t.Description),
		MessageID: ncurep.Some(int32(t.MessageID)), Descending: ncurep.Some(t.Descending), Columns: t.Columns}
	if t.SortBy >= 0 {
		o.SortBy = ncurep.Some(int32(t.SortBy))
	}
	for _, row := range t.Rows {
		for i := range t.Columns {
			c := &ncurep.GeneratedCell{}
			if i < len(row) {
				setCell(c, row[i])
			}
			o.Cells = append(o.Cells, c)
		}
	}
	return o
}

func setCell(c *ncurep.GeneratedCell, v metric.Value) {
	switch v.Kind() {
	case metric.KindString:
		c.Text = ncurep.Some(v.Text())
	case metric.KindFloat, metric.KindDouble:
		c.Double = ncurep.Some(v.Double())
	case metric.KindUint32, metric.KindUint64:
		c.Uint = ncurep.Some(v.Uint64())
	}
}

// generatedTable is the table of a record. Cells that fill no row are a row of
// their own, so that none is lost.
func generatedTable(g *ncurep.GeneratedTable) profile.RuleTable {
	t := profile.RuleTable{Kind: "data", Label: g.Title.Or(""), Description: g.Description.Or(""), MessageID: int(g.MessageID.Or(0)),
		Columns: g.Columns, SortBy: int(g.SortBy.Or(-1)), Descending: g.Descending.Or(false)}
	width := len(g.Columns)
	if width == 0 {
		return t
	}
	for at := 0; at < len(g.Cells); at += width {
		var row []metric.Value
		for _, c := range g.Cells[at:min(at+width, len(g.Cells))] {
			row = append(row, cellValue(c))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func cellValue(c *ncurep.GeneratedCell) metric.Value {
	if c.Text.Set {
		return metric.String(c.Text.Value)
	}
	if c.Double.Set {
		return metric.Double(c.Double.Value)
	}
	if c.Uint.Set {
		return metric.Uint64(c.Uint.Value)
	}
	return metric.Value{}
}
