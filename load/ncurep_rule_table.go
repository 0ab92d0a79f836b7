package load

import (
	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
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

func setCell(c *ncurep.GeneratedCell, v profile.MetricValue) {
	switch v.Kind() {
	case profile.KindString:
		c.Text = ncurep.Some(v.Text())
	case profile.KindFloat, profile.KindDouble:
		c.Double = ncurep.Some(v.Double())
	case profile.KindUint32, profile.KindUint64:
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
		var row []profile.MetricValue
		for _, c := range g.Cells[at:min(at+width, len(g.Cells))] {
			row = append(row, cellValue(c))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func cellValue(c *ncurep.GeneratedCell) profile.MetricValue {
	if c.Text.Set {
		return profile.StringValue(c.Text.Value)
	}
	if c.Double.Set {
		return profile.DoubleValue(c.Double.Value)
	}
	if c.Uint.Set {
		return profile.Uint64Value(c.Uint.Value)
	}
	return profile.MetricValue{}
}

// ncuMetric is the record of a metric that a rule added.
func ncuMetric(m *profile.Metric) ncurep.MetricData {
	d := ncurep.MetricData{Name: m.Name, Value: fileValue(m.Value)}
	if m.NumInstances() == 0 {
		return d
	}
	d.Instances = &ncurep.Instances{}
	for _, x := range m.Instances() {
		d.Instances.IDs.Append(fileValue(x.ID))
		d.Instances.Values.Append(fileValue(x.Value))
	}
	return d
}

// fileValue is a value as files have it; ncuValue goes the other way.
func fileValue(v profile.MetricValue) ncurep.Value {
	switch v.Kind() {
	case profile.KindString:
		return ncurep.StringValue(v.Text())
	case profile.KindFloat:
		return ncurep.FloatValue(float32(v.Double()))
	case profile.KindDouble:
		return ncurep.DoubleValue(v.Double())
	case profile.KindUint32:
		return ncurep.Uint32Value(uint32(v.Uint64()))
	case profile.KindUint64:
		return ncurep.Uint64Value(v.Uint64())
	}
	return ncurep.Value{}
}
