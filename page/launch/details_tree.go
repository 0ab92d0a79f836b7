package launch

import (
	"cmp"
	"fmt"
	"path"

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
	if !d.q.Compat2024() {
		d.builder.Place = placeOf(l)
	}
	rules := newFindings(d, l)
	var defs []*section.Definition // of s.Sections
	err := d.each(l, func(e *section.Evaluated) error {
		v := d.builder.View(e)
		if e.Definition.Identifier == nvtxSection && d.ownsNvtx() {
			v.Items = append(v.Items, nvtxSectionItems(l)...)
		}
		v.Items = append(v.Items, rules.items(rules.take(e.Definition.Identifier))...)
		if len(v.Items) > 0 || d.q.Whole() {
			s.Sections = append(s.Sections, v)
			defs = append(defs, e.Definition)
		}
		return nil
	})
	if !d.q.Compat2024() {
		s.Sections = merge(s.Sections, defs)
	}
	if rest := rules.rest(); len(rest) > 0 {
		title := "[Independent Rules]"
		if d.q.Compat2024() {
			title = ""
		}
		s.Sections = append(s.Sections, view.Section{ID: "rules", Title: title, Layout: &view.Layout{Plain: true}, Items: rules.items(rest)})
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
		if !f.d.q.Compat2024() {
			for _, p := range r.Proposals {
				out = append(out, view.Item{Message: &view.Message{Type: view.OK, Source: r.Identifier, Text: "The rule " + r.Identifier + " proposes to apply the rule " + p + "."}})
			}
			if t := markers(r); t != nil {
				tables = append(tables, view.Item{Table: t, For: view.People})
			}
		}
		for i := range r.Tables {
			tables = append(tables, f.table(r, i))
		}
	}
	return append(out, tables...)
}

// mostMarkers is how many source markers of a rule the page lists; the source page has
// all.
const mostMarkers = 10

// markers are the places in the code that a rule marks; nil if there are none.
func markers(r *profile.RuleResult) *view.Table {
	if len(r.Markers) == 0 {
		return nil
	}
	t := &view.Table{ID: r.Identifier + ".markers", Title: "Source Markers", Columns: []view.Column{
		{Name: "place", Label: "Location", Type: view.Text}, {Name: "text", Label: "Source Marker of " + r.Identifier, Type: view.Text, MaxWidth: 80}},
		Layout: &view.Layout{Frame: view.FrameFull}}
	for i, m := range r.Markers {
		if i == mostMarkers {
			t.Rows = append(t.Rows, []view.Value{view.String(""), view.String(fmt.Sprintf("and %d more, on the source page", len(r.Markers)-i))})
			break
		}
		at := fmt.Sprintf("0x%x", m.Address)
		if m.Source {
			at = fmt.Sprintf("%s:%d", m.File, m.Line)
		}
		t.Rows = append(t.Rows, []view.Value{view.String(at), view.String(rule.PlainText(m.Text))})
	}
	return t
}

// placeOf tells where an address of a launch's code is: the source line that the line
// table has for it, else the function.
func placeOf(l page.Launch) func(uint64) string {
	var code *profile.Code
	asked := false
	return func(pc uint64) string {
		if !asked {
			code, _ = l.Code() // the source page tells of errors
			asked = true
		}
		if code == nil {
			return ""
		}
		if code.Lines != nil {
			if at := code.Lines.At(pc); len(at) > 0 && at[0].File != "" {
				return fmt.Sprintf("%s:%d", path.Base(at[0].File), at[0].Line)
			}
		}
		if f := code.FunctionAt(pc); f != nil {
			return fmt.Sprintf("%s+0x%x", cmp.Or(f.Demangled, f.Name), pc-f.Address)
		}
		return ""
	}
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
