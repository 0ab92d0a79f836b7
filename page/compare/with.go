package compare

import (
	"math"
	"slices"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/compare/sample"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// mostExplained is for how many kernels it is told what goes with their change.
const mostExplained = 20

// changed are the rows of kernels of which it is told what goes with their
// change: those with a verdict, and without verdicts those that measured
// another time; and any whose attributes differ.
func changed(c *compare.Comparison) []*compare.Row {
	var out []*compare.Row
	for _, r := range rowsOf(c, compare.Kernel) {
		is := r.Time.Word == sample.TakesMore || r.Time.Word == sample.TakesLess
		if !c.Verdicts() && r.Time.Ratio.OK {
			is = math.Abs(math.Log(r.Time.Ratio.Value)) >= math.Log1p(c.Rules.Threshold)
		}
		if is || len(c.Attributes(r)) > 0 || r.OtherWork() {
			out = append(out, r)
		}
	}
	return out
}

// with tells what goes with the changes.
func with(c *compare.Comparison, at *places) *view.Section {
	if c.Kind != compare.Launches {
		return nil
	}
	s := &view.Section{ID: "with", Title: "What goes with it"}
	t := &view.Table{ID: "with", Columns: []view.Column{
		{Name: "kernel", Label: "Kernel", Type: view.Text, Role: view.RoleKernel, MaxWidth: 40, Break: true},
		{Name: "kind", Label: "Kind", Type: view.Text},
		{Name: "what", Label: "What", Type: view.Text, MaxWidth: 60},
		{Name: "old", Label: "Old", Role: view.RoleValue}, {Name: "new", Label: "New", Role: view.RoleValue},
		{Name: "unit", Label: "Unit", Type: view.Unit, Align: view.AlignLeft},
		{Name: "change", Label: "Change", Type: view.Text, Align: view.AlignRight},
		{Name: "metric", Type: view.Text, Role: view.RoleMetric, For: view.Programs}, {Name: "better", Type: view.Text, For: view.Programs},
		{Name: "file", Type: view.Text, Role: view.RoleFile, For: view.Programs}, {Name: "line", Type: view.Number, Role: view.RoleLine, For: view.Programs},
	}}
	rows := changed(c)
	var of []*compare.Row
	for _, r := range rows[:min(len(rows), mostExplained)] {
		for _, d := range c.With(r, true) {
			t.Rows = append(t.Rows, detailRow(r, &d))
			of = append(of, r)
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	lead(t, "kernel", c, at, of)
	s.AddTable(t)
	return s
}

func detailRow(r *compare.Row, d *compare.Detail) []view.Value {
	old, new, unit := number(d.Old, d.Unit), number(d.New, d.Unit), view.UnitOf(d.Unit)
	if len(d.Texts) == 2 {
		old, new = view.String(d.Texts[0]), view.String(d.Texts[1])
	}
	change, what := view.Null, d.What
	file, line := view.Null, view.Null
	if d.File != "" {
		file, line = view.String(d.File), view.Uint(uint64(max(0, d.Line)), "")
	}
	switch {
	case d.Kind == compare.FindingGained || d.Kind == compare.FindingLost:
		unit = view.Null
		if d.Finding.Speedup > 0 {
			change = view.String("est. " + plain(math.Round(d.Finding.Speedup*10)/10) + " %")
		}
	case d.Kind == compare.LineMoved:
		what = d.File + ":" + plain(float64(d.Line)) + " " + d.What
	case !math.IsNaN(d.Ratio):
		change = view.String(compare.Percent(d.Ratio))
	}
	return []view.Value{view.String(r.Any().Base), view.String(string(d.Kind)), view.String(what), old, new, unit, change,
		view.String(d.Metric), view.String(d.Better.String()), file, line}
}

// metrics compares all metrics that are asked for, kernel by kernel. With so
// many, p values are adjusted by Benjamini and Hochberg, and lead nowhere by
// themselves.
func metrics(c *compare.Comparison, at *places, wanted *page.MetricChoice) view.Section {
	s := view.Section{ID: "metrics", Title: "Metrics", Description: "explored, not judged: p by ranks, adjusted for the length of the list (Benjamini and Hochberg)"}
	rows := slices.Concat(rowsOf(c, compare.Kernel), rowsOf(c, compare.Benchmark), rowsOf(c, compare.Device), rowsOf(c, compare.Range))
	t := &view.Table{ID: "metrics", Columns: []view.Column{
		{Name: "kernel", Label: "Kernel", Type: view.Text, Role: roleOf(classesOf(rows)), MaxWidth: 40, Break: true}, {Name: "launch", Label: "Grid × Block", Type: view.Text, Role: view.RoleGrid},
		{Name: "metric", Label: "Metric", Type: view.Text, Role: view.RoleMetric},
		{Name: "old", Label: "Old", Type: view.Number, Role: view.RoleValue}, {Name: "new", Label: "New", Type: view.Number, Role: view.RoleValue}, {Name: "unit", Label: "Unit", Type: view.Unit, Align: view.AlignLeft},
		{Name: "change", Label: "Change", Type: view.Text, Align: view.AlignRight},
		{Name: "p_text", Label: "p (adjusted)", Type: view.Text, Align: view.AlignRight, For: view.EveryoneIf(!c.Single())},
		{Name: "difference", Label: "Difference", Type: view.Text, Align: view.AlignRight, For: view.EveryoneIf(c.Paired)},
		{Name: "word", Label: "In Words", Type: view.Text, For: view.EveryoneIf(c.Paired)},
		{Name: "better", Label: "Better", Type: view.Text},
		{Name: "ratio", Type: view.Number, For: view.Programs}, {Name: "p", Type: view.Number, For: view.Programs}, {Name: "p_adjusted", Type: view.Number, For: view.Programs},
	}}
	type item struct {
		row *compare.Row
		ch  compare.Change
	}
	var items []item
	var p []float64
	for _, r := range rows {
		for _, ch := range c.Metrics(r, wanted.Takes) {
			items = append(items, item{r, ch})
			p = append(p, ch.Rank.Either)
		}
	}
	adjusted := sample.BenjaminiHochberg(p)
	var of []*compare.Row
	for i, x := range items {
		of = append(of, x.row)
		old, new := x.ch.Medians()
		better := x.row.Any().Direction(x.ch.Metric, x.ch.Unit).Better
		word := map[compare.Better]string{compare.Lower: "lower", compare.Higher: "higher"}[better]
		t.Rows = append(t.Rows, []view.Value{view.String(x.row.Any().Base), view.String(x.row.Shapes()), view.String(x.ch.Metric),
			number(old, x.ch.Unit), number(new, x.ch.Unit), view.UnitOf(x.ch.Unit), percentText(x.ch.Ratio), view.String(pText(adjusted[i])),
			view.String(compare.Difference(old, new, x.ch.Unit)), view.String(compare.Word(old, new, x.ch.Unit, better, c.Rules.Threshold)), view.String(word),
			ratioOf(x.ch.Ratio), number(p[i], ""), number(adjusted[i], "")})
	}
	lead(t, "kernel", c, at, of)
	s.AddTable(t)
	return s
}
