package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/fleet"
	"github.com/gpuprof/gpuprof/internal/atomicfile"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// scheduler is what a request says about the scheduler.
func scheduler(ctx context.Context, q *page.Request, ask bool) (*fleet.Slurm, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s := &fleet.Slurm{Program: program, Partition: q.Text("partition"), Account: q.Text("account"), Time: q.Text("time"), Memory: q.Text("mem"), Tasks: q.Count("tasks")}
	if err := s.Clean(); err != nil {
		return nil, page.Usagef("%v", err)
	}
	if out, err := exec.CommandContext(ctx, "scontrol", "show", "config").Output(); ask && err == nil {
		for _, line := range strings.Split(string(out), "\n") {
			if name, value, ok := strings.Cut(line, "="); ok && strings.TrimSpace(name) == "MaxArraySize" {
				s.Most, _ = strconv.Atoi(strings.TrimSpace(value))
			}
		}
	}
	return s, nil
}

// dryRun prints the scripts.
func (k *kind) dryRun(ctx context.Context, q *page.Request, w io.Writer) error {
	p, err := k.plan(ctx, q)
	if err != nil {
		return err
	}
	s, err := scheduler(ctx, q, false)
	if err != nil {
		return err
	}
	dir := q.Text("work")
	if dir == "" {
		dir = "WORK"
	}
	f := &fleet.Folder{Dir: dir, Plan: p}
	_, err = fmt.Fprintf(w, "# %d shards. map.sh:\n%s\n# reduce.sh, which depends on it (--dependency=afterany):\n%s", len(p.Shards), s.Map(f), s.Reduce(f))
	return err
}

// slurm puts the work before the scheduler. A document says that it is submitted;
// nil: the parts are there.
func (k *kind) slurm(ctx context.Context, q *page.Request, f *fleet.Folder) (*view.Document, error) {
	if len(f.Missing()) == 0 {
		return nil, nil
	}
	s, err := scheduler(ctx, q, true)
	if err != nil {
		return nil, err
	}
	if os.Getenv("SLURM_JOB_ID") != "" { // inside an allocation
		if err := run(ctx, "srun", "--kill-on-bad-exit=0", s.Program, "fleet", "work", f.Dir, "--task", "srun"); err != nil {
			q.Notef("%v", err)
		}
		return nil, k.local(ctx, q, f) // what a lost node left
	}
	for name, text := range map[string]string{"map.sh": s.Map(f), "reduce.sh": s.Reduce(f)} {
		if err := atomicfile.WriteBytes(f.Dir+"/"+name, []byte(text)); err != nil {
			return nil, err
		}
	}
	first, err := submit(ctx, f.Dir+"/map.sh")
	if err != nil {
		return nil, err
	}
	wait := []string{"--dependency=afterany:" + first}
	if q.Flag("wait") {
		wait = append(wait, "--wait")
	}
	q.Notef("job %s maps %d shards", first, len(f.Plan.Shards))
	second, err := submit(ctx, append(wait, f.Dir+"/reduce.sh")...)
	if err != nil && !q.Flag("wait") {
		return nil, err
	}
	if q.Flag("wait") {
		return nil, nil
	}
	d := &view.Document{Title: "fleet"}
	sec := view.Section{ID: "fleet", Title: "Submitted"}
	sec.AddMessage(&view.Message{Type: view.OK, Source: "slurm", Text: fmt.Sprintf("Job %s maps %d shards, job %s puts them together into %s/answer.json. "+
		"gpuprof fleet status %s tells how far they are; gpuprof fleet merge %s shows the answer.", first, len(f.Plan.Shards), second, f.Dir, f.Dir, f.Dir)})
	d.Sections = append(d.Sections, sec)
	return d, nil
}

// submit hands a script to sbatch and returns the number of the job.
func submit(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "sbatch", append([]string{"--parsable"}, args...)...).Output()
	var bad *exec.ExitError
	if errors.As(err, &bad) {
		err = fmt.Errorf("sbatch: %s", strings.TrimSpace(string(bad.Stderr)))
	}
	id, _, _ := strings.Cut(strings.TrimSpace(string(out)), ";")
	return id, err
}

func run(ctx context.Context, name string, args ...string) error {
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(string(out[max(0, len(out)-2000):])))
	}
	return nil
}
