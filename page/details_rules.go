package page

import (
	"strings"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/view"
)

// messages are the messages of a rule, with what they rest on.
func messages(r *profile.RuleResult) []*view.Message {
	out := make([]*view.Message, 0, len(r.Messages))
	for i := range r.Messages {
		m := &r.Messages[i]
		v := &view.Message{Type: messageTypes[m.Type], Source: r.Identifier, Title: m.Name, Text: plainText(m.Text)}
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

// plainText replaces the links in a text of a rule by what people read of them:
// @section:ID:label@ and @source:FILE:LINE:label@ by the label, as are those to
// addresses, and @url:label:ADDRESS@ by label and address.
func plainText(s string) string {
	if !strings.Contains(s, "@") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '@')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		n := strings.IndexByte(s[i+1:], '@')
		text, ok := "", false
		if n >= 0 {
			text, ok = linkText(s[i+1 : i+1+n])
		}
		if !ok {
			b.WriteString(s[:i+1])
			s = s[i+1:]
			continue
		}
		b.WriteString(s[:i])
		b.WriteString(text)
		s = s[i+n+2:]
	}
}

func linkText(link string) (string, bool) {
	kind, rest, ok := strings.Cut(link, ":")
	if !ok {
		return "", false
	}
	switch kind {
	case "url":
		label, address, ok := strings.Cut(rest, ":")
		return label + " (" + address + ")", ok
	case "section", "sass", "metric":
		_, label, ok := strings.Cut(rest, ":")
		return label, ok
	case "source":
		i := strings.LastIndexByte(rest, ':')
		return rest[i+1:], i >= 0
	}
	return "", false
}
