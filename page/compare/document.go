package compare

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/compare/sample"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// classes are the tables of a comparison in their order.
var classes = []struct {
	class     compare.Class
	id, title string
	name      string // heading of the names
	role      view.Role
}{
	{compare.Kernel, "kernels", "Kernels", "Kernel", view.RoleKernel},
	{compare.Benchmark, "benchmarks", "Benchmarks", "Benchmark", view.RoleBenchmark},
	{compare.Device, "devices", "Devices: idle time", "Device", view.RoleDevice},
	{compare.Range, "ranges", "NVTX ranges", "Range", view.RoleNVTX},
	{compare.Copy, "copies", "Copies and memory sets", "Operation", view.RoleOperation},
	{compare.API, "calls", "Calls", "Call", view.RoleOperation},
}

// roleOf is the role of a column of names of classes: that of the one class, else of
// work of any kind.
func roleOf(all iter.Seq[compare.Class]) view.Role {
	role := view.Role("")
	for x := range all {
		for _, k := range classes {
			if k.class == x && role != k.role {
				if role != "" {
					return view.RoleOperation
				}
				role = k.role
			}
		}
	}
	return role
}

// document is a comparison for people and programs.
func document(q *page.Request, c *compare.Comparison, at *places) (*view.Document, error) {
	wanted, err := page.ParseMetrics(q)
	if err != nil {
		return nil, err
	}
	ranks := q.Text("stat") == "mwu"
	d := &view.Document{Title: "diff", Sections: []view.Section{head(c)}, Comment: c.Markdown}
	for _, k := range classes {
		rows := rowsOf(c, k.class)
		if len(rows) == 0 || c.Shared && c.Equal() { // the verdict says it all
			continue
		}
		s := view.Section{ID: k.id, Title: k.title}
		t := changeTable(c, k.id, k.name, rows, ranks)
		t.Columns[1].Role = k.role
		switch {
		case c.Kind == compare.Launches:
			lead(t, "name", c, at, rows)
		case k.class == compare.Kernel || k.class == compare.API:
			t.Link = &view.Link{To: view.ToSlices, Cell: "name", At: []string{"name"}}
		}
		s.AddTable(t)
		d.Sections = append(d.Sections, s)
	}
	if s := only(c, at); s != nil {
		d.Sections = append(d.Sections, *s)
	}
	if s := with(c, at); s != nil {
		d.Sections = append(d.Sections, *s)
	}
	if wanted != nil {
		d.Sections = append(d.Sections, metrics(c, at, wanted))
	}
	d.Failed = q.Flag("exit-code") && differs(c)
	return d, nil
}

// differs reports whether there is any difference at all.
func differs(c *compare.Comparison) bool {
	if len(c.OnlyOld)+len(c.OnlyNew) > 0 {
		return true
	}
	for _, r := range c.Rows {
		if c.Verdicts() {
			if r.Time.Word == sample.TakesMore || r.Time.Word == sample.TakesLess {
				return true
			}
		} else if old, new := r.Time.Medians(); old != new && !(math.IsNaN(old) && math.IsNaN(new)) {
			return true
		}
		if len(c.Attributes(r)) > 0 {
			return true
		}
	}
	return false
}

// mostRuns is how many runs of a side are listed.
const mostRuns = 12

// head says the verdict and what has to be known before the numbers.
func head(c *compare.Comparison) view.Section {
	s := view.Section{ID: "verdict", Title: "Comparison"}
	kind := view.OK
	if n := c.Count(compare.Kernel, compare.Benchmark); n.More > 0 {
		kind = view.Warning
	}
	s.AddMessage(&view.Message{Type: kind, Source: "verdict", Text: c.Verdict()})
	for _, n := range c.Notes {
		kind := map[compare.Level]view.MessageType{compare.Info: view.OK, compare.Warn: view.Warning, compare.Refuse: view.Error}[n.Level]
		s.AddMessage(&view.Message{Type: kind, Source: n.Subject, Text: n.Text})
	}
	old, new, unit := c.Total()
	s.Properties = []view.Property{
		{Name: "old_runs", Value: view.Uint(uint64(len(c.Old)), "")},
		{Name: "new_runs", Value: view.Uint(uint64(len(c.New)), "")},
		{Name: "old_total", Value: view.Float(old, unit)},
		{Name: "new_total", Value: view.Float(new, unit)},
		{Name: "alpha", Value: view.Float(c.Rules.Alpha, "")},
		{Name: "threshold", Value: view.Float(c.Rules.Threshold, "")},
	}
	t := &view.Table{ID: "runs", Columns: []view.Column{
		{Name: "side", Label: "Side", Type: view.Text}, {Name: "run", Label: "Run", Type: view.Text, Role: view.RoleReport}, {Name: "began", Label: "Began (UTC)", Type: view.Text},
		{Name: "gpu", Label: "GPU", Type: view.Text}, {Name: "driver", Label: "Driver", Type: view.Text}, {Name: "tool", Label: "Tool", Type: view.Text}}}
	for _, side := range []struct {
		name string
		runs []*compare.Run
	}{{"old", c.Old}, {"new", c.New}} {
		for i, r := range side.runs {
			if i == mostRuns {
				t.Rows = append(t.Rows, []view.Value{view.String(side.name), view.String("and " + strconv.Itoa(len(side.runs)-i) + " more")})
				break
			}
			began := ""
			if !r.Began.IsZero() {
				began = r.Began.UTC().Format("2006-01-02 15:04:05")
			}
			t.Rows = append(t.Rows, []view.Value{view.String(side.name), view.String(r.Name), view.String(began),
				view.String(r.Fact(compare.GPU)), view.String(r.Fact(compare.Driver)), view.String(r.Fact(compare.Tool))})
		}
	}
	s.AddTable(t)
	return s
}

// rowsOf are the rows of a class, the worst first.
func rowsOf(c *compare.Comparison, k compare.Class) []*compare.Row {
	var rows []*compare.Row
	for _, r := range c.Rows {
		if r.Class == k {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b *compare.Row) int { return worse(c, a, b) })
	return rows
}

// worse orders rows: those that take more first, then less, then what is not
// clear, then the same; within one word by how much time it is.
func worse(c *compare.Comparison, a, b *compare.Row) int {
	rank := map[sample.Verdict]int{sample.TakesMore: 0, sample.TakesLess: 1, sample.NotClear: 2, sample.CannotTell: 3, sample.Same: 4}
	return cmp.Or(cmp.Compare(rank[a.Time.Word], rank[b.Time.Word]), cmp.Compare(moved(b), moved(a)))
}

// moved is the time that a row moved, all launches together.
func moved(r *compare.Row) float64 {
	old, new := r.Time.Medians()
	a, b := 1.0, 1.0
	if r.Class == compare.Kernel && r.Time.Metric != compare.TotalTime && r.Time.Metric != compare.StepTime {
		a, b = r.Calls()
	}
	d := math.Abs(new*max(a, b) - old*max(a, b))
	if math.IsNaN(d) {
		return -1
	}
	return d
}

func number(v float64, unit string) view.Value {
	if math.IsNaN(v) {
		return view.Null
	}
	return view.Float(v, unit)
}

func percentText(e sample.Estimate) view.Value {
	if !e.OK {
		return view.Null
	}
	return view.String(compare.Percent(e.Value))
}

func ratioOf(e sample.Estimate) view.Value {
	if !e.OK {
		return view.Null
	}
	return view.Float(e.Value, "")
}

// changeTable lists the rows of a class.
func changeTable(c *compare.Comparison, id, heading string, rows []*compare.Row, ranks bool) *view.Table {
	launches := slices.ContainsFunc(rows, func(r *compare.Row) bool { return r.Shapes() != "" })
	paths := slices.ContainsFunc(rows, func(r *compare.Row) bool { return r.Any().Path != "" })
	clocks := slices.ContainsFunc(rows, func(r *compare.Row) bool { return r.Clock.Metric != "" })
	called := slices.ContainsFunc(rows, func(r *compare.Row) bool { a, b := r.Calls(); return a != 1 || b != 1 })
	p := "p"
	if ranks {
		p = "p (ranks)"
	}
	t := &view.Table{ID: id, Columns: []view.Column{
		{Name: "matched", Label: " ", Type: view.Text},
		{Name: "name", Label: heading, Type: view.Text, MaxWidth: 48, Break: true},
		{Name: "launch", Label: "Grid × Block", Type: view.Text, Role: view.RoleGrid, MaxWidth: 32, For: view.EveryoneIf(launches)},
		{Name: "path", Label: "Where", Type: view.Text, MaxWidth: 24, For: view.EveryoneIf(paths)},
		{Name: "calls", Label: "Calls", Type: view.Text, Align: view.AlignRight, For: view.EveryoneIf(called)},
		{Name: "old", Label: "Old", Type: view.Number, Role: view.RoleValue},
		{Name: "new", Label: "New", Type: view.Number, Role: view.RoleValue},
		{Name: "unit", Label: "Unit", Type: view.Unit, Align: view.AlignLeft},
		{Name: "change", Label: "Change", Type: view.Text, Align: view.AlignRight},
		{Name: "interval", Label: "90 % Interval", Type: view.Text, Align: view.AlignRight, For: view.EveryoneIf(intervals(rows))},
		{Name: "cycles", Label: "Cycles", Type: view.Text, Align: view.AlignRight, For: view.EveryoneIf(clocks)},
		{Name: "clock", Label: "Clock", Type: view.Text, Align: view.AlignRight, For: view.EveryoneIf(clocks)},
		{Name: "p_text", Label: p, Type: view.Text, Align: view.AlignRight, For: view.EveryoneIf(c.Verdicts() || ranks)},
		{Name: "verdict_text", Label: "Verdict", Type: view.Text, For: view.EveryoneIf(c.Verdicts() || c.Single())},
		{Name: "metric", Type: view.Text, Role: view.RoleMetric, For: view.Programs},
		{Name: "verdict", Type: view.Text, For: view.Programs},
		{Name: "p", Type: view.Number, For: view.Programs},
		{Name: "p_rank", Type: view.Number, For: view.Programs},
		{Name: "ratio", Type: view.Number, For: view.Programs},
		{Name: "ratio_low", Type: view.Number, For: view.Programs},
		{Name: "ratio_high", Type: view.Number, For: view.Programs},
		{Name: "level", Type: view.Number, For: view.Programs},
		{Name: "ratio_cycles", Type: view.Number, For: view.Programs},
		{Name: "ratio_clock", Type: view.Number, For: view.Programs},
		{Name: "old_calls", Type: view.Number, Role: view.RoleCount, For: view.Programs},
		{Name: "new_calls", Type: view.Number, Role: view.RoleCount, For: view.Programs},
		{Name: "old_values", Type: view.List, For: view.Programs},
		{Name: "new_values", Type: view.List, For: view.Programs},
	}}
	for _, r := range rows {
		t.Rows = append(t.Rows, changeRow(c, r, ranks))
	}
	return t
}

func intervals(rows []*compare.Row) bool {
	return slices.ContainsFunc(rows, func(r *compare.Row) bool { return r.Time.Ratio.Interval.OK })
}

func changeRow(c *compare.Comparison, r *compare.Row, ranks bool) []view.Value {
	t := &r.Time
	old, new := t.Medians()
	mark := ""
	if r.Loose {
		mark = "~"
	}
	calls := ""
	a, b := r.Calls()
	if a != b {
		calls = plain(a) + " → " + plain(b)
	} else {
		calls = plain(a)
	}
	p := t.P
	if ranks {
		p = t.Rank.Either
	}
	low, high, level := view.Null, view.Null, view.Null
	if t.Ratio.Interval.OK {
		low, high, level = view.Float(t.Ratio.Low, ""), view.Float(t.Ratio.High, ""), view.Float(t.Ratio.Level, "")
	}
	return []view.Value{
		view.String(mark), view.String(r.Name()), view.String(r.Shapes()), view.String(r.Any().Path), view.String(calls),
		number(old, t.Unit), number(new, t.Unit), view.UnitOf(t.Unit), percentText(t.Ratio), view.String(compare.IntervalText(t.Ratio)),
		percentText(r.Cycles.Ratio), percentText(r.Clock.Ratio), view.String(pText(p)), view.String(verdict(c, r)),
		view.String(t.Metric), view.String(t.Word.String()), number(t.P, ""), number(t.Rank.Either, ""), ratioOf(t.Ratio), low, high, level,
		ratioOf(r.Cycles.Ratio), ratioOf(r.Clock.Ratio), view.Float(a, ""), view.Float(b, ""), list(t.Old), list(t.New),
	}
}

func list(v []float64) view.Value {
	var points []view.Point
	for _, x := range v {
		points = append(points, view.Point{Value: number(x, "")})
	}
	return view.Series(view.Null, points, 0)
}

func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func pText(p float64) string {
	switch {
	case math.IsNaN(p):
		return ""
	case p < 0.001:
		return strconv.FormatFloat(p, 'g', 2, 64)
	}
	return strconv.FormatFloat(p, 'f', 3, 64)
}

// verdict is the word of a row with what a reader wants next to it.
func verdict(c *compare.Comparison, r *compare.Row) string {
	t := &r.Time
	var s string
	switch {
	case c.Kind == compare.Launches && r.OtherWork():
		s = "another amount of work"
	case !t.Ratio.OK && len(t.Old) > 0:
		s = "no value"
	case !c.Verdicts():
	case t.Word == sample.NotClear && t.Runs > 0:
		s = "not clear: about " + strconv.Itoa(t.Runs) + " runs a side would tell"
	default:
		s = compare.Sentence(t.Word, t.Ratio.Value, t.IsTime() && r.Class != compare.Device)
	}
	if r.ClockMoved() && !(c.Verdicts() && t.Word == sample.Same) {
		if s != "" {
			s += "; "
		}
		s += "clock " + compare.Percent(r.Clock.Ratio.Value)
	}
	return s
}

// only lists what one side alone has.
func only(c *compare.Comparison, at *places) *view.Section {
	if len(c.OnlyOld)+len(c.OnlyNew) == 0 {
		return nil
	}
	s := &view.Section{ID: "only", Title: "On one side only"}
	both := slices.Concat(c.OnlyOld, c.OnlyNew)
	t := &view.Table{ID: "only", Columns: []view.Column{
		{Name: "side", Label: "Only in", Type: view.Text}, {Name: "class", Label: "What", Type: view.Text},
		{Name: "name", Label: "Name", Type: view.Text, Role: roleOf(classesOf(both)), MaxWidth: 64, Break: true}, {Name: "launch", Label: "Grid × Block", Type: view.Text, Role: view.RoleGrid},
		{Name: "calls", Label: "Calls", Type: view.Text, Align: view.AlignRight}, {Name: "value", Label: "Value", Type: view.Number, Role: view.RoleValue}, {Name: "unit", Label: "Unit", Type: view.Unit, Align: view.AlignLeft}}}
	for _, side := range []struct {
		name string
		rows []*compare.Row
	}{{"old", c.OnlyOld}, {"new", c.OnlyNew}} {
		for _, r := range side.rows {
			old, new := r.Time.Medians()
			a, b := r.Calls()
			if side.name == "old" {
				new, b = old, a
			}
			t.Rows = append(t.Rows, []view.Value{view.String(side.name), view.String(string(r.Class)), view.String(r.Any().Name), view.String(r.Any().Shape),
				view.String(plain(b)), number(new, r.Time.Unit), view.UnitOf(r.Time.Unit)})
		}
	}
	lead(t, "name", c, at, both)
	s.AddTable(t)
	return s
}
