package page

import (
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/rule"
	"github.com/gpuprof/gpuprof/view"
)

// messages are the messages of a rule, with what they rest on.
func messages(r *profile.RuleResult) []*view.Message {
	out := make([]*view.Message, 0, len(r.Messages))
	for i := range r.Messages {
		m := &r.Messages[i]
		v := &view.Message{Type: messageTypes[m.Type], Source: r.Identifier, Title: m.Name, Text: rule.PlainText(m.Text)}
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

var messageTypes = map[profile.MessageType]view.MessageType{
	profile.MessageNone:         view.None,
	profile.MessageOK:           view.OK,
	profile.MessageWarning:      view.Warning,
	profile.MessageError:        view.Error,
	profile.MessageOptimization: view.Optimization,
}

// focusTable lists the metrics that a message rests on.
func focusTable(focus []profile.FocusMetric) view.Table {
	t := view.Table{ID: "focus", Title: "Key metrics", Numbers: view.Micro, Columns: []view.Column{
		{Name: "metric", Label: "Metric", Type: view.Text}, {Name: "value", Label: "Value", Type: view.Number},
		{Name: "info", Label: "Info", Type: view.Text}, {Name: "severity", Type: view.Text, Hidden: true}}}
	for _, m := range focus {
		severity := [...]string{"default", "low", "high"}[min(m.Severity, 2)]
		t.Rows = append(t.Rows, []view.Value{view.String(m.Name), view.Float(m.Value, ""), view.String(m.Info), view.String(severity)})
	}
	return t
}
