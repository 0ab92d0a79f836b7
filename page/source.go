package page

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/view"
)

var sourcePage = &Page{
	Name:  "source",
	Short: "Show what every instruction and source line cost",
	Long: `The sass view has a line for each instruction, the cuda and ptx views one for each
source line, the cuda,sass view both. Values of a source line are sums over its
instructions; averages, such as threads for each instruction, are means over those
that were executed. An instruction that an inlined call begins with counts for the
line of the call and for the lines of what was inlined.

Text shows samples, the reason for which most of them stalled, and executions; csv
and json show every metric, and so does text for those that --metrics names. The
text of instructions comes from nvdisasm where that is installed. Source lines need
a build with -lineinfo; their text comes out of the report, if it was collected
with --import-source, or from where --resolve-source-file says.

The columns are those that the report's sections list as source metrics, in their
order. --section-folder, --set and --section take the lists of other sections, and
text then shows all of their columns.`,
	Example: `gpuprof source --sort hot --limit 20 report.ncu-rep
gpuprof source --print-source cuda,sass -k sgemm report.ncu-rep
gpuprof source --csv report.ncu-rep`,
	Group: GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Load: true,
	Options: slices.Concat([]Option{
		{Name: "print-source", Kind: Choice, Values: []string{"sass", "ptx", "cuda", "cuda,sass"}, Default: "sass",
			Help: "what the lines of the tables are"},
		{Name: "sort", Kind: Text, Arg: "COLUMN",
			Help: "largest first, by the name or label of a metric; hot: by warp stall samples, then by executions"},
		{Name: "limit", Kind: Count, Default: "0", Arg: "N", Help: "show at most N lines of each table; 0: all"},
		{Name: "resolve-source-file", Kind: List, Arg: "FILE,...",
			Help: "read the text of source lines from these files; in a folder the recorded path is looked for, from its end"},
		metricsOption,
		{Name: "print-fp", Kind: Flag, Help: "print all numbers with decimals"},
		compatOption,
	}, detailsOptions[:2], folderOptions, kernelOptions),
	Build: buildSource,
}

// sourceBuilder builds the page: it holds what all launches share.
type sourceBuilder struct {
	*Request
	ctx    context.Context
	choice *metricChoice
	files  *sourceFiles
	sass   *disassembler
	sorted bool // some launch had the column of --sort

	// own chooses other sections than all of the report for the columns; nil: no.
	own *details
}

func buildSource(ctx context.Context, q *Request) (*view.Document, error) {
	launches, err := selectLaunches(q)
	if err != nil {
		return nil, err
	}
	b := &sourceBuilder{Request: q, ctx: ctx, files: newSourceFiles(q.List("resolve-source-file"))}
	if b.choice, err = parseMetrics(q); err != nil {
		return nil, err
	}
	if b.own, err = ownSections(q); err != nil {
		return nil, err
	}
	if strings.Contains(q.Text("print-source"), "sass") {
		b.sass = newDisassembler()
	}
	d := &view.Document{Title: "source"}
	shown := false
	for i, l := range launches {
		q.step(i, len(launches))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := kernelSection(l)
		tables := b.tables(l)
		if len(tables) > 0 && !q.Compat2024() && q.Format != view.FormatCSV {
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
	if by := q.Text("sort"); by != "" && !b.sorted && shown {
		return nil, Usagef("--sort: no launch has a column %q", by)
	}
	return d, nil
}

// ownSections chooses the sections that order and label the columns, nil where
// nothing asks for others than those of the report.
func ownSections(q *Request) (*details, error) {
	if !slices.ContainsFunc([]string{"section", "set", "section-folder", "section-folder-recursive"}, q.Given) {
		return nil, nil
	}
	d := &details{q: q}
	var err error
	if d.sections, err = sectionPatterns(q.List("section")); err != nil {
		return nil, err
	}
	if err = d.chooseLibrary(); err != nil {
		return nil, err
	}
	d.newDeriver()
	return d, nil
}

// tables are the tables of a launch in the view that the request asks for.
func (b *sourceBuilder) tables(l launch) []*view.Table {
	s := b.listing(l)
	switch v := b.Text("print-source"); {
	case v == "sass":
		return b.sassTables(s)
	case v == "ptx":
		if s.code.PTX == nil || s.code.PTXLines == nil {
			b.note("No PTX in the report for '%s'.", fullName(l.Action))
			return nil
		}
		return b.ptxTables(s)
	case s.code.Lines == nil:
		b.note("No lineinfo available to show CUDA-C source related to '%s'.", fullName(l.Action))
		return nil
	default:
		return b.cudaTables(s, v == "cuda,sass")
	}
}

// sassTables has a table for each function, with a line for each instruction.
// Nsight Compute 2024.1 repeats a table for each place in the report that tells
// of the program.
func (b *sourceBuilder) sassTables(s *listing) []*view.Table {
	var out []*view.Table
	for i, bl := range s.blocks {
		groups := make([]rowGroup, bl.to-bl.from)
		for k := range groups {
			n := bl.from + k
			groups[k].head = sourceRow{pc: s.pcs[n], rows: s.one(n)}
		}
		t := b.table(s, sassView, groups)
		t.ID = tableID("sass", i)
		if len(s.blocks) > 1 {
			t.Title = bl.name
		}
		t.Preamble = [][]view.Value{{view.String("Kernel Name"), view.String(bl.name)}}
		if b.Compat2024() && len(s.columns) > 0 {
			t.Preamble[0] = append(t.Preamble[0], view.Null)
		}
		out = append(out, t)
	}
	return repeat(out, b.copies(s))
}

// copies is how often code is shown.
func (b *sourceBuilder) copies(s *listing) int {
	if b.Compat2024() {
		return max(s.code.Entries, 1)
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
