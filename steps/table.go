package steps

import (
	"strings"

	"github.com/gpuprof/gpuprof/view"
)

// Table is the matrix of those classes that ran at all, ns.
func (m *Matrix) Table() *view.Table {
	t := &view.Table{ID: "overlap", Layout: &view.Layout{Frame: view.FrameOpen, Times: true}, Columns: []view.Column{{Name: "class", Label: "Class", Type: view.Text}}}
	var used []Class
	for c := range Classes {
		if m[c][c] > 0 {
			used = append(used, c)
			t.Columns = append(t.Columns, view.Column{Name: strings.ReplaceAll(strings.ToLower(c.String()), " ", "_"), Label: c.String(), Unit: "ns", Type: view.Number})
		}
	}
	for _, a := range used {
		row := []view.Value{view.String(a.String())}
		for _, b := range used {
			row = append(row, view.Int(m[a][b], "ns"))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Columns are the quantities of Times in the order of [Times.Cells].
func Columns() []view.Column {
	var out []view.Column
	for _, c := range [][2]string{{"wall", "Wall"}, {"busy", "Busy"}, {"compute", "Compute"}, {"communication", "Comm"}, {"exposed", "Exposed Comm"}, {"hidden", "Hidden Comm"}, {"alone", "Comm Alone"},
		{"copies", "Copies"}, {"exposed_copies", "Exposed Copies"}, {"graphs", "Graphs"}, {"idle", "Idle"}, {"self", "Self"}, {"gap", "Longest Gap"}} {
		out = append(out, view.Column{Name: c[0], Label: c[1], Unit: "ns", Type: view.Number})
	}
	return append(out, view.Column{Name: "kernels", Label: "Kernels", Type: view.Number}, view.Column{Name: "launches", Label: "Launches", Type: view.Number})
}

// Cells are the quantities of Columns. Where graphs were traced as a whole it
// cannot be told what ran beside communication.
func (t *Times) Cells() []view.Value {
	ns := func(v int64) view.Value { return view.Int(v, "ns") }
	exposed, hidden, alone, self := ns(t.Exposed()), ns(t.Hidden()), ns(t.Alone()), ns(t.Self())
	if t.Of(Graph) > 0 && t.Of(Communication) > 0 {
		unknown := view.Missing("cannot tell")
		exposed, hidden, alone, self = unknown, unknown, unknown, unknown
	}
	return []view.Value{ns(t.Wall()), ns(t.Busy()), ns(t.Of(Compute)), ns(t.Of(Communication)), exposed, hidden, alone, ns(t.Of(Copy)), ns(t.ExposedCopies()),
		ns(t.Of(Graph)), ns(t.Idle()), self, ns(t.Gap.End - t.Gap.Start), view.Int(int64(t.Kernels), ""), view.Int(int64(t.Launches), "")}
}
