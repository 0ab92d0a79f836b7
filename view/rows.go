package view

import "iter"

// CellRows yields the headings of a table and then its rows as csv prints them,
// for renderers of other packages. Hidden columns are left out; a null is empty.
// The slice that it yields is valid until the next.
func CellRows(t *Table, o Options) iter.Seq[[]string] {
	t = t.In(FormatCSV)
	return func(yield func([]string) bool) {
		var row []string
		for _, c := range t.Columns {
			if c.For != Programs {
				row = append(row, c.Heading())
			}
		}
		if !yield(row) {
			return
		}
		var c cells
		for values := range t.All() {
			row = row[:0]
			for i, s := range c.row(t, values, o) {
				if i >= len(t.Columns) || t.Columns[i].For != Programs {
					row = append(row, s)
				}
			}
			if !yield(row) {
				return
			}
		}
	}
}
