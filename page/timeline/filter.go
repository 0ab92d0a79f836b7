package timeline

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/cut"
	"github.com/gpuprof/gpuprof/internal/atomicfile"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/stats"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/schema"
	"github.com/gpuprof/gpuprof/view"
)

// filterSpans are the options of time.
var filterSpans = []page.Option{
	{Name: "filter-time", Kind: page.Text, Arg: "[START]/[END]", Help: "of a timeline: only events that have to do with this span; with a unit (1.5s, 20ms), nanoseconds without"},
	{Name: "filter-nvtx", Kind: page.Text, Arg: "RANGE[@DOMAIN][/INDEX]", Help: "of a timeline: only events while this NVTX range was open; INDEX counts from 0"},
}

// filterSections chooses what of a launch is kept.
var filterSections = page.Option{Name: "section", Kind: page.List, NoComma: true, Arg: "ID",
	Help: "of a report of launches: keep only sections of this identifier, or with regex:EXPR of identifiers that EXPR matches as a whole, and what rules say of them"}

// Filter is the page filter.
var Filter = &page.Page{
	Name:  "filter",
	Short: "Write a part of a profile in the format that it has",
	Long: `Cut a profile down to the launches, or the part of a timeline, that are chosen as
other pages choose them, and write that in the format of IN. What nothing refers to any
more, such as sources and texts, is left out; what gpuprof does not know is kept.

Reads .ncu-rep, .nsys-rep, SQLite exports of Nsight Systems, Chrome traces such as PyTorch's,
and .atp. Work of the GPU goes with the calls that caused it.`,
	Example: "gpuprof filter -k gemm -c 3 report.ncu-rep -o gemm.ncu-rep\n" +
		"gpuprof filter --filter-time 1.5s/2s --device 0 report.sqlite -o part.sqlite",
	Group: page.GroupTool, Args: "IN", MinArgs: 1, MaxArgs: 1, Output: page.OwnFile,
	Needs: load.Launches | load.Timeline,
	Options: slices.Concat(page.KernelOptions, []page.Option{page.MetricsOption, filterSections}, filterSpans,
		slices.DeleteFunc(slices.Clone(page.TraceOptions), func(o page.Option) bool { return o.Name == "fold" })),
	Build: buildFilter,
}

func buildFilter(ctx context.Context, q *page.Request) (*view.Document, error) {
	if q.Output == "" {
		return nil, page.Usagef("filter: expected the name of the output: -o OUT")
	}
	f := q.Files[0]
	var fill func(*atomicfile.File) error
	var err error
	kept := &keptCounts{}
	switch {
	case f.Report != nil && f.Trace == nil:
		fill, err = filterLaunches(q, f, kept)
	case f.Trace != nil:
		fill, err = filterTimeline(ctx, q, f, kept)
	default:
		err = fmt.Errorf("%s: expected %s, found %s", f.Name, filtered, f.Kind())
	}
	if err != nil {
		return nil, err
	}
	if err := atomicfile.Write(q.Output, fill); err != nil {
		return nil, err
	}
	st, err := os.Stat(q.Output)
	if err != nil {
		return nil, page.Unwritten(err)
	}
	d := &view.Document{Title: "filter"}
	t := &view.Table{ID: "sizes", Columns: []view.Column{{Name: "file", Label: "File", Type: view.Text}, {Name: "size", Label: "Size"}}}
	t.Rows = [][]view.Value{{view.String(f.Name), view.Uint(uint64(f.Size), "byte")}, {view.String(q.Output), view.Uint(uint64(st.Size()), "byte")}}
	s := view.Section{ID: "filter"}
	s.AddTable(t)
	if k := kept.table(); k != nil {
		s.AddTable(k)
	}
	if kept.nothing() {
		q.Notef("%s: the selection leaves none of its events or launches", f.Name)
	}
	d.Sections = append(d.Sections, s)
	return d, nil
}

// notFor is an error where options are given that such a file has no use for.
func notFor(q *page.Request, what string, options []page.Option) error {
	for _, o := range options {
		if q.Given(o.Name) {
			return page.Usagef("--%s does not choose among %s", o.Name, what)
		}
	}
	return nil
}

func filterLaunches(q *page.Request, f *load.File, kept *keptCounts) (func(*atomicfile.File) error, error) {
	if err := notFor(q, "launches", append(slices.Clone(page.TraceOptions), filterSpans...)); err != nil {
		return nil, err
	}
	launches, err := page.SelectLaunches(q)
	if err != nil {
		return nil, err
	}
	var keep []*profile.Action
	for _, l := range launches {
		keep = append(keep, l.Action)
	}
	kept.add("launches", len(keep), len(f.Report.Actions()))
	var c load.Cut
	metrics, err := page.ParseMetrics(q)
	if err != nil {
		return nil, err
	}
	if metrics != nil {
		if err := metrics.Met(q, launches, nil); err != nil {
			return nil, err
		}
		c.Metrics = metrics.Takes
	}
	if c.Sections, err = sectionsAsked(q); err != nil {
		return nil, err
	}
	w, err := f.Report.Cut(keep, c)
	if err != nil {
		return nil, err
	}
	return func(to *atomicfile.File) error {
		_, err := w.WriteTo(io.Writer(to))
		return err
	}, nil
}

// sectionsAsked reads --section; nil takes all.
func sectionsAsked(q *page.Request) (func(string) bool, error) {
	asked := q.List("section")
	if len(asked) == 0 {
		return nil, nil
	}
	var res []*regexp.Regexp
	for _, a := range asked {
		expr, ok := strings.CutPrefix(a, "regex:")
		if !ok {
			expr = regexp.QuoteMeta(a)
		}
		re, err := regexp.Compile("^(?:" + expr + ")$")
		if err != nil {
			return nil, page.Usagef("--section: %q: %v", a, err)
		}
		res = append(res, re)
	}
	return func(id string) bool {
		return slices.ContainsFunc(res, func(re *regexp.Regexp) bool { return re.MatchString(id) })
	}, nil
}

// filtered are the formats that are cut.
const filtered = "a report of Nsight Compute or Nsight Systems, a SQLite export, a Chrome trace or an .atp trace"

func filterTimeline(ctx context.Context, q *page.Request, f *load.File, kept *keptCounts) (func(*atomicfile.File) error, error) {
	if err := notFor(q, "events of a timeline; --kernel-regex does", append(slices.Clone(page.KernelOptions), page.MetricsOption, filterSections)); err != nil {
		return nil, err
	}
	if !f.Cuttable() {
		return nil, fmt.Errorf("%s: expected %s, found %s; 'gpuprof convert' makes a SQLite export of a timeline", f.Name, filtered, f.Kind())
	}
	tr, err := page.SelectTrace(ctx, q, f)
	if err != nil {
		return nil, err
	}
	span, err := page.TimeFilter(ctx, q, f)
	if err != nil {
		return nil, err
	}
	rows := func(ctx context.Context, table string) (func(int64) bool, error) {
		return keptRows(ctx, f, tr, span, table, kept)
	}
	return func(to *atomicfile.File) error {
		if f.IsDatabase() {
			return cut.Database(ctx, f.Name, to.Name(), rows)
		}
		return f.Cut(ctx, to, rows)
	}, nil
}

// keptRows tells which rows of a table are in the trace and the span; nil: all.
func keptRows(ctx context.Context, f *load.File, tr *trace.Trace, span *stats.Filter, table string, kept *keptCounts) (func(int64) bool, error) {
	if !tr.Has(table) || span == nil && !tr.Picked() {
		return nil, nil
	}
	columns := []string{"rowid", "start", "end"}
	if known := schema.Lookup(table); known == nil || !known.ManyClocks() {
		columns = append(columns, "timestamp")
	}
	t, err := tr.Table(ctx, table, columns...)
	if err != nil {
		return nil, err
	}
	if span != nil {
		t = span.Apply(t)
	}
	ids := t.Ints("rowid")
	if ids == nil && t.Rows > 0 {
		return nil, nil
	}
	whole, err := f.Bare().Table(ctx, table, "rowid")
	if err != nil {
		return nil, err
	}
	if whole.Rows > 0 && (t.Col("start") != nil || t.Col("timestamp") != nil) {
		kept.add(table, len(ids), whole.Rows)
	}
	return among(ids), nil
}

// keptCounts counts what a selection leaves of each table of events.
type keptCounts struct{ rows [][]view.Value }

func (k *keptCounts) add(what string, kept, of int) {
	k.rows = append(k.rows, []view.Value{view.String(what), view.Uint(uint64(kept), ""), view.Uint(uint64(of), "")})
}

// nothing reports whether there was something, of which nothing is left.
func (k *keptCounts) nothing() bool {
	return len(k.rows) > 0 && !slices.ContainsFunc(k.rows, func(r []view.Value) bool { return r[1].Uint64() > 0 })
}

func (k *keptCounts) table() *view.Table {
	if len(k.rows) == 0 {
		return nil
	}
	slices.SortFunc(k.rows, func(a, b []view.Value) int { return strings.Compare(a[0].Text(), b[0].Text()) })
	return &view.Table{ID: "kept", Title: "Kept", Rows: k.rows, Columns: []view.Column{{Name: "table", Label: "Table", Type: view.Text}, {Name: "kept", Label: "Kept"}, {Name: "rows", Label: "Of"}}}
}

// among reports whether a number is one of some.
func among(ids []int64) func(int64) bool {
	most := int64(0)
	for _, id := range ids {
		most = max(most, id)
	}
	if most > 64*int64(len(ids))+1<<20 {
		slices.Sort(ids)
		return func(id int64) bool {
			_, ok := slices.BinarySearch(ids, id)
			return ok
		}
	}
	is := make([]uint64, most>>6+1)
	for _, id := range ids {
		if id >= 0 {
			is[id>>6] |= 1 << (id & 63)
		}
	}
	return func(id int64) bool { return id >= 0 && id <= most && is[id>>6]>>(id&63)&1 != 0 }
}
