package launch

import (
	"context"
	"maps"
	"slices"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// Raw is the page raw.
var Raw = &page.Page{
	Name:  "raw",
	Short: "Show every metric of every kernel launch",
	Long: `Text, Markdown and JSON list the metrics of one launch after the other; csv has a
line for each launch and a column for each metric, its second line the units.`,
	Example: "gpuprof raw report.ncu-rep\ngpuprof raw --csv --metrics gpu__time_duration.sum,regex:^dram__ report.ncu-rep",
	Group:   page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1,
	Title: "Metrics", Needs: load.Launches,
	Options: append(append([]page.Option{page.MetricsOption}, page.KernelOptions...), page.PrintOptions...),
	Build:   buildRaw,
	CSV:     buildRawCSV,
}

func buildRaw(ctx context.Context, q *page.Request) (*view.Document, error) {
	launches, err := page.SelectLaunches(q)
	if err != nil {
		return nil, err
	}
	choice, err := metricsAsked(q, launches)
	if err != nil {
		return nil, err
	}
	d := &view.Document{Title: "raw"}
	return d, launchSections(ctx, q, d, launches, func(l page.Launch) (view.Section, error) {
		s := l.Heading()
		s.Items = stateItems(q, l)
		s.AddTable(rawTable(q, l, choice))
		return s, nil
	})
}

// metricsAsked reads --metrics, of which each must name what any launch has.
func metricsAsked(q *page.Request, launches []page.Launch) (*page.MetricChoice, error) {
	choice, err := page.ParseMetrics(q)
	if err != nil {
		return nil, err
	}
	return choice, choice.Met(q, launches, nil)
}

// buildRawCSV is the csv of ncu: a line for each launch.
func buildRawCSV(ctx context.Context, q *page.Request) (*view.Document, error) {
	launches, err := page.SelectLaunches(q)
	if err != nil {
		return nil, err
	}
	choice, err := metricsAsked(q, launches)
	if err != nil {
		return nil, err
	}
	t, err := rawColumns(ctx, q, launches, choice)
	if err != nil {
		return nil, err
	}
	return &view.Document{Title: "raw", Sections: []view.Section{{ID: "raw", Items: []view.Item{{Table: t}}}}}, nil
}

// launchSections adds a section of each launch to d. Those of many launches are
// made as they are written; an error then is a note and a finding, and the others
// follow.
func launchSections(ctx context.Context, q *page.Request, d *view.Document, launches []page.Launch, section func(page.Launch) (view.Section, error)) error {
	if many(q, launches) {
		d.More = func(yield func(view.Section) bool) {
			for _, l := range launches {
				s, err := section(l)
				q.Damage(err)
				if ctx.Err() != nil || !yield(s) {
					return
				}
			}
		}
		return nil
	}
	for i, l := range launches {
		q.Progress(i, len(launches))
		if err := ctx.Err(); err != nil {
			return err
		}
		s, err := section(l)
		if err != nil {
			return err
		}
		d.Sections = append(d.Sections, s)
	}
	return nil
}

// rawMetrics are the metrics of a launch that the page shows, by name.
func rawMetrics(q *page.Request, l page.Launch, choice *page.MetricChoice) []*profile.Metric {
	all := page.MetricsOf(q, l).Sorted()
	out := all[:0]
	for _, m := range all {
		if onRawPage(q, m.Name, choice) {
			out = append(out, m)
		}
	}
	return out
}

func onRawPage(q *page.Request, name string, choice *page.MetricChoice) bool {
	return choice.Takes(name) && (q.Whole() || metric.OnRawPage(name))
}

// rawTable has a row for each metric of a launch.
func rawTable(q *page.Request, l page.Launch, choice *page.MetricChoice) *view.Table {
	t := &view.Table{ID: "metrics", Columns: []view.Column{
		{Name: "metric", Label: "Metric Name", Type: view.Text, Role: view.RoleMetric},
		{Name: "unit", Label: "Metric Unit", Type: view.Unit},
		{Name: "value", Label: "Metric Value", Role: view.RoleValue, MinWidth: 20, MaxWidth: 20},
		{Name: "instances", Type: view.List},
	}}
	ms := rawMetrics(q, l, choice)
	t.Rows = make([][]view.Value, 0, len(ms))
	cells := make([]view.Value, 4*len(ms))
	instances := q.Whole() || q.Text("print-metric-instances") != string(view.InstancesNone)
	for _, m := range ms {
		unit := page.UnitOf(q, l, m.Name)
		row := cells[:4:4]
		cells = cells[4:]
		row[0], row[1], row[2] = view.String(m.Name), view.UnitOf(unit), section.ValueCell(m, unit)
		if instances {
			row[3] = section.Series(view.Null, m, unit)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// rawColumns has a row for each launch and a column for each metric that any
// of them has. Rows are made as they are written.
func rawColumns(ctx context.Context, q *page.Request, launches []page.Launch, choice *page.MetricChoice) (*view.Table, error) {
	lc, err := newLaunchColumns(launches)
	if err != nil {
		return nil, err
	}
	units, err := rawUnits(ctx, q, launches, choice)
	if err != nil {
		return nil, err
	}
	t := &view.Table{ID: "raw", Layout: &view.Layout{UnitRow: true, Numbers: view.SixDecimals}, Columns: lc.columns()}
	r := rawRows{q: q, choice: choice, units: units, column: map[string]int{},
		instances: q.Text("print-metric-instances") != string(view.InstancesNone)}
	many := len(launches) >= manyLaunches
	var largest map[string]float64
	if many && q.ViewOptions().Units != view.UnitsBase { // base units do not depend on it
		largest = largestOf(launches, units)
	}
	for _, n := range slices.Sorted(maps.Keys(units)) {
		r.column[n] = len(t.Columns)
		c := view.Column{Name: n, Unit: units[n]}
		if c.Unit != "" && many {
			c.Largest, c.Known = largest[n], true
		}
		t.Columns = append(t.Columns, c)
	}
	t.More = func(yield func([]view.Value) bool) {
		row := make([]view.Value, len(t.Columns))
		for _, l := range launches {
			if ctx.Err() != nil {
				return
			}
			for k := range row {
				row[k] = view.String("")
			}
			copy(row, lc.cells(l))
			r.fill(row, l)
			if !yield(row) {
				return
			}
		}
	}
	return t, nil
}

// manyLaunches is from how many launches on pages take care not to make anything
// of all of them twice, or to keep it.
const manyLaunches = 10000

// Where there are several launches, and many metrics of all of them, it is the same.
const (
	severalLaunches = 50
	manyMetrics     = 30000
)

func many(q *page.Request, launches []page.Launch) bool {
	return len(launches) >= manyLaunches || len(launches) >= severalLaunches && len(launches)*page.MetricsOf(q, launches[0]).Len() >= manyMetrics
}

// largestOf are the largest values of the metrics with a unit, 0 if none is above
// that.
func largestOf(launches []page.Launch, units map[string]string) map[string]float64 {
	var names []string
	for n, unit := range units {
		if unit != "" {
			names = append(names, n)
		}
	}
	largest := map[string]float64{}
	for _, l := range launches {
		for _, n := range names {
			// A launch that is asked twice in a row has its metrics at hand.
			if m := l.Metric(n); m != nil && m.Value.Double() > largest[n] {
				largest[n] = m.Value.Double()
			}
		}
	}
	return largest
}

// rawUnits are the units of all metrics that any launch has and choice takes. It
// looks at launches until all that a file may have were seen.
func rawUnits(ctx context.Context, q *page.Request, launches []page.Launch, choice *page.MetricChoice) (map[string]string, error) {
	units := map[string]string{}
	missing := map[string]bool{} // names that the file may have and no launch had so far
	var file *load.File
	var last *profile.MetricSet
	for i, l := range launches {
		q.Progress(i, len(launches))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if l.File != file {
			file, missing = l.File, map[string]bool{}
			for _, n := range file.Report.MetricNames() {
				missing[n] = true
			}
		} else if len(missing) == 0 && file.Report.MetricNames() != nil {
			continue
		}
		ms := page.MetricsOf(q, l)
		if ms.SameNames(last) {
			continue
		}
		last = ms
		for _, m := range ms.All() {
			delete(missing, m.Name)
			if _, seen := units[m.Name]; !seen && onRawPage(q, m.Name, choice) {
				units[m.Name] = page.UnitOf(q, l, m.Name)
			}
		}
	}
	return units, nil
}

// rawRows fills rows of the csv page.
type rawRows struct {
	q         *page.Request
	choice    *page.MetricChoice
	units     map[string]string
	column    map[string]int // of a metric
	instances bool

	last    *profile.MetricSet
	columns []int // of its metrics
}

func (r *rawRows) fill(row []view.Value, l page.Launch) {
	ms := page.MetricsOf(r.q, l)
	if !ms.SameNames(r.last) {
		r.last, r.columns = ms, r.columns[:0]
		for i := range ms.All() {
			at := -1
			if m := &ms.All()[i]; ms.Lookup(m.Name) == m {
				if c, ok := r.column[m.Name]; ok {
					at = c
				}
			}
			r.columns = append(r.columns, at)
		}
	}
	all := ms.All()
	for i, at := range r.columns {
		if at >= 0 {
			row[at] = rawCell(&all[i], r.units[all[i].Name], r.instances)
		}
	}
}

// rawCell is a cell of the csv page.
func rawCell(m *profile.Metric, unit string, instances bool) view.Value {
	v := section.ValueCell(m, unit)
	switch {
	case instances && m.NumInstances() > 0:
		return section.Series(v, m, unit)
	case v.Kind() == view.KindNull && v.Text() == "":
		return view.String("")
	}
	return v
}
