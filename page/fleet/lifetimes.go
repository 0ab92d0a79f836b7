package fleet

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/gpuprof/gpuprof/fleet"
	"github.com/gpuprof/gpuprof/fleet/httpfile"
	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/gpuprof/gpuprof/lifetime"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// Lifetimes is what the page of lifetimes lends.
type Lifetimes struct {
	Options  []page.Option
	Settings func(*page.Request) (lifetime.Settings, error)
	Answer   func(*page.Request, *lifetime.Analysis) (*view.Document, error)
}

// kind cuts a log at headers of kernels, so that a kernel is never in two shards.
func (l Lifetimes) kind() *kind {
	return &kind{
		name: "lifetimes", short: "How long data live, of a simulator's log of any size",
		long: `What 'lifetimes' says of a log, to the last bit. A log of plain text is cut at headers
of kernels; a kernel larger than --shard-size is one shard. Compressed logs, tables and
logs whose kernels overlap are not cut.`,
		example: "gpuprof fleet lifetimes --engine slurm --work /shared/work simulation.log",
		args:    "LOG", options: l.Options, extensions: []string{".log", ".txt", ".out"},
		cut: cutLog,
		job: func(q *page.Request) (fleet.Job, error) {
			s, err := l.Settings(q)
			s.Options.Jobs = 1 // the shards are what is done at once
			return lifetimeJob{s}, err
		},
		merge: func(ctx context.Context, q *page.Request, f *fleet.Folder) (*view.Document, []string, error) {
			s, err := l.Settings(q)
			if err != nil {
				return nil, nil, err
			}
			j := lifetime.NewJoiner(s)
			log := f.Plan.Shards[0].Inputs[0].Path
			problems, err := f.Parts(func(s *fleet.Shard, part []byte) error {
				if err := ctx.Err(); err != nil {
					return err
				}
				if s.Inputs[0].Path != log || len(s.Inputs) > 1 && s.Inputs[1].Path != log {
					return page.Usagef("fleet lifetimes: expected one log, found %s beside %s", s.Inputs[len(s.Inputs)-1].Name, log)
				}
				r := bytes.NewReader(part)
				for range s.Inputs {
					if err := j.Add(r); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return nil, nil, err
			}
			d, err := l.Answer(q, j.Analysis())
			return d, problems, err
		},
	}
}

// cutLog cuts a log, if it is plain text.
func cutLog(ctx context.Context, path string, size, most int64) ([]fleet.Input, error) {
	whole := []fleet.Input{{Size: size}}
	for _, e := range []string{".gz", ".zst", ".parquet"} {
		if strings.HasSuffix(strings.ToLower(nameOf(path)), e) {
			return whole, nil
		}
	}
	f, _, done, err := bytesOf(ctx, &fleet.Input{Path: path})
	if err != nil {
		return nil, err
	}
	defer done()
	cuts, head, err := simlog.Cuts(f, size, most)
	if err != nil || len(cuts) == 1 {
		return whole, err
	}
	var out []fleet.Input
	for i, from := range cuts {
		to := size
		if i+1 < len(cuts) {
			to = cuts[i+1]
		}
		out = append(out, fleet.Input{From: from, To: to, Size: to - from, Part: i, Of: len(cuts), Head: head})
	}
	return out, nil
}

// nameOf is the name of a file or address for people.
func nameOf(path string) string {
	if httpfile.Is(path) {
		return httpfile.Name(path)
	}
	return path
}

type lifetimeJob struct{ s lifetime.Settings }

func (j lifetimeJob) Map(ctx context.Context, s *fleet.Shard, w io.Writer) (problems []string, err error) {
	for i := range s.Inputs {
		in := &s.Inputs[i]
		if err := j.one(ctx, in, w); err != nil {
			return nil, fmt.Errorf("%s: %w", in.Name, err) // a log without a part of it is another log
		}
	}
	return nil, nil
}

func (j lifetimeJob) one(ctx context.Context, in *fleet.Input, w io.Writer) error {
	if in.Of == 0 {
		path, done, err := asFile(ctx, in)
		if err != nil {
			return err
		}
		defer done()
		src, err := simlog.Open(ctx, path, simlog.Options{})
		if err != nil {
			return err
		}
		defer src.Close()
		return lifetime.WritePart(ctx, w, src, j.s, 0, 0)
	}
	f, size, done, err := bytesOf(ctx, &fleet.Input{Path: in.Path})
	if err != nil {
		return err
	}
	defer done()
	if in.To > size {
		return fmt.Errorf("expected %d bytes, found %d: the file is shorter than it was", in.To, size)
	}
	var head []byte
	if in.Part > 0 {
		head = make([]byte, in.Head)
		if _, err := f.ReadAt(head, 0); err != nil {
			return err
		}
	}
	r := io.MultiReader(bytes.NewReader(head), io.NewSectionReader(f, in.From, in.To-in.From))
	src := simlog.NewReader(ctx, r, simlog.Options{})
	defer src.Close()
	return lifetime.WritePart(ctx, w, src, j.s, int64(bytes.Count(head, []byte("\n"))), int64(len(head)))
}
