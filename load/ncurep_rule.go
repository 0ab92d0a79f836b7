package load

import (
	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/section"
)

// RuleResults gathers for each rule its messages with the speedup and the focus
// metrics that belong to them: those that name the message, else those that
// follow it.
func (l *ncuLoader) RuleResults() ([]profile.RuleResult, error) {
	rs, err := l.result.Rules()
	out := make([]profile.RuleResult, 0, len(rs))
	for _, r := range rs {
		o := profile.RuleResult{Identifier: r.Identifier, DisplayName: r.DisplayName, Section: r.SectionIdentifier.Or("")}
		if r.Body != nil {
			for _, it := range r.Body.Items {
				addRuleItem(&o, it)
			}
			for _, t := range r.Body.Generated {
				o.Tables = append(o.Tables, generatedTable(t))
			}
		}
		for _, m := range r.Markers {
			o.Markers = append(o.Markers, profile.SourceMarker{Source: m.Kind.Or(0) == 1, Address: m.Address.Or(0),
				File: m.File.Or(""), Line: m.Line.Or(0), Text: m.Text.Or(""), Type: profile.MessageType(m.Type.Or(0))})
		}
		out = append(out, o)
	}
	return out, err
}

func addRuleItem(r *profile.RuleResult, it *ncurep.RuleItem) {
	if m := it.Message; m != nil {
		r.Messages = append(r.Messages, profile.RuleMessage{ID: int(m.ID.Or(0)), Type: profile.MessageType(m.Type),
			Name: m.Name.Or(""), Text: m.Text})
	}
	last := func(id int) *profile.RuleMessage {
		for i := range r.Messages {
			if id != 0 && r.Messages[i].ID == id {
				return &r.Messages[i]
			}
		}
		if n := len(r.Messages); n > 0 {
			return &r.Messages[n-1]
		}
		return nil
	}
	if s := it.Speedup; s != nil {
		if m := last(0); m != nil {
			m.Speedup = &profile.Speedup{Type: profile.SpeedupType(s.Type.Or(0)), Percent: s.Value.Or(0)}
		}
	}
	for _, f := range it.FocusMetrics {
		if m := last(int(f.MessageID.Or(0))); m != nil {
			m.Focus = append(m.Focus, profile.FocusMetric{MessageID: int(f.MessageID.Or(0)), Name: f.Name.Or(""),
				Value: f.Value.Or(0), Severity: uint8(f.Severity.Or(0)), Info: f.Info.Or("")})
		}
	}
	if it.Proposal != nil {
		r.Proposals = append(r.Proposals, it.Proposal.Identifier)
	}
	if shown, ok := it.Item(); ok {
		if t, ok := section.RuleTable(shown); ok {
			r.Tables = append(r.Tables, t)
		}
	}
}
