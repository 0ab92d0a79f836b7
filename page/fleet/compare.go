package fleet

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/compare"
	"github.com/gpuprof/gpuprof/fleet"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// Comparison is what the pages that compare lend.
type Comparison struct {
	CheckOptions, TrendOptions []page.Option
	// Reduce writes the runs of a file as 'check save' keeps them.
	Reduce func(context.Context, *page.Request, *load.File, io.Writer) error
	// Baseline are the files that new ones are compared with.
	Baseline func(*page.Request) ([]string, error)
	Judge    func(ctx context.Context, q *page.Request, old, new []*compare.Run) (*view.Document, error)
	Trends   func(q *page.Request, runs []*compare.Run) (*view.Document, error)
}

// oldSide is the group of the inputs that new ones are compared with.
const oldSide = "old"

// check is the work behind the gate.
func (c Comparison) check() *kind {
	return &kind{
		name: "check", short: "Judge a folder of results by a policy, read on many nodes",
		long: `What 'check' says: tasks reduce each file, of the baseline too, to what 'check save'
keeps, and the last one judges. A run is a report: ranks of one run are not runs of
their own, so give one report of each, or a policy with limits that are not relative.
Exit status as of 'check'; 1 also if a file cannot be read.`,
		example: "gpuprof fleet check --policy perf.yaml results/ --baseline v1.4/ --out junit=junit.xml",
		options: c.CheckOptions, extensions: measurements,
		before: func(q *page.Request) ([]string, error) { return c.Baseline(q) },
		settle: settlePolicy,
		job:    func(q *page.Request) (fleet.Job, error) { return keepJob{c.Reduce, q}, unchanged(q) },
		merge: func(ctx context.Context, q *page.Request, f *fleet.Folder) (*view.Document, []string, error) {
			if err := unchanged(q); err != nil {
				return nil, nil, err
			}
			old, new, problems, err := keptRuns(ctx, f)
			if err != nil {
				return nil, nil, err
			}
			d, err := c.Judge(ctx, q, old, new)
			return d, problems, err
		},
	}
}

// report is the work behind trends.
func (c Comparison) report() *kind {
	return &kind{
		name: "report", short: "Trends of kernels over the dates of thousands of results, and which take more time",
		long: `Each kernel and benchmark over the days on which its runs began, and where it moved:
the test of 'check trend', over every place in the history, adjusted for the number
of kernels (Benjamini and Hochberg). Inputs may be reports, timelines, results of
benchmarks and what 'check save' kept. Exit status 1 if a kernel takes more time.`,
		example: "gpuprof fleet report nightly/ --metric gpu__time_duration.sum\ngpuprof fleet report --unit folder nightly/*/",
		options: c.TrendOptions, extensions: measurements,
		job: func(q *page.Request) (fleet.Job, error) { return keepJob{c.Reduce, q}, nil },
		merge: func(ctx context.Context, q *page.Request, f *fleet.Folder) (*view.Document, []string, error) {
			_, runs, problems, err := keptRuns(ctx, f)
			if err != nil {
				return nil, nil, err
			}
			d, err := c.Trends(q, runs)
			return d, problems, err
		},
	}
}

// settlePolicy notes which text the policy has, so that a plan is of one policy, and
// writes names of files so that every node knows them.
func settlePolicy(values map[string][]string) error {
	for i, name := range values["policy"] {
		b, err := os.ReadFile(name)
		if err != nil {
			return page.Usagef("--policy: %v", err)
		}
		sum := sha256.Sum256(b)
		values["policy digest"] = []string{hex.EncodeToString(sum[:8])}
		if values["policy"][i], err = filepath.Abs(name); err != nil {
			return err
		}
	}
	for i, out := range values["out"] {
		kind, name, ok := strings.Cut(out, "=")
		if !ok || name == "" || name == "-" {
			continue
		}
		abs, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		values["out"][i] = kind + "=" + abs
	}
	return nil
}

// unchanged refuses a policy that changed since the plan was made.
func unchanged(q *page.Request) error {
	now := map[string][]string{"policy": slices.Clone(q.Values["policy"])}
	if err := settlePolicy(now); err != nil {
		return err
	}
	if was := q.Values["policy digest"]; !slices.Equal(was, now["policy digest"]) {
		return fmt.Errorf("%s: the policy changed since the work was planned: name another folder of work", q.Text("policy"))
	}
	return nil
}

// A keepJob reduces files to runs.
type keepJob struct {
	reduce func(context.Context, *page.Request, *load.File, io.Writer) error
	q      *page.Request
}

// A kept is what a part has of an input.
type kept struct {
	Name  string `json:"name"`
	Group string `json:"group,omitempty"`
	Runs  string `json:"runs"` // lines
}

func (j keepJob) Map(ctx context.Context, s *fleet.Shard, w io.Writer) (problems []string, err error) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return each(ctx, s, func(in *fleet.Input) ([]string, error) {
		text, problems, err := j.one(ctx, in)
		if err != nil {
			return problems, err
		}
		return problems, encoded(enc, []kept{{in.Name, in.Group, text}})
	})
}

func (j keepJob) one(ctx context.Context, in *fleet.Input) (runs string, problems []string, err error) {
	f, done, err := open(ctx, in)
	if err != nil {
		return "", nil, err
	}
	defer done()
	var b bytes.Buffer
	if err := j.reduce(ctx, j.q, f, &b); err != nil {
		return "", nil, err
	}
	problems, err = damage(in, f)
	return b.String(), problems, err
}

// keptRuns reads the runs of all parts.
func keptRuns(ctx context.Context, f *fleet.Folder) (old, new []*compare.Run, problems []string, err error) {
	problems, err = f.Parts(func(_ *fleet.Shard, part []byte) error {
		for dec := json.NewDecoder(bytes.NewReader(part)); ; {
			var x kept
			if err := dec.Decode(&x); err == io.EOF {
				return ctx.Err()
			} else if err != nil {
				return err
			}
			runs, err := compare.ReadKept(strings.NewReader(x.Runs), x.Name)
			if err != nil {
				return err
			}
			if x.Group == oldSide {
				old = append(old, runs...)
			} else {
				new = append(new, runs...)
			}
		}
	})
	if err == nil && len(new) == 0 {
		err = fmt.Errorf("expected results that can be compared, found none: %s", strings.Join(problems[:min(len(problems), 3)], "; "))
	}
	return old, new, problems, err
}
