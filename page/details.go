package page

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

var detailsPage = &Page{
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
	Group: GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Load: true,
	Options: slices.Concat(detailsOptions, folderOptions, []Option{metricsOption}, applyOptions, ruleOptions, kernelOptions, withCompat(printOptions, "rcp")),
	Build:   buildDetails,
	Export:  exportDetails,
}

var detailsOptions = []Option{
	{Name: "section", Kind: List, NoComma: true, Arg: "ID",
		Help: "only sections of this identifier, or with regex:EXPR of identifiers that EXPR matches as a whole"},
	{Name: "set", Kind: List, Arg: "SET",
		Help: "show the sections of this set in place of those that the report carries; 'gpuprof sets' lists them"},
	{Name: "print-details", Kind: Choice, Values: []string{"header", "body", "all"}, Default: "header",
		Help: "print the metrics at the head of sections, their tables and charts, or both"},
	{Name: "print-metric-name", Kind: Choice, Values: []string{"label", "name", "label-name"}, Default: "label",
		Help: "call metrics by label, by name, or by both"},
	{Name: "print-kernel-base", Kind: Choice, Values: []string{"demangled", "function", "mangled"}, Default: "demangled",
		Help: "the form of kernel names to print"},
	{Name: "print-nvtx-rename", Kind: Choice, Values: []string{"none", "kernel"}, Default: "none",
		Help: "kernel: print the name of the innermost push/pop range in place of the kernel's"},
	{Name: "print-summary", Kind: Choice, Values: []string{"none", "per-gpu", "per-kernel", "per-nvtx"}, Default: "none",
		Help: "print minimum, maximum and average over the launches on a GPU, of a kernel, or under the same NVTX ranges"},
	{Name: "page", Kind: Choice, Values: []string{"details", "raw", "source", "session"}, Default: "details",
		Help: "show another page, as ncu spells it"},
}

func buildDetails(ctx context.Context, q *Request) (*view.Document, error) {
	if onlyAMDTraces(q) {
		return amdDetails(ctx, q)
	}
	if q.Text("compat") == "rcp" {
		return nil, Usagef("--compat rcp is about AMD traces (.atp)")
	}
	return launchDetails(ctx, q)
}

// launchDetails shows the launches of all files.
func launchDetails(ctx context.Context, q *Request) (*view.Document, error) {
	launches, err := selectLaunches(q)
	if err != nil {
		return nil, err
	}
	d, err := newDetails(ctx, q, launches)
	if err != nil {
		return nil, err
	}
	if err := applyRules(ctx, q, launches, d); err != nil {
		return nil, err
	}
	switch {
	case q.Text("print-summary") != "none":
		return d.summary(launches)
	case q.Format == view.FormatCSV:
		return d.csv(launches)
	}
	return d.tree(launches)
}

// details is the state of building the page.
type details struct {
	ctx      context.Context
	q        *Request
	builder  *section.Builder
	sections []namePattern    // of --section; names match as a whole
	chosen   []section.Found  // from section files; nil: those that the report carries
	deriver  *section.Deriver // of chosen; nil if they derive nothing
	own      map[string]bool  // names of its metrics
	told     map[string]bool  // problems of derived and required metrics noted
	metrics  *section.Definition

	// Nsight Compute 2024.1 guesses units from the words of names, and prefers a
	// unit that it has met before: insts says that a section so far had numbers
	// of instructions.
	insts, newInsts bool
}

func newDetails(ctx context.Context, q *Request, launches []launch) (*details, error) {
	d := &details{ctx: ctx, q: q}
	var err error
	defer d.newDeriver()
	if d.sections, err = sectionPatterns(q.List("section")); err != nil {
		return nil, err
	}
	if err = d.chooseLibrary(); err != nil {
		return nil, err
	}
	if _, err := parseMetrics(q); err != nil {
		return nil, err
	}
	if list := q.List("metrics"); len(list) > 0 {
		d.metrics = metricsSection(q, list, launches)
	}
	shown := section.Details(q.Text("print-details"))
	if q.Text("print-summary") != "none" {
		shown = section.DetailsHeader
	}
	d.builder = section.NewBuilder(section.Options{
		Details:      shown,
		Names:        section.Names(q.Text("print-metric-name")),
		DefaultFirst: !q.Compat2024(),
		Instances:    q.Format == view.FormatJSON || q.Text("print-metric-instances") != string(view.InstancesNone),
		Unit:         d.unit,
	})
	return d, nil
}

// sectionPatterns reads identifiers, or regex:EXPR for identifiers that EXPR
// matches as a whole.
func sectionPatterns(ids []string) ([]namePattern, error) {
	var out []namePattern
	for _, s := range ids {
		p := namePattern{exact: s}
		if expr, ok := strings.CutPrefix(s, "regex:"); ok {
			re, err := regexp.Compile("^(?:" + expr + ")$")
			if err != nil {
				return nil, Usagef("section %q: %v", s, err)
			}
			p = namePattern{re: re}
		}
		out = append(out, p)
	}
	return out, nil
}

// chooseLibrary takes the sections to show from section files where --set or a
// folder asks for that: those of the sets, else those that --section names, else
// all of the folders.
func (d *details) chooseLibrary() error {
	q := d.q
	folders := len(q.List("section-folder")) + len(q.List("section-folder-recursive"))
	if folders == 0 && !q.Given("set") {
		return nil
	}
	l := section.Load(sectionFolders(q))
	for _, err := range l.Failed {
		q.note("%v", err)
	}
	var err error
	d.chosen = []section.Found{}
	if q.Given("set") || len(d.sections) > 0 {
		d.chosen, err = chooseSections(l, q.List("section"), q.List("set"))
		return err
	}
	for _, f := range l.Sections {
		if f.Folder < folders {
			d.chosen = append(d.chosen, f)
		}
	}
	if len(d.chosen) == 0 { // a folder of rules
		d.chosen = nil
	}
	return nil
}

// metricsSection is the section that shows the metrics of --metrics. As in ncu a
// base name stands for its first-level submetrics .avg .max .min .sum, those of
// them that any launch has.
func metricsSection(q *Request, names []string, launches []launch) *section.Definition {
	h := &ncurep.SectionHeader{}
	add := func(name string) { h.Metrics = append(h.Metrics, &ncurep.SectionMetric{Name: name}) }
	has := func(name string) bool {
		return slices.ContainsFunc(launches, func(l launch) bool { return metricsOf(q, l).Lookup(name) != nil })
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

// target is what section filters look at.
func (d *details) target(l launch) section.Target {
	major, minor := l.CC()
	t := section.Target{Arch: 10*major + minor}
	if d.q.Compat2024() {
		t.Known = section.Known2024
		if !slices.Contains(t.Known, t.Arch) {
			t.Arch = 50 // what that version takes a GPU for that it does not know
		}
	}
	return t
}

// definitions are the sections to show for a launch in the order of the page.
func (d *details) definitions(l launch) []*section.Definition {
	if d.metrics != nil && len(d.sections) == 0 {
		return []*section.Definition{d.metrics}
	}
	var out []*section.Definition
	for _, f := range d.chosen {
		out = append(out, f.Definition)
	}
	if d.chosen == nil {
		all, err := l.file.Report.Sections(l.Action)
		if err != nil {
			d.q.note("%v", err)
		}
		for _, s := range all {
			if len(d.sections) == 0 || matchAny(d.sections, s.Identifier) {
				out = append(out, s)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *section.Definition) int {
		return cmp.Or(cmp.Compare(a.Order.Or(0), b.Order.Or(0)), cmp.Compare(a.DisplayName, b.DisplayName))
	})
	if d.metrics != nil {
		out = slices.Insert(out, 0, d.metrics)
	}
	return out
}

// newDeriver makes what computes the derived metrics of the chosen sections. A
// report holds those of its own sections.
func (d *details) newDeriver() {
	var defs []*section.Definition
	d.own = map[string]bool{}
	for _, f := range d.chosen {
		if f.Definitions != nil {
			defs = append(defs, f.Definition)
			for _, m := range f.Definitions.Definitions {
				d.own[m.Name] = true
			}
		}
	}
	if len(defs) > 0 {
		d.deriver = section.NewDeriver(defs, section.DeriveOptions{})
	}
}

// derived adds the derived metrics of the chosen sections to those of a launch.
// What cannot be computed is noted once.
func (d *details) derived(t section.Target, ms *profile.MetricSet) *profile.MetricSet {
	out := d.deriver.Derive(t, ms)
	for _, p := range out.Problems {
		d.once(p.Error())
	}
	return out.Metrics
}

// once notes a text unless it was noted before.
func (d *details) once(text string) {
	if d.told[text] {
		return
	}
	if d.told == nil {
		d.told = map[string]bool{}
	}
	d.told[text] = true
	d.q.note("%s", text)
}

// noteMissing tells of what a section requires and no launch so far has. The
// vendor's tool tells of it when it collects, not when it shows.
func (d *details) noteMissing(e *section.Evaluated) {
	if d.q.Compat2024() {
		return
	}
	for _, name := range e.Missing() {
		d.once(fmt.Sprintf("section %s requires the metric %s, which a launch does not have", e.Definition.Identifier, name))
	}
}

// each calls f with every section of a launch and its metrics.
func (d *details) each(l launch, f func(*section.Evaluated) error) error {
	ms := metricsOf(d.q, l)
	t := d.target(l)
	if d.deriver != nil {
		ms = d.derived(t, ms)
	}
	for _, def := range d.definitions(l) {
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
func (d *details) kernelName(l launch) string {
	if d.q.Text("print-nvtx-rename") == "kernel" {
		if s, _ := l.NvtxState(); s != nil {
			if name, ok := innermost(s); ok {
				return name
			}
		}
	}
	return kernelName(l.Action, d.q.Text("print-kernel-base"))
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
	if d.own[name] && !strings.HasPrefix(name, "derived__") {
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
		return unitText(u)
	}
	return unitText(metric.Lookup(name).Unit)
}
