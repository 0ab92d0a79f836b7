package share

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/gpuprof/gpuprof/cut"
	"github.com/gpuprof/gpuprof/internal/atomicfile"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// Merge is the page merge.
var Merge = &page.Page{
	Name:  "merge",
	Short: "Make one report of several of the same kind",
	Long: `Reports of Nsight Compute: launches one behind the other, with one table of names; sources
that several have are there once; the session is that of the first.

SQLite exports of Nsight Systems: texts become one table; what describes machines and
processes is there once, and so is what parts of one recording share; times of other
recordings are moved to the clock of the first by the time of day at which they began.

To lay annotations (.nvtxt) on a timeline: gpuprof nvtxt merge.`,
	Example: "gpuprof merge a.ncu-rep b.ncu-rep -o both.ncu-rep\ngpuprof merge part1.sqlite part2.sqlite -o whole.sqlite",
	Group:   page.GroupTool, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Unopened: true, Output: page.OwnFile,
	Build: buildMerge,
}

func buildMerge(ctx context.Context, q *page.Request) (*view.Document, error) {
	if q.Output == "" {
		return nil, page.Usagef("merge: expected the name of the output: -o OUT")
	}
	var reports []*load.Report
	var databases []string
	var first *load.File
	for _, name := range q.Args {
		if strings.EqualFold(filepath.Ext(name), ".nvtxt") {
			return nil, page.Usagef("merge: %s holds annotations: gpuprof nvtxt merge lays them on a timeline", name)
		}
		f, err := q.Open(ctx, name)
		if err != nil {
			return nil, err
		}
		switch {
		case f.Report != nil && f.Trace == nil:
			reports = append(reports, f.Report)
		case f.IsDatabase():
			databases = append(databases, name)
		default:
			return nil, fmt.Errorf("%s: expected a report of Nsight Compute or a SQLite export, found %s", name, f.Kind())
		}
		if first == nil {
			first = f
		} else if len(reports) > 0 && len(databases) > 0 {
			return nil, page.Usagef("merge: %s is %s, and %s is %s: expected files of one kind", first.Name, first.Kind(), name, f.Kind())
		}
	}
	err := atomicfile.Write(q.Output, func(to *atomicfile.File) error {
		if len(databases) > 0 {
			return cut.Merge(ctx, to.Name(), databases...)
		}
		w, err := load.MergeReports(reports)
		if err != nil {
			return err
		}
		_, err = w.WriteTo(io.Writer(to))
		return err
	})
	if err != nil {
		return nil, err
	}
	d := &view.Document{Title: "merge"}
	s := view.Section{ID: "merge"}
	s.AddMessage(&view.Message{Type: view.OK, Text: fmt.Sprintf("%s holds what %d files held.", q.Output, len(q.Args))})
	d.Sections = append(d.Sections, s)
	return d, nil
}
