package page

import (
	"context"
	"sort"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/view"
)

var rawPage = &Page{
	Name:  "raw",
	Short: "Show every metric of every kernel launch",
	Long: `Text, Markdown and JSON list the metrics of one launch after the other; csv has a
line for each launch and a column for each metric, its second line the units.`,
	Example: "gpuprof raw report.ncu-rep\ngpuprof raw --csv --metrics gpu__time_duration.sum,regex:^dram__ report.ncu-rep",
	Group:   GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Load: true,
	Options: append(append([]Option{metricsOption}, kernelOptions...), printOptions...),
	Build:   buildRaw,
}

// metricsOption chooses metrics.
var metricsOption = Option{Name: "metrics", Kind: List, Arg: "NAME,...",
	Help: "only these metrics; regex:EXPR takes all names in which EXPR is found"}

func buildRaw(ctx context.Context, q *Request) (*view.Document, error) {
	launches, err := selectLaunches(q)
	if err != nil {
		return nil, err
	}
	choice, err := parseMetrics(q)
	if err != nil {
		return nil, err
	}
	d := &view.Document{Title: "raw"}
	if q.Format == view.FormatCSV {
		t, err := rawColumns(ctx, q, launches, choice)
		if err != nil {
			return nil, err
		}
		d.Sections = []view.Section{{ID: "raw", Items: []view.Item{{Table: t}}}}
		return d, nil
	}
	for i, l := range launches {
		q.step(i, len(launches))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := kernelSection(l)
		s.Items = stateItems(q, l)
		s.AddTable(rawTable(q, l, choice))
		d.Sections = append(d.Sections, s)
	}
	return d, nil
}

// rawMetrics are the metrics of a launch that the page shows, by name.
func rawMetrics(q *Request, l launch, choice *metricChoice) []*profile.Metric {
	all := metricsOf(q, l).Sorted()
	out := all[:0]
	for _, m := range all {
		if choice.match(m.Name) && (q.Format == view.FormatJSON || metric.OnRawPage(m.Name)) {
			out = append(out, m)
		}
	}
	return out
}

// rawTable has a row for each metric of a launch.
func rawTable(q *Request, l launch, choice *metricChoice) *view.Table {
	t := &view.Table{ID: "metrics", Frame: view.FrameHeader, Columns: []view.Column{
		{Name: "metric", Label: "Metric Name", Type: view.Text},
		{Name: "unit", Label: "Metric Unit", Type: view.Unit},
		{Name: "value", Label: "Metric Value", MinWidth: 20, MaxWidth: 20},
		{Name: "instances", Type: view.List},
	}}
	ms := rawMetrics(q, l, choice)
	t.Rows = make([][]view.Value, 0, len(ms))
	cells := make([]view.Value, 4*len(ms))
	instances := q.Format == view.FormatJSON || q.Text("print-metric-instances") != string(view.InstancesNone)
	for _, m := range ms {
		unit := unitOf(q, l, m.Name)
		row := cells[:4:4]
		cells = cells[4:]
		row[0], row[1], row[2] = view.String(m.Name), view.UnitOf(unit), valueCell(m, unit)
		if instances {
			row[3] = seriesOf(view.Null, m, unit)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// rawColumns has a row for each launch and a column for each metric that any
// of them has.
func rawColumns(ctx context.Context, q *Request, launches []launch, choice *metricChoice) (*view.Table, error) {
	lc, err := newLaunchColumns(launches)
	if err != nil {
		return nil, err
	}
	t := &view.Table{ID: "raw", UnitRow: true, Numbers: view.SixDecimals, Columns: lc.columns()}
	index := map[string]int{}
	units := map[string]string{}
	for i, l := range launches {
		q.step(i, 2*len(launches))
		for _, m := range rawMetrics(q, l, choice) {
			if _, seen := units[m.Name]; !seen {
				units[m.Name] = unitOf(q, l, m.Name)
			}
		}
	}
	names := make([]string, 0, len(units))
	for n := range units {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		index[n] = len(t.Columns)
		t.Columns = append(t.Columns, view.Column{Name: n, Unit: units[n]})
	}
	instances := q.Text("print-metric-instances") != string(view.InstancesNone)
	for i, l := range launches {
		q.step(len(launches)+i, 2*len(launches))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		row := make([]view.Value, len(t.Columns))
		for k := range row {
			row[k] = view.String("")
		}
		copy(row, lc.cells(l))
		for _, m := range rawMetrics(q, l, choice) {
			row[index[m.Name]] = rawCell(m, units[m.Name], instances)
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// rawCell is a cell of the csv page.
func rawCell(m *profile.Metric, unit string, instances bool) view.Value {
	v := valueCell(m, unit)
	switch {
	case instances && m.NumInstances() > 0:
		return seriesOf(v, m, unit)
	case v.Kind() == view.KindNull && v.Text() == "":
		return view.String("")
	}
	return v
}
