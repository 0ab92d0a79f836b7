package fleet

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gpuprof/gpuprof/fleet"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// folder opens the folder that a request names.
func (ks kinds) folder(q *page.Request) (*fleet.Folder, *kind, error) {
	dir, err := filepath.Abs(q.Args[0])
	if err != nil {
		return nil, nil, err
	}
	f, err := fleet.Open(dir, program())
	if err != nil {
		return nil, nil, err
	}
	k := ks[f.Plan.Job]
	if k == nil {
		return nil, nil, fmt.Errorf("%s: expected work that this gpuprof knows, found %q", dir, f.Plan.Job)
	}
	return f, k, nil
}

// work is the page of workers.
func (ks kinds) work() *page.Page {
	return &page.Page{
		Name: "fleet work", Short: "Work on shards of a plan: what tasks of a cluster run",
		Long:    "A task works on every shard that is its own by number; what is done is not done again. Without --task all that lack.",
		Example: "gpuprof fleet work /shared/work --task 3 --tasks 16",
		Group:   page.GroupFleet, Args: "DIR", MinArgs: 1, MaxArgs: 1, Unopened: true,
		Options: []page.Option{
			{Name: "task", Kind: page.Text, Arg: "N", Help: "number of the task, from 0; srun: as SLURM_PROCID and SLURM_NTASKS say"},
			{Name: "tasks", Kind: page.Count, Arg: "N", Default: "1", Help: "how many tasks there are"},
		},
		Build: func(ctx context.Context, q *page.Request) (*view.Document, error) {
			f, k, err := ks.folder(q)
			if err != nil {
				return nil, err
			}
			task, tasks := q.Text("task"), q.Count("tasks")
			if task == "srun" {
				task = os.Getenv("SLURM_PROCID")
				tasks, _ = strconv.Atoi(os.Getenv("SLURM_NTASKS"))
			}
			shards := f.Missing()
			if task != "" {
				n, err := strconv.Atoi(task)
				if err != nil || n < 0 || n >= tasks {
					return nil, page.Usagef("--task: expected a number below %d, found %q", tasks, task)
				}
				shards = f.Share(n, tasks)
			}
			job, err := k.job(k.asked(f))
			if err != nil {
				return nil, err
			}
			done := 0
			err = f.Local(ctx, job, shards, 1, func(m *fleet.Manifest) {
				done++
				q.Progress(done, len(shards))
			})
			if err != nil {
				return nil, err
			}
			d := &view.Document{Title: "fleet work"}
			s := view.Section{ID: "fleet", Title: fmt.Sprintf("%d shards", len(shards))}
			s.AddTable(stateTable(f, shards))
			d.Sections = append(d.Sections, s)
			for _, n := range shards {
				d.Failed = d.Failed || !f.Manifest(n).Done()
			}
			return d, nil
		},
	}
}

// resume is the page that does what lacks.
func (ks kinds) resume() *page.Page {
	return &page.Page{
		Name: "fleet resume", Short: "Do the shards that lack, then show the answer",
		Example: "gpuprof fleet resume /shared/work",
		Group:   page.GroupFleet, Args: "DIR", MinArgs: 1, MaxArgs: 1, Unopened: true,
		Options: options[1:],
		Build: func(ctx context.Context, q *page.Request) (*view.Document, error) {
			f, k, err := ks.folder(q)
			if err != nil {
				return nil, err
			}
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
		},
	}
}

// merge is the page that puts parts together.
func (ks kinds) merge() *page.Page {
	return &page.Page{
		Name: "fleet merge", Short: "Put the parts together and show the answer",
		Example: "gpuprof fleet merge /shared/work --format csv",
		Group:   page.GroupFleet, Args: "DIR", MinArgs: 1, MaxArgs: 1, Unopened: true,
		Build: func(ctx context.Context, q *page.Request) (*view.Document, error) {
			f, k, err := ks.folder(q)
			if err != nil {
				return nil, err
			}
			return k.answer(ctx, q, f)
		},
	}
}

// status is the page that tells how far the work is.
func (ks kinds) status() *page.Page {
	return &page.Page{
		Name: "fleet status", Short: "How far the work in a folder is",
		Example: "gpuprof fleet status /shared/work",
		Group:   page.GroupFleet, Args: "DIR", MinArgs: 1, MaxArgs: 1, Unopened: true,
		Build: func(_ context.Context, q *page.Request) (*view.Document, error) {
			f, _, err := ks.folder(q)
			if err != nil {
				return nil, err
			}
			all := make([]int, len(f.Plan.Shards))
			done, bytes, seconds := 0, int64(0), 0.0
			for n := range all {
				all[n] = n
				if m := f.Manifest(n); m.Done() {
					done, bytes, seconds = done+1, bytes+m.Inputs, seconds+m.Seconds
				}
			}
			d := &view.Document{Title: "fleet status"}
			s := view.Section{ID: "fleet", Title: fmt.Sprintf("fleet %s: %d of %d shards are done", f.Plan.Job, done, len(all))}
			if done > 0 && seconds > 0 {
				s.AddMessage(&view.Message{Type: view.OK, Source: "speed", Text: fmt.Sprintf("%s in %s of tasks, %s a second and task.",
					view.Words(view.Int(bytes, "byte")), view.Words(view.Float(seconds, "s")), view.Words(view.Int(int64(float64(bytes)/seconds), "byte")))})
			}
			s.AddTable(stateTable(f, all))
			d.Sections = append(d.Sections, s)
			return d, nil
		},
	}
}

// script is the page that prints the work for other schedulers.
func (ks kinds) script() *page.Page {
	return &page.Page{
		Name: "fleet script", Short: "Print the work in a folder for another scheduler",
		Long: "k8s: two jobs of Kubernetes in YAML, an indexed one that maps and one that merges, to be made when the first is complete. " +
			"gpuprof has not run them: it was built where there is no Kubernetes.",
		Example: "gpuprof fleet script k8s /shared/work --image registry/gpuprof:1 --claim shared > jobs.yaml",
		Group:   page.GroupFleet, Args: "k8s DIR", MinArgs: 2, MaxArgs: 2, Unopened: true, Output: page.OneText,
		Options: []page.Option{
			{Name: "image", Kind: page.Text, Arg: "IMAGE", Default: "gpuprof", Help: "that has gpuprof on its path"},
			{Name: "claim", Kind: page.Text, Arg: "NAME", Default: "work", Help: "volume claim of the folder"},
			{Name: "tasks", Kind: page.Count, Arg: "N", Default: "0", Help: "completions; 0: 256 at most"},
		},
		Streams: func(*page.Request) bool { return true },
		Stream: func(_ context.Context, q *page.Request, w io.Writer) error {
			if q.Args[0] != "k8s" {
				return page.Usagef("fleet script: expected k8s, found %q", q.Args[0])
			}
			q.Args = q.Args[1:]
			f, _, err := ks.folder(q)
			if err != nil {
				return err
			}
			text, err := fleet.Kubernetes(f, q.Text("image"), q.Text("claim"), q.Count("tasks"))
			if err != nil {
				return err
			}
			_, err = io.WriteString(w, text)
			return err
		},
	}
}

// stateTable tells about shards.
func stateTable(f *fleet.Folder, shards []int) *view.Table {
	t := &view.Table{ID: "shards", Layout: &view.Layout{Frame: view.FrameOpen}, Columns: []view.Column{{Name: "shard", Label: "Shard", Type: view.Number}, {Name: "first", Label: "First Input", Type: view.Text},
		{Name: "inputs", Label: "Inputs", Type: view.Number}, {Name: "state", Label: "State", Type: view.Text}, {Name: "seconds", Label: "Took", Unit: "s", Type: view.Number}, {Name: "host", Label: "Host", Type: view.Text},
		{Name: "problems", Label: "Problems", Type: view.Number}, {Name: "error", Label: "Error", Type: view.Text, MaxWidth: 80}}}
	for _, n := range shards {
		s := &f.Plan.Shards[n]
		row := []view.Value{view.Int(int64(n), ""), view.String(s.Inputs[0].Name), view.Int(int64(len(s.Inputs)), ""), view.String("to do"), view.Null, view.Null, view.Null, view.Null}
		if m := f.Manifest(n); m != nil {
			row[3], row[4], row[5], row[6] = view.String("done"), view.Float(m.Seconds, "s"), view.String(m.Host), view.Int(int64(len(m.Problems)), "")
			if !m.Done() {
				row[3], row[7] = view.String("failed"), view.String(m.Error)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
