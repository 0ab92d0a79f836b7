package ranks

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/ranks"
	"github.com/gpuprof/gpuprof/view"
)

// Map is the page ranks map.
var Map = &page.Page{
	Name:  "ranks map",
	Short: "Make the small file that stands for reports of ranks",
	Long: `One pass over each report gives all that 'ranks' needs of it, in some ten thousand
bytes: its steps, its collectives, sums of its kernels. What 'ranks' says of such files
is what it says of the reports, to the last bit. docs/formats/gpr.md describes them.`,
	Example: "gpuprof ranks map rank_3.nsys-rep -o rank_3.gpr",
	Group:   page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Output: true,
	Options: page.StepOptions,
	Build:   buildMap,
}

// Merge is the page ranks merge.
var Merge = &page.Page{
	Name:  "ranks merge",
	Short: "Put files of 'ranks map' together",
	Long: `The result is the same whatever the order and however often a rank is there, so files
may be merged by host, then by rack, and again.`,
	Example: "gpuprof ranks merge *.gpr -o run.gpr",
	Group:   page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Output: true,
	Build: buildMerge,
}

func buildMap(ctx context.Context, q *page.Request) (*view.Document, error) {
	to := q.Output
	if to == "" {
		if len(q.Args) != 1 {
			return nil, page.Usagef("ranks map: expected --output for several operands")
		}
		to = strings.TrimSuffix(q.Args[0], filepath.Ext(q.Args[0])) + ".gpr"
	}
	all, err := gather(ctx, q)
	if err != nil {
		return nil, err
	}
	return write(q, to, all)
}

func buildMerge(ctx context.Context, q *page.Request) (*view.Document, error) {
	if q.Output == "" {
		return nil, page.Usagef("ranks merge: expected --output")
	}
	for _, a := range q.Args {
		if !strings.HasSuffix(strings.ToLower(a), ".gpr") {
			return nil, page.Usagef("ranks merge: expected files of 'ranks map' (.gpr), found %s", a)
		}
	}
	inputs, err := expand(q.Args)
	if err != nil {
		return nil, err
	}
	all := &gathered{}
	if all.files, err = mapAll(ctx, q, inputs, nil); err != nil {
		return nil, err
	}
	for _, m := range all.files {
		if m.err != nil {
			all.problems = append(all.problems, m.err.Error())
		}
		all.problems = append(all.problems, m.bad...)
	}
	return write(q, q.Output, all)
}

// write writes the partials that could be read, and tells what could not.
func write(q *page.Request, to string, all *gathered) (*view.Document, error) {
	whole := &ranks.Set{}
	whole.Merge(sets(all.files)...)
	err := atomicfile.Write(to, func(f *atomicfile.File) error {
		_, err := whole.WriteTo(f)
		return err
	})
	if err != nil {
		return nil, err
	}
	d := &view.Document{Title: "ranks"}
	for _, p := range all.problems {
		q.Notef("%s", p)
		d.Failed = true
	}
	return d, nil
}
