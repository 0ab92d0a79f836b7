package fleet

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/gpuprof/gpuprof/fleet"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// A kind is a kind of work.
type kind struct {
	name       string // the page is "fleet " and this
	short      string
	long       string
	example    string
	args       string
	options    []page.Option // of the work: they are part of the plan
	extensions []string      // of inputs in folders and tars
	// cut divides a file of a size into inputs of about so many bytes; nil: files are
	// whole.
	cut func(ctx context.Context, path string, size, most int64) ([]fleet.Input, error)
	// before are operands whose inputs come first, as the old side; nil: none.
	before func(q *page.Request) ([]string, error)
	// settle writes values of options so that they mean the same on every node; may
	// be nil.
	settle func(values map[string][]string) error
	// job is the work on a shard, by the options of the request.
	job func(q *page.Request) (fleet.Job, error)
	// merge makes the document of all parts, and tells their problems.
	merge func(ctx context.Context, q *page.Request, f *fleet.Folder) (*view.Document, []string, error)
}

// kinds are all kinds of work by name, of which workers know the name alone. The
// catalogue fills it once, when the program starts.
type kinds map[string]*kind

// options of all kinds: where and how.
var options = []page.Option{
	{Name: "work", Kind: page.Text, Arg: "DIR", Help: "folder of the work, on a file system that all nodes share: it keeps what is done, so that broken off work is resumed; none: a temporary one"},
	{Name: "engine", Kind: page.Choice, Values: []string{"local", "slurm"}, Default: "local", Help: "local: in this process; slurm: srun inside an allocation, else one array and one job that depends on it"},
	{Name: "shard-size", Kind: page.Count, Arg: "MIB", Default: "128", Help: "inputs of a task, at most; files that can be cut are, others are whole"},
	{Name: "jobs", Kind: page.Count, Arg: "N", Default: "0", Help: "local: so many shards at a time; 0: one for each core"},
	{Name: "partition", Kind: page.Text, Arg: "NAME", Help: "slurm: handed to sbatch"},
	{Name: "account", Kind: page.Text, Arg: "NAME", Help: "slurm: handed to sbatch"},
	{Name: "time", Kind: page.Text, Arg: "TIME", Help: "slurm: handed to sbatch"},
	{Name: "mem", Kind: page.Text, Arg: "SIZE", Help: "slurm: handed to sbatch"},
	{Name: "tasks", Kind: page.Count, Arg: "N", Default: "0", Help: "slurm: tasks of the array, each of which works on many shards; 0: 256 at most"},
	{Name: "wait", Kind: page.Flag, Help: "slurm: wait for the jobs and show the answer"},
	{Name: "dry-run", Kind: page.Flag, Help: "slurm: print the scripts, submit nothing"},
}

// page makes the page of a kind.
func (k *kind) page() *page.Page {
	args := k.args
	if args == "" {
		args = "FILE..."
	}
	return &page.Page{Name: "fleet " + k.name, Short: k.short, Long: k.long, Example: k.example, Group: page.GroupFleet, Args: args, MinArgs: 1, MaxArgs: -1, Unopened: true,
		Options: slices.Concat(options, k.options),
		Streams: func(q *page.Request) bool { return q.Flag("dry-run") }, Stream: k.dryRun,
		Build: k.build}
}

// plan is the work that a request asks for.
func (k *kind) plan(ctx context.Context, q *page.Request) (*fleet.Plan, error) {
	most := int64(q.Count("shard-size")) << 20
	if most <= 0 {
		most = fleet.DefaultShard
	}
	var inputs []fleet.Input
	if k.before != nil {
		names, err := k.before(q)
		if err != nil {
			return nil, err
		}
		if inputs, err = k.inputs(ctx, names, most); err != nil {
			return nil, err
		}
		for i := range inputs {
			inputs[i].Group = oldSide
		}
	}
	more, err := k.inputs(ctx, q.Args, most)
	if err != nil {
		return nil, err
	}
	inputs = append(inputs, more...)
	values := map[string][]string{}
	for _, o := range k.options {
		if v := q.Values[o.Name]; len(v) > 0 {
			values[o.Name] = slices.Clone(v)
		}
	}
	if k.settle != nil {
		if err := k.settle(values); err != nil {
			return nil, err
		}
	}
	maker := "this process" // which alone sees a temporary folder
	if q.Text("work") != "" {
		maker = program()
	}
	return fleet.Make(k.name, maker, values, inputs, most), nil
}

// folder lays the plan down. The folder is removed by done if nobody named it.
func (k *kind) folder(ctx context.Context, q *page.Request) (f *fleet.Folder, done func(), err error) {
	p, err := k.plan(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	dir, done := q.Text("work"), func() {}
	if dir == "" {
		if q.Text("engine") != "local" {
			return nil, nil, page.Usagef("fleet %s: expected --work, a folder that all nodes share", k.name)
		}
		if dir, err = os.MkdirTemp("", "gpuprof-fleet-"); err != nil {
			return nil, nil, err
		}
		done = func() { os.RemoveAll(dir) }
	}
	if dir, err = filepath.Abs(dir); err == nil {
		f, err = fleet.Create(dir, p)
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	return f, done, nil
}

func (k *kind) build(ctx context.Context, q *page.Request) (*view.Document, error) {
	f, done, err := k.folder(ctx, q)
	if err != nil {
		return nil, err
	}
	defer done()
	unlock, err := f.Lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	if q.Text("engine") == "slurm" {
		if d, err := k.slurm(ctx, q, f); d != nil || err != nil {
			return d, err
		}
	} else if err := k.local(ctx, q, f); err != nil {
		return nil, err
	}
	return k.answer(ctx, q, f)
}

// local maps what lacks in this process.
func (k *kind) local(ctx context.Context, q *page.Request, f *fleet.Folder) error {
	job, err := k.job(k.asked(f))
	if err != nil {
		return err
	}
	missing := f.Missing()
	done, all := len(f.Plan.Shards)-len(missing), len(f.Plan.Shards)
	workers := q.Count("jobs")
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	q.Progress(done, all)
	return f.Local(ctx, job, missing, workers, func(*fleet.Manifest) {
		done++
		q.Progress(done, all)
	})
}

// asked is a request with the options of a plan.
func (k *kind) asked(f *fleet.Folder) *page.Request {
	return &page.Request{Page: &page.Page{Name: "fleet " + k.name, Options: k.options}, Values: f.Plan.Options}
}

// answer makes the document of all parts, with the problems of all. If parts lack
// it tells which.
func (k *kind) answer(ctx context.Context, q *page.Request, f *fleet.Folder) (*view.Document, error) {
	with := *q // whose sink takes what the answer writes beside it
	with.Page, with.Values, with.Args = k.asked(f).Page, f.Plan.Options, nil
	d, problems, err := k.merge(ctx, &with, f)
	var failed *fleet.FailedError
	if errors.As(err, &failed) {
		return lacking(f, failed), nil
	}
	if err != nil {
		return nil, err
	}
	for _, p := range problems {
		q.Saidf("%s", p)
	}
	if len(problems) > 0 {
		s := view.Section{ID: "problems", Title: fmt.Sprintf("Problems: %d", len(problems))}
		for i, p := range problems {
			it := view.Item{Message: &view.Message{Type: view.Error, Source: "problem", Text: p}}
			if i >= mostProblems {
				it.For = view.Programs
			}
			s.Items = append(s.Items, it)
		}
		if more := len(problems) - mostProblems; more > 0 {
			s.Items = append(s.Items, view.Item{For: view.People, Message: &view.Message{Type: view.OK, Source: "note", Text: fmt.Sprintf("%d more; --format json has all.", more)}})
		}
		d.Sections, d.Failed = append(d.Sections, s), true
	}
	return d, nil
}

// mostProblems is how many problems people are shown.
const mostProblems = 20

// lacking tells which shards are not done.
func lacking(f *fleet.Folder, e *fleet.FailedError) *view.Document {
	d := &view.Document{Title: "fleet", Failed: true}
	s := view.Section{ID: "fleet", Title: fmt.Sprintf("%d of %d shards are not done", len(e.Shards), len(f.Plan.Shards))}
	s.AddMessage(&view.Message{Type: view.Error, Source: "problem", Text: e.Error()})
	s.AddTable(stateTable(f, e.Shards))
	d.Sections = append(d.Sections, s)
	return d
}
