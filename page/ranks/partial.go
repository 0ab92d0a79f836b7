package ranks

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/ranks"
	"github.com/gpuprof/gpuprof/steps"
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
	Group:   page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Unopened: true, Output: page.OwnFile,
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
	Group:   page.GroupRead, Args: "FILE...", MinArgs: 1, MaxArgs: -1, Unopened: true, Output: page.OwnFile,
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
	o, err := q.StepChoice()
	if err != nil {
		return nil, err
	}
	inputs, err := inputsOf(q)
	if err != nil {
		return nil, err
	}
	return write(ctx, q, to, inputs, o)
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
	inputs, err := inputsOf(q)
	if err != nil {
		return nil, err
	}
	return write(ctx, q, q.Output, inputs, nil)
}

// write writes the partials of what could be read, and tells what could not. It is
// an error if there are none.
func write(ctx context.Context, q *page.Request, to string, inputs []input, o *steps.Options) (*view.Document, error) {
	files, err := mapAll(ctx, q, inputs, func(ctx context.Context, in input) mapped { return mapOne(ctx, in, o) })
	if err != nil {
		return nil, err
	}
	whole, problems := &ranks.Set{}, []error(nil)
	whole.Merge(sets(files)...)
	d := &view.Document{Title: "ranks"}
	for _, m := range files {
		if m.err != nil {
			problems = append(problems, m.err)
		}
		for _, s := range m.bad {
			problems = append(problems, errors.New(s))
		}
	}
	if whole.Len() == 0 {
		return nil, errors.Join(problems...)
	}
	err = q.Write(ctx, to, func(w io.Writer) error {
		_, err := whole.WriteTo(w)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, p := range problems {
		q.Notef("%v", p)
		d.Failed = true
	}
	return d, nil
}
