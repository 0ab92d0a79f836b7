package launch

import (
	"fmt"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/choose"
	"github.com/gpuprof/gpuprof/rule"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// tree builds the page as sections within launches.
func (d *details) tree(launches []page.Launch) (*view.Document, error) {
	doc := &view.Document{Title: "details"}
	return doc, launchSections(d.ctx, d.q, doc, launches, func(l page.Launch) (view.Section, error) {
		if l.Action == launches[0].Action { // renderers may look at the first twice
			d.insts, d.newInsts = false, false
		}
		return d.launchSection(l)
	})
}

func (d *details) launchSection(l page.Launch) (view.Section, error) {
	s := l.Heading()
	s.Title = l.Title(d.kernelName(l))
	if l.FreeClock {
		text := "Data collection happened without fixed GPU frequencies. Profiling results may be inconsistent."
		s.Items = append(s.Items, view.Item{Message: &view.Message{Type: view.Warning, Text: text,
			Layout: &view.Layout{Lines: []string{"  Warning: " + text}}}})
	}
	state := stateItems
	if d.ownsNvtx() {
		state = stackItems
	}
	s.Items = append(s.Items, state(d.q, l)...)
	rules := newFindings(d, l)
	var defs []*section.Definition // of s.Sections
	err := d.each(l, func(e *section.Evaluated) error {
		v := d.builder.View(e)
		if e.Definition.Identifier == nvtxSection && d.ownsNvtx() {
			v.Items = append(v.Items, nvtxSectionItems(l)...)
		}
		v.Items = append(v.Items, rules.items(rules.take(e.Definition.Identifier))...)
		if len(v.Items) > 0 || d.q.Format == view.FormatJSON {
			s.Sections = append(s.Sections, v)
			defs = append(defs, e.Definition)
		}
		return nil
	})
	if !d.q.Compat2024() {
		s.Sections = merge(s.Sections, defs)
	}
	if rest := rules.rest(); len(rest) > 0 {
		s.Sections = append(s.Sections, view.Section{ID: "rules", Items: rules.items(rest)})
	}
	return s, err
}

// findings are what the rules said about a launch.
type findings struct {
	d     *details
	l     page.Launch
	rules []profile.RuleResult
	taken []bool

	sections map[string]bool // identifiers of those that the report has
	asked    []choose.Name   // rules that --rule names
}

func newFindings(d *details, l page.Launch) *findings {
	rs, err := l.RuleResults()
	d.q.Damage(err)
	f := &findings{d: d, l: l, rules: rs, taken: make([]bool, len(rs)), sections: map[string]bool{}, asked: askedRules(d.q)}
	all, _ := l.File.Report.Sections(l.Action) // definitions tells of errors
	for _, s := range all {
		f.sections[s.Identifier] = true
	}
	return f
}

// take returns the results of the rules of a section.
func (f *findings) take(id string) []*profile.RuleResult {
	var out []*profile.RuleResult
	for i := range f.rules {
		if r := &f.rules[i]; r.Section == id && id != "" && !f.taken[i] {
			f.taken[i] = true
			out = append(out, r)
		}
	}
	return out
}

// items are the messages of rules, then their tables.
func (f *findings) items(rs []*profile.RuleResult) []view.Item {
	var out, tables []view.Item
	for _, r := range rs {
		for _, m := range rule.Messages(r) {
			out = append(out, view.Item{Message: m})
		}
		for i := range r.Tables {
			tables = append(tables, f.table(r, i))
		}
	}
	return append(out, tables...)
}

// table is a table that a rule adds. As in ncu people see it on request, and
// never those of the source page.
func (f *findings) table(r *profile.RuleResult, i int) view.Item {
	t := &r.Tables[i]
	if t.Kind == "data" {
		table := rule.DataTable(fmt.Sprintf("%s.%d", r.Identifier, i), t)
		table.Layout.Heading = "Table Name : " + t.Label
		return view.Item{Table: table}
	}
	var list []section.Metric
	for _, m := range t.Metrics {
		list = append(list, section.Metric{Name: m.Name, Label: m.Label, HasLabel: m.Label != ""})
	}
	id := fmt.Sprintf("%s.%d", r.Identifier, i)
	table := f.d.builder.Table(id, t.Label, t.Description, list, f.d.Target(f.l), page.MetricsOf(f.d.q, f.l))
	table.Layout.Heading = "Table Name : " + t.Label
	it := view.Item{Table: table}
	if t.Kind == "source" || !f.d.q.Flag("print-rule-details") {
		it.For = view.Programs
	}
	return it
}

// rest returns the results that belong to no section of the report. Those of
// sections that were not asked for stay away, but for rules that were.
func (f *findings) rest() []*profile.RuleResult {
	var out []*profile.RuleResult
	for i := range f.rules {
		if r := &f.rules[i]; !f.taken[i] && (!f.sections[r.Section] || choose.MatchAny(f.asked, r.Identifier)) {
			out = append(out, r)
		}
	}
	return out
}
