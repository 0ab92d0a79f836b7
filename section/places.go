package section

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/view"
)

// mostPlaces bounds a list of locations; a definition can ask for any number.
const mostPlaces = 1000

// places are the tables of an item that lists source locations: those with the highest
// values of each of its metrics, as many as it asks for. Without Options.Place there
// are none.
func (l *layout) places() []view.Item {
	rows := int(min(l.item.Shown.Rows, mostPlaces))
	if l.b.Place == nil || rows == 0 {
		return nil
	}
	var out []view.Item
	for i, r := range l.item.Rows {
		if r.Value == nil || r.Value.NumInstances() == 0 {
			continue
		}
		in := slices.DeleteFunc(slices.Clone(r.Value.Instances()), func(x profile.Instance) bool {
			return x.ID.Kind() == metric.KindNone || x.ID.Kind() == metric.KindString || x.Value.Kind() == metric.KindNone || x.Value.Kind() == metric.KindString
		})
		sign := -1
		if l.item.Shown.SortDirection.Or(ncurep.Descending) == ncurep.Ascending {
			sign = 1
		}
		slices.SortStableFunc(in, func(a, b profile.Instance) int { return sign * cmp.Compare(a.Value.Double(), b.Value.Double()) })
		title := cmp.Or(r.label(), r.Name)
		t := &view.Table{ID: l.id + ".places" + strconv.Itoa(i), Title: title, Layout: &view.Layout{Frame: view.FrameFull, Heading: l.head(title, "")}, Columns: []view.Column{
			{Name: "place", Label: "Location", Type: view.Text}, {Name: "address", Label: "Address", Type: view.Number, Role: view.RoleAddress},
			{Name: "unit", Label: "Metric Unit", Type: view.Unit}, {Name: "value", Label: "Metric Value", Role: view.RoleValue}}}
		for _, x := range in[:min(rows, len(in))] {
			pc := x.ID.Uint64()
			t.Rows = append(t.Rows, []view.Value{view.String(l.b.Place(pc)), view.Hex(pc), view.UnitOf(r.Unit), Cell(x.Value, r.Unit)})
		}
		if len(t.Rows) > 0 {
			out = append(out, view.Item{Table: t})
		}
	}
	return out
}
