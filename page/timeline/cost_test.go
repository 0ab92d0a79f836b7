package timeline

import (
	"testing"

	"github.com/gpuprof/gpuprof/view"
)

// TestCost: what was lost is summed for each device, else for each process, and the one that
// lost most tells; the sections of what was found come in that order.
func TestCost(t *testing.T) {
	table := func(who view.Role, rows ...[2]float64) *view.Table {
		t := &view.Table{Columns: []view.Column{{Name: "gpu", Role: who}, {Name: "lost"}}}
		for _, r := range rows {
			t.Rows = append(t.Rows, []view.Value{view.Float(r[0], ""), view.Float(r[1], "ns")})
		}
		return t
	}
	rows := [][2]float64{{0, 5}, {1, 4}, {1, 3}, {0, -9}}
	for _, c := range []struct {
		who    view.Role
		column string
		want   float64
	}{{view.RoleDevice, "lost", 7}, {view.RoleProcess, "lost", 7}, {"", "lost", 12}, {view.RoleDevice, "gone", 0}, {view.RoleDevice, "", 0}} {
		if got := cost(table(c.who, rows...), c.column); got != c.want {
			t.Errorf("%q by %q: %v, expected %v", c.column, c.who, got, c.want)
		}
	}
	found := func(id string, ns float64) view.Section {
		s := view.Section{ID: id, Properties: []view.Property{{Name: "cost", Value: view.Float(ns, "ns")}}}
		s.AddTable(table("", rows...))
		return s
	}
	all := []view.Section{found("little", 1), {ID: "nothing"}, found("much", 9), found("also little", 1), {ID: doubtsID}}
	byVerdict(all)
	var got []string
	for _, s := range all {
		got = append(got, s.ID)
	}
	if want := []string{doubtsID, "much", "little", "also little", "nothing"}; len(got) != len(want) || got[1] != want[1] || got[2] != want[2] || got[3] != want[3] || got[4] != want[4] {
		t.Errorf("%q, expected %q", got, want)
	}
}
