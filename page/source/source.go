package source

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/source"
	"github.com/gpuprof/gpuprof/view"
)

// Page is the page source.
var Page = &page.Page{
	Name:  "source",
	Short: "Show what every instruction and source line cost",
	Long: `The sass view has a line for each instruction, the cuda and ptx views one for each
source line, the cuda,sass view both. Values of a source line are sums over its
instructions; averages, such as threads for each instruction, are means over those
that were executed. An instruction that an inlined call begins with counts for the
line of the call and for the lines of what was inlined.

Text shows samples, the reason for which most of them stalled, the numbers of the
instructions that one waits for through scoreboards, and executions; csv
and json show every metric, and so does text for those that --metrics names.
Instructions of GPUs that are not known (before Volta, after Hopper), and the few
that are unlike all that are, are shown as hex. Source lines need a build with
-lineinfo; their text comes out of the report, if it was collected with
--import-source, or from where --resolve-source-file says.

Of ROCm's thread traces and samples the instructions are shown with hits, cycles,
samples and stalls, or, as cuda, the source lines; of an AMD trace (.atp) with stack
traces the places of its calls. Neither belongs to a launch.

The columns are those that the report's sections list as source metrics, in their
order. --section-folder, --set and --section take the lists of other sections, and
text then shows all of their columns.`,
	Example: `gpuprof source --sort hot --limit 20 report.ncu-rep
gpuprof source --print-source cuda,sass -k sgemm report.ncu-rep
gpuprof source --mix report.ncu-rep
gpuprof source --csv report.ncu-rep`,
	Group: page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1,
	Needs: load.Launches | load.Code,
	Options: slices.Concat([]page.Option{
		{Name: "print-source", Remote: true, Kind: page.Choice, Values: []string{"sass", "ptx", "cuda", "cuda,sass"}, Default: "sass",
			Help: "what the lines of the tables are"},
		{Name: "sort", Remote: true, Kind: page.Text, Arg: "COLUMN",
			Help: "largest first, by the name or label of a metric; hot: by warp stall samples, then by executions"},
		{Name: "limit", Remote: true, Kind: page.Count, Default: "0", Arg: "N", Help: "show at most N lines of each table; 0: all"},
		{Name: "resolve-source-file", Kind: page.List, Arg: "FILE,...",
			Help: "read the text of source lines from these files; in a folder the recorded path is looked for, from its end"},
		{Name: "mix", Remote: true, Kind: page.Flag,
			Help: "count instructions by class, in place of showing them, and tell what spilled registers cost, line by line"},
		{Name: "disassembler", Kind: page.Text, Arg: "PATH", Help: "ask this nvdisasm for the text of instructions"},
		page.MetricsOption,
		{Name: "print-fp", Kind: page.Flag, Help: "print all numbers with decimals"},
		page.CompatOption,
	}, page.SectionOptions, page.FolderOptions, page.KernelOptions),
	Build: func(ctx context.Context, q *page.Request) (*view.Document, error) { return buildSource(ctx, q, false) },
	CSV:   func(ctx context.Context, q *page.Request) (*view.Document, error) { return buildSource(ctx, q, true) },
}

// sourceBuilder builds the page: it holds what all launches share.
type sourceBuilder struct {
	*page.Request
	ctx    context.Context
	choice *page.MetricChoice
	files  *source.Files
	sass   *source.Disassembler
	sorted bool // some launch had the column of --sort
	rocm   bool // the launches are of a profiler of ROCm
	csv    bool // the document is that of ncu's csv

	// own chooses other sections than all of the report for the columns; nil: no.
	own *page.SectionChoice
}

// buildSource makes the page; csv is that of ncu, with every metric.
func buildSource(ctx context.Context, q *page.Request, csv bool) (*view.Document, error) {
	if len(q.Files) > 0 && !slices.ContainsFunc(q.Files, func(f *load.File) bool { return f.Holds()&load.Code == 0 }) {
		return amdSource(ctx, q)
	}
	if i := slices.IndexFunc(q.Files, traceWithoutCode); i >= 0 {
		return nil, fmt.Errorf("%s: a thread trace without its instructions: expected a code.json that opens beside its waves, found none", q.Files[i].Name)
	}
	launches, err := page.SelectLaunches(q)
	if err != nil {
		return nil, err
	}
	b := &sourceBuilder{Request: q, ctx: ctx, csv: csv, rocm: ofROCm(q.Files), files: source.NewFiles(q.List("resolve-source-file"))}
	if slices.ContainsFunc([]string{"section", "set", "section-folder", "section-folder-recursive"}, q.Given) {
		if b.own, err = page.ChooseSections(q); err != nil {
			return nil, err
		}
	}
	var derived map[string]bool
	if b.own != nil {
		derived = b.own.Own
	}
	if b.choice, err = page.ParseMetrics(q); err == nil {
		err = b.choice.Met(q, launches, derived)
	}
	if err != nil {
		return nil, err
	}
	if strings.Contains(q.Text("print-source"), "sass") || q.Flag("mix") {
		b.sass = source.NewDisassembler(q.Text("disassembler"))
	}
	d := &view.Document{Title: "source"}
	shown := false
	for i, l := range launches {
		q.Progress(i, len(launches))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := l.Heading()
		tables := b.tables(l)
		if len(tables) > 0 && !q.Compat2024() && !csv {
			if t := b.markerTable(l, !strings.HasSuffix(q.Text("print-source"), "sass")); t != nil {
				tables = append(tables, t)
			}
		}
		for _, t := range tables {
			shown = true
			s.AddTable(t)
		}
		d.Sections = append(d.Sections, s)
	}
	if !shown && b.rocm {
		q.Notef("no instructions were measured: %s", rocmCode)
	}
	if by := q.Text("sort"); by != "" && !b.sorted && shown {
		return nil, page.Usagef("--sort: no launch has a column %q", by)
	}
	return d, nil
}

// rocmCode is how profilers of ROCm measure instructions.
const rocmCode = "collect a thread trace (rocprofv3 --att) or samples (--pc-sampling-beta-enabled)"

// traceWithoutCode reports whether a file is a thread trace of which nothing tells the
// instructions.
func traceWithoutCode(f *load.File) bool {
	return f.ROCm != nil && f.Report == nil && len(f.ROCm.Waves) > 0 && len(f.ROCm.Code) == 0
}

// ofROCm reports whether all launches are of profilers of ROCm.
func ofROCm(files []*load.File) bool {
	return len(files) > 0 && !slices.ContainsFunc(files, func(f *load.File) bool { return f.ROCm == nil })
}

// listing is what the metrics of a launch say about its code.
func (b *sourceBuilder) listing(l page.Launch) *source.Listing {
	ms := page.MetricsOf(b.Request, l)
	code, err := l.Code()
	b.Damage(err)
	if code == nil {
		code = &profile.Code{}
	}
	o := source.Options{Compat: b.Compat2024(), Shown: code.Metrics, Unit: func(name string) string { return page.UnitOf(b.Request, l, name) }}
	if b.choice != nil {
		o.Takes = b.choice.Takes
	}
	switch {
	case b.own != nil:
		o.Shown = l.File.Report.SourceMetricsOf(l.Action, b.own.Definitions(l))
		if b.own.Deriver != nil {
			ms = b.own.Derived(b.own.Target(l), ms)
		}
	case b.Compat2024():
		o.Shown = l.File.Report.SourceMetrics2024(l.Action)
	}
	return source.List(l.Action, code, ms, o)
}

// tables are the tables of a launch in the view that the request asks for.
func (b *sourceBuilder) tables(l page.Launch) []*view.Table {
	s := b.listing(l)
	switch v := b.Text("print-source"); {
	case b.Flag("mix"):
		return b.mixTables(s)
	case v == "sass":
		return b.sassTables(s)
	case v == "ptx":
		if s.Code.PTX == nil || s.Code.PTXLines == nil {
			b.Notef("No PTX in the report for '%s'.", l.FullName())
			return nil
		}
		return b.ptxTables(s)
	case s.Code.Lines == nil:
		b.Notef("No lineinfo available to show CUDA-C source related to '%s'.", l.FullName())
		return nil
	default:
		return b.cudaTables(s, v == "cuda,sass")
	}
}

// sassTables has a table for each function, with a line for each instruction.
// Nsight Compute 2024.1 repeats a table for each place in the report that tells
// of the program.
func (b *sourceBuilder) sassTables(s *source.Listing) []*view.Table {
	var out []*view.Table
	for i, bl := range s.Blocks {
		groups := make([]rowGroup, bl.To-bl.From)
		for k := range groups {
			n := bl.From + k
			groups[k].head = sourceRow{pc: s.PCs[n], rows: s.One(n)}
		}
		t := b.table(s, sassView, groups)
		t.ID = tableID("sass", i)
		if len(s.Blocks) > 1 {
			t.Title = bl.Name
		}
		t.Layout.Preamble = [][]view.Value{{view.String("Kernel Name"), view.String(bl.Name)}}
		if b.Compat2024() && len(s.Columns) > 0 {
			t.Layout.Preamble[0] = append(t.Layout.Preamble[0], view.Null)
		}
		out = append(out, t)
	}
	return repeat(out, b.copies(s))
}

// copies is how often code is shown.
func (b *sourceBuilder) copies(s *source.Listing) int {
	if b.Compat2024() {
		return max(s.Code.Entries, 1)
	}
	return 1
}

func repeat(ts []*view.Table, n int) []*view.Table {
	out := ts
	for range n - 1 {
		out = append(out, ts...)
	}
	return out
}

// tableID names the tables of a launch: sass, sass-2, sass-3.
func tableID(kind string, i int) string {
	if i == 0 {
		return kind
	}
	return fmt.Sprintf("%s-%d", kind, i+1)
}
