package fleet

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/fleet"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/ranks"
	"github.com/gpuprof/gpuprof/stats"
	"github.com/gpuprof/gpuprof/view"
)

// ofStats adds up summaries of reports.
func ofStats() *kind {
	return &kind{
		name: "stats", short: "Summaries of timelines over hundreds of reports, per rank and over all",
		long: `The summaries of 'stats' that can be added up: all that have a total, a count and a
distribution for each name. Over all: totals, counts, means, extremes and standard
deviations are exact; the median, of a sketch of all values, is within 1 % of the true
one, and of the medians of the reports the least and the greatest are told. Beside
each name stands the report with most of it. --per-rank has every report's own rows.`,
		example: "gpuprof fleet stats --report cuda_gpu_kern_sum run/*.nsys-rep\ngpuprof fleet stats --per-rank --format csv run/",
		options: []page.Option{
			{Name: "report", Short: "r", Kind: page.List, Arg: "REPORT[:ARG]", Help: "this summary, or all whose names match a pattern with * and ?; default: all"},
			{Name: "per-rank", Kind: page.Flag, Help: "also the rows of every report"},
		},
		extensions: timelines,
		job:        newStatsJob,
		merge:      mergeStats,
	}
}

// A wanted is a summary with its arguments.
type wanted struct {
	spec   string
	report *stats.Report
	args   map[string]string
	asked  bool // by its name
}

func newStatsJob(q *page.Request) (fleet.Job, error) {
	var out statsJob
	for _, spec := range q.List("report") {
		name, _, _ := strings.Cut(spec, ":")
		if !strings.ContainsAny(name, "*?") {
			r, args, err := stats.Parse(spec)
			if err != nil {
				return nil, page.Usagef("--report: %v", err)
			}
			out = append(out, wanted{spec, r, args, true})
			continue
		}
		for _, r := range stats.Reports() {
			if ok, err := path.Match(name, r.Name); err == nil && ok && !r.Rule {
				out = append(out, wanted{r.Name, r, map[string]string{}, false})
			}
		}
	}
	if len(q.List("report")) == 0 {
		for _, r := range stats.Reports() {
			if !r.Rule && strings.HasSuffix(r.Name, "_sum") {
				out = append(out, wanted{r.Name, r, map[string]string{}, false})
			}
		}
	}
	if len(out) == 0 {
		return nil, page.Usagef("--report: expected a report of stats, found none that matches")
	}
	return out, nil
}

type statsJob []wanted

// A summary is what a part has of a report of an input: a line of JSON.
type summary struct {
	Input   string    `json:"input"`
	Ranks   []int64   `json:"ranks,omitempty"`
	Report  string    `json:"report"`
	Title   string    `json:"title"`
	Columns []column  `json:"columns"` // of Keys, then those of the numbers
	Rows    []sumLine `json:"rows"`
}

type column struct {
	Name  string    `json:"name"`
	Label string    `json:"label"`
	Role  view.Role `json:"role,omitempty"`
	Unit  string    `json:"unit,omitempty"`
}

// A sumLine is a row of a summary.
type sumLine struct {
	Keys   []string `json:"keys"`
	Total  int64    `json:"total"`
	Count  int64    `json:"count"`
	Mean   float64  `json:"mean"`
	Median float64  `json:"median"`
	Min    int64    `json:"min"`
	Max    int64    `json:"max"`
	Spread float64  `json:"spread"` // sum of squared distances from the mean
	// Sketch is of all that the row describes; nil: the summary does not tell.
	Sketch *ranks.Sketch `json:"sketch,omitempty"`
}

func (j statsJob) Map(ctx context.Context, s *fleet.Shard, w io.Writer) ([]string, error) {
	enc := json.NewEncoder(w)
	return each(ctx, s, func(in *fleet.Input) ([]string, error) {
		list, bad, err := j.one(ctx, in)
		return bad, errors.Join(encoded(enc, list), err)
	})
}

func (j statsJob) one(ctx context.Context, in *fleet.Input) (out []summary, problems []string, err error) {
	f, done, err := open(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	if f.Trace == nil {
		return nil, nil, fmt.Errorf("expected a timeline, found %s", f.Kind())
	}
	numbers, err := rankNumbers(ctx, f.Trace)
	if err != nil {
		return nil, nil, err
	}
	for _, x := range j {
		t, err := x.report.Build(ctx, &stats.Request{Trace: f.Trace, Args: x.args, Behind: true})
		var skip *stats.Skip
		if errors.As(err, &skip) {
			continue // it has nothing of this
		}
		if err != nil {
			return out, problems, fmt.Errorf("%s: %w", x.spec, err)
		}
		sum, ok := summarize(t)
		if !ok {
			if x.asked {
				problems = append(problems, fmt.Sprintf("%s: %s cannot be added up: it has no totals and counts", in.Name, x.spec))
			}
			continue
		}
		sum.Input, sum.Ranks, sum.Report, sum.Title = in.Name, numbers, x.spec, x.report.Title
		out = append(out, sum)
	}
	broken, err := damage(in, f)
	return out, append(problems, broken...), err
}

// numbersOf are the roles of the columns that are added up, by sumLine.
var numbersOf = []view.Role{view.RoleTotal, view.RoleCount, view.RoleMean, view.RoleMedian, view.RoleMinimum, view.RoleMaximum, view.RoleDeviation}

// summarize takes the rows of a table that has all of numbersOf.
func summarize(t *view.Table) (s summary, ok bool) {
	at := make([]int, len(numbersOf))
	used := map[int]bool{}
	for k, role := range numbersOf {
		i := slices.IndexFunc(t.Columns, func(c view.Column) bool { return c.Role == role })
		if i < 0 {
			return s, false
		}
		at[k], used[i] = i, true
	}
	var keys []int
	for i, c := range t.Columns {
		if !used[i] && c.Role != view.RoleShare {
			keys = append(keys, i)
			s.Columns = append(s.Columns, column{c.Name, c.Label, c.Role, c.Unit})
		}
	}
	for _, i := range at {
		c := &t.Columns[i]
		s.Columns = append(s.Columns, column{c.Name, c.Label, c.Role, c.Unit})
	}
	n := -1
	for row := range t.All() {
		n++
		whole := func(k int) int64 { return int64(row[at[k]].Uint64()) }
		x := sumLine{Total: whole(0), Count: whole(1), Mean: row[at[2]].Float64(), Median: row[at[3]].Float64(), Min: whole(4), Max: whole(5)}
		d := row[at[6]].Float64()
		x.Spread = d * d * float64(x.Count-1)
		if t.Behind != nil {
			if list := t.Behind(n); int64(len(list)) == x.Count {
				k := ranks.SketchOf(slices.Clone(list))
				x.Sketch = &k
			}
		}
		for _, i := range keys {
			text := ""
			if i < len(row) {
				text = view.Words(row[i])
			}
			x.Keys = append(x.Keys, text)
		}
		s.Rows = append(s.Rows, x)
	}
	return s, true
}

// A total is a name over all reports.
type total struct {
	sumLine
	medMin, medMax float64
	reports        int
	most           int64 // of a report
	mostOf         string
	totals         []int64 // of each report
}

// add takes a row of a report: means and spreads by the formula of Chan, Golub and
// LeVeque. Reports come in the order of inputs, so that sums are always the same.
func (t *total) add(x *sumLine, of string) {
	if t.reports == 0 {
		t.sumLine, t.medMin, t.medMax = *x, x.Median, x.Median
		if x.Sketch != nil {
			own := *x.Sketch
			t.Sketch = &own
		}
	} else {
		if t.Sketch != nil && x.Sketch != nil {
			t.Sketch.Merge(*x.Sketch)
		} else {
			t.Sketch = nil
		}
		n, m := float64(t.Count), float64(x.Count)
		d := x.Mean - t.Mean
		t.Mean += d * m / (n + m)
		t.Spread += x.Spread + d*d*n*m/(n+m)
		t.Total, t.Count = t.Total+x.Total, t.Count+x.Count
		t.Min, t.Max = min(t.Min, x.Min), max(t.Max, x.Max)
		t.medMin, t.medMax = min(t.medMin, x.Median), max(t.medMax, x.Median)
	}
	if t.reports++; x.Total > t.most || t.reports == 1 {
		t.most, t.mostOf = x.Total, of
	}
	t.totals = append(t.totals, x.Total)
}

// A merged is a report over all inputs.
type merged struct {
	summary // Columns and Title
	totals  map[string]*total
	each    *view.Table // rows of every input
}

func mergeStats(ctx context.Context, q *page.Request, f *fleet.Folder) (*view.Document, []string, error) {
	by, order := map[string]*merged{}, []string(nil)
	inputs := 0
	problems, err := f.Parts(func(s *fleet.Shard, part []byte) error {
		inputs += len(s.Inputs)
		for dec := json.NewDecoder(bytes.NewReader(part)); ; {
			var x summary
			if err := dec.Decode(&x); err == io.EOF {
				return ctx.Err()
			} else if err != nil {
				return err
			}
			m := by[x.Report]
			if m == nil {
				m = &merged{summary: summary{Report: x.Report, Title: x.Title, Columns: x.Columns}, totals: map[string]*total{}}
				if q.Flag("per-rank") {
					m.each = m.table("per_rank")
				}
				by[x.Report], order = m, append(order, x.Report)
			}
			m.add(&x)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	slices.Sort(order)
	d := &view.Document{Title: "fleet stats"}
	for _, name := range order {
		m := by[name]
		s := view.Section{ID: name, Title: fmt.Sprintf("%s, of %d reports", m.Title, inputs)}
		s.AddTable(m.over())
		if m.each != nil {
			s.AddTable(m.each)
		}
		d.Sections = append(d.Sections, s)
	}
	if len(order) == 0 {
		return nil, nil, fmt.Errorf("expected summaries, found none: %s", strings.Join(problems[:min(len(problems), 3)], "; "))
	}
	return d, problems, nil
}

func (m *merged) add(x *summary) {
	of := x.Input
	for i := range x.Rows {
		r := &x.Rows[i]
		key := strings.Join(r.Keys, "\x00")
		t := m.totals[key]
		if t == nil {
			t = &total{}
			m.totals[key] = t
		}
		t.add(r, of)
		if m.each != nil {
			row := []view.Value{view.String(x.Input), view.String(ranks.List(x.Ranks))}
			for _, k := range r.Keys {
				row = append(row, view.String(k))
			}
			m.each.Rows = append(m.each.Rows, m.numbers(row, r, r.Median, math.NaN()))
		}
	}
}

// table makes a table with the columns of the report.
func (m *merged) table(id string) *view.Table {
	t := &view.Table{ID: m.Report + "_" + id, Layout: &view.Layout{Frame: view.FrameOpen}}
	if id == "per_rank" {
		t.Columns = []view.Column{{Name: "input", Label: "Input", Type: view.Text}, {Name: "ranks", Label: "Ranks", Type: view.Text}}
	}
	keys := len(m.Columns) - len(numbersOf)
	for i, c := range m.Columns {
		x := view.Column{Name: c.Name, Label: c.Label, Role: c.Role, Type: view.Text}
		if i >= keys {
			x.Unit, x.Type, x.Number = c.Unit, view.Number, &view.NumberStyle{Decimals: 1}
			switch {
			case c.Role == view.RoleCount:
				x.Number = &view.NumberStyle{}
			case c.Unit == "byte":
				x.Number = &view.NumberStyle{Divisor: 1e6, Decimals: 3}
			}
		}
		t.Columns = append(t.Columns, x)
	}
	return t
}

// numbers appends the cells of numbersOf; two medians are the range of them.
func (m *merged) numbers(row []view.Value, x *sumLine, med, medMax float64) []view.Value {
	unit := m.Columns[len(m.Columns)-len(numbersOf)].Unit
	dev := 0.0
	if x.Count > 1 {
		dev = math.Sqrt(x.Spread / float64(x.Count-1))
	}
	row = append(row, view.Int(x.Total, unit), view.Int(x.Count, ""), view.Float(x.Mean, unit), view.Float(med, unit))
	if !math.IsNaN(medMax) {
		row = append(row, view.Float(medMax, unit))
	}
	return append(row, view.Int(x.Min, unit), view.Int(x.Max, unit), view.Float(dev, unit))
}

// over is the table over all inputs, most total first.
func (m *merged) over() *view.Table {
	t := m.table("all")
	i := slices.IndexFunc(t.Columns, func(c view.Column) bool { return c.Role == view.RoleMedian })
	least, most := t.Columns[i], t.Columns[i]
	med := least
	med.Name, med.Label, med.Role = "med", strings.Replace(med.Label, "Med", fmt.Sprintf("Med ± %.0f %%", 100*ranks.SketchError), 1), ""
	least.Name, least.Label, most.Name, most.Label = "med_least", "Least "+least.Label, "med_most", "Greatest "+most.Label
	t.Columns = slices.Replace(t.Columns, i, i+1, least, most)
	unit := t.Columns[i].Unit
	t.Columns = append(t.Columns, med, view.Column{Name: "reports", Label: "Reports", Type: view.Number},
		view.Column{Name: "most", Label: "Most Of A Report", Unit: unit, Type: view.Number, Number: least.Number}, view.Column{Name: "usual", Label: "Median Of Reports", Unit: unit, Type: view.Number, Number: least.Number},
		view.Column{Name: "most_of", Label: "Report With Most", Type: view.Text})
	list := make([]*total, 0, len(m.totals))
	for _, x := range m.totals {
		list = append(list, x)
	}
	slices.SortFunc(list, func(a, b *total) int { return cmp.Or(-cmp.Compare(a.Total, b.Total), slices.Compare(a.Keys, b.Keys)) })
	for _, x := range list {
		var row []view.Value
		for _, k := range x.Keys {
			row = append(row, view.String(k))
		}
		row = m.numbers(row, &x.sumLine, x.medMin, x.medMax)
		slices.Sort(x.totals)
		about := view.Null
		if x.Sketch != nil {
			about = view.Float(min(max(x.Sketch.Median(), x.medMin), x.medMax), unit) // between those of the reports
		}
		t.Rows = append(t.Rows, append(row, about, view.Int(int64(x.reports), ""), view.Int(x.most, unit), view.Int(x.totals[(len(x.totals)-1)/2], unit), view.String(x.mostOf)))
	}
	return t
}
