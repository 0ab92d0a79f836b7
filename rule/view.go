package rule

import (
	"cmp"
	"slices"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// Messages are the messages of a rule, with what they rest on.
func Messages(r *profile.RuleResult) []*view.Message {
	out := make([]*view.Message, 0, len(r.Messages))
	for i := range r.Messages {
		m := &r.Messages[i]
		v := &view.Message{Type: MessageTypes[m.Type], Source: r.Identifier, Title: m.Name, Text: PlainText(m.Text)}
		if s := m.Speedup; s != nil && s.Type != profile.SpeedupUnknown {
			v.Speedup = &view.Speedup{Global: s.Type == profile.SpeedupGlobal, Percent: s.Percent}
		}
		if len(m.Focus) > 0 {
			v.Details = append(v.Details, focusTable(m.Focus))
		}
		out = append(out, v)
	}
	return out
}

// MessageTypes are the types of messages as pages have them.
var MessageTypes = map[profile.MessageType]view.MessageType{
	profile.MessageNone:         view.None,
	profile.MessageOK:           view.OK,
	profile.MessageWarning:      view.Warning,
	profile.MessageError:        view.Error,
	profile.MessageOptimization: view.Optimization,
}

// focusTable lists the metrics that a message rests on.
func focusTable(focus []profile.FocusMetric) view.Table {
	t := view.Table{ID: "focus", Title: "Key metrics", Layout: &view.Layout{Numbers: view.Micro}, Columns: []view.Column{
		{Name: "metric", Label: "Metric", Type: view.Text, Role: view.RoleMetric}, {Name: "value", Label: "Value", Type: view.Number, Role: view.RoleValue},
		{Name: "info", Label: "Info", Type: view.Text}, {Name: "severity", Type: view.Text, For: view.Programs}}}
	for _, m := range focus {
		severity := [...]string{"default", "low", "high"}[min(m.Severity, 2)]
		t.Rows = append(t.Rows, []view.Value{view.String(m.Name), view.Float(m.Value, ""), view.String(m.Info), view.String(severity)})
	}
	return t
}

// DataTable is a table with cells of a rule's own, sorted as the rule asks. Links
// in its texts read as in messages.
func DataTable(id string, t *profile.RuleTable) *view.Table {
	v := &view.Table{ID: id, Title: t.Label, Description: t.Description, Layout: &view.Layout{Frame: view.FrameOpen}}
	for _, c := range t.Columns {
		v.Columns = append(v.Columns, view.Column{Name: c, Type: view.Any})
	}
	rows := slices.Clone(t.Rows)
	if at := t.SortBy; at >= 0 && at < len(t.Columns) {
		slices.SortStableFunc(rows, func(a, b []metric.Value) int {
			if at >= len(a) || at >= len(b) {
				return cmp.Compare(len(b), len(a)) // rows without the cell come last
			}
			c := cmp.Or(cmp.Compare(a[at].Text(), b[at].Text()), cmp.Compare(a[at].Double(), b[at].Double()))
			if t.Descending {
				return -c
			}
			return c
		})
	}
	for _, row := range rows {
		cells := make([]view.Value, len(t.Columns))
		for i := range cells {
			if cells[i] = view.Null; i < len(row) {
				if cells[i] = section.Cell(row[i], ""); row[i].Kind() == metric.KindString {
					cells[i] = view.String(PlainText(row[i].Text()))
				}
			}
		}
		v.Rows = append(v.Rows, cells)
	}
	return v
}
