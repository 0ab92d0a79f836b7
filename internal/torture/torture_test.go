package torture

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if Lean() {
		return
	}
	os.Exit(m.Run())
}

func seeds(t *testing.T) []Seed {
	t.Helper()
	all, err := Seeds("../..", "")
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, s := range all {
		have[filepath.Ext(s.Name)] = true
	}
	for _, ext := range []string{".ncu-rep", ".nsys-rep", ".sqlite", ".atp", ".csv", ".occupancy", ".nvtxt", ".json", ".txt"} {
		if !have[ext] {
			t.Errorf("no seed is a %s", ext)
		}
	}
	return all
}

// The same run is made the same again, and mutations that know a form change it.
func TestMake(t *testing.T) {
	o := Options{Seeds: seeds(t), Seed: 7}
	changed := 0
	for i := range 300 {
		a, args, _, _ := o.Make(i)
		b, again, _, _ := o.Make(i)
		if a.Name != b.Name || !bytes.Equal(a.Data, b.Data) || strings.Join(args, "\n") != strings.Join(again, "\n") {
			t.Fatalf("run %d differs the second time", i)
		}
		for _, s := range o.Seeds {
			if s.Name == a.Name && !bytes.Equal(s.Data, a.Data) {
				changed++
				break
			}
		}
	}
	if changed < 250 {
		t.Errorf("of 300 files %d are broken", changed)
	}
}

// What knows protobuf keeps the lengths around what it changes right.
func TestProtobuf(t *testing.T) {
	whole, err := os.ReadFile("../../examples/transpose.ncu-rep")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(framed(whole)); n < 2 {
		t.Fatalf("found %d messages in a report", n)
	}
	r := rand.New(rand.NewPCG(1, 1))
	same := 0
	for range 100 {
		b := protobuf(r, whole)
		if len(framed(b)) >= 2 {
			same++
		}
	}
	if same < 90 {
		t.Errorf("after %d of 100 changes the messages are still found", same)
	}
}

// The verdict sees what must not be.
func TestVerdict(t *testing.T) {
	capture := func(s string) capture {
		c := capture{Limit: 1000}
		c.Write([]byte(s))
		return c
	}
	for _, c := range []struct {
		o              outcome
		stdout, stderr string
		people         bool
		want           string
	}{
		{outcome{}, "fine\n\tä", "gpuprof: so\n", true, ""},
		{outcome{}, "\x1b[31m", "", false, ""},
		{outcome{}, "\x1b[31m", "", true, "escape: stdout"},
		{outcome{}, "a\u202e", "", true, "escape: stdout"},
		{outcome{}, "", "a\u009b", false, "escape: stderr"},
		{outcome{Exit: 2}, "", "panic: oh\n\ngoroutine 1 [running]:", false, "panic: panic: oh"},
		{outcome{Exit: 70}, "", "gpuprof: internal error in page a of file b, please report", true, "panic: "},
		{outcome{Exit: -1, Hung: "took 11s"}, "", "", false, "hang: "},
		{outcome{Exit: 99}, "", "", false, "exit: "},
		{outcome{Memory: 1 << 30}, "", "", false, "memory: "},
		{outcome{}, strings.Repeat("x", 2000), "", false, "output: "},
	} {
		c.o.Stdout, c.o.Stderr = capture(c.stdout), capture(c.stderr)
		if got := verdict(c.o, 1<<20, c.people); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%q: got %q, want %q", c.stdout+c.stderr, got, c.want)
		}
	}
}

// build builds the command.
func build(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the command")
	}
	bin := filepath.Join(t.TempDir(), "gpuprof")
	if out, err := exec.Command("go", "build", "-o", bin, "../../cmd/gpuprof").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// Finds of earlier runs stay mended, and files that bring escapes are shown.
func TestFinds(t *testing.T) {
	folders := []string{"testdata/finds"}
	if dir := corpus(); dir != "" {
		folders = append(folders, filepath.Join(dir, "corpus", "hostile"))
	}
	w := worker{Options{Gpuprof: build(t)}, t.TempDir(), nil}
	defer w.stop()
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Log(err)
		}
		for _, e := range entries {
			if mine := folder == folders[0]; !slices.Contains(extensions, filepath.Ext(e.Name())) || !mine && !strings.HasPrefix(e.Name(), "esc") && e.Name() != "wide-details.csv" {
				continue
			}
			b, err := os.ReadFile(filepath.Join(folder, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			s := Seed{e.Name(), b}
			for _, c := range commands {
				if !c.python && c.suits(s.Name) {
					if r := w.try(t.Context(), s, c.args, c.people, c.python); r.What != "" {
						t.Errorf("%s: gpuprof %q: %s", s.Name, r.Args, r.What)
					}
				}
			}
		}
	}
}

// corpus is the folder of real profiles; "" without one.
func corpus() (dir string) {
	if os.Getenv("GPUPROF_NO_CORPUS") == "1" {
		return ""
	}
	if dir = os.Getenv("GPUPROF_SHARED"); dir == "" {
		dir = "../../../shared"
	}
	if _, err := os.Stat(dir); err != nil {
		return ""
	}
	return dir
}

// A few runs, whole; CI does thousands.
func TestRun(t *testing.T) {
	o := Options{Gpuprof: build(t), Runs: 60, Seed: 1, Seeds: seeds(t), For: time.Minute}
	res, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if res.Runs < 10 || res.Exits[0]+res.Exits[1] == 0 {
		t.Errorf("runs %d, by status %v", res.Runs, res.Exits)
	}
	for _, f := range res.Finds {
		t.Errorf("run %d: %s: gpuprof %q (from %s)", f.Run, f.What, f.Args, f.Seed)
	}
}

// What starts commands sees their memory, not that of who asks it, and their
// processor time, not the clock.
func TestLean(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("runs commands of Linux, and reads its /proc")
	}
	big := make([]byte, 200<<20)
	for i := range big {
		big[i] = 1
	}
	defer runtime.KeepAlive(big)
	s, err := start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s.stop()
	run := func(script string, hang time.Duration) outcome {
		o, err := s.run(job{Command: "/bin/sh", Args: []string{"-c", script}, Stdout: 10, Stderr: 10, Hang: hang})
		if err != nil || o.Failed != "" {
			t.Fatal(script, err, o.Failed)
		}
		return o
	}
	if o := run("echo hello, world; echo oh >&2; exit 3", time.Second); o.Exit != 3 || string(o.Stdout.Text) != "hello, world\n" || !o.Stdout.over() || string(o.Stderr.Text) != "oh\n" || o.Stderr.over() || o.Hung != "" {
		t.Errorf("a command that writes: %+v", o)
	} else if o.Memory > 64<<20 {
		t.Errorf("a command that takes little: %d MiB", o.Memory>>20)
	}
	if o := run("head -c 120000000 /dev/zero | tail -n 1 | wc -c", time.Minute); o.Memory < 110<<20 || o.Memory > 190<<20 {
		t.Errorf("a command that takes 114 MiB: %d MiB, took %v, ended because it %q", o.Memory>>20, o.Took, o.Hung)
	}
	for script, want := range map[string]string{"sleep 60": "done nothing", "while :; do :; done": "processor time"} {
		if o := run("exec 2>&1; "+script, time.Second); !strings.Contains(o.Hung, want) {
			t.Errorf("%s: %q", script, o.Hung)
		}
	}
}
