package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

// names is a job whose part is the names of its inputs. Inputs called "broken" are
// problems, "fatal" fails the shard.
type names struct {
	runs  atomic.Int64
	fatal bool
}

func (j *names) Map(_ context.Context, s *Shard, w io.Writer) (problems []string, err error) {
	j.runs.Add(1)
	for _, in := range s.Inputs {
		switch {
		case in.Name == "broken":
			problems = append(problems, in.Name+": expected a report")
		case in.Name == "fatal" && j.fatal:
			return nil, errors.New("no space left on device")
		default:
			fmt.Fprintln(w, in.Name)
		}
	}
	return problems, nil
}

func inputs(n int, name func(i int) string) (out []Input) {
	for i := range n {
		out = append(out, Input{Name: name(i), Path: name(i), Size: 10})
	}
	return out
}

func create(t *testing.T, in []Input, most int64) *Folder {
	t.Helper()
	f, err := Create(t.TempDir(), Make("names", "1", nil, in, most))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// text is what all parts say.
func text(t *testing.T, f *Folder) (string, []string) {
	t.Helper()
	var b strings.Builder
	problems, err := f.Parts(func(_ *Shard, part []byte) error {
		b.Write(part)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), problems
}

// TestMake cuts inputs into shards: each is in one, in order, and none is larger
// than asked unless it is one input.
func TestMake(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.Int64Range(1, 100).Draw(t, "most")
		var in []Input
		for i := range rapid.IntRange(0, 700).Draw(t, "inputs") {
			in = append(in, Input{Name: fmt.Sprint(i), Size: rapid.Int64Range(0, 50).Draw(t, "size")})
		}
		p := Make("job", "1", nil, in, most)
		var back []Input
		for i, s := range p.Shards {
			size := int64(0)
			for _, x := range s.Inputs {
				size += x.Size
			}
			if s.Number != i || len(s.Inputs) == 0 || len(s.Inputs) > mostInputs || size > most && len(s.Inputs) > 1 {
				t.Fatalf("shard %d has %d inputs of %d bytes", s.Number, len(s.Inputs), size)
			}
			back = append(back, s.Inputs...)
		}
		if !slices.Equal(back, in) {
			t.Fatal("inputs got lost")
		}
	})
}

// TestBroken names a broken input and a shard that fails, does the rest, and does
// the failed shard alone when it is resumed.
func TestBroken(t *testing.T) {
	f := create(t, inputs(1000, func(i int) string {
		switch i {
		case 500:
			return "broken"
		case 731:
			return "fatal"
		}
		return fmt.Sprint(i)
	}), 50)
	j := &names{fatal: true}
	if err := f.Local(context.Background(), j, f.Missing(), 3, nil); err != nil {
		t.Fatal(err)
	}
	var failed *FailedError
	if _, err := f.Parts(nil); !errors.As(err, &failed) || !slices.Equal(failed.Shards, []int{731 / 5}) || !strings.Contains(err.Error(), "no space left") {
		t.Fatalf("%v, want that shard %d failed", err, 731/5)
	}
	if left, _ := filepath.Glob(f.path("parts/.*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	j.fatal = false
	before := j.runs.Load()
	if err := f.Local(context.Background(), j, f.Missing(), 3, nil); err != nil {
		t.Fatal(err)
	}
	if n := j.runs.Load() - before; n != 1 {
		t.Errorf("%d shards were done again, want 1", n)
	}
	all, problems := text(t, f)
	if n := strings.Count(all, "\n"); n != 999 || len(problems) != 1 {
		t.Errorf("%d inputs and %v, want 999 and the broken one", n, problems)
	}
}

// TestInterrupt stops in the middle and goes on: the answer is that of one go, and
// nothing is done twice.
func TestInterrupt(t *testing.T) {
	in := inputs(200, func(i int) string { return fmt.Sprint(i) })
	whole := create(t, in, 10)
	if err := whole.Local(context.Background(), &names{}, whole.Missing(), 2, nil); err != nil {
		t.Fatal(err)
	}
	f, j := create(t, in, 10), &names{}
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	err := f.Local(ctx, j, f.Missing(), 2, func(*Manifest) {
		if n++; n == 50 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || len(f.Missing()) == 0 {
		t.Fatalf("%v, %d shards lack", err, len(f.Missing()))
	}
	done := 200 - len(f.Missing())
	again := &names{}
	if err := f.Local(context.Background(), again, f.Missing(), 2, nil); err != nil {
		t.Fatal(err)
	}
	if int(again.runs.Load()) != 200-done {
		t.Errorf("%d shards done after %d were", again.runs.Load(), done)
	}
	got, _ := text(t, f)
	if want, _ := text(t, whole); got != want {
		t.Error("the answer differs from that of one go")
	}
}

// TestDamaged finds parts that are cut or changed, and makes them again.
func TestDamaged(t *testing.T) {
	f := create(t, inputs(4, func(i int) string { return strings.Repeat("x", i+1) }), 10)
	j := &names{}
	work := func() {
		if err := f.Local(context.Background(), j, f.Missing(), 1, nil); err != nil {
			t.Fatal(err)
		}
	}
	work()
	want, _ := text(t, f)
	if err := os.Truncate(f.part(1), 1); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(f.Missing(), []int{1}) {
		t.Errorf("missing %v, want the one that is cut", f.Missing())
	}
	work()
	if err := os.WriteFile(f.part(2), []byte("yyy\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Parts(func(*Shard, []byte) error { return nil }); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("%v, want a wrong checksum", err)
	}
	work()
	if got, _ := text(t, f); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestFolders refuses other work, other versions and what is no plan.
func TestFolders(t *testing.T) {
	f := create(t, inputs(3, func(i int) string { return fmt.Sprint(i) }), 10)
	if _, err := Create(f.Dir, f.Plan); err != nil {
		t.Errorf("the same plan again: %v", err)
	}
	if _, err := Create(f.Dir, Make("names", "1", nil, f.Plan.Shards[0].Inputs, 10)); !errors.Is(err, ErrOther) {
		t.Errorf("other inputs: %v", err)
	}
	if _, err := Open(f.Dir, "1"); err != nil {
		t.Error(err)
	}
	if _, err := Open(f.Dir, "2"); err == nil || !strings.Contains(err.Error(), "expected gpuprof 1") {
		t.Errorf("another version: %v", err)
	}
	if _, err := f.Work(context.Background(), &names{}, 3); err == nil {
		t.Error("a shard that is not there was done")
	}
	for _, bad := range []string{"", "{", `{"format":9}`, `{"format":1,"program":"1","shards":[{"shard":4}]}`} {
		dir := t.TempDir()
		os.WriteFile(filepath.Join(dir, "plan.json"), []byte(bad), 0o666)
		if _, err := Open(dir, "1"); err == nil {
			t.Errorf("%q is taken for a plan", bad)
		}
	}
	if _, err := Open(t.TempDir(), "1"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
}

// TestLock refuses a second coordinator while the first lives, whatever the clock,
// and takes over from a dead one.
func TestLock(t *testing.T) {
	f := create(t, nil, 10)
	unlock, err := f.lock(100*time.Millisecond, 2*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	second := func() error {
		u, err := f.lock(100*time.Millisecond, 2*time.Second)
		if err == nil {
			u()
		}
		return err
	}
	if err := second(); !errors.Is(err, ErrLocked) {
		t.Errorf("a second coordinator: %v", err)
	}
	for _, jump := range []time.Duration{time.Hour, -time.Hour} {
		os.Chtimes(f.path("lock"), time.Now().Add(jump), time.Now().Add(jump))
		if err := second(); !errors.Is(err, ErrLocked) {
			t.Errorf("a second coordinator, the clock %v off: %v", jump, err)
		}
	}
	unlock()
	if err := second(); err != nil {
		t.Errorf("after the first: %v", err)
	}
	os.WriteFile(f.path("lock"), []byte("process 1 on nowhere\n"), 0o666)
	os.Chtimes(f.path("lock"), time.Now().Add(-time.Hour), time.Now().Add(-time.Hour))
	if err := second(); err != nil {
		t.Errorf("a dead one: %v", err)
	}
}

// TestSlurm looks at the scripts.
func TestSlurm(t *testing.T) {
	f := create(t, inputs(2000, func(i int) string { return fmt.Sprint(i) }), 10)
	for _, c := range []struct {
		s    Slurm
		want string
	}{{Slurm{}, "--array=0-255\n"}, {Slurm{Most: 101}, "--array=0-100\n"}, {Slurm{Tasks: 8}, "--array=0-7\n"}, {Slurm{Tasks: 9000, Most: 9001}, "--array=0-1999\n"}} {
		c.s.Program = "/opt/it's/gpuprof"
		if s := c.s.Map(f); !strings.Contains(s, c.want) || !strings.Contains(s, `exec '/opt/it'\''s/gpuprof' fleet work`) {
			t.Errorf("%s\nwant %s", s, c.want)
		}
	}
	s := Slurm{Program: "gpuprof", Partition: "long", Account: "me", Time: "1:00:00", Memory: "4G"}
	for _, script := range []string{s.Map(f), s.Reduce(f)} {
		for _, o := range []string{"--partition=long\n", "--account=me\n", "--time=1:00:00\n", "--mem=4G\n", "--requeue\n"} {
			if !strings.Contains(script, "#SBATCH "+o) {
				t.Errorf("%s\nlacks %s", script, o)
			}
		}
	}
	if err := s.Clean(); err != nil {
		t.Error(err)
	}
	if err := (&Slurm{Account: "a\n#SBATCH --uid=0"}).Clean(); err == nil {
		t.Error("a line break in an account was taken")
	}
	seen := make([]int, 2000)
	for task := range 7 {
		for _, n := range f.Share(task, 7) {
			seen[n]++
		}
	}
	if slices.Min(seen) != 1 || slices.Max(seen) != 1 {
		t.Error("shards are shared unevenly")
	}
}

// TestKubernetes reads the jobs back and looks at what the schema of batch/v1 wants.
func TestKubernetes(t *testing.T) {
	f := create(t, inputs(20, func(i int) string { return fmt.Sprint(i) }), 10)
	out, err := Kubernetes(f, "gpuprof:1", "shared", 8)
	if err != nil {
		t.Fatal(err)
	}
	d := yaml.NewDecoder(strings.NewReader(out))
	for i := range 2 {
		var job struct {
			APIVersion string `yaml:"apiVersion"`
			Kind       string
			Metadata   struct{ Name string }
			Spec       struct {
				CompletionMode string `yaml:"completionMode"`
				Completions    int
				Template       struct {
					Spec struct {
						RestartPolicy string `yaml:"restartPolicy"`
						Containers    []struct {
							Name, Image string
							Command     []string
						}
					}
				}
			}
		}
		if err := d.Decode(&job); err != nil {
			t.Fatal(err)
		}
		p := job.Spec.Template.Spec
		if job.APIVersion != "batch/v1" || job.Kind != "Job" || job.Metadata.Name == "" || p.RestartPolicy != "Never" || len(p.Containers) != 1 || p.Containers[0].Image != "gpuprof:1" || len(p.Containers[0].Command) != 3 {
			t.Errorf("%+v", job)
		}
		if i == 0 && (job.Spec.CompletionMode != "Indexed" || job.Spec.Completions != 8) {
			t.Errorf("%+v", job.Spec)
		}
	}
}
