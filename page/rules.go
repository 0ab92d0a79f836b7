package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/rule"
	"github.com/gpuprof/gpuprof/rule/python"
	"github.com/gpuprof/gpuprof/view"
)

var rulesPage = &Page{
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
	Group: GroupInfo, Args: "[test RULE REPORT]", MinArgs: 0, MaxArgs: 3,
	Options: slices.Concat(ruleOptions, folderOptions, kernelOptions),
	Build:   buildRules,
}

// ruleOptions say which rules there are and how they run.
var ruleOptions = []Option{
	{Name: "rule", Kind: List, NoComma: true, Arg: "ID", Help: "only the rule of this identifier, or with regex:EXPR rules in whose identifier EXPR is found"},
	{Name: "python", Kind: Text, Arg: "PATH", Help: "run rules on this Python, 3.11 or later, in place of the one that gpuprof carries"},
}

// applyOptions go with ruleOptions on pages that show advice.
var applyOptions = []Option{
	{Name: "apply-rules", Kind: Choice, Values: []string{"no", "yes"}, Default: "no",
		Help: "yes: apply rules to the launches; --rule chooses among them and implies it"},
}

// newRules makes a host with the rules that q asks for. The caller closes it.
func newRules(ctx context.Context, q *Request, sources ...rule.Source) (*rule.Host, *rule.Set, error) {
	h, err := rule.NewHost(ctx, rule.Options{Python: q.Text("python"), Cache: python.CacheDir(), Launcher: q.Confine,
		SASS: InstructionText(ctx, q.note),
		Warn: func(s string) { q.note("warning: %s", s) }})
	if err != nil {
		return nil, nil, err
	}
	if len(sources) == 0 {
		if sources, err = ruleSources(q); err != nil {
			h.Close()
			return nil, nil, err
		}
	}
	s, err := h.Load(ctx, sources...)
	if err != nil {
		h.Close()
		return nil, nil, err
	}
	return h, s, nil
}

// ruleSources are the rules of this project and those in the folders of the
// search path. The nearest folder comes last: its rules replace others.
func ruleSources(q *Request) ([]rule.Source, error) {
	sources := []rule.Source{rule.Stock()}
	for _, f := range slices.Backward(sectionFolders(q)) {
		if !f.Recursive {
			sources = append(sources, rule.Folder(f.Path))
			continue
		}
		err := filepath.WalkDir(f.Path, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				sources = append(sources, rule.Folder(path))
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return sources, nil
}

func buildRules(ctx context.Context, q *Request) (*view.Document, error) {
	switch {
	case len(q.Args) == 0:
		return listRules(ctx, q)
	case q.Args[0] != "test":
		return nil, Usagef("rules: found %q, expected nothing or test RULE REPORT", q.Args[0])
	case len(q.Args) != 3:
		return nil, Usagef("rules test: expected RULE REPORT")
	}
	return testRule(ctx, q, q.Args[1], q.Args[2])
}

func listRules(ctx context.Context, q *Request) (*view.Document, error) {
	h, s, err := newRules(ctx, q)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	chosen, err := s.Select(q.List("rule"))
	if err != nil {
		return nil, Usagef("--rule: %v", err)
	}
	t := &view.Table{ID: "rules", Frame: view.FrameOpen, Columns: []view.Column{
		{Name: "id", Label: "Identifier", Type: view.Text}, {Name: "name", Label: "Name", Type: view.Text, MaxWidth: 16},
		{Name: "section", Label: "Section", Type: view.Text}, {Name: "description", Label: "Description", Type: view.Text, MaxWidth: 46},
		{Name: "parents", Type: view.Text, Hidden: true}, {Name: "metrics", Type: view.Text, Hidden: true}, {Name: "file", Type: view.Text, Hidden: true}}}
	for _, r := range chosen {
		t.Rows = append(t.Rows, []view.Value{view.String(r.ID), view.String(r.Name), view.String(r.Section), view.String(r.Description),
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
func ruleToTest(ctx context.Context, q *Request, name string) (*rule.Host, []*rule.Rule, error) {
	_, missing := os.Stat(name)
	if missing != nil && filepath.Ext(name) != ".py" {
		h, s, err := newRules(ctx, q)
		if err != nil {
			return nil, nil, err
		}
		r := s.Lookup(name)
		if r == nil {
			h.Close()
			return nil, nil, Usagef("rules test: %q is neither a file nor a rule; 'gpuprof rules' lists them", name)
		}
		return h, []*rule.Rule{r}, nil
	}
	if missing != nil {
		return nil, nil, missing
	}
	h, s, err := newRules(ctx, q, rule.File(name))
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
func testRule(ctx context.Context, q *Request, name, report string) (*view.Document, error) {
	f, err := load.Open(ctx, report)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	q.Files = []*load.File{f}
	launches, err := selectLaunches(q)
	if err != nil {
		return nil, err
	}
	h, rules, err := ruleToTest(ctx, q, name)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	sections, err := ruleSections(ctx, q)
	if err != nil {
		return nil, err
	}
	d := &view.Document{Title: "rules test"}
	for _, l := range launches {
		sections.prepare(l, map[string]bool{})
		out, err := h.Apply(ctx, rule.Job{Report: l.file.Report.Report, Action: l.Action, Overlay: q.Overlay, Rules: rules, Trace: true})
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
func outcomeSection(l launch, o *rule.Outcome) view.Section {
	s := view.Section{ID: fmt.Sprint(l.ID), Title: fmt.Sprintf("%s on launch %d, %s", o.Rule.ID, l.ID, l.Function), Properties: []view.Property{
		{Name: "seconds", Value: view.Float(o.Elapsed.Seconds(), "second")}}}
	for _, m := range messages(&o.Result) {
		s.AddMessage(m)
	}
	if o.Err != nil {
		s.AddMessage(&view.Message{Type: view.Error, Source: o.Rule.ID, Title: "Failed", Text: o.Err.Error()})
	}
	asked := &view.Table{ID: "asked", Title: "Metrics that it looked up", Frame: view.FrameOpen, Columns: []view.Column{
		{Name: "metric", Label: "Metric", Type: view.Text}, {Name: "value", Label: "Value"}}}
	ms, _ := l.Metrics() // what is broken was missing for the rule, too
	for _, a := range o.Asked {
		v := view.Missing("not in the report")
		if m := ms.Lookup(a.Name); m != nil && a.Found {
			v = valueCell(m, "")
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
		s.Items = append(s.Items, view.Item{Table: printed, Lines: append(lines, "")})
	}
	return s
}

// dataTable is a table with cells of a rule's own, sorted as the rule asks. Links
// in its texts read as in messages.
func dataTable(id string, t *profile.RuleTable) *view.Table {
	v := &view.Table{ID: id, Title: t.Label, Description: t.Description, Frame: view.FrameOpen}
	for _, c := range t.Columns {
		v.Columns = append(v.Columns, view.Column{Name: c, Type: view.Any})
	}
	rows := slices.Clone(t.Rows)
	if at := t.SortBy; at >= 0 && at < len(t.Columns) {
		slices.SortStableFunc(rows, func(a, b []profile.MetricValue) int {
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
				if cells[i] = cellOf(row[i], ""); row[i].Kind() == profile.KindString {
					cells[i] = view.String(rule.PlainText(row[i].Text()))
				}
			}
		}
		v.Rows = append(v.Rows, cells)
	}
	return v
}

// ruleTables are the tables that a rule generated, and its markers.
func ruleTables(r *profile.RuleResult) []*view.Table {
	var out []*view.Table
	for i := range r.Tables {
		if r.Tables[i].Kind == "data" {
			out = append(out, dataTable("table", &r.Tables[i]))
		}
	}
	if len(r.Markers) == 0 {
		return out
	}
	m := &view.Table{ID: "markers", Title: "Places in the code", Frame: view.FrameOpen, Columns: []view.Column{
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
	t := &view.Table{ID: "added", Title: "Metrics that it added", Frame: view.FrameOpen, Columns: []view.Column{
		{Name: "metric", Label: "Metric", Type: view.Text}, {Name: "value", Label: "Value"}}}
	for i := range ms {
		t.Rows = append(t.Rows, []view.Value{view.String(ms[i].Name), valueCell(&ms[i], "")})
	}
	return t
}

// ruledLaunches are the launches that q asks for, with what the rules that it asks
// for say of them.
func ruledLaunches(ctx context.Context, q *Request) ([]launch, error) {
	launches, err := selectLaunches(q)
	if err != nil {
		return nil, err
	}
	d, err := ruleSections(ctx, q)
	if err != nil {
		return nil, err
	}
	return launches, applyRules(ctx, q, launches, d)
}

// applyRules applies the rules that q asks for and adds what they say to the
// overlay of q. It does nothing unless it is asked to.
//
// With d, its sections count as those of a launch, too, and rules see the metrics
// that they derive.
func applyRules(ctx context.Context, q *Request, launches []launch, d *details) error {
	if !rulesWanted(q) {
		return nil
	}
	h, s, err := newRules(ctx, q)
	if err != nil {
		return err
	}
	defer h.Close()
	for _, p := range s.Problems {
		q.note("%v", p)
	}
	chosen, err := s.Select(q.List("rule"))
	if err != nil {
		return Usagef("--rule: %v", err)
	}
	lacking := map[string]bool{} // rules
	silent, applied := 0, 0
	for i, l := range launches {
		q.step(i, len(launches))
		sections, err := sectionsOf(l)
		if err != nil {
			return err
		}
		if d != nil {
			d.prepare(l, sections)
		}
		rules := applicable(chosen, sections)
		out, err := h.Apply(ctx, rule.Job{Report: l.file.Report.Report, Action: l.Action, Overlay: q.Overlay, Rules: rules})
		if err != nil {
			return err
		}
		var rs []profile.RuleResult
		for k := range out {
			q.Overlay.AddMetrics(l.Action, out[k].Added)
			if r, ok := resultOf(&out[k]); ok {
				rs = append(rs, r)
			} else {
				lacking[out[k].Rule.ID] = true
				silent++
			}
			applied++
		}
		q.Overlay.AddRuleResults(l.Action, rs)
	}
	switch {
	case silent == 0:
	case silent == applied:
		q.note("no rule found the metrics that it needs; the rules of gpuprof read those of Nsight Compute, some those of AMD's profilers")
	default:
		q.note("%s said nothing of some launches for lack of metrics; 'gpuprof rules test RULE REPORT' tells of which", someOf(lacking))
	}
	return nil
}

// someOf names a few rules.
func someOf(ids map[string]bool) string {
	names := slices.Sorted(maps.Keys(ids))
	if n := len(names); n > 3 {
		return fmt.Sprintf("%s and %d more rules", strings.Join(names[:2], ", "), n-2)
	}
	return strings.Join(names, ", ")
}

func rulesWanted(q *Request) bool {
	return q.Text("apply-rules") == "yes" || q.Given("rule") && !q.Given("apply-rules")
}

// askedRules are the rules that --rule names, if rules are applied.
func askedRules(q *Request) []namePattern {
	if !rulesWanted(q) {
		return nil
	}
	names, _ := parseNames(q.List("rule")) // applyRules told of what is wrong
	return names
}

// prepare adds what the chosen sections derive to a launch, and their
// identifiers to sections.
func (d *details) prepare(l launch, sections map[string]bool) {
	for _, f := range d.chosen {
		sections[f.Identifier] = true
	}
	if d.deriver != nil {
		d.q.Overlay.AddMetrics(l.Action, d.deriver.Derive(d.target(l), metricsOf(d.q, l)).Computed)
	}
}

// ruleSections are the sections in the folders of q: rules see the metrics that
// they derive, as on the details page.
func ruleSections(ctx context.Context, q *Request) (*details, error) {
	d := &details{ctx: ctx, q: q}
	if err := d.chooseLibrary(); err != nil {
		return nil, err
	}
	d.newDeriver()
	return d, nil
}

// sectionsOf are the identifiers of the sections that a launch has.
func sectionsOf(l launch) (map[string]bool, error) {
	all, err := l.file.Report.Sections(l.Action)
	if err != nil && len(all) == 0 {
		return nil, err
	}
	ids := make(map[string]bool, len(all))
	for _, s := range all {
		ids[s.Identifier] = true
	}
	return ids, nil
}

// applicable leaves out rules of sections that the launch does not have. The
// rules of this project find out by themselves, but for those of the other vendor.
func applicable(rules []*rule.Rule, sections map[string]bool) []*rule.Rule {
	const amd = "AMD"
	ofAMD := false
	for id := range sections {
		ofAMD = ofAMD || strings.HasPrefix(id, amd)
	}
	return slices.DeleteFunc(slices.Clone(rules), func(r *rule.Rule) bool {
		if r.Stock && !ofAMD {
			return strings.HasPrefix(r.Section, amd)
		}
		return r.Section != "" && !sections[r.Section]
	})
}

// resultOf is what a rule said, its failure too. It is false for a stock rule
// that lacked metrics.
func resultOf(o *rule.Outcome) (profile.RuleResult, bool) {
	r := o.Result
	if o.Err == nil {
		return r, true
	}
	var e *rule.Error
	raised := errors.As(o.Err, &e) && e.Raised
	if raised && o.Rule.Stock {
		return r, len(r.Messages) > 0
	}
	text := o.Err.Error()
	if raised {
		text = e.Text
	}
	for _, m := range r.Messages {
		if m.Text == text { // it said why
			return r, true
		}
	}
	r.Messages = append(r.Messages, profile.RuleMessage{ID: len(r.Messages) + 1, Type: profile.MessageError, Name: "Rule Failed", Text: text})
	return r, true
}
