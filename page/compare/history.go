package compare

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/compare/policy"
	"github.com/gpuprof/gpuprof/compare/sample"
	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// keptExtension is that of files of kept runs.
const keptExtension = ".runs.jsonl"

var folderOption = page.Option{Name: "folder", Kind: page.Text, Default: "perf/history", Arg: "DIR", Help: "the folder of kept runs; it may be part of a repository"}

// Save is the page that keeps runs.
var Save = &page.Page{
	Name:  "check save",
	Short: "Keep what later checks compare with",
	Long: `Of each kernel the times, cycles and clock, attributes of the launch, costs, and what
decides whether runs can be compared: a few kB, a line of JSON for each run, in
the file NAME` + keptExtension + ` of a folder that may be part of a repository. No command
lines, no host names. Such a file is a baseline for check and diff.`,
	Example: "gpuprof check save v1.4 base.*.ncu-rep\ngpuprof check --policy perf.yaml head.*.ncu-rep --baseline perf/history/v1.4" + keptExtension,
	Group:   page.GroupRead, Args: "NAME REPORT...", MinArgs: 2, MaxArgs: -1, Unopened: true,
	Options: slices.Concat([]page.Option{folderOption,
		{Name: "policy", Kind: page.Text, Arg: "FILE", Help: "keep the metrics that this policy names, too"},
		{Name: "metrics", Kind: page.List, Arg: "NAME,...", Help: "keep these metrics, too"}}, runOptions, timelineOptions),
	Build: buildSave,
}

func buildSave(ctx context.Context, q *page.Request) (*view.Document, error) {
	if len(q.Args) < 2 {
		return nil, page.Usagef("check save: expected NAME REPORT...")
	}
	name := q.Args[0]
	if name != filepath.Base(name) || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\:`) {
		return nil, page.Usagef("check save: expected a name without folders, such as a version, found %q", name)
	}
	if _, err := os.Stat(name); err == nil {
		return nil, page.Usagef("check save: %q is a file; the first operand is the name to keep the runs by", name)
	}
	metrics := q.List("metrics")
	if file := q.Text("policy"); file != "" {
		p, err := readPolicy(file)
		if err != nil {
			return nil, err
		}
		metrics = append(metrics, named(p)...)
	}
	r, err := newReader(q)
	if err != nil {
		return nil, err
	}
	r.selects = true
	runs, err := r.open(ctx, q.Args[1:])
	if err != nil {
		return nil, err
	}
	if err := r.reaches(nil, runs); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := compare.Keep(&b, runs, metrics); err != nil {
		return nil, err
	}
	folder := q.Text("folder")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, page.Unwritten(err)
	}
	file := filepath.Join(folder, name+keptExtension)
	if err := q.Write(ctx, file, func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err }); err != nil {
		return nil, err
	}
	s := view.Section{ID: "kept"}
	s.AddMessage(&view.Message{Type: view.OK, Text: fmt.Sprintf("%d runs are kept in %s (%d bytes)", len(runs), file, b.Len())})
	return &view.Document{Title: "check save", Sections: []view.Section{s}}, nil
}

// named are the metrics of kernels that a policy names.
func named(p *policy.Policy) (metrics []string) {
	for _, k := range p.Kernels {
		for _, l := range k.Limits {
			metrics = append(metrics, l.Metric)
		}
	}
	return metrics
}

// Trend is the page that draws the history of a value.
var Trend = &page.Page{
	Name:  "check trend",
	Short: "Draw the history of a kernel from the runs that were kept",
	Long: `Each file that 'check save' made is a point. Where the values moved is told if a
test says that they did: the test of check, over every place in the history, with
the search for the place paid for.`,
	Example: "gpuprof check trend FindPairs gpu__time_duration.sum\ngpuprof check trend FindPairs --svg -o trend.svg",
	Group:   page.GroupRead, Args: "KERNEL [METRIC]", MinArgs: 1, MaxArgs: 2, Unopened: true,
	Options: []page.Option{folderOption, {Name: "svg", Kind: page.Flag, Help: "write a picture"}},
	Build:   buildTrend,
	Stream: func(ctx context.Context, q *page.Request, w io.Writer) error {
		d, err := buildTrend(ctx, q)
		if err != nil {
			return err
		}
		return view.WriteSVG(w, d)
	},
	Streams: func(q *page.Request) bool { return q.Flag("svg") },
}

// A point is what one file of kept runs says of a kernel.
type point struct {
	name   string
	began  time.Time
	values []float64
	unit   string
}

func buildTrend(ctx context.Context, q *page.Request) (*view.Document, error) {
	metric := ""
	if len(q.Args) > 1 {
		metric = q.Args[1]
	}
	points, name, metric, err := history(q.Text("folder"), q.Args[0], metric)
	if err != nil {
		return nil, err
	}
	s, _ := trendSection(name, metric, points)
	return &view.Document{Title: "check trend", Sections: []view.Section{s}}, nil
}

// changeOf tells whether a history moved, and where.
func changeOf(points []point) (change sample.Change, ok bool) {
	var values [][]float64
	for _, p := range points {
		values = append(values, p.values)
	}
	return sample.ChangePoint(values)
}

// trendSection draws a history.
func trendSection(name, metric string, points []point) (s view.Section, t *view.Table) {
	s = view.Section{ID: "trend", Title: name}
	change, ok := changeOf(points)
	switch {
	case !ok:
		s.AddMessage(&view.Message{Type: view.OK, Source: "change", Text: "too few points to tell whether it moved"})
	case change.P <= compare.Rules.Alpha:
		s.AddMessage(&view.Message{Type: view.Warning, Source: "change", Text: fmt.Sprintf("%s %s from %s on (p %.2g)", metric,
			moves(change.Value, metric), points[change.At].name, change.P)})
	default:
		s.AddMessage(&view.Message{Type: view.OK, Source: "change", Text: fmt.Sprintf("it did not move that the test could tell (p %.2g)", change.P)})
	}
	t = &view.Table{ID: "points", Title: metric, Columns: []view.Column{
		{Name: "point", Label: "Kept As", Type: view.Text}, {Name: "began", Label: "Began (UTC)", Type: view.Text}, {Name: "runs", Label: "Runs", Type: view.Text, Align: view.AlignRight},
		{Name: "value", Label: "Median", Type: view.Number}, {Name: "least", Label: "Least", Type: view.Number}, {Name: "most", Label: "Most", Type: view.Number},
		{Name: "unit", Label: "Unit", Type: view.Unit, Align: view.AlignLeft}, {Name: "change", Label: "Since the First", Type: view.Text, Align: view.AlignRight}, {Name: "bar", Label: " ", Type: view.Text}}}
	chart := &view.Chart{Kind: view.LineChart, X: view.Axis{Label: "kept runs in order of time"}, Y: view.Axis{Label: metric},
		Table: view.Table{ID: "curve", Title: name + " " + metric, Layout: &view.Layout{Frame: view.FrameFull, Drawn: true}, Columns: []view.Column{{Name: "point", Type: view.Number}, {Name: "value", Type: view.Number}}}}
	if ok && change.P <= compare.Rules.Alpha {
		chart.X.HasMark, chart.X.Mark = true, float64(change.At+1)
	}
	first, most := sample.Median(points[0].values), 0.0
	for _, p := range points {
		most = max(most, sample.Median(p.values))
	}
	for i, p := range points {
		began := ""
		if !p.began.IsZero() {
			began = p.began.UTC().Format("2006-01-02 15:04")
		}
		m := sample.Median(p.values)
		bar := ""
		if most > 0 && m >= 0 {
			bar = strings.Repeat("#", int(math.Round(30*m/most)))
		}
		t.Rows = append(t.Rows, []view.Value{view.String(p.name), view.String(began), view.Uint(uint64(len(p.values)), ""),
			view.Float(m, p.unit), view.Float(slices.Min(p.values), p.unit), view.Float(slices.Max(p.values), p.unit), view.UnitOf(p.unit),
			view.String(compare.Percent(m / first)), view.String(bar)})
		chart.Table.Rows = append(chart.Table.Rows, []view.Value{view.Float(float64(i+1), ""), view.Float(m, p.unit)})
	}
	s.AddTable(t)
	s.Items = append(s.Items, view.Item{Chart: chart, For: view.Programs})
	return s, t
}

// moves says how a value moved.
func moves(ratio float64, metric string) string {
	word := sample.TakesMore
	if ratio < 1 {
		word = sample.TakesLess
	}
	return compare.Sentence(word, ratio, strings.Contains(metric, "time"))
}

// history collects what kept runs say of the kernel that a name is found in.
func history(folder, kernel, metric string) (points []point, name, chosen string, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "*"+keptExtension))
	if err != nil || len(files) == 0 {
		return nil, "", "", fmt.Errorf("%s: expected files of kept runs, found none; 'gpuprof check save' makes them", folder)
	}
	var known []string
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			return nil, "", "", err
		}
		runs, err := compare.ReadKept(f, file)
		f.Close()
		if err != nil {
			return nil, "", "", err
		}
		p := point{name: strings.TrimSuffix(filepath.Base(file), keptExtension)}
		for _, r := range runs {
			if p.began.IsZero() || !r.Began.IsZero() && r.Began.Before(p.began) {
				p.began = r.Began
			}
			for _, e := range r.Entities {
				if !slices.Contains(known, e.Base) {
					known = append(known, e.Base)
				}
				if !strings.Contains(e.Name, kernel) && !strings.Contains(e.Full, kernel) || name != "" && name != e.Base {
					continue
				}
				if metric == "" {
					metric = usualTime(e)
				}
				if v, unit, ok := e.Value(metric); ok {
					name, p.unit = e.Base, unit
					p.values = append(p.values, v)
					break // the first launch of that name
				}
			}
		}
		if len(p.values) > 0 {
			points = append(points, p)
		}
	}
	if len(points) == 0 {
		return nil, "", "", fmt.Errorf("%s: no kept run has %q with the metric %q%s", folder, kernel, metric, spelling.Nearest(kernel, known))
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Or(a.began.Compare(b.began), cmp.Compare(a.name, b.name)) })
	return points, name, metric, nil
}

// usualTime is the metric of an entity that is its time, else the first that is one.
func usualTime(e *compare.Entity) string {
	if m := e.UsualTime(); m != "" {
		return m
	}
	for _, m := range e.Source.Metrics() {
		if e.Direction(m, "").Class == "time" || m == compare.BenchmarkTime {
			return m
		}
	}
	return ""
}
