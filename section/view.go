package section

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/view"
)

// build makes the section def of a launch on t; false if it is not meant for t.
func build(def *Definition, t Target, ms *profile.MetricSet, o Options) (view.Section, bool) {
	b := NewBuilder(o)
	s := b.Resolve(def, t)
	if s == nil {
		return view.Section{}, false
	}
	return b.View(b.Evaluate(s, ms)), true
}

// View lays e out: the metrics of the header as a table, then the bodies.
func (b *Builder) View(e *Evaluated) view.Section {
	def := e.Definition
	v := view.Section{ID: def.Identifier, Title: def.DisplayName, Description: def.Description.Or("")}
	if len(e.Rows) > 0 {
		v.AddTable(b.table("header", "", "", e.Rows))
	}
	for _, i := range b.bodyOrder(e) {
		items := e.Bodies[i]
		heading := e.Section.Bodies[i].Title
		for k := range items {
			l := layout{b: b, heading: heading, item: &items[k], id: itemID(i, k), arch: e.Target.Arch}
			if out := l.items(); len(out) > 0 {
				for n := range out {
					out[n].Row, out[n].Column = rowID(i, items[k].Row), items[k].Column
				}
				v.Items = append(v.Items, out...)
				heading = ""
			}
		}
	}
	return v
}

// bodyOrder are the numbers of the bodies in the order in which they are shown.
func (b *Builder) bodyOrder(e *Evaluated) []int {
	order := make([]int, len(e.Bodies))
	for i := range order {
		order[i] = i
	}
	if b.options.DefaultFirst {
		later := func(i int) int {
			if e.Section.Bodies[i].Default {
				return 0
			}
			return 1
		}
		slices.SortStableFunc(order, func(x, y int) int { return later(x) - later(y) })
	}
	return order
}

// rowID names what stands side by side; "" for what stands alone.
func rowID(body, row int) string {
	if row == 0 {
		return ""
	}
	return "body" + strconv.Itoa(body) + ".row" + strconv.Itoa(row)
}

func itemID(body, item int) string {
	return "body" + strconv.Itoa(body) + "." + strconv.Itoa(item)
}

// Table makes a table of metrics on t that no definition asks for.
func (b *Builder) Table(id, title, description string, list []Metric, t Target, ms *profile.MetricSet) *view.Table {
	list = slices.Clone(list)
	for i := range list {
		list[i].Unit = b.options.Unit(list[i].Name, t.Arch)
	}
	return b.table(id, title, description, b.rows(list, t.Arch, ms))
}

// table makes the table of metrics that all parts of the page share.
func (b *Builder) table(id, title, description string, rows []Row) *view.Table {
	t := &view.Table{ID: id, Title: title, Description: description, Columns: b.columns(), Layout: &view.Layout{Frame: view.FrameFull}}
	t.Rows = make([][]view.Value, len(rows))
	cells := make([]view.Value, 5*len(rows))
	for i, r := range rows {
		row := cells[:5:5]
		cells = cells[5:]
		row[0], row[1] = view.String(r.Name), view.String(r.label())
		if b.options.Names == namesLabelName {
			row[1] = view.String(b.Name(r))
		}
		if r.Value != nil {
			row[2] = view.UnitOf(r.Unit)
		}
		row[3] = ValueCell(r.Value, r.Unit)
		switch {
		case r.Value == nil || r.Value.NumInstances() == 0:
		case r.Instances:
			row[4] = view.Listed(view.Null, Points(r.Value, r.Unit), metric.InstanceIDs(r.Value.Name, r.Value.Series))
		case b.options.Instances:
			row[4] = view.Series(view.Null, Points(r.Value, r.Unit), metric.InstanceIDs(r.Value.Name, r.Value.Series))
		}
		t.Rows[i] = row
	}
	return t
}

// Name is how people see the metric of a row named.
func (b *Builder) Name(r Row) string {
	switch {
	case !r.HasLabel || b.options.Names == namesName:
		return r.Name
	case b.options.Names != namesLabelName || strings.HasSuffix(r.Label, "("+r.Name+")"):
		return r.Label
	}
	return r.Label + " (" + r.Name + ")"
}

// Instances reports whether the values behind each metric shall be shown.
func (b *Builder) Instances() bool { return b.options.Instances }

// valueWidth is the width at which the instances of a metric wrap.
const valueWidth = 30

func (b *Builder) columns() []view.Column {
	c := []view.Column{
		{Name: "metric", Type: view.Text, Role: view.RoleMetric, For: view.Programs},
		{Name: "label", Label: "Metric Name", Type: view.Text, Role: view.RoleLabel},
		{Name: "unit", Label: "Metric Unit", Type: view.Unit},
		{Name: "value", Label: "Metric Value", Role: view.RoleValue, MaxWidth: valueWidth},
		{Name: "instances", Type: view.List},
	}
	if b.options.Names == namesName {
		c[0].Label, c[0].For, c[1].For = "Metric Name", view.Everyone, view.Programs
	}
	return c
}

// layout turns one item into items of a page.
type layout struct {
	b       *Builder
	heading string
	item    *EvaluatedItem
	id      string
	arch    int
}

// head is the heading with the lines that name a table.
func (l *layout) head(name, description string) string {
	lines := make([]string, 0, 3)
	if l.heading != "" {
		lines = append(lines, l.heading)
	}
	if name != "" {
		lines = append(lines, "Table Name : "+name)
	}
	if description != "" {
		lines = append(lines, "Table Description : "+description)
	}
	l.heading = ""
	return strings.Join(lines, "\n")
}

func (l *layout) items() []view.Item {
	shown := &l.item.Shown
	switch shown.Kind {
	case ncurep.ItemTable, ncurep.ItemSuffixTable:
		return l.table()
	case ncurep.ItemSources:
		return append(l.table(), l.places()...)
	case ncurep.ItemRoofline:
		return l.roofline()
	case ncurep.ItemTimeline:
		return l.timeline()
	case "NvlinkTopology":
		return l.topology()
	case "NvlinkPropertyTable":
		return l.nvlink(shown.Label.Or(""), nvlinkProperties)
	case "NvlinkThroughputTable":
		return l.nvlink(shown.Label.Or(""), nvlinkThroughput)
	case "NumaIdTable":
		l.heading = "" // ncu leaves it out here
		return l.numa()
	}
	switch {
	case shown.Chart:
		return l.chart()
	case l.item.Group != "" && l.item.present():
		return l.table()
	}
	return nil
}

// timeline is there for programs: people see the numbers of a timeline only in
// a picture, but they see that the section is there.
func (l *layout) timeline() []view.Item {
	c := &view.Chart{Kind: view.TimelineChart, X: view.Axis{Label: "Time"}}
	c.Table = *l.b.table(l.id, l.item.Shown.Label.Or(""), "", l.item.Rows)
	l.series(&c.Table)
	return []view.Item{{Chart: c, For: view.Programs}}
}

func (l *layout) metricTable() *view.Table {
	return l.b.table(l.id, l.item.Shown.Label.Or(""), l.item.Shown.Description.Or(""), l.item.Rows)
}

func (l *layout) table() []view.Item {
	t := l.metricTable()
	t.Matrix = l.item.matrix()
	t.Layout.Heading = l.head(t.Title, t.Description)
	return []view.Item{{Table: t}}
}

func (l *layout) chart() []view.Item {
	shown := &l.item.Shown
	c := &view.Chart{Kind: view.ChartKind(shown.Kind), Table: *l.metricTable(), X: axis(shown.X), Y: axis(shown.Y), Bins: int(min(1<<16, max(0, shown.Bins)))}
	c.Upright = shown.Vertical
	if c.Kind != view.BarChart {
		l.series(&c.Table)
	}
	for _, m := range shown.Highlight {
		for _, r := range l.item.Rows {
			if m != nil && r.Key == m.Name && r.Value != nil && r.Value.Value.Kind() != metric.KindNone {
				c.X.Guides = append(c.X.Guides, view.Guide{At: r.Value.Value.Double(), Label: r.label()})
			}
		}
	}
	c.Table.Layout.Heading = l.head(c.Table.Title, c.Table.Description)
	return []view.Item{{Chart: c}}
}

// series puts the values behind each metric into the table of a chart that is
// drawn from them, and scales those that the definition has a factor for.
func (l *layout) series(t *view.Table) {
	for i, r := range l.item.Rows {
		if r.Value == nil {
			continue
		}
		row := t.Rows[i]
		points := Points(r.Value, r.Unit)
		if f := r.Multiplier; f.Set && l.item.Shown.Kind == ncurep.ItemTimeline {
			row[3] = scaled(row[3], f.Value, r.Unit)
			for k := range points {
				points[k].Value = scaled(points[k].Value, f.Value, r.Unit)
			}
		}
		if len(points) > 0 && row[4].Kind() == view.KindNull || r.Multiplier.Set && len(points) > 0 {
			row[4] = view.Series(view.Null, points, metric.InstanceIDs(r.Value.Name, r.Value.Series))
		}
	}
}

func scaled(v view.Value, by float64, unit string) view.Value {
	if !v.IsNumber() {
		return v
	}
	return view.Float(v.Float64()*by, unit)
}

func axis(a ncurep.Axis) view.Axis {
	return view.Axis{Label: a.Label, HasMin: a.Min.Set, Min: a.Min.Value, HasMax: a.Max.Set, Max: a.Max.Value, Log: a.Log, Ticks: int(min(64, max(0, a.Ticks)))}
}

// roofline shows the metrics of each part as a table, and for programs the
// computed chart.
func (l *layout) roofline() []view.Item {
	c := &l.item.Shown
	head := l.head(c.Label.Or(""), c.Description.Or(""))
	var out []view.Item
	part := 0
	for i := range l.item.Roofs {
		r := &l.item.Roofs[i]
		head = join(head, r.Label)
		for k := range r.Parts {
			rows := l.item.Parts[part]
			part++
			if len(rows) == 0 {
				continue
			}
			id := l.id + "." + strconv.Itoa(i) + "." + strconv.Itoa(k)
			t := l.b.table(id, r.Label+": "+r.Parts[k].Title, "", rows)
			t.Layout.Heading = join(head, r.Parts[k].Title)
			out = append(out, view.Item{Table: t})
			head = ""
		}
	}
	return append(out, view.Item{Chart: l.roofChart(), For: view.Programs})
}

func join(head, line string) string {
	if head == "" || line == "" {
		return head + line
	}
	return head + "\n" + line
}

// roofChart has a row for each roof: work per second, traffic per second, and
// work by traffic.
func (l *layout) roofChart() *view.Chart {
	c := &l.item.Shown
	chart := &view.Chart{Kind: view.RooflineChart, X: axis(c.X), Y: axis(c.Y)}
	chart.Table = view.Table{ID: l.id, Title: c.Label.Or(""), Description: c.Description.Or(""), Columns: []view.Column{
		{Name: "label", Type: view.Text}, {Name: "kind", Type: view.Text},
		{Name: "work", Type: view.Number}, {Name: "traffic", Type: view.Number}, {Name: "intensity", Type: view.Number}}}
	for i := range l.item.Roofs {
		r := &l.item.Roofs[i]
		row := []view.Value{view.String(r.Label), view.String(string(r.Kind)), view.Null, view.Null, view.Null}
		var v [2]float64
		var ok [2]bool
		for k := range r.Parts {
			v[k], ok[k] = r.Parts[k].value(l.item.Set.Lookup)
		}
		switch {
		case r.Kind == roofWall && ok[0]:
			row[4] = view.Float(v[0], "")
		case ok[0] && ok[1]:
			row[2], row[3], row[4] = view.Float(v[0], ""), view.Float(v[1], ""), view.Float(v[0]/v[1], "")
		}
		chart.Table.Rows = append(chart.Table.Rows, row)
	}
	return chart
}
