package load

import (
	"errors"
	"slices"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/section"
)

// ErrNotWritable is matched by the errors for files that cannot be written back.
var ErrNotWritable = errors.New("format is not written")

// WriteRules writes the report to a file, with results of rules added to its
// actions; they replace what the report has of the same rules. All else is
// written as it is, byte for byte. Metrics that rules added are written too.
// Tables with cells of the rule's own go into a field of this project's: the
// vendor's place for them is not known.
func (r *Report) WriteRules(path string, results map[*profile.Action][]profile.RuleResult) error {
	if r.ncu == nil {
		return ErrNotWritable
	}
	e := r.ncu.file.Edit()
	for a, rs := range results {
		if err := r.editRules(e, a, rs); err != nil {
			return err
		}
	}
	return e.WriteFile(path)
}

// editRules adds what rules said of an action, and the metrics that they added.
func (r *Report) editRules(e *ncurep.Edit, a *profile.Action, rs []profile.RuleResult) error {
	res := r.ncu.results[a]
	if res == nil {
		return errors.New("an action is not of this report")
	}
	if ms := a.AddedMetrics(); len(ms) > 0 {
		isNew := map[string]bool{}
		var data []ncurep.MetricData
		for i := range ms {
			isNew[ms[i].Name] = true
			data = append(data, section.MetricData(&ms[i]))
		}
		e.Result(res).DropMetrics(func(m *ncurep.Metric) bool { return isNew[m.Name] })
		e.Result(res).AppendMetrics(data...)
	}
	if len(rs) == 0 {
		return nil
	}
	old, err := res.Rules()
	if err != nil {
		return err
	}
	isNew := func(o *ncurep.RuleResult) bool {
		return slices.ContainsFunc(rs, func(r profile.RuleResult) bool { return r.Identifier == o.Identifier })
	}
	if !slices.ContainsFunc(old, isNew) {
		e.Result(res).AppendRules(ncuRules(rs)...)
		return nil
	}
	kept := slices.DeleteFunc(slices.Clone(old), isNew)
	e.Result(res).SetRules(append(kept, ncuRules(rs)...))
	return nil
}

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
