package section

import (
	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/view"
)

// matrix is how the definition lays the rows of the item out: a table in its number of
// columns, a suffix table with a row for each base name and a column for each suffix.
// It is nil where that is no more than a list.
func (e *EvaluatedItem) matrix() *view.Matrix {
	row := make([]int, len(e.Rows)) // by the place in the definition
	for i, r := range e.Rows {
		row[r.at] = i
	}
	switch e.Shown.Kind {
	case ncurep.ItemSuffixTable:
		return e.suffixMatrix(row)
	case ncurep.ItemTable:
		if e.Shown.SortKey.Set {
			for i := range row {
				row[i] = i
			}
		}
		return e.gridMatrix(row)
	}
	return nil
}

func (e *EvaluatedItem) gridMatrix(row []int) *view.Matrix {
	columns := int(min(uint64(e.Shown.Columns), uint64(len(row))))
	if columns < 2 {
		return nil
	}
	m := &view.Matrix{Cells: make([][]int, (len(row)+columns-1)/columns)}
	for r := range m.Cells {
		for k := range columns {
			n := r*columns + k
			if e.Shown.ColumnMajor {
				n = k*len(m.Cells) + r
			}
			if n < len(row) {
				m.Cells[r] = append(m.Cells[r], row[n])
			} else {
				m.Cells[r] = append(m.Cells[r], -1)
			}
		}
	}
	return m
}

// suffixMatrix is nil where a base name stood for several metrics. Base names are in the
// order of their first metrics on the page.
func (e *EvaluatedItem) suffixMatrix(row []int) *view.Matrix {
	n := len(e.Shown.Suffixes)
	if len(row) == 0 || len(row) != len(e.Bases)*n {
		return nil
	}
	m := &view.Matrix{}
	for _, s := range e.Shown.Suffixes {
		m.Columns = append(m.Columns, s.Label.Or(s.Name))
	}
	done := make([]bool, len(e.Bases))
	for _, r := range e.Rows {
		b := r.at / n
		if done[b] {
			continue
		}
		done[b] = true
		name := e.Bases[b].Label
		if !e.Bases[b].HasLabel {
			name = e.Bases[b].Name
		}
		m.Rows, m.Cells = append(m.Rows, name), append(m.Cells, row[b*n:(b+1)*n])
	}
	return m
}
