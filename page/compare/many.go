package compare

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/compare/gate"
	"github.com/gpuprof/gpuprof/compare/sample"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// Reduce writes the runs of a file as 'check save' keeps them, with the metrics
// that the policy of the request names, if it has one.
func Reduce(ctx context.Context, q *page.Request, f *load.File, w io.Writer) error {
	metrics := q.List("metric")
	r, err := newReader(q)
	if err != nil {
		return err
	}
	if q.Page.Option("policy") != nil {
		p, err := readPolicy(q.Text("policy"))
		if err != nil {
			return err
		}
		r.obey(p)
		metrics = append(metrics, named(p)...)
	}
	runs, err := r.run(ctx, f, "")
	if err != nil {
		return err
	}
	return compare.Keep(w, runs, metrics)
}

// Baseline are the files of the baseline of a request, by its option or its policy.
func Baseline(q *page.Request) ([]string, error) {
	p, err := readPolicy(q.Text("policy"))
	if err != nil {
		return nil, err
	}
	if _, err := outsOf(q); err != nil {
		return nil, err
	}
	return baselineOf(q, p)
}

// JudgeMany judges runs that [Reduce] kept.
func JudgeMany(ctx context.Context, q *page.Request, old, new []*compare.Run) (*view.Document, error) {
	p, err := readPolicy(q.Text("policy"))
	if err != nil {
		return nil, err
	}
	r := gate.Judge(p, old, new)
	d := checkDocument(r)
	return d, writeOuts(ctx, q, r, d)
}

// TrendOptions say what [Trends] draws.
var TrendOptions = slices.Concat([]page.Option{
	{Name: "kernel", Kind: page.Text, Arg: "TEXT", Help: "only kernels whose name contains this"},
	{Name: "metric", Kind: page.List, Arg: "NAME", Help: "the metric; default: the time of a launch, of a step or in total"},
	{Name: "top", Kind: page.Count, Arg: "N", Default: "50", Help: "so many kernels, those with most time; more of them make it harder to tell that one moved"},
	{Name: "points", Kind: page.Choice, Values: []string{"date", "report"}, Default: "date", Help: "what a point is: all runs that began on a day (UTC), or each report in the order of time"},
	{Name: "unit", Kind: page.Choice, Values: []string{"report", "folder"}, Default: "report", Help: "folder: the reports of a folder are ranks of one run, and count once with their median"},
}, runOptions)

// A past is what runs say of a kernel over time.
type past struct {
	name, metric string
	better       compare.Better
	points       []point
	values       []pastValue
	weight       float64 // of its time
	change       sample.Change
	tested       bool
	p            float64 // adjusted for the number of kernels
}

// A pastValue is that of a report.
type pastValue struct {
	point  int
	folder string // of the report
	v      float64
}

// fill gives each point its values: of each report, or the median of a folder.
func (h *past) fill(folders bool) {
	if !folders {
		for _, x := range h.values {
			h.points[x.point].values = append(h.points[x.point].values, x.v)
		}
		return
	}
	type key struct {
		point  int
		folder string
	}
	of, order := map[key][]float64{}, []key(nil)
	for _, x := range h.values {
		k := key{x.point, x.folder}
		if of[k] == nil {
			order = append(order, k)
		}
		of[k] = append(of[k], x.v)
	}
	for _, k := range order {
		h.points[k.point].values = append(h.points[k.point].values, sample.Median(of[k]))
	}
}

// Trends draws kernels over the dates of runs, and names those that moved.
func Trends(q *page.Request, runs []*compare.Run) (*view.Document, error) {
	runs = slices.DeleteFunc(slices.Clone(runs), func(r *compare.Run) bool {
		if r.Began.IsZero() {
			q.Notef("%s: it does not tell when it began, and is left out", r.Name)
		}
		return r.Began.IsZero()
	})
	if len(runs) == 0 {
		return nil, fmt.Errorf("expected runs that tell when they began, found none")
	}
	slices.SortStableFunc(runs, func(a, b *compare.Run) int { return cmp.Or(a.Began.Compare(b.Began), cmp.Compare(a.Name, b.Name)) })
	all := collect(q, runs)
	if len(all) == 0 {
		return nil, fmt.Errorf("expected kernels or benchmarks that --kernel and --metric choose, found none in %d runs", len(runs))
	}
	slices.SortStableFunc(all, func(a, b *past) int { return cmp.Or(-cmp.Compare(a.weight, b.weight), cmp.Compare(a.name, b.name)) })
	left := 0
	if n := q.Count("top"); n > 0 && len(all) > n {
		left, all = len(all)-n, all[:n]
	}
	var p []float64
	for _, h := range all {
		h.change, h.tested = changeOf(h.points)
		if !h.tested {
			h.change.P = math.NaN()
		}
		p = append(p, h.change.P)
	}
	for i, x := range sample.BenjaminiHochberg(p) {
		all[i].p = x
	}
	return trendsDocument(all, len(runs), left), nil
}

// collect makes pasts of the kernels and benchmarks of runs, which are in the
// order of time.
func collect(q *page.Request, runs []*compare.Run) (all []*past) {
	wanted := ""
	if list := q.List("metric"); len(list) > 0 {
		wanted = list[0]
	}
	at := map[[3]string]*past{}
	for _, r := range runs {
		name := r.Began.UTC().Format(time.DateOnly)
		if q.Text("points") == "report" {
			name = r.Name
		}
		for _, e := range r.Entities {
			if e.Class != compare.Kernel && e.Class != compare.Benchmark || !strings.Contains(e.Name, q.Text("kernel")) && !strings.Contains(e.Full, q.Text("kernel")) {
				continue
			}
			metric := cmp.Or(wanted, usualTime(e))
			v, unit, ok := e.Value(metric)
			if !ok {
				continue
			}
			key := [3]string{e.Full, e.Shape, metric}
			h := at[key]
			if h == nil {
				h = &past{name: strings.TrimSpace(e.Base + " " + e.Shape), metric: metric, better: e.Direction(metric, unit).Better}
				at[key], all = h, append(all, h)
			}
			if n := len(h.points); n == 0 || h.points[n-1].name != name {
				h.points = append(h.points, point{name: name, began: r.Began, unit: unit})
			}
			h.weight += v * float64(max(1, e.Launches))
			h.values = append(h.values, pastValue{len(h.points) - 1, filepath.Dir(r.Name), v})
		}
	}
	for _, h := range all {
		h.fill(q.Text("unit") == "folder")
	}
	return all
}

// mostDrawn is how many kernels that moved are drawn by themselves.
const mostDrawn = 8

func trendsDocument(all []*past, runs, left int) *view.Document {
	s := view.Section{ID: "trends", Title: fmt.Sprintf("%d kernels in %d runs", len(all), runs)}
	t := &view.Table{ID: "trends", Columns: []view.Column{
		{Name: "kernel", Label: "Kernel", Type: view.Text, Role: view.RoleKernel, MaxWidth: 44, Break: true}, {Name: "metric", Label: "Metric", Type: view.Text, Role: view.RoleMetric},
		{Name: "points", Label: "Points", Type: view.Text, Align: view.AlignRight}, {Name: "runs", Label: "Runs", Type: view.Text, Align: view.AlignRight},
		{Name: "first", Label: "First", Type: view.Number}, {Name: "last", Label: "Last", Type: view.Number}, {Name: "unit", Label: "Unit", Type: view.Unit, Align: view.AlignLeft},
		{Name: "moved", Label: "Moved At", Type: view.Text}, {Name: "change", Label: "Change", Type: view.Text, Align: view.AlignRight},
		{Name: "p_text", Label: "p (adjusted)", Type: view.Text, Align: view.AlignRight}, {Name: "ratio", Type: view.Number, For: view.Programs}, {Name: "p", Type: view.Number, For: view.Programs}}}
	var drawn []view.Section
	regressions, moved, untested := 0, 0, 0
	for _, h := range all {
		first, last, n := h.points[0], h.points[len(h.points)-1], 0
		for _, p := range h.points {
			n += len(p.values)
		}
		row := []view.Value{view.String(h.name), view.String(h.metric), view.Uint(uint64(len(h.points)), ""), view.Uint(uint64(n), ""),
			number(sample.Median(first.values), first.unit), number(sample.Median(last.values), first.unit), view.UnitOf(first.unit)}
		at, change, ratio := view.Null, view.Null, view.Null
		switch {
		case !h.tested:
			untested++
		case h.p <= compare.Rules.Alpha:
			moved++
			at, change, ratio = view.String(h.points[h.change.At].name), view.String(compare.Percent(h.change.Value)), view.Float(h.change.Value, "")
			worse := h.better != compare.Higher == (h.change.Value > 1)
			if worse && math.Abs(math.Log(h.change.Value)) >= math.Log1p(compare.Rules.Threshold) {
				regressions++
				s.AddMessage(&view.Message{Type: view.Error, Source: "regression", Text: fmt.Sprintf("%s: %s %s from %s on (p %s, adjusted for %d kernels)",
					h.name, h.metric, moves(h.change.Value, h.metric), h.points[h.change.At].name, pText(h.p), len(all))})
			}
			if len(drawn) < mostDrawn {
				x, points := trendSection(h.name, h.metric, h.points)
				x.ID, points.ID = fmt.Sprintf("trend%d", len(drawn)+1), fmt.Sprintf("points%d", len(drawn)+1)
				drawn = append(drawn, x)
			}
		}
		t.Rows = append(t.Rows, append(row, at, change, view.String(pText(h.p)), ratio, number(h.p, "")))
	}
	if regressions == 0 {
		s.AddMessage(&view.Message{Type: view.OK, Source: "regression", Text: fmt.Sprintf("No kernel takes more time from some date on that the test could tell; %d moved at all.", moved)})
	}
	if untested > 0 {
		s.AddMessage(&view.Message{Type: view.OK, Source: "note", Text: fmt.Sprintf("%d kernels have too few points or runs to tell: two points and three runs on each side are the least.", untested)})
	}
	if left > 0 {
		s.AddMessage(&view.Message{Type: view.OK, Source: "note", Text: fmt.Sprintf("%d kernels with less time are left out (--top).", left)})
	}
	s.AddTable(t)
	return &view.Document{Title: "fleet report", Failed: regressions > 0, Sections: append([]view.Section{s}, drawn...)}
}
