package authoring

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// Check is the page sections check.
var Check = &page.Page{
	Name:  "sections check",
	Short: "Check section files for their author",
	Long: `Names unknown fields and values, expressions and regular expressions that cannot be
read, derived metrics that need themselves, groups that the section does not have, two
files with one identifier, options that can never be chosen because an earlier one
always is, and with --report the metrics and operands that the report does not have.
The exit status is 1 if there is anything to say.`,
	Example: "gpuprof sections check --report report.ncu-rep my.section",
	Group:   page.GroupSections, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Unopened: true,
	Options: []page.Option{{Name: "report", Kind: page.Text, Arg: "FILE", Help: "a report to look the metrics up in"}},
	Build:   buildCheck,
}

func buildCheck(ctx context.Context, q *page.Request) (*view.Document, error) {
	var metrics *profile.MetricSet
	target := section.Target{Arch: 80}
	if name := q.Text("report"); name != "" {
		f, err := q.Open(ctx, name)
		if err != nil {
			return nil, err
		}
		if f.Report == nil || len(f.Report.Actions()) == 0 {
			return nil, page.Usagef("--report: %s has no kernel launch", name)
		}
		a := f.Report.Actions()[0]
		if metrics, err = a.Metrics(); err != nil {
			q.Damage(err)
		}
		major, minor := a.CC()
		target.Arch = 10*major + minor
	}
	d := &view.Document{Title: "sections check"}
	first := map[string]string{} // the file of an identifier
	for _, name := range q.Args {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		s := view.Section{ID: name, Title: name}
		def, warnings, err := section.ParseFile(name, string(b))
		for _, w := range warnings {
			s.AddMessage(&view.Message{Type: view.Warning, Text: w.String()})
		}
		if err != nil {
			s.AddMessage(&view.Message{Type: view.Error, Text: err.Error()})
		} else {
			said := slices.Concat(section.Lint(def), section.LintDerived(def, target, metrics), missingMetrics(def, target, metrics))
			if other, taken := first[def.Identifier]; taken {
				said = append(said, fmt.Sprintf("%s: the identifier is that of %s, too: one of the two is never shown", def.Identifier, other))
			} else {
				first[def.Identifier] = name
			}
			for _, text := range said {
				s.AddMessage(&view.Message{Type: view.Warning, Text: text})
			}
		}
		d.Failed = d.Failed || len(s.Items) > 0
		if len(s.Items) == 0 {
			s.AddMessage(&view.Message{Type: view.OK, Text: "Nothing to say."})
		}
		d.Sections = append(d.Sections, s)
	}
	return d, nil
}

// missingMetrics names what the section asks for and the report does not have.
func missingMetrics(def *section.Definition, t section.Target, ms *profile.MetricSet) []string {
	if ms == nil {
		return nil
	}
	var out []string
	for _, n := range section.MetricNames(def, t) {
		if ms.Lookup(n) == nil && !section.HasPrefix(n) && !section.Defines(def, n) {
			out = append(out, fmt.Sprintf("%s: the report has no metric %s", def.Identifier, n))
		}
	}
	return out
}
