package launch

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// Details is the page details.
var Details = &page.Page{
	Name:  "details",
	Short: "Show the sections and rule findings of every kernel launch",
	Long: `Sections are those that the report carries. Text, Markdown and JSON show them one
launch after the other; csv has a line for each metric and each finding. Files of
AMD's and ROCm's counters have sections of gpuprof's own. Of an .atp file of AMD's
profilers all summary pages are shown ('gpuprof stats -r NAME' shows one), then the
launches in the .csv and .occupancy files of its session.`,
	Example: "gpuprof details report.ncu-rep\n" +
		"gpuprof details --section 'regex:.*Memory.*' --print-details all -k sgemm report.ncu-rep\n" +
		"gpuprof details --print-summary per-kernel report.ncu-rep",
	Group: page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1,
	Needs: load.Launches, First: map[string][]string{"print-details": {"all"}},
	Options: slices.Concat(page.SectionOptions, detailsOptions, page.FolderOptions, []page.Option{page.MetricsOption}, applyOptions, page.RuleOptions, page.KernelOptions, page.WithCompat(page.PrintOptions, "rcp")),
	Build:   func(ctx context.Context, q *page.Request) (*view.Document, error) { return buildDetails(ctx, q, false) },
	CSV:     func(ctx context.Context, q *page.Request) (*view.Document, error) { return buildDetails(ctx, q, true) },
	Report:  exportDetails,
}

var detailsOptions = []page.Option{
	{Name: "print-details", Remote: true, Kind: page.Choice, Values: []string{"header", "body", "all"}, Default: "header",
		Help: "print the metrics at the head of sections, their tables and charts, or both"},
	{Name: "print-metric-name", Kind: page.Choice, Values: []string{"label", "name", "label-name"}, Default: "label",
		Help: "call metrics by label, by name, or by both"},
	{Name: "print-kernel-base", Remote: true, Kind: page.Choice, Values: []string{"demangled", "function", "mangled"}, Default: "demangled",
		Help: "the form of kernel names to print"},
	{Name: "print-nvtx-rename", Kind: page.Choice, Values: []string{"none", "kernel"}, Default: "none",
		Help: "kernel: print the name of the innermost push/pop range in place of the kernel's"},
	{Name: "print-summary", Remote: true, Kind: page.Choice, Values: []string{"none", "per-gpu", "per-kernel", "per-nvtx"}, Default: "none",
		Help: "print minimum, maximum and average over the launches on a GPU, of a kernel, or under the same NVTX ranges"},
	{Name: "page", Kind: page.Choice, Values: []string{"details", "raw", "source", "session", "all"}, Default: "details",
		Help: "show another page, as ncu spells it, or all, one after the other"},
	{Name: "print-metric-attribution", Kind: page.Flag, Help: "taken for the sake of old command lines: the reports that we know have no green contexts to attribute metrics to"},
}

// buildDetails makes the page; csv is that of ncu, a line for each metric and finding.
func buildDetails(ctx context.Context, q *page.Request, csv bool) (*view.Document, error) {
	if onlyAMDTraces(q) {
		return amdDetails(ctx, q, csv)
	}
	if q.Text("compat") == "rcp" {
		return nil, page.Usagef("--compat rcp is about AMD traces (.atp)")
	}
	return launchDetails(ctx, q, csv)
}

// launchDetails shows the launches of all files.
func launchDetails(ctx context.Context, q *page.Request, csv bool) (*view.Document, error) {
	launches, err := page.SelectLaunches(q)
	if err != nil {
		return nil, err
	}
	d, err := newDetails(ctx, q, launches)
	if err != nil {
		return nil, err
	}
	if err := applyRules(ctx, q, launches, d.SectionChoice); err != nil {
		return nil, err
	}
	switch {
	case q.Text("print-summary") != "none":
		return d.summary(launches, csv)
	case csv:
		return d.csv(launches)
	}
	return d.tree(launches)
}

// details is the state of building the page.
type details struct {
	*page.SectionChoice
	ctx     context.Context
	q       *page.Request
	builder *section.Builder

	// Nsight Compute 2024.1 guesses units from the words of names, and prefers a
	// unit that it has met before: insts says that a section so far had numbers
	// of instructions.
	insts, newInsts bool
}

func newDetails(ctx context.Context, q *page.Request, launches []page.Launch) (*details, error) {
	chosen, err := page.ChooseSections(q)
	if err != nil {
		return nil, err
	}
	d := &details{SectionChoice: chosen, ctx: ctx, q: q}
	choice, err := page.ParseMetrics(q)
	if err != nil {
		return nil, err
	}
	if err := choice.Met(q, launches, chosen.Own); err != nil {
		return nil, err
	}
	if err := chosen.Met(launches); err != nil {
		return nil, err
	}
	if list := q.List("metrics"); len(list) > 0 {
		d.First = metricsSection(q, list, launches)
	}
	shown := section.Details(q.Text("print-details"))
	if q.Text("print-summary") != "none" {
		shown = section.DetailsHeader
	}
	d.builder = section.NewBuilder(section.Options{
		Details:      shown,
		Names:        section.Names(q.Text("print-metric-name")),
		DefaultFirst: !q.Compat2024(),
		Instances:    q.Whole() || q.Text("print-metric-instances") != string(view.InstancesNone),
		Unit:         d.unit,
	})
	return d, nil
}

// metricsSection is the section that shows the metrics of --metrics. As in ncu a
// base name stands for its first-level submetrics .avg .max .min .sum, those of
// them that any launch has.
func metricsSection(q *page.Request, names []string, launches []page.Launch) *section.Definition {
	h := &ncurep.SectionHeader{}
	add := func(name string) { h.Metrics = append(h.Metrics, &ncurep.SectionMetric{Name: name}) }
	has := func(name string) bool {
		return slices.ContainsFunc(launches, func(l page.Launch) bool { return page.MetricsOf(q, l).Lookup(name) != nil })
	}
	for _, n := range names {
		before := len(h.Metrics)
		if !strings.ContainsAny(n, ".:") && !has(n) {
			for _, r := range metric.Rollups {
				if sub := n + "." + r.String(); has(sub) {
					add(sub)
				}
			}
		}
		if len(h.Metrics) == before {
			add(n)
		}
	}
	return &section.Definition{Identifier: "metrics", DisplayName: "Command line profiler metrics", Header: h}
}

// noteMissing tells of what a section requires and no launch so far has. The
// vendor's tool tells of it when it collects, not when it shows.
func (d *details) noteMissing(e *section.Evaluated) {
	if d.q.Compat2024() {
		return
	}
	for _, name := range e.Missing() {
		d.NoteOnce(fmt.Sprintf("section %s requires the metric %s, which a launch does not have", e.Definition.Identifier, name))
	}
}

// each calls f with every section of a launch and its metrics.
func (d *details) each(l page.Launch, f func(*section.Evaluated) error) error {
	ms := page.MetricsOf(d.q, l)
	t := d.Target(l)
	if d.Deriver != nil {
		ms = d.Derived(t, ms)
	}
	for _, def := range d.Definitions(l) {
		if s := d.builder.Resolve(def, t); s != nil {
			e := d.builder.Evaluate(s, ms)
			d.noteMissing(e)
			if err := f(e); err != nil {
				return err
			}
			d.insts = d.newInsts
		}
	}
	return nil
}

// kernelName is the name of a launch as the page prints it.
func (d *details) kernelName(l page.Launch) string {
	if d.q.Text("print-nvtx-rename") == "kernel" {
		if s, _ := l.NvtxState(); s != nil {
			if name, ok := innermost(s); ok {
				return name
			}
		}
	}
	return l.NameAs(d.q.Text("print-kernel-base"))
}

// innermost is the push/pop range that was opened last, as far as the state
// tells: the top of the stack of the last domain that has one.
func innermost(s *profile.NvtxState) (string, bool) {
	for i := len(s.Domains) - 1; i >= 0; i-- {
		if p := s.Domains[i].PushPop; len(p) > 0 {
			return p[len(p)-1].Name, true
		}
	}
	return "", false
}

// unit is the canonical base unit of a metric. The names that users give to
// derived metrics follow no grammar that would tell it.
func (d *details) unit(name string, arch int) string {
	if d.Own[name] && !strings.HasPrefix(name, "derived__") {
		return ""
	}
	if d.q.Compat2024() {
		u := metric.BodyUnit2024(name, arch)
		switch {
		case u.Numerator != "inst":
		case strings.Contains(name, "_stalled_no_inst") && !d.insts:
			u.Numerator = "warp"
		default:
			d.newInsts = true
		}
		return section.UnitText(u)
	}
	return section.UnitText(metric.Lookup(name).Unit)
}
