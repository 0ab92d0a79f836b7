package fleet

import (
	"fmt"
	"strings"
)

// A Slurm says how the work is put before the scheduler: one array, and one job
// that depends on it; never a job for each input.
type Slurm struct {
	Program   string // path of gpuprof, on all nodes
	Partition string
	Account   string
	Time      string // as sbatch takes it
	Memory    string
	Tasks     int // of the array; 0: as many as there are shards, up to Most
	Most      int // MaxArraySize of the cluster; 0: not known
}

// mostTasks is how many tasks an array has unless more are asked for: each costs
// the scheduler about a second.
const mostTasks = 256

// tasks is how many tasks the array has.
func (s *Slurm) tasks(shards int) int {
	n := s.Tasks
	if n <= 0 {
		n = mostTasks
	}
	if s.Most > 0 {
		n = min(n, s.Most) // indexes are below MaxArraySize
	}
	return max(min(n, shards), 1)
}

// Map is the script of the array. A task that runs again after its node was lost
// finds what is done.
func (s *Slurm) Map(f *Folder) string {
	n := s.tasks(len(f.Plan.Shards))
	lines := []string{"#!/bin/sh", "#SBATCH --job-name=gpuprof-map", fmt.Sprintf("#SBATCH --array=0-%d", n-1), "#SBATCH --requeue"}
	lines = append(lines, s.common(f, "map-%a")...)
	return strings.Join(append(lines, fmt.Sprintf("exec %s fleet work %s --task \"$SLURM_ARRAY_TASK_ID\" --tasks %d", quote(s.Program), quote(f.Dir), n)), "\n") + "\n"
}

// Reduce is the script of the job that puts the parts together, whatever became of
// the tasks: it names what lacks.
func (s *Slurm) Reduce(f *Folder) string {
	lines := append([]string{"#!/bin/sh", "#SBATCH --job-name=gpuprof-reduce", "#SBATCH --requeue"}, s.common(f, "reduce")...)
	return strings.Join(append(lines, fmt.Sprintf("exec %s fleet merge %s --format json --output %s", quote(s.Program), quote(f.Dir), quote(f.path("answer.json")))), "\n") + "\n"
}

func (s *Slurm) common(f *Folder, name string) (lines []string) {
	add := func(option, value string) {
		if value != "" {
			lines = append(lines, "#SBATCH --"+option+"="+value)
		}
	}
	add("ntasks", "1")
	add("partition", s.Partition)
	add("account", s.Account)
	add("time", s.Time)
	add("mem", s.Memory)
	add("output", f.path(name+".log"))
	return append(lines, "#SBATCH --open-mode=append")
}

// quote makes one word of the shell out of a text.
func quote(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%", r)
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Share are the shards of a task of so many.
func (f *Folder) Share(task, tasks int) (out []int) {
	for n := task; n < len(f.Plan.Shards); n += max(tasks, 1) {
		out = append(out, n)
	}
	return out
}

// Clean refuses values that would end a line of a script or begin another option.
func (s *Slurm) Clean() error {
	for _, v := range []string{s.Partition, s.Account, s.Time, s.Memory} {
		if i := strings.IndexFunc(v, func(r rune) bool { return r <= ' ' || r == 0x7f }); i >= 0 {
			return fmt.Errorf("expected one word for the scheduler, found %q", v)
		}
	}
	return nil
}
