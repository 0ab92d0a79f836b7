package compare

import (
	"iter"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/view"
)

// places tell where rows of a comparison lead: to a launch of one of the operands.
type places struct {
	operand map[*compare.Run]int
	number  map[*profile.Action]int // of a launch in its report, from 0
}

// add learns a run of an operand.
func (p *places) add(run *compare.Run, operand int, f *load.File) {
	if p.operand == nil {
		p.operand, p.number = map[*compare.Run]int{}, map[*profile.Action]int{}
	}
	p.operand[run] = operand
	for i, a := range f.Report.Actions() {
		p.number[a] = i
	}
}

// columns name the place of a row, for programs.
func (p *places) columns() []view.Column {
	return []view.Column{{Name: "operand", Type: view.Number, Role: view.RoleOperand, For: view.Programs},
		{Name: "number", Type: view.Number, Role: view.RoleLaunch, For: view.Programs},
		{Name: "old_number", Type: view.Number, For: view.Programs}}
}

// lead lets the rows of a table, which are of these rows, lead to their launches.
func lead(t *view.Table, cell string, c *compare.Comparison, at *places, rows []*compare.Row) {
	if len(at.operand) == 0 {
		return
	}
	t.Link = &view.Link{To: view.ToLaunch, Cell: cell, At: []string{"operand", "number"}}
	t.Columns = append(t.Columns, at.columns()...)
	for i, r := range rows {
		t.Rows[i] = append(t.Rows[i], at.of(c, r)...)
	}
}

// of are the cells of columns: the first launch of the new side, else of the old,
// and that of the old, which is the one that it is compared with.
func (p *places) of(c *compare.Comparison, r *compare.Row) []view.Value {
	old, _ := p.first(c.Old, r.Old)
	at, ok := p.first(c.New, r.New)
	if !ok {
		at = old
	}
	return []view.Value{at[0], at[1], old[1]}
}

// first are operand and number of the first launch of a side.
func (p *places) first(runs []*compare.Run, entities []*compare.Entity) (at [2]view.Value, ok bool) {
	for i, e := range entities {
		if e == nil {
			continue
		}
		operand, known := p.operand[runs[i]]
		if a := e.Launch(); a != nil && known {
			return [2]view.Value{view.Int(int64(operand), ""), view.Int(int64(p.number[a]), "")}, true
		}
	}
	return [2]view.Value{view.Null, view.Null}, false
}

// classesOf are the classes of rows.
func classesOf(rows []*compare.Row) iter.Seq[compare.Class] {
	return func(yield func(compare.Class) bool) {
		for _, r := range rows {
			if !yield(r.Class) {
				return
			}
		}
	}
}
