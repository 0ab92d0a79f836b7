package share

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/cut"
	"github.com/gpuprof/gpuprof/internal/atomicfile"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// Merge is the page merge. Annotate is the page that lays annotations on a timeline:
// it is asked where one of the files holds annotations, and its options are taken over.
func Merge(annotate *page.Page) *page.Page {
	options := slices.Clone(annotate.Options)
	for i := range options {
		options[i].Help = "of annotations: " + options[i].Help
	}
	return &page.Page{
		Name:  "merge",
		Short: "Make one report of several of the same kind",
		Long: `Reports of Nsight Compute: launches one behind the other, with one table of names; sources
that several have are there once; the session is that of the first.

Timelines (SQLite exports, Chrome traces such as PyTorch's): texts become one table; what
describes machines and processes is there once, and so is what parts of one recording share;
times of other recordings are moved to the clock of the first: by the collectives that
ranks of one run share, else by the time of day at which each began. The page says by which.

Native reports of Nsight Systems and .atp traces: parts of one recording. Of different ones
'gpuprof convert' makes SQLite exports that can be merged.

A timeline and annotations (.nvtxt): the annotations are laid on the timeline, as
'gpuprof nvtxt merge' does; the options are those of that command.`,
		Example: "gpuprof merge a.ncu-rep b.ncu-rep -o both.ncu-rep\ngpuprof merge rank0.sqlite rank1.sqlite -o run.sqlite\ngpuprof merge run.sqlite notes.nvtxt -o annotated.sqlite",
		Group:   page.GroupTool, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Unopened: true, Output: page.OwnFile,
		Options: options,
		Build: func(ctx context.Context, q *page.Request) (*view.Document, error) {
			if slices.ContainsFunc(q.Args, isAnnotation) {
				return annotated(ctx, q, annotate)
			}
			for _, o := range options {
				if q.Given(o.Name) {
					return nil, page.Usagef("merge: --%s is for annotations, and none of the files is one (.nvtxt)", o.Name)
				}
			}
			return buildMerge(ctx, q)
		},
	}
}

// annotated lays the annotations among the files on the timeline among them.
func annotated(ctx context.Context, q *page.Request, annotate *page.Page) (*view.Document, error) {
	timelines := slices.DeleteFunc(slices.Clone(q.Args), isAnnotation)
	if len(timelines) != 1 {
		return nil, page.Usagef("merge: annotations (.nvtxt) are laid on a timeline: expected one beside them, found %d; gpuprof nvtxt create makes a timeline of annotations", len(timelines))
	}
	f, err := q.Open(ctx, timelines[0])
	if err != nil {
		return nil, err
	}
	if f.Trace == nil {
		return nil, fmt.Errorf("%s: expected a timeline to lay annotations on, found %s", f.Name, f.Kind())
	}
	q.Args = append(timelines, slices.DeleteFunc(slices.Clone(q.Args), func(name string) bool { return !isAnnotation(name) })...)
	return annotate.Build(ctx, q)
}

func isAnnotation(name string) bool { return strings.EqualFold(filepath.Ext(name), ".nvtxt") }

func buildMerge(ctx context.Context, q *page.Request) (*view.Document, error) {
	switch {
	case q.Output == "":
		return nil, page.Usagef("merge: expected the name of the output: -o OUT")
	case len(q.Args) < 2:
		return nil, page.Usagef("merge: %s alone: expected two files or more", q.Args[0])
	}
	var files []*load.File
	for _, name := range q.Args {
		f, err := q.Open(ctx, name)
		if err != nil {
			return nil, err
		}
		kind := f.MergeKind()
		if kind == "" {
			return nil, fmt.Errorf("%s: expected a report of Nsight Compute or Nsight Systems, a SQLite export, a Chrome trace or an .atp trace, found %s", name, f.Kind())
		}
		if first := append(files, f)[0]; kind != first.MergeKind() {
			return nil, page.Usagef("merge: %s is %s, and %s is %s: expected files of one kind; 'gpuprof convert' makes SQLite exports of timelines", first.Name, first.Kind(), name, f.Kind())
		}
		files = append(files, f)
	}
	var shift []int64
	how := ""
	var err error
	if kind := files[0].MergeKind(); kind == "database" || kind == "chrome" {
		if shift, how, err = clocks(ctx, files); err != nil {
			return nil, err
		}
		if shift == nil {
			q.Notef("the files do not tell when they began, nor have they collectives in common: times are taken as they are")
		}
	}
	err = atomicfile.Write(q.Output, func(to *atomicfile.File) error { return merge(ctx, to, files, shift) })
	if err != nil {
		return nil, err
	}
	d := &view.Document{Title: "merge"}
	s := view.Section{ID: "merge"}
	s.AddMessage(&view.Message{Type: view.OK, Text: fmt.Sprintf("%s holds what %d files held.", q.Output, len(q.Args))})
	if how != "" {
		s.AddMessage(&view.Message{Text: "Their clocks: " + how + "."})
	}
	d.Sections = append(d.Sections, s)
	return d, nil
}

func merge(ctx context.Context, to *atomicfile.File, files []*load.File, shift []int64) error {
	switch files[0].MergeKind() {
	case "database":
		var names []string
		for _, f := range files {
			names = append(names, f.Name)
		}
		return cut.Merge(ctx, to.Name(), shift, names...)
	case "launches":
		var reports []*load.Report
		for _, f := range files {
			reports = append(reports, f.Report)
		}
		w, err := load.MergeReports(reports)
		if err != nil {
			return err
		}
		_, err = w.WriteTo(io.Writer(to))
		return err
	}
	return load.Merge(ctx, to, files, shift)
}
