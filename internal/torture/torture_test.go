package torture

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

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
	capture := func(s string) *capture {
		c := &capture{limit: 1000}
		c.Write([]byte(s))
		return c
	}
	for _, c := range []struct {
		t              trial
		hung           bool
		stdout, stderr string
		people         bool
		want           string
	}{
		{trial{}, false, "fine\n\tä", "gpuprof: so\n", true, ""},
		{trial{}, false, "\x1b[31m", "", false, ""},
		{trial{}, false, "\x1b[31m", "", true, "escape: stdout"},
		{trial{}, false, "a\u202e", "", true, "escape: stdout"},
		{trial{}, false, "", "a\u009b", false, "escape: stderr"},
		{trial{exit: 2}, false, "", "panic: oh\n\ngoroutine 1 [running]:", false, "panic: panic: oh"},
		{trial{exit: 70}, false, "", "gpuprof: internal error in page a of file b, please report", true, "panic: "},
		{trial{exit: -1}, true, "", "", false, "hang: "},
		{trial{exit: 99}, false, "", "", false, "exit: "},
		{trial{memory: 1 << 30}, false, "", "", false, "memory: "},
		{trial{}, false, strings.Repeat("x", 2000), "", false, "output: "},
	} {
		if got := verdict(c.t, c.hung, 1<<20, c.people, capture(c.stdout), capture(c.stderr)); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%+v: got %q, want %q", c, got, c.want)
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
	o := Options{Gpuprof: build(t)}
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Log(err)
		}
		for _, e := range entries {
			if mine := folder == folders[0]; !slices.Contains(extensions, filepath.Ext(e.Name())) || !mine && !strings.HasPrefix(e.Name(), "esc") {
				continue
			}
			b, err := os.ReadFile(filepath.Join(folder, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			s := Seed{e.Name(), b}
			for _, c := range commands {
				if !c.python && c.suits(s.Name) {
					if r := o.try(t.Context(), t.TempDir(), s, c.args, c.people, c.python); r.What != "" {
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
