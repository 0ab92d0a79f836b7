package source

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/sass"
	"github.com/gpuprof/gpuprof/source"
	"github.com/gpuprof/gpuprof/view"
)

// A mixRow is the instructions of a kind.
type mixRow struct {
	name string
	rows []int32
}

// mixTables tell what kinds of instructions a launch executes: by class, those that
// are marked, and what spilled registers cost, line by line.
func (b *sourceBuilder) mixTables(s *source.Listing) []*view.Table {
	classes := make([]mixRow, len(sass.Classes()))
	for i, c := range sass.Classes() {
		classes[i].name = c.String()
	}
	unknown := mixRow{name: "unknown"}
	marks := []mixRow{{name: "predicated"}, {name: "uniform"}, {name: "spill load"}, {name: "spill store"}}
	mark := func(k int, i int) { marks[k].rows = append(marks[k].rows, int32(i)) }
	for i, pc := range s.PCs {
		p, n := b.sass.Program(s.Code, pc)
		if p == nil || n >= len(p.Instructions) || !p.Instructions[n].Known() {
			unknown.rows = append(unknown.rows, int32(i))
			continue
		}
		in := &p.Instructions[n]
		c := &classes[in.Class()]
		c.rows = append(c.rows, int32(i))
		if !in.Guard.Always() {
			mark(0, i)
		}
		if in.OnUniformPath() {
			mark(1, i)
		}
		switch {
		case p.Spill(n) && in.Class() == sass.Load:
			mark(2, i)
		case p.Spill(n):
			mark(3, i)
		}
	}
	out := []*view.Table{b.mixTable(s, "mix", "Instructions by Class", "Class", append(classes, unknown))}
	if t := b.mixTable(s, "marks", "Predicated, Uniform and Spilling Instructions", "Mark", marks); len(t.Rows) > 0 {
		out = append(out, t)
	}
	if t := b.mixTable(s, "spills", "Spills by Line", "Line", spillLines(s, marks[2], marks[3])); len(t.Rows) > 0 {
		out = append(out, t)
	}
	return out
}

// mixTable has a row for each kind that has instructions.
func (b *sourceBuilder) mixTable(s *source.Listing, id, title, what string, kinds []mixRow) *view.Table {
	t := &view.Table{ID: id, Title: title, Columns: []view.Column{
		{Name: strings.ToLower(what), Label: what, Type: view.Text},
		{Name: "instructions", Label: "Instructions", Type: view.Number, Role: view.RoleCount},
		shareColumn("share")}}
	type measure struct {
		c   *source.Column
		all uint64
	}
	var measures []measure
	add := func(c *source.Column, name, label string) {
		if c == nil {
			return
		}
		measures = append(measures, measure{c, c.Sum(all(s))})
		t.Columns = append(t.Columns, view.Column{Name: name, Label: label, Type: view.Number, Role: view.RoleMeasure},
			shareColumn(name+"_share"))
	}
	add(s.Issued, "executed", "Executed")
	add(s.Samples, "samples", "Samples")
	for _, k := range kinds {
		if len(k.rows) == 0 {
			continue
		}
		row := []view.Value{view.String(k.name), view.Uint(uint64(len(k.rows)), ""), view.Float(100*float64(len(k.rows))/float64(len(s.PCs)), "%")}
		for _, m := range measures {
			n, share := m.c.Sum(k.rows), view.Null
			if m.all > 0 {
				share = view.Float(100*float64(n)/float64(m.all), "%")
			}
			row = append(row, view.Uint(n, ""), share)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func shareColumn(name string) view.Column {
	return view.Column{Name: name, Label: "%", Unit: "%", Type: view.Number, Number: &view.NumberStyle{Decimals: 1}, Role: view.RoleShare}
}

// spillLines are the instructions that spill by the source line that they are for,
// those first that cost most. One that was inlined counts for the line of the call.
func spillLines(s *source.Listing, kinds ...mixRow) []mixRow {
	by := map[lineKey]*mixRow{}
	for _, k := range kinds {
		for _, i := range k.rows {
			var key lineKey
			if s.Code.Lines != nil {
				if at := s.Code.Lines.At(s.PCs[i]); len(at) > 0 {
					key = lineKey{at[0].File, at[0].Line}
				}
			}
			r := by[key]
			if r == nil {
				r = &mixRow{name: "(no source line)"}
				if key.line > 0 {
					r.name = source.Printable(fmt.Sprintf("%s:%d", path.Base(strings.ReplaceAll(key.file, `\`, "/")), key.line))
				}
				by[key] = r
			}
			r.rows = append(r.rows, i)
		}
	}
	cost := func(r *mixRow) uint64 {
		for _, c := range []*source.Column{s.Samples, s.Issued} {
			if c != nil && c.Sum(all(s)) > 0 {
				return c.Sum(r.rows)
			}
		}
		return uint64(len(r.rows))
	}
	out := make([]mixRow, 0, len(by))
	for _, r := range by {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(x, y mixRow) int {
		return cmp.Or(cmp.Compare(cost(&y), cost(&x)), cmp.Compare(x.name, y.name))
	})
	return out
}

// waitsText are the numbers of the instructions that the one at pc waits for, at
// most a few.
func (b *sourceBuilder) waitsText(s *source.Listing, pc uint64, from int) string {
	p, n := b.sass.Program(s.Code, pc)
	if p == nil || n >= len(p.Instructions) {
		return ""
	}
	var out []string
	for _, k := range p.Waits(n) {
		i, ok := s.Number(p.Address(k))
		switch {
		case !ok:
		case len(out) == mostWaits:
			return strings.Join(out, " ") + " …"
		default:
			out = append(out, fmt.Sprint(i-from))
		}
	}
	return strings.Join(out, " ")
}

// mostWaits is how many instructions are named that another waits for.
const mostWaits = 3
