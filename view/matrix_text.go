package view

import "unicode/utf8"

// matrix prints a table in the two dimensions that its definition has for it; false
// where it has none, nothing is drawn, values behind the numbers are asked for, or it
// is too wide. Then its rows are a list.
func (t *textWriter) matrix(tb *Table, at int) bool {
	m := tb.Matrix
	if m == nil || !t.o.Charts || t.o.Instances == InstancesValues || t.o.Instances == InstancesDetails {
		return false
	}
	p := plot{o: t.o, cell: &cells{visible: true}}
	rows := p.rows(tb)
	if len(rows) != len(tb.Rows) {
		return false
	}
	flat := &Table{Columns: m.columns(), Layout: &Layout{Frame: FrameFull}}
	for r, cells := range m.Cells {
		var line []Value
		if m.Rows != nil {
			line = append(line, String(m.Rows[r]))
		}
		for _, n := range cells {
			known := n >= 0 && n < len(rows)
			if m.Columns == nil {
				label := ""
				if known {
					label = rows[n].label
				}
				line = append(line, String(label))
			}
			text := ""
			if known {
				text = rows[n].text
			}
			line = append(line, String(text))
		}
		flat.Rows = append(flat.Rows, line)
	}
	g := t.cell.grid(flat, t.o)
	used := len(g.width) - 1
	for k := range g.width {
		used += max(g.width[k], utf8.RuneCountInString(g.head[k]))
	}
	if used > t.room(at) {
		return false
	}
	t.gridLines(flat, g, at)
	return true
}

// columns are those of the text of a matrix: of one with names a column each, of one
// without the label and the value of each metric.
func (m *Matrix) columns() []Column {
	var out []Column
	if m.Rows != nil {
		out = append(out, Column{Name: "name", Label: "Metric Name", Type: Text})
	}
	for _, c := range m.Columns {
		out = append(out, Column{Name: c, Type: Text, Align: AlignRight})
	}
	if m.Columns == nil && len(m.Cells) > 0 {
		for range m.Cells[0] {
			out = append(out, Column{Name: "label", Label: "Metric Name", Type: Text}, Column{Name: "value", Label: "Metric Value", Type: Text, Align: AlignRight})
		}
	}
	return out
}
