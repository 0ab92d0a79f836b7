package fleet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/fleet"
	"github.com/gpuprof/gpuprof/internal/atomicfile"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/ranks"
	"github.com/gpuprof/gpuprof/steps"
	"github.com/gpuprof/gpuprof/view"
)

// ofRanks is the work behind the page ranks, whose answer it shows: parts are files
// of partials.
func ofRanks(answer *page.Page) *kind {
	return &kind{
		name: "ranks", short: "Who is slow in a distributed run, with the reports read on many nodes",
		long: `What 'ranks' says, to the last bit: each task makes partials of its reports, and the
last one merges them. The merged partials are DIR/run.gpr, for 'gpuprof ranks'.`,
		example:    "gpuprof fleet ranks --engine slurm --work /shared/work /shared/run/",
		options:    slices.DeleteFunc(slices.Clone(answer.Options), func(o page.Option) bool { return o.Name == "heat" }),
		extensions: timelines,
		job: func(q *page.Request) (fleet.Job, error) {
			o, err := q.StepChoice()
			return rankJob{o}, err
		},
		merge: func(ctx context.Context, q *page.Request, f *fleet.Folder) (*view.Document, []string, error) {
			all := &ranks.Set{}
			problems, err := f.Parts(func(s *fleet.Shard, part []byte) error {
				set, err := ranks.ReadSet(bytes.NewReader(part), "part")
				all.Merge(set)
				return err
			})
			if err != nil {
				return nil, nil, err
			}
			if all.Len() == 0 {
				return nil, nil, fmt.Errorf("expected ranks, found none: %s", strings.Join(problems[:min(len(problems), 3)], "; "))
			}
			name := f.Dir + "/run.gpr"
			err = atomicfile.Write(name, func(to *atomicfile.File) error {
				_, err := all.WriteTo(to)
				return err
			})
			if err != nil {
				return nil, nil, err
			}
			q.Page, q.Args = answer, []string{name}
			d, err := answer.Build(ctx, q)
			return d, problems, err
		},
	}
}

type rankJob struct{ o *steps.Options }

func (j rankJob) Map(ctx context.Context, s *fleet.Shard, w io.Writer) (problems []string, err error) {
	set := &ranks.Set{}
	problems, err = each(ctx, s, func(in *fleet.Input) ([]string, error) { return j.one(ctx, in, set) })
	if err == nil {
		_, err = set.WriteTo(w)
	}
	return problems, err
}

func (j rankJob) one(ctx context.Context, in *fleet.Input, set *ranks.Set) (problems []string, err error) {
	f, done, err := open(ctx, in)
	if err != nil {
		return nil, err
	}
	defer done()
	if f.Trace == nil {
		return nil, fmt.Errorf("expected a timeline, found %s", f.Kind())
	}
	list, err := ranks.Map(ctx, f.Trace, j.o)
	if err != nil {
		return nil, err
	}
	problems, err = damage(in, f)
	return problems, errors.Join(err, set.Add(list...))
}

// named is an error with the name of its input.
func named(in *fleet.Input, err error) string {
	text := err.Error()
	for _, prefix := range []string{in.Path + ": ", in.Name + ": "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return in.Name + ": " + text
}
