package launch

import (
	"fmt"
	"strconv"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/rule"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// The words of the column Rule Type for what is no message. Nsight Compute has
// no such rows.
const (
	csvTable = "TAB" // a cell of a table that a rule made
	csvFocus = "KEY" // a metric that a message rests on
)

// findings adds a row for each message of rules, then their tables.
func (c *csvRows) findings(f *findings, rs []*profile.RuleResult) {
	details := c.d.q.Flag("print-rule-details") && !c.d.q.Compat2024()
	for _, r := range rs {
		for i, m := range rule.Messages(r) {
			c.message(r.Section, m)
			for _, focus := range r.Messages[i].Focus {
				if details {
					c.rule(r, csvFocus, focus.Info, focus.Name, "", view.Float(focus.Value, ""))
				}
			}
		}
		for i := range r.Tables {
			switch t := &r.Tables[i]; {
			case c.d.q.Compat2024():
			case t.Kind == "data":
				c.table(r, t)
			case details && t.Kind != "source":
				c.metricTable(f, r, i)
			}
		}
	}
}

func (c *csvRows) message(id string, m *view.Message) {
	scope, gain := "", ""
	if m.Speedup != nil {
		scope, gain = m.Speedup.Scope(), strconv.FormatFloat(m.Speedup.Percent, 'g', 4, 64)
	}
	row := c.row(9)
	for _, s := range []string{id, "", "", "", m.Source, m.Type.Tag(), m.Text, scope, gain} {
		row = append(row, view.String(s))
	}
	c.rows = append(c.rows, row)
}

// rule adds a row for a value that r shows.
func (c *csvRows) rule(r *profile.RuleResult, kind, text, name, unit string, v view.Value) {
	c.rows = append(c.rows, append(c.row(7), view.String(r.Section), view.String(name), view.UnitOf(unit), v,
		view.String(r.Identifier), view.String(kind), view.String(text)))
}

// table adds a row for each cell of a table with cells of a rule's own: the
// column as the metric's name, the table and the number of the row as the text.
func (c *csvRows) table(r *profile.RuleResult, t *profile.RuleTable) {
	v := rule.DataTable("", t)
	title := t.Label
	if title != "" {
		title += ", "
	}
	for n, cells := range v.Rows {
		for i := range cells {
			c.rule(r, csvTable, fmt.Sprintf("%srow %d", title, n+1), v.Columns[i].Name, "", cells[i])
		}
	}
}

// metricTable adds a row for each metric of a table or chart.
func (c *csvRows) metricTable(f *findings, r *profile.RuleResult, i int) {
	metrics := page.MetricsOf(c.d.q, f.l)
	for _, x := range r.Tables[i].Metrics {
		unit := c.d.unit(x.Name, c.d.Target(f.l).Arch)
		row := section.Row{Metric: &section.Metric{Name: x.Name, Label: x.Label, HasLabel: x.Label != "", Unit: unit}, Value: metrics.Lookup(x.Name)}
		c.rule(r, csvTable, r.Tables[i].Label, c.d.builder.Name(row), unit, c.value(row))
	}
}
