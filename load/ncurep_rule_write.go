package load

import (
	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
)

func ncuRules(rs []profile.RuleResult) []*ncurep.RuleResult {
	out := make([]*ncurep.RuleResult, 0, len(rs))
	for i := range rs {
		out = append(out, ncuRule(&rs[i]))
	}
	return out
}

// ncuRule is the record of a result.
func ncuRule(r *profile.RuleResult) *ncurep.RuleResult {
	o := &ncurep.RuleResult{Identifier: r.Identifier, DisplayName: r.DisplayName, Body: &ncurep.RuleBody{}}
	if r.Section != "" {
		o.SectionIdentifier = ncurep.Some(r.Section)
	}
	add := func(it *ncurep.RuleItem) { o.Body.Items = append(o.Body.Items, it) }
	for _, m := range r.Messages {
		add(&ncurep.RuleItem{Message: ncuMessage(m)})
		if s := m.Speedup; s != nil {
			add(&ncurep.RuleItem{Speedup: &ncurep.Speedup{Type: ncurep.Some(ncurep.SpeedupType(s.Type)), Value: ncurep.Some(s.Percent)}})
		}
		for _, f := range m.Focus {
			add(&ncurep.RuleItem{FocusMetrics: []*ncurep.FocusMetric{{MessageID: ncurep.Some(int32(m.ID)), Name: ncurep.Some(f.Name),
				Value: ncurep.Some(f.Value), Severity: ncurep.Some(ncurep.FocusSeverity(f.Severity)), Info: ncurep.Some(f.Info)}}})
		}
	}
	for i := range r.Tables {
		if it := ncuTable(&r.Tables[i]); it != nil {
			add(it)
		} else if r.Tables[i].Kind == "data" {
			o.Body.Generated = append(o.Body.Generated, ncuGenerated(&r.Tables[i]))
		}
	}
	for _, p := range r.Proposals {
		add(&ncurep.RuleItem{Proposal: &ncurep.RuleProposal{Identifier: p}})
	}
	for _, m := range r.Markers {
		o.Markers = append(o.Markers, ncuMarker(m))
	}
	return o
}

func ncuMessage(m profile.RuleMessage) *ncurep.RuleMessage {
	out := &ncurep.RuleMessage{Text: m.Text, Type: ncurep.MessageType(m.Type)}
	if m.ID != 0 {
		out.ID = ncurep.Some(int32(m.ID))
	}
	if m.Name != "" {
		out.Name = ncurep.Some(m.Name)
	}
	return out
}

func ncuMarker(m profile.SourceMarker) *ncurep.SourceMarker {
	out := &ncurep.SourceMarker{Text: ncurep.Some(m.Text), Type: ncurep.Some(ncurep.MessageType(m.Type))}
	if m.Source {
		out.Kind, out.File, out.Line = ncurep.Some(ncurep.MarkerKind(1)), ncurep.Some(m.File), ncurep.Some(m.Line)
	} else {
		out.Kind, out.Address = ncurep.Some(ncurep.MarkerKind(0)), ncurep.Some(m.Address)
	}
	return out
}

// ncuTable is the item of a table or chart of metrics; nil for one that the
// format has no known place for.
func ncuTable(t *profile.RuleTable) *ncurep.RuleItem {
	var ms []*ncurep.SectionMetric
	for _, m := range t.Metrics {
		ms = append(ms, &ncurep.SectionMetric{Name: m.Name, Label: ncurep.Some(m.Label)})
	}
	return ncurep.NewRuleItem(ncurep.ItemKind(t.Kind), t.Label, t.Description, ms)
}
