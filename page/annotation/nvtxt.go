package annotation

import (
	"context"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/annotate"
	"github.com/gpuprof/gpuprof/format/nvtxt"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// Check is the page nvtxt check.
var Check = &page.Page{
	Name:  "nvtxt check",
	Title: "Annotations",
	Short: "Check annotation files (.nvtxt) line by line",
	Long: `Every error has its line and column. In the dialect guide, the documented language,
there is also a note on each line that the importer of Nsight Systems would refuse
or read otherwise; the dialect nsys is what that importer accepts.
The exit status is 1 if a file has errors. "-" is standard input.`,
	Example: "gpuprof nvtxt check frames.nvtxt\ngpuprof nvtxt check --dialect nsys --werror *.nvtxt",
	Group:   page.GroupNvtxt, Args: "FILE...", MinArgs: 1, MaxArgs: -1,
	Needs: load.Annotations, Unopened: true,
	Options: append([]page.Option{
		{Name: "werror", Kind: page.Flag, Help: "let warnings count as errors"},
		{Name: "no-notes", Kind: page.Flag, Help: "leave out the notes about the importer of Nsight Systems"},
	}, nvtxtOptions...),
	Build: buildNvtxtCheck,
}

// Info is the page nvtxt info.
var Info = &page.Page{
	Name:  "nvtxt info",
	Title: "Annotation Files",
	Short: "Tell what annotation files (.nvtxt) hold",
	Long: `Events, names, the window of time, clocks, processes, and how many messages
'gpuprof nvtxt check' has about each file.`,
	Example: "gpuprof nvtxt info frames.nvtxt\n" +
		"gpuprof nvtxt info --mode lin --ns-a 0 --freq 10000000 frames.nvtxt",
	Group: page.GroupNvtxt, Args: "FILE...", MinArgs: 1, MaxArgs: -1,
	Needs: load.Annotations, Unopened: true,
	Options: nvtxtOptions,
	Build:   buildNvtxtInfo,
}

func buildNvtxtCheck(ctx context.Context, q *page.Request) (*view.Document, error) {
	opt, err := nvtxtLoadOptions(q)
	if err != nil {
		return nil, err
	}
	opt.Notes = !q.Flag("no-notes")
	files, err := nvtxtFiles(ctx, q, opt)
	if err != nil {
		return nil, err
	}
	d := &view.Document{Title: "nvtxt check"}
	sum := view.Section{ID: "summary", Title: "Files"}
	sum.AddTable(nvtxtSummary(files))
	d.Sections = append(d.Sections, sum)
	for _, f := range files {
		if f.Diagnostics.Total() > 0 {
			s := view.Section{ID: f.Path, Title: f.Path}
			s.Items = append(s.Items, nvtxtMessages(f.File))
			d.Sections = append(d.Sections, s)
		}
		d.Failed = d.Failed || f.Diagnostics.Failed(q.Flag("werror"))
	}
	return d, nil
}

// nvtxtFiles reads the operands. Nothing but the messages and numbers of
// nvtxt check and info is kept of them.
func nvtxtFiles(ctx context.Context, q *page.Request, opt annotate.LoadOptions) ([]annotate.Loaded, error) {
	files := annotate.CheckFiles(ctx, q.Args, opt)
	for _, f := range files {
		if f.Err != nil {
			return nil, f.Err
		}
	}
	return files, nil
}

// nvtxtSummary has a row for each file.
func nvtxtSummary(files []annotate.Loaded) *view.Table {
	t := &view.Table{ID: "files", Columns: []view.Column{
		{Name: "file", Label: "File", Type: view.Text, MaxWidth: 60},
		{Name: "name", Label: "Name", Type: view.Text, MaxWidth: 40},
		{Name: "calls", Label: "Event calls", Type: view.Number},
		{Name: "errors", Label: "Errors", Type: view.Number},
		{Name: "warnings", Label: "Warnings", Type: view.Number},
		{Name: "notes", Label: "Notes", Type: view.Number},
		{Name: "status", Label: "Status", Type: view.Text}}}
	for _, f := range files {
		ds, status, name := &f.Diagnostics, "ok", f.DisplayName
		if name == f.Path {
			name = ""
		}
		if ds.Failed(false) {
			status = "has errors"
		}
		t.Rows = append(t.Rows, []view.Value{view.String(f.Path), view.String(name), count(f.Imported),
			count(ds.Count(nvtxt.Error)), count(ds.Count(nvtxt.Warning)), count(ds.Count(nvtxt.Note)), view.String(status)})
	}
	return t
}

func count(n int) view.Value { return view.Uint(uint64(n), "") }

// nvtxtMessages are the messages about a file: a table for programs, with the
// source line and a caret for people.
func nvtxtMessages(f *annotate.File) view.Item {
	t := &view.Table{ID: "messages", Columns: []view.Column{
		{Name: "line", Label: "Line", Type: view.Number}, {Name: "column", Label: "Column", Type: view.Number},
		{Name: "severity", Label: "Severity", Type: view.Text}, {Name: "class", Label: "Class", Type: view.Text},
		{Name: "found", Label: "Found", Type: view.Text}, {Name: "expected", Label: "Expected", Type: view.Text},
		{Name: "repeats", Label: "More Lines", Type: view.Number}, {Name: "source", Label: "Source", Type: view.Text}}}
	for _, d := range f.Diagnostics.Messages() {
		place := func(n int) view.Value {
			if n == 0 {
				return view.Null
			}
			return count(n)
		}
		t.Rows = append(t.Rows, []view.Value{place(d.Line), place(d.Col), view.String(d.Severity.String()),
			view.String(d.Class.String()), view.String(d.Found), view.String(d.Want), count(d.Repeats), view.String(d.Source)})
	}
	var text strings.Builder
	_ = f.Diagnostics.WriteText(&text) // a Builder does not fail
	t.Layout = &view.Layout{Lines: strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")}
	return view.Item{Table: t}
}

func buildNvtxtInfo(ctx context.Context, q *page.Request) (*view.Document, error) {
	opt, err := nvtxtLoadOptions(q)
	if err != nil {
		return nil, err
	}
	files, err := nvtxtFiles(ctx, q, opt)
	if err != nil {
		return nil, err
	}
	d := &view.Document{Title: "nvtxt info"}
	for _, f := range files {
		s := view.Section{ID: f.Path, Title: f.Path}
		s.AddTable(nvtxtProperties(f.File))
		s.AddTable(nvtxtCalls(f.File))
		d.Sections = append(d.Sections, s)
	}
	return d, nil
}

func nvtxtProperties(f *annotate.File) *view.Table {
	t := &view.Table{ID: "file", Columns: []view.Column{
		{Name: "property", Label: "Property", Type: view.Text},
		{Name: "value", Label: "Value", Align: view.AlignLeft, MaxWidth: 100}}}
	add := func(name string, v view.Value) { t.Rows = append(t.Rows, []view.Value{view.String(name), v}) }
	add("Display name", view.String(f.DisplayName))
	add("Bytes", view.Uint(uint64(f.Counts.Bytes), ""))
	add("Lines", count(f.Counts.Lines))
	if f.Counts.Events() > 0 {
		add("Analysis start (ns)", view.Whole(f.Session.Start))
		add("Analysis end (ns)", view.Whole(f.Session.End))
		add("First time (ns)", view.Whole(f.Least))
		add("Last time (ns)", view.Whole(f.Greatest))
	}
	var bases, ids []string
	for b, n := range f.Counts.TimeBases {
		if n > 0 {
			name := nvtxt.TimeBase(b).String()
			if name == "" {
				name = "none given"
			}
			bases = append(bases, name+": "+strconv.Itoa(n))
		}
	}
	for i, id := range f.IDs {
		if i == 20 {
			ids = append(ids, "and "+strconv.Itoa(len(f.IDs)-i)+" more")
			break
		}
		ids = append(ids, strconv.FormatUint(uint64(id), 10))
	}
	add("Time bases", view.String(strings.Join(bases, ", ")))
	add("Processes", view.String(strings.Join(ids, ", ")))
	add("Outside the session", count(f.Outside))
	for s := range nvtxt.Note {
		add("Messages: "+s.String()+"s", count(f.Diagnostics.Count(s)))
	}
	return t
}

// nvtxtCalls counts the instructions of each kind.
func nvtxtCalls(f *annotate.File) *view.Table {
	t := &view.Table{ID: "calls", Columns: []view.Column{
		{Name: "instruction", Label: "Instruction", Type: view.Text}, {Name: "count", Label: "Count", Type: view.Number}}}
	add := func(name string, n int) {
		if n > 0 {
			t.Rows = append(t.Rows, []view.Value{view.String(name), count(n)})
		}
	}
	for c, n := range f.Counts.Calls {
		add(nvtxt.Command(c).String(), n)
	}
	add("assignment", f.Counts.Assignments)
	add("definition", f.Counts.Definitions)
	add("comment", f.Counts.Comments)
	return t
}
