package launch

import (
	"cmp"
	"context"
	"slices"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/rule"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// Summary is the page summary.
var Summary = &page.Page{
	Name:  "summary",
	Short: "List the kernel launches of reports, and what rules found in them",
	Long: `First which kernel takes most time and what bounds it, of the launch of it that took
longest: the higher of compute and memory, or latency where both are below 60 % of their peak.
Then the findings of the rules, those that could save most time first: what a rule says
of several launches of a kernel stands in one line. Then a
line for each launch with the metrics that tell most. Launches of several reports
stand in one table. Of an AMD trace (.atp) come the summaries of its calls, kernels and
transfers, then the launches of its session. --sort orders it by a column: its name, as in JSON. Csv has one
table, that of the launches unless --table says findings. --metrics names the columns in
place of those, and leaves out the findings.`,
	Example: "gpuprof summary report.ncu-rep\ngpuprof summary --sort speedup before.ncu-rep after.ncu-rep",
	Group:   page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1,
	Needs: load.Launches | load.Calls,
	Options: slices.Concat([]page.Option{
		{Name: "sort", Remote: true, Kind: page.Choice, Values: []string{"launch", "duration", "speedup", "kernel"}, Default: "launch",
			Help: "the order of the launches: as they ran, the longest first, the largest estimated speedup first, or by name"},
		page.MetricsOption,
		{Name: "table", Remote: true, Kind: page.Choice, Values: []string{"", "launches", "findings"}, Help: "only this table"},
	}, applyOptions, page.RuleOptions, page.FolderOptions, page.KernelOptions),
	Build: func(ctx context.Context, q *page.Request) (*view.Document, error) { return buildSummary(ctx, q, false) },
	CSV:   func(ctx context.Context, q *page.Request) (*view.Document, error) { return buildSummary(ctx, q, true) },
}

// summaryMetrics are the columns that tell most of a launch. Of the names of one
// column a launch has the first or, measured by older tools or none, another.
var summaryMetrics = []struct {
	name, label, unit string
	style             *view.NumberStyle
	metrics           []string
}{
	{"duration", "Duration (us)", "ns", microseconds, []string{"gpu__time_duration.sum", "gpu__time_duration.avg", "gpu__time_duration_measured_wallclock"}},
	{"compute", "Compute (%)", "%", percentStyle, []string{"sm__throughput.avg.pct_of_peak_sustained_elapsed"}},
	{"memory", "Memory (%)", "%", percentStyle, []string{"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
		"gpu__compute_memory_request_throughput.avg.pct_of_peak_sustained_elapsed"}},
	{"occupancy", "Occupancy (%)", "%", percentStyle, []string{"sm__warps_active.avg.pct_of_peak_sustained_active"}},
	{"registers", "Registers", "", nil, []string{"launch__registers_per_thread"}},
}

// Places in summaryMetrics.
const (
	columnDuration = iota
	columnCompute
	columnMemory
)

var (
	percentStyle = &view.NumberStyle{Decimals: 2}
	microseconds = &view.NumberStyle{Divisor: 1000, Decimals: 2} // of ns
)

// A summaryLine is a launch as the table of launches shows it.
type summaryLine struct {
	page.Launch
	number  int           // of the launch in its file, from 0
	operand int           // of the file among the operands, from 0
	values  []view.Value  // of summaryMetrics
	best    *view.Message // the finding that promises most; nil: none
	found   []*view.Message
}

// buildSummary makes the page; csv has one table.
func buildSummary(ctx context.Context, q *page.Request, csv bool) (*view.Document, error) {
	if onlyAMDTraces(q) {
		return amdSummary(ctx, q, csv)
	}
	return launchSummary(ctx, q, csv)
}

// launchSummary shows the launches of all files.
func launchSummary(ctx context.Context, q *page.Request, csv bool) (*view.Document, error) {
	launches, err := ruledLaunches(ctx, q)
	if err != nil {
		return nil, err
	}
	numbers := launchNumbers(q)
	choice, err := page.ParseMetrics(q)
	if err != nil {
		return nil, err
	}
	lines := make([]summaryLine, 0, len(launches))
	for i, l := range launches {
		q.Progress(i, len(launches))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		at := numbers[l.Action]
		line := summaryLine{Launch: l, operand: at[0], number: at[1], values: summaryValues(q, l)}
		rs, err := l.RuleResults()
		q.Damage(err)
		for k := range rs {
			line.found = append(line.found, rule.Messages(&rs[k])...)
		}
		line.best = bestMessage(line.found)
		lines = append(lines, line)
	}
	doc, only := &view.Document{Title: "summary"}, q.Text("table")
	if only == "" && csv {
		only = "launches"
	}
	found := groupFindings(lines)
	if times := kernelTimes(lines); only == "" && choice == nil && len(times) > 0 {
		doc.Sections = append(doc.Sections, kernelsSection(q, times, found))
	}
	if only == "findings" || only == "" && len(found) > 0 && choice == nil {
		s := view.Section{ID: "findings", Title: "Findings"}
		s.AddTable(findingsTable(found))
		doc.Sections = append(doc.Sections, s)
	}
	if only == "findings" {
		return doc, nil
	}
	sortSummary(lines, q.Text("sort"))
	s := view.Section{ID: "launches", Title: "Launches"}
	if choice != nil {
		t, err := chosenTable(q, lines, choice)
		if err != nil {
			return nil, err
		}
		s.AddTable(t)
	} else {
		s.AddTable(summaryTable(lines))
	}
	doc.Sections = append(doc.Sections, s)
	return doc, nil
}

// launchNumbers are, of each launch, the number of its file among the operands and
// its own in the file, both from 0.
func launchNumbers(q *page.Request) map[*profile.Action][2]int {
	numbers := map[*profile.Action][2]int{}
	for i, f := range q.Files {
		for k, a := range f.Report.Actions() {
			numbers[a] = [2]int{i, k}
		}
	}
	return numbers
}

// summaryValues are the cells of summaryMetrics; null is what was not measured.
func summaryValues(q *page.Request, l page.Launch) []view.Value {
	out := make([]view.Value, len(summaryMetrics))
	ms := page.MetricsOf(q, l)
	for i, c := range summaryMetrics {
		for _, name := range c.metrics {
			if m := ms.Lookup(name); m != nil && (m.Value.Kind() != metric.KindNone && m.Value.Kind() != metric.KindString) {
				out[i] = section.Cell(m.Value, c.unit)
				break
			}
		}
	}
	return out
}

// bestMessage is the message with the largest estimate for the whole launch,
// else for a part of it.
func bestMessage(found []*view.Message) *view.Message {
	var best *view.Message
	for _, m := range found {
		if m.Speedup != nil && (best == nil || compareSpeedups(m.Speedup, best.Speedup) > 0) {
			best = m
		}
	}
	return best
}

// compareSpeedups orders estimates: those for the whole launch above those for a
// part, and any above none.
func compareSpeedups(a, b *view.Speedup) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	if a.Global != b.Global {
		if a.Global {
			return 1
		}
		return -1
	}
	return cmp.Compare(a.Percent, b.Percent)
}

func (l *summaryLine) speedup() *view.Speedup {
	if l.best == nil {
		return nil
	}
	return l.best.Speedup
}

// place are the cells that tell which launch of which file a row is about.
func (l *summaryLine) place() []view.Value {
	return []view.Value{view.String(l.File.Name), view.Int(int64(l.operand), ""), view.Int(int64(l.number), "")}
}

// launchPlace are the columns of place, for programs: the file's name, its
// number among the operands and the number of the launch in it, both from 0.
var launchPlace = []view.Column{{Name: "report", Type: view.Text, Role: view.RoleReport, For: view.Programs},
	{Name: "operand", Type: view.Number, Role: view.RoleOperand, For: view.Programs},
	{Name: "number", Type: view.Number, Role: view.RoleLaunch, For: view.Programs}}

// sortSummary orders launches; what has no value comes last.
func sortSummary(lines []summaryLine, by string) {
	var compare func(a, b *summaryLine) int
	switch by {
	case "duration":
		compare = func(a, b *summaryLine) int {
			return cmp.Compare(b.values[columnDuration].Float64(), a.values[columnDuration].Float64())
		}
	case "kernel":
		compare = func(a, b *summaryLine) int { return cmp.Compare(a.Action.FullName(), b.Action.FullName()) }
	case "speedup":
		compare = func(a, b *summaryLine) int {
			return compareSpeedups(b.speedup(), a.speedup())
		}
	default:
		return
	}
	slices.SortStableFunc(lines, func(a, b summaryLine) int { return compare(&a, &b) })
}

// summaryTable has a row for each launch. Columns without a value are left out.
func summaryTable(lines []summaryLine) *view.Table {
	t := &view.Table{ID: "launches", Link: &view.Link{To: view.ToLaunch, Cell: "kernel", At: []string{"operand", "number"}}, Columns: []view.Column{
		{Name: "launch", Label: "Launch", Type: view.Number, Role: view.RoleID}, {Name: "kernel", Label: "Kernel", Type: view.Text, Role: view.RoleKernel, MaxWidth: 40, Break: true},
		{Name: "grid", Label: "Grid", Type: view.Text, Role: view.RoleGrid}, {Name: "block", Label: "Block", Type: view.Text, Role: view.RoleBlock}}}
	var shown []int
	for i, c := range summaryMetrics {
		if slices.ContainsFunc(lines, func(l summaryLine) bool { return l.values[i].Kind() != view.KindNull }) {
			shown = append(shown, i)
			t.Columns = append(t.Columns, view.Column{Name: c.name, Label: c.label, Unit: c.unit, Type: view.Number, Number: c.style})
		}
	}
	t.Columns = append(t.Columns, view.Column{Name: "speedup", Label: "Est. Speedup (%)", Unit: "%", Type: view.Number, Number: percentStyle, Role: view.RoleSpeedup},
		view.Column{Name: "scope", Type: view.Text, Role: view.RoleScope, For: view.Programs},
		view.Column{Name: "finding", Label: "Finding", Type: view.Text, Role: view.RoleFinding, MaxWidth: 30}, view.Column{Name: "rule", Type: view.Text, Role: view.RoleRule, For: view.Programs})
	t.Columns = append(t.Columns, launchPlace...)
	for i := range lines {
		l := &lines[i]
		row := []view.Value{view.Uint(uint64(l.ID), ""), view.String(l.FullName()), l.Size(l.Grid), l.Size(l.Block)}
		for _, k := range shown {
			row = append(row, l.values[k])
		}
		speedup, scope, title, name := view.Null, view.Null, view.String(""), view.Null
		if m := l.best; m != nil {
			speedup, scope = view.Float(m.Speedup.Percent, "%"), view.String(m.Speedup.Scope())
			title, name = view.String(cmp.Or(m.Title, m.Source)), view.String(m.Source)
		}
		t.Rows = append(t.Rows, slices.Concat(row, []view.Value{speedup, scope, title, name}, l.place()))
	}
	return t
}
