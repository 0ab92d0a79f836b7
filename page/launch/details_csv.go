package launch

import (
	"context"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// csv builds the page as one table: a row for each metric and each finding of
// each launch. The columns for findings are there only if there are any; the
// rows of metrics then end with an empty field in the first of them.
func (d *details) csv(launches []page.Launch) (*view.Document, error) {
	lc, err := newLaunchColumns(launches)
	if err != nil {
		return nil, err
	}
	rules := d.anyRules(launches)
	t := &view.Table{ID: "details", Columns: append(lc.columns(),
		view.Column{Name: "Section Name", Type: view.Text}, view.Column{Name: "Metric Name", Type: view.Text},
		view.Column{Name: "Metric Unit", Type: view.Unit}, view.Column{Name: "Metric Value"})}
	if rules {
		for _, n := range []string{"Rule Name", "Rule Type", "Rule Description", "Estimated Speedup Type", "Estimated Speedup"} {
			t.Columns = append(t.Columns, view.Column{Name: n, Type: view.Text})
		}
	}
	rows := func(l page.Launch) ([][]view.Value, error) {
		c := csvRows{d: d, head: d.csvHead(lc, l), rules: rules}
		err := c.launch(l)
		return c.rows, err
	}
	if err := launchRows(d.ctx, d.q, t, launches, rows); err != nil {
		return nil, err
	}
	return &view.Document{Title: "details", Sections: []view.Section{{ID: "details", Items: []view.Item{{Table: t}}}}}, nil
}

// launchRows adds the rows of each launch to t, which is in doc. Those of many
// launches are made as they are written; an error then is a note and a finding, and
// the others follow.
func launchRows(ctx context.Context, q *page.Request, t *view.Table, launches []page.Launch, rows func(page.Launch) ([][]view.Value, error)) error {
	if many(q, launches) {
		t.More = func(yield func([]view.Value) bool) {
			for _, l := range launches {
				list, err := rows(l)
				q.Damage(err)
				for _, row := range list {
					if ctx.Err() != nil || !yield(row) {
						return
					}
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
		list, err := rows(l)
		if err != nil {
			return err
		}
		t.Rows = append(t.Rows, list...)
	}
	return nil
}

// csvHead are the cells that say which launch a row is about.
func (d *details) csvHead(lc launchColumns, l page.Launch) []view.Value {
	cells := lc.cells(l)
	if name := d.kernelName(l); name != l.Demangled {
		at := 4
		if lc.nvtx {
			at = 6
		}
		cells[at] = view.String(name)
	}
	return cells
}

func (d *details) anyRules(launches []page.Launch) bool {
	for _, l := range launches {
		if rs, _ := l.RuleResults(); len(rs) > 0 {
			return true
		}
	}
	return false
}

// csvRows adds the rows of one launch.
type csvRows struct {
	d     *details
	rows  [][]view.Value
	head  []view.Value
	rules bool
}

func (c *csvRows) launch(l page.Launch) error {
	rules := newFindings(c.d, l)
	err := c.d.each(l, func(e *section.Evaluated) error {
		for _, r := range e.AllRows() {
			c.metric(e.Definition.DisplayName, r)
		}
		c.findings(rules, rules.take(e.Definition.Identifier))
		return nil
	})
	c.findings(rules, rules.rest())
	return err
}

func (c *csvRows) row(n int) []view.Value {
	return append(make([]view.Value, 0, len(c.head)+n), c.head...)
}

func (c *csvRows) metric(title string, r section.Row) {
	unit := view.String("")
	if r.Value != nil {
		unit = view.UnitOf(r.Unit)
	}
	row := append(c.row(5), view.String(title), view.String(c.d.builder.Name(r)), unit, c.value(r))
	if c.rules {
		row = append(row, view.Null)
	}
	c.rows = append(c.rows, row)
}

// value is the cell of a metric, with its instances where people shall see them.
func (c *csvRows) value(r section.Row) view.Value {
	v := section.ValueCell(r.Value, r.Unit)
	switch {
	case r.Value == nil || r.Value.NumInstances() == 0:
		if v.Kind() == view.KindNull && v.Text() == "" {
			return view.String("")
		}
	case r.Instances:
		return view.Listed(v, section.Points(r.Value, r.Unit), metric.InstanceIDs(r.Value.Name, r.Value.Series))
	case c.d.builder.Instances():
		return section.Series(v, r.Value, r.Unit)
	case r.Value.Value.Kind() == metric.KindNone:
		return view.String("")
	}
	return v
}
