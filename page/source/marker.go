package source

import (
	"cmp"
	"slices"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/rule"
	"github.com/gpuprof/gpuprof/source"
	"github.com/gpuprof/gpuprof/view"
)

// markerTable lists what the rules said about places in the code: about source
// lines, or about instructions. It is nil if they said nothing.
func (b *sourceBuilder) markerTable(l page.Launch, lines bool) *view.Table {
	results, err := l.RuleResults()
	b.Damage(err)
	type marker struct {
		*profile.SourceMarker
		rule string
	}
	var ms []marker
	for i := range results {
		for k := range results[i].Markers {
			if m := &results[i].Markers[k]; m.Source == lines {
				ms = append(ms, marker{m, results[i].Identifier})
			}
		}
	}
	if len(ms) == 0 {
		return nil
	}
	slices.SortStableFunc(ms, func(x, y marker) int {
		return cmp.Or(cmp.Compare(x.Address, y.Address), cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line))
	})
	ms = slices.CompactFunc(ms, func(x, y marker) bool { return *x.SourceMarker == *y.SourceMarker && x.rule == y.rule })
	people := !b.Whole()
	t := &view.Table{ID: "markers", Title: "Advice", Layout: &view.Layout{Ragged: true}}
	switch {
	case !lines:
		t.Columns = []view.Column{{Name: "address", Label: "Address", Type: view.Number, Role: view.RoleAddress}}
	case people:
		t.Columns = []view.Column{{Name: "line", Label: "Line", Type: view.Text, Role: view.RoleLine}}
	default:
		t.Columns = []view.Column{{Name: "file", Type: view.Text, Role: view.RoleFile}, {Name: "line", Type: view.Number, Role: view.RoleLine}}
		t.Link = &view.Link{To: view.ToLine, Cell: "line", At: []string{"file", "line"}}
	}
	t.Columns = append(t.Columns, view.Column{Name: "type", Label: "Type", Type: view.Text},
		view.Column{Name: "rule", Label: "Rule", Type: view.Text, Role: view.RoleRule, For: view.Programs}, view.Column{Name: "text", Label: "Text", Type: view.Text, Role: view.RoleFinding, MaxWidth: 56})
	for _, m := range ms {
		var row []view.Value
		switch {
		case !lines:
			row = []view.Value{view.Hex(m.Address)}
		case people:
			row = []view.Value{view.String(source.Printable(shortPlace(m.File, int(m.Line))))}
		default:
			row = []view.Value{view.String(m.File), view.Uint(uint64(m.Line), "")}
		}
		kind := rule.MessageTypes[m.Type]
		word := string(kind)
		if people {
			word = kind.Tag()
		}
		t.Rows = append(t.Rows, append(row, view.String(word), view.String(m.rule), view.String(source.Printable(rule.PlainText(m.Text)))))
	}
	return t
}
