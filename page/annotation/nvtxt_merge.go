package annotation

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gpuprof/gpuprof/annotate"
	"github.com/gpuprof/gpuprof/export"
	"github.com/gpuprof/gpuprof/format/nvtxt"
	"github.com/gpuprof/gpuprof/internal/atomicfile"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

// nvtxtRowOptions say what annotations become in a database.
var nvtxtRowOptions = []page.Option{
	{Name: "target", Kind: page.Text, Arg: "HW:VM", Help: "machine of the processes; default: 0:0, or in the dialect guide that of the report"},
	{Name: "native", Kind: page.Flag, Help: "write ranges with the event types of the NVTX API, 59 and 60, rather than 70 and 71"},
}

// Create is the page nvtxt create.
var Create = &page.Page{
	Name:  "nvtxt create",
	Short: "Make a timeline of annotation files (.nvtxt)",
	Long: `Write a SQLite database in the layout of Nsight Systems that holds the annotations,
each file read by itself. The page tells what was read, with all messages about each
file; the exit status is 1 if one has errors. In the dialect nsys nothing is written then.`,
	Example: "gpuprof nvtxt create frames.nvtxt -o frames.sqlite",
	Group:   page.GroupNvtxt, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Unopened: true, Output: page.OwnFile,
	Options: append(append([]page.Option{}, nvtxtRowOptions...), nvtxtOptions...),
	Build:   buildNvtxtCreate,
}

// Merge is the page nvtxt merge.
var Merge = &page.Page{
	Name:  "nvtxt merge",
	Short: "Put annotation files (.nvtxt) on the timeline of a report",
	Long: `Write the timeline of REPORT with the annotations: a SQLite database, or by the extension
of the output a Perfetto trace (.pftrace), a Chrome trace (.json) or text (.nvtxt). To a native
report it writes a native one, too (.nsys-rep), in which all that was there stays as it
was and categories have no place; gpuprof reads it, and NVIDIA's tool was never seen to
open one. Without files, those in the folder of the report are taken, and those in the session's folder:
the one that ` + annotate.SessionFolderVariable + ` names, else the one above.
Times are those of the report: Relative times count from the start of its window.
Events outside the window are left out and counted; --update-report-time widens it.`,
	Example: "gpuprof nvtxt merge report.sqlite frames.nvtxt -o annotated.sqlite\n" +
		"gpuprof nvtxt merge --mode lerp --ns-a 0 --ns-b 5000000000 report.sqlite log.nvtxt -o annotated.sqlite",
	Group: page.GroupNvtxt, Args: "REPORT [FILE...]", MinArgs: 1, MaxArgs: -1, Unopened: true, Output: page.OwnFile,
	Options: append(append([]page.Option{
		{Name: "no-session-folder", Kind: page.Flag, Help: "look for files in the folder of the report only"}}, nvtxtRowOptions...), nvtxtOptions...),
	Build: buildNvtxtMerge,
}

func buildNvtxtCreate(ctx context.Context, q *page.Request) (*view.Document, error) {
	opt, err := nvtxtLoadOptions(q)
	if err != nil {
		return nil, err
	}
	rows := load.AnnotationOptions{Native: q.Flag("native")}
	if rows.Target, err = nvtxtTarget(q, opt.Dialect, annotate.Target{}); err != nil {
		return nil, err
	}
	if err := nvtxtOutput(q, q.Args, false); err != nil {
		return nil, err
	}
	files, d, err := nvtxtSession(ctx, q, "nvtxt create", q.Args, opt)
	if err != nil || files == nil {
		return d, err
	}
	out, notes := load.NewAnnotations(files, rows)
	for _, n := range notes {
		q.Notef("%s", n)
	}
	return d, nvtxtWrite(ctx, out, q.Output)
}

func buildNvtxtMerge(ctx context.Context, q *page.Request) (*view.Document, error) {
	opt, err := nvtxtLoadOptions(q)
	if err != nil {
		return nil, err
	}
	if err := nvtxtOutput(q, q.Args, true); err != nil {
		return nil, err
	}
	f, err := q.Open(ctx, q.Args[0])
	if err != nil {
		return nil, err
	}
	switch {
	case f.Trace == nil:
		return nil, fmt.Errorf("%s: expected a timeline, found %s", f.Name, f.Kind())
	case isNative(q.Output) && !f.Native():
		return nil, page.Usagef("--output: %q: expected another extension: only a native report becomes a native one, and %s is %s", q.Output, f.Name, f.Kind())
	case isNative(q.Output) && opt.Widen:
		return nil, page.Usagef("--update-report-time: expected another output: the window of a native report (.nsys-rep) stays as it is")
	}
	paths, err := nvtxtPaths(q)
	if err != nil {
		return nil, err
	}
	window, home, err := annotate.SessionWindow(ctx, f.Bare())
	if err != nil {
		return nil, err
	}
	if opt.Session == nil {
		opt.Session = &window
	}
	rows := load.AnnotationOptions{Native: q.Flag("native")}
	if opt.Dialect == nvtxt.Nsys {
		home = annotate.Target{}
	}
	if rows.Target, err = nvtxtTarget(q, opt.Dialect, home); err != nil {
		return nil, err
	}
	files, d, err := nvtxtSession(ctx, q, "nvtxt merge", paths, opt)
	if err != nil || files == nil {
		return d, err
	}
	if opt.Widen {
		for _, n := range files {
			window.Start, window.End = min(window.Start, n.Session.Start), max(window.End, n.Session.End)
		}
		rows.Session = &window
	}
	if isNative(q.Output) {
		return d, mergeNative(ctx, q, f, files, rows)
	}
	out, notes, err := load.Annotate(ctx, f.Bare(), files, rows)
	if err != nil {
		return nil, err
	}
	for _, n := range notes {
		q.Notef("%s", n)
	}
	if err := nvtxtWrite(ctx, out, q.Output); err != nil {
		return nil, err
	}
	for _, p := range out.Problems() {
		q.Notef("%v", p)
		d.Failed = true
	}
	return d, nil
}

// nvtxtWriters write a timeline with annotations, by the extension of the output.
// This is the one place that knows what merge and create can write.
var nvtxtWriters = map[string]func(context.Context, *trace.Trace, string) error{
	".sqlite": writeSQLite, ".db": writeSQLite, ".pftrace": export.Perfetto, ".perfetto-trace": export.Perfetto, ".json": export.Chrome, ".nvtxt": export.Nvtxt,
}

func writeSQLite(ctx context.Context, tr *trace.Trace, name string) error {
	return export.SQLite(ctx, tr, name, nil)
}

func nvtxtWrite(ctx context.Context, tr *trace.Trace, name string) error {
	return nvtxtWriters[strings.ToLower(filepath.Ext(name))](ctx, tr, name)
}

// isNative reports whether an output is to be a native report.
func isNative(output string) bool { return strings.EqualFold(filepath.Ext(output), ".nsys-rep") }

// mergeNative writes a native report with annotations.
func mergeNative(ctx context.Context, q *page.Request, f *load.File, files []*annotate.File, rows load.AnnotationOptions) error {
	return atomicfile.Write(q.Output, func(to *atomicfile.File) error {
		notes, err := f.AnnotateNative(ctx, files, rows, to)
		for _, n := range notes {
			q.Notef("%s", n)
		}
		return err
	})
}

// nvtxtTarget reads --target.
func nvtxtTarget(q *page.Request, dialect nvtxt.Dialect, home annotate.Target) (annotate.Target, error) {
	if q.Text("target") == "" {
		return home, nil
	}
	t, err := annotate.ParseTarget(q.Text("target"), dialect)
	if err != nil {
		return t, page.Usagef("--target: %v", err)
	}
	return t, nil
}

// nvtxtOutput checks the name of what to write; native allows native reports.
func nvtxtOutput(q *page.Request, inputs []string, native bool) error {
	extensions := ".sqlite, .pftrace, .json and .nvtxt"
	if native {
		extensions += ", and .nsys-rep for such a report"
	}
	switch ext := strings.ToLower(filepath.Ext(q.Output)); {
	case q.Output == "":
		return page.Usagef("expected the name of the output: -o OUT.sqlite")
	case ext == ".nsys-rep" && native:
	case nvtxtWriters[ext] == nil:
		return page.Usagef("--output: %q: expected one of the extensions %s", q.Output, extensions)
	}
	to, err := os.Stat(q.Output)
	if err != nil {
		return nil
	}
	for _, name := range inputs {
		if st, err := os.Stat(name); err == nil && os.SameFile(st, to) {
			return page.Usagef("--output: %s is an input", q.Output)
		}
	}
	return nil
}

// nvtxtPaths are the files to merge: those given, else those that belong to the
// report.
func nvtxtPaths(q *page.Request) ([]string, error) {
	if len(q.Args) > 1 {
		return q.Args[1:], nil
	}
	capture := filepath.Dir(q.Args[0])
	session := ""
	if !q.Flag("no-session-folder") {
		if session = os.Getenv(annotate.SessionFolderVariable); session == "" {
			session = filepath.Join(capture, "..")
		}
	}
	paths, err := annotate.Locate(capture, session)
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("%s: expected annotation files (.nvtxt) beside the report, found none", q.Args[0])
	}
	return paths, err
}

// nvtxtSession reads files and tells of them: a row for each, a warning for each
// with errors, and all messages. It returns no files if nothing is to be written.
func nvtxtSession(ctx context.Context, q *page.Request, title string, paths []string, opt annotate.LoadOptions) ([]*annotate.File, *view.Document, error) {
	loaded := annotate.LoadFiles(ctx, paths, opt)
	d := &view.Document{Title: title}
	var files []*annotate.File
	refused := false
	for _, l := range loaded {
		if l.Err != nil {
			return nil, nil, l.Err
		}
		files = append(files, l.File)
		if l.Diagnostics.Failed(false) {
			d.Failed = true
			refused = refused || opt.Dialect == nvtxt.Nsys
			q.Notef("warning: %s has errors: %d", l.Path, l.Diagnostics.Count(nvtxt.Error))
		}
		if l.Outside > 0 {
			q.Notef("%s: event calls that lie outside the session and are left out: %d", l.Path, l.Outside)
		}
	}
	sum := view.Section{ID: "summary", Title: "Files"}
	sum.AddTable(nvtxtSummary(loaded))
	d.Sections = append(d.Sections, sum)
	for _, l := range loaded {
		if l.Diagnostics.Total() > 0 {
			s := view.Section{ID: l.Path, Title: l.Path}
			s.Items = append(s.Items, nvtxtMessages(l.File))
			d.Sections = append(d.Sections, s)
		}
	}
	if refused {
		q.Notef("nothing is written: the importer of Nsight Systems refuses a file with an error")
		return nil, d, nil
	}
	return files, d, nil
}
