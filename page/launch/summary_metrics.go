package launch

import (
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// mostColumns bounds the metrics of a table with a column for each: more are for
// the page raw, which has a row for each.
const mostColumns = 64

// chosenTable has a row for each launch and a column for each metric that is asked
// for: those named in their order, then those that an expression finds, by name.
func chosenTable(q *page.Request, lines []summaryLine, choice *page.MetricChoice) (*view.Table, error) {
	at, units := map[string]int{}, map[string]string{}
	var names, known []string
	for i := range lines {
		for _, m := range page.MetricsOf(q, lines[i].Launch).Sorted() {
			known = append(known, m.Name)
			if _, have := units[m.Name]; !have && choice.Takes(m.Name) {
				units[m.Name] = page.UnitOf(q, lines[i].Launch, m.Name)
				names = append(names, m.Name)
			}
		}
		slices.Sort(known)
		known = slices.Compact(known)
	}
	asked := q.List("metrics")
	for _, s := range asked {
		if base := s + "."; units[s] == "" && !slices.Contains(names, s) && !strings.HasPrefix(s, "regex:") &&
			!slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, base) }) {
			q.Notef("--metrics: no launch has %q%s", s, spelling.Nearest(s, known))
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		if x, y := order(asked, a), order(asked, b); x != y {
			return x - y
		}
		return strings.Compare(a, b)
	})
	if len(names) > mostColumns {
		return nil, page.Usagef("--metrics: %d metrics, at most %d have room beside each other; 'gpuprof raw' lists them below each other", len(names), mostColumns)
	}
	t := &view.Table{ID: "launches", Link: &view.Link{To: view.ToLaunch, Cell: "kernel", At: []string{"operand", "number"}}, Columns: []view.Column{
		{Name: "launch", Label: "Launch", Type: view.Number, Role: view.RoleID}, {Name: "kernel", Label: "Kernel", Type: view.Text, Role: view.RoleKernel, MaxWidth: 40, Break: true}}}
	for i, n := range names {
		at[n] = i
		t.Columns = append(t.Columns, view.Column{Name: n, Unit: units[n], Role: view.RoleMeasure})
	}
	t.Columns = append(t.Columns, launchPlace...)
	for i := range lines {
		l := &lines[i]
		cells := make([]view.Value, len(names))
		ms := page.MetricsOf(q, l.Launch)
		for _, n := range names {
			if m := ms.Lookup(n); m != nil {
				cells[at[n]] = section.Cell(m.Value, units[n])
			}
		}
		t.Rows = append(t.Rows, slices.Concat([]view.Value{view.Uint(uint64(l.ID), ""), view.String(l.FullName())}, cells, l.place()))
	}
	return t, nil
}

// order is the place of a metric among those named, or behind them.
func order(asked []string, name string) int {
	for i, s := range asked {
		if s == name || strings.HasPrefix(name, s+".") {
			return i
		}
	}
	return len(asked)
}
