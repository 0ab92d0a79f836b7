package authoring

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/rule"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// Rules is the page rules.
var Rules = &page.Page{
	Name:    "rules",
	Aliases: []string{"list-rules"},
	Short:   "List the rules that give advice, or try one on a report",
	Long: `Rules are Python files that look at the metrics of a launch. gpuprof brings some of
its own; --section-folder adds folders with others, such as those of Nsight Compute.
"gpuprof details --apply-rules yes" shows what they say. Nothing has to be installed,
and a rule reaches nothing but the report.

"gpuprof rules test RULE REPORT" applies one rule, a file or one of the list, to every
launch, or to those that -k and the like choose, and shows what it looked up, said,
printed, and where it failed.`,
	Example: "gpuprof rules\n" +
		"gpuprof rules --section-folder ~/my-rules\n" +
		"gpuprof rules test my_rule.py report.ncu-rep -k sgemm\n" +
		"gpuprof rules test StallReasons report.ncu-rep",
	Group: page.GroupInfo, Args: "[test RULE REPORT]", MinArgs: 0, MaxArgs: 3, Unopened: true,
	Options: slices.Concat(page.RuleOptions, page.FolderOptions, page.KernelOptions),
	Build:   buildRules,
}

func buildRules(ctx context.Context, q *page.Request) (*view.Document, error) {
	switch {
	case len(q.Args) == 0:
		return listRules(ctx, q)
	case q.Args[0] != "test":
		return nil, page.Usagef("rules: found %q, expected nothing or test RULE REPORT", q.Args[0])
	case len(q.Args) != 3:
		return nil, page.Usagef("rules test: expected RULE REPORT")
	}
	return testRule(ctx, q, q.Args[1], q.Args[2])
}

func listRules(ctx context.Context, q *page.Request) (*view.Document, error) {
	h, s, err := page.NewRules(ctx, q)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	chosen, err := s.Select(q.List("rule"))
	if err != nil {
		return nil, page.Usagef("--rule: %v", err)
	}
	t := &view.Table{ID: "rules", Link: &view.Link{To: view.ToRule, Cell: "id", At: []string{"id"}}, Layout: &view.Layout{Frame: view.FrameOpen}, Columns: []view.Column{
		{Name: "id", Label: "Identifier", Type: view.Text, Role: view.RoleRule}, {Name: "name", Label: "Name", Type: view.Text, MaxWidth: 16},
		{Name: "section", Label: "Section", Type: view.Text, Role: view.RoleSection}, {Name: "description", Label: "Description", Type: view.Text, MaxWidth: 46},
		{Name: "parents", Type: view.Text, For: view.Programs}, {Name: "metrics", Type: view.Text, For: view.Programs}, {Name: "file", Type: view.Text, For: view.Programs}}}
	chosen = slices.Clone(chosen)
	slices.SortStableFunc(chosen, func(a, b *rule.Rule) int { // those of no section last
		return cmp.Or(cmp.Compare(min(len(b.Section), 1), min(len(a.Section), 1)), cmp.Compare(a.Section, b.Section))
	})
	for _, r := range chosen {
		t.Rows = append(t.Rows, []view.Value{view.String(r.ID), view.String(r.Name), view.String(cmp.Or(r.Section, "[Independent Rules]")), view.String(r.Description),
			view.String(strings.Join(r.Parents, ",")), view.String(strings.Join(r.Metrics, ",")), view.String(r.File)})
	}
	sec := view.Section{ID: "rules", Title: "Rules"}
	sec.AddTable(t)
	d := &view.Document{Title: "rules"}
	for _, p := range s.Problems {
		d.Failed = true
		sec.AddMessage(&view.Message{Type: view.Error, Source: p.File, Title: "Not a rule", Text: p.Error()})
	}
	d.Sections = append(d.Sections, sec)
	return d, nil
}

// ruleToTest is the rule in a file, or the one of an identifier.
func ruleToTest(ctx context.Context, q *page.Request, name string) (*rule.Host, []*rule.Rule, error) {
	_, missing := os.Stat(name)
	if missing != nil && filepath.Ext(name) != ".py" {
		h, s, err := page.NewRules(ctx, q)
		if err != nil {
			return nil, nil, err
		}
		r := s.Lookup(name)
		if r == nil {
			h.Close()
			return nil, nil, page.Usagef("rules test: %q is neither a file nor a rule%s; 'gpuprof rules' lists them", name, s.Nearest(name))
		}
		return h, []*rule.Rule{r}, nil
	}
	if missing != nil {
		return nil, nil, missing
	}
	h, s, err := page.NewRules(ctx, q, rule.File(name))
	switch {
	case err != nil:
		return nil, nil, err
	case len(s.Problems) > 0:
		err = s.Problems[0]
	case len(s.Rules) == 0:
		err = fmt.Errorf("%s: expected a rule, found no function get_identifier", name)
	}
	if err != nil {
		h.Close()
		return nil, nil, err
	}
	return h, s.Rules, nil
}

// testRule applies a rule to the launches of a report.
func testRule(ctx context.Context, q *page.Request, name, report string) (*view.Document, error) {
	f, err := q.Open(ctx, report)
	if err != nil {
		return nil, err
	}
	q.Files = []*load.File{f}
	launches, err := page.SelectLaunches(q)
	if err != nil {
		return nil, err
	}
	h, rules, err := ruleToTest(ctx, q, name)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	sections, err := page.ChooseSections(q)
	if err != nil {
		return nil, err
	}
	d := &view.Document{Title: "rules test"}
	for _, l := range launches {
		sections.Prepare(l, map[string]bool{})
		out, err := h.Apply(ctx, rule.Job{Report: l.File.Report.Report, Action: l.Action, Overlay: q.Overlay, Rules: rules, Trace: true})
		if err != nil {
			return nil, err
		}
		for i := range out {
			d.Failed = d.Failed || out[i].Err != nil
			d.Sections = append(d.Sections, outcomeSection(l, &out[i]))
		}
	}
	return d, nil
}

// outcomeSection shows all that a rule did with a launch.
func outcomeSection(l page.Launch, o *rule.Outcome) view.Section {
	s := view.Section{ID: fmt.Sprint(l.ID), Title: fmt.Sprintf("%s on launch %d, %s", o.Rule.ID, l.ID, l.Function), Properties: []view.Property{
		{Name: "seconds", Value: view.Float(o.Elapsed.Seconds(), "second")}}}
	for _, m := range rule.Messages(&o.Result) {
		s.AddMessage(m)
	}
	if o.Err != nil {
		s.AddMessage(&view.Message{Type: view.Error, Source: o.Rule.ID, Title: "Failed", Text: o.Err.Error()})
	}
	asked := &view.Table{ID: "asked", Title: "Metrics that it looked up", Layout: &view.Layout{Frame: view.FrameOpen}, Columns: []view.Column{
		{Name: "metric", Label: "Metric", Type: view.Text, Role: view.RoleMetric}, {Name: "value", Label: "Value", Role: view.RoleValue}}}
	ms, _ := l.Metrics() // what is broken was missing for the rule, too
	for _, a := range o.Asked {
		v := view.Missing("not in the report")
		if m := ms.Lookup(a.Name); m != nil && a.Found {
			v = section.ValueCell(m, "")
		}
		asked.Rows = append(asked.Rows, []view.Value{view.String(a.Name), v})
	}
	if len(asked.Rows) > 0 {
		s.AddTable(asked)
	}
	if t := addedTable(o.Added); t != nil {
		s.AddTable(t)
	}
	for _, t := range ruleTables(&o.Result) {
		s.AddTable(t)
	}
	if o.Printed != "" {
		printed := &view.Table{ID: "printed", Title: "What it printed", Columns: []view.Column{{Name: "line", Type: view.Text}}}
		lines := []string{"  What it printed:"}
		for _, line := range strings.Split(strings.TrimSuffix(o.Printed, "\n"), "\n") {
			printed.Rows = append(printed.Rows, []view.Value{view.String(line)})
			lines = append(lines, "    "+line)
		}
		printed.Layout = &view.Layout{Lines: append(lines, "")}
		s.AddTable(printed)
	}
	return s
}

// ruleTables are the tables that a rule generated, and its markers.
func ruleTables(r *profile.RuleResult) []*view.Table {
	var out []*view.Table
	for i := range r.Tables {
		if r.Tables[i].Kind == "data" {
			out = append(out, rule.DataTable("table", &r.Tables[i]))
		}
	}
	if len(r.Markers) == 0 {
		return out
	}
	m := &view.Table{ID: "markers", Title: "Places in the code", Layout: &view.Layout{Frame: view.FrameOpen}, Columns: []view.Column{
		{Name: "place", Label: "Place", Type: view.Text}, {Name: "text", Label: "Text", Type: view.Text, MaxWidth: 80}}}
	for _, x := range r.Markers {
		at := fmt.Sprintf("0x%x", x.Address)
		if x.Source {
			at = fmt.Sprintf("%s:%d", filepath.ToSlash(x.File), x.Line)
		}
		m.Rows = append(m.Rows, []view.Value{view.String(at), view.String(x.Text)})
	}
	return append(out, m)
}

// addedTable shows the metrics that a rule added; nil if there are none.
func addedTable(ms []profile.Metric) *view.Table {
	if len(ms) == 0 {
		return nil
	}
	t := &view.Table{ID: "added", Title: "Metrics that it added", Layout: &view.Layout{Frame: view.FrameOpen}, Columns: []view.Column{
		{Name: "metric", Label: "Metric", Type: view.Text, Role: view.RoleMetric}, {Name: "value", Label: "Value", Role: view.RoleValue}}}
	for i := range ms {
		t.Rows = append(t.Rows, []view.Value{view.String(ms[i].Name), section.ValueCell(&ms[i], "")})
	}
	return t
}
