package authoring

import (
	"context"
	"sort"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// Metrics is the page metrics.
var Metrics = &page.Page{
	Name:  "metrics",
	Short: "List metrics with unit, type and meaning: those of a report, or those that sections ask for",
	Long: `What a name means is told from its parts, in gpuprof's words; names without such a
grammar have no description.`,
	Example: "gpuprof metrics report.ncu-rep\ngpuprof metrics --query-metrics-mode base report.ncu-rep",
	Group:   page.GroupSections, Args: "[REPORT...]", MaxArgs: -1,
	Title: "Metric Names",
	Options: append([]page.Option{
		{Name: "query-metrics-mode", Remote: true, Kind: page.Choice, Values: []string{"base", "suffix", "all"}, Default: "all",
			Help: "base: names without rollup and submetric; suffix: the rollups and submetrics of the names in --metrics; all: every name"},
		page.MetricsOption,
		{Name: "chips", Remote: true, Kind: page.List, Arg: "CHIP,...", Help: "those that sections ask for on these chips; 'gpuprof --list-chips' lists them"},
	}, page.FolderOptions...),
	Build: buildMetrics,
}

func buildMetrics(_ context.Context, q *page.Request) (*view.Document, error) {
	choice, err := page.ParseMetrics(q)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, f := range q.Files {
		if f.Report == nil {
			return nil, page.Usagef("%s: %s has no metrics", f.Name, f.Kind())
		}
		for _, a := range f.Report.Actions() {
			ms, err := a.Metrics()
			q.Damage(err)
			for _, m := range ms.All() {
				names[m.Name] = true
			}
		}
	}
	if len(q.Files) == 0 {
		l, err := page.SectionLibrary(q)
		if err != nil {
			return nil, err
		}
		targets, err := chipsAsked(q)
		if err != nil {
			return nil, err
		}
		for _, f := range l.Sections {
			for _, t := range targets {
				for _, n := range section.MetricNames(f.Definition, t) {
					names[n] = true
				}
			}
		}
	}
	if err := choice.Among(q, names); err != nil {
		return nil, err
	}
	t := &view.Table{ID: "metrics", Columns: []view.Column{
		{Name: "metric", Label: "Metric Name", Type: view.Text, Role: view.RoleMetric}, {Name: "type", Label: "Type", Type: view.Text},
		{Name: "unit", Label: "Metric Unit", Type: view.Text}, {Name: "description", Label: "Metric Description", Type: view.Text, MaxWidth: 80}}}
	for _, n := range metricNames(names, choice, q.Text("query-metrics-mode")) {
		i := metric.Lookup(n)
		t.Rows = append(t.Rows, []view.Value{view.String(n), view.String(i.Type.String()), view.String(i.Unit.Base().UnitString(metric.Current)),
			view.String(metric.Describe(n))})
	}
	s := view.Section{ID: "metrics", Items: []view.Item{{Table: t}}}
	return &view.Document{Title: "metrics", Sections: []view.Section{s}}, nil
}

// metricNames are the names to list, in order.
func metricNames(names map[string]bool, choice *page.MetricChoice, mode string) []string {
	shown := map[string]bool{}
	for n := range names {
		if !metric.OnRawPage(n) || !choice.Takes(n) {
			continue
		}
		p := metric.Split(n)
		switch {
		case mode == "base":
			shown[p.Prefix+p.Base] = true
		case mode == "suffix" && p.Suffix == "":
		default:
			shown[n] = true
		}
	}
	out := make([]string, 0, len(shown))
	for n := range shown {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}
