package rule

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// hosts are the Pythons that rules run on.
func hosts(t *testing.T) map[string]Options {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]Options{"carried": {}}
	if runtime.GOOS == "linux" {
		out["own"] = Options{Python: corpustest.Python(t), Launcher: []string{exe, "confine"}}
	}
	return out
}

// TestBeside: a rule reads itself, modules, packages and charts beside it, and
// nothing else of its folder.
func TestBeside(t *testing.T) {
	dir := write(t, map[string]string{
		"beside.py": `import os
import friend, pack.inner
def get_identifier(): return "Beside"
def apply(handle):
    here = os.path.dirname(os.path.abspath(__file__))
    print(friend.value, pack.inner.value)
    for name in ("id_rsa", "report.csv", "sub/other.py", "away.py", "friend.py", "sub"):
        try:
            if os.path.isdir(here + "/" + name): os.listdir(here + "/" + name)
            else: open(here + "/" + name).read()
            print("read", name)
        except OSError: pass
    try: print("id_rsa" in os.listdir(here))
    except OSError: print(False)
`,
		"friend.py": "value = 1\n", "id_rsa": "secret", "report.csv": "a,b\n"})
	for name, text := range map[string]string{"pack/__init__.py": "", "pack/inner.py": "value = 2\n", "sub/other.py": "x = 1\n"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(t.TempDir(), "outside.py")
	if err := os.WriteFile(outside, []byte("y = 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "away.py")); err != nil {
		t.Fatal(err)
	}
	for name, o := range hosts(t) {
		t.Run(name, func(t *testing.T) {
			h := newHost(t, o)
			s, err := h.Load(context.Background(), File(filepath.Join(dir, "beside.py")))
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Rules) != 1 {
				t.Fatal(s.Problems)
			}
			r, a := report()
			out, err := h.Apply(context.Background(), Job{Report: r, Action: a, Rules: s.Rules})
			if err != nil {
				t.Fatal(err)
			}
			if out[0].Err != nil || out[0].Printed != "1 2\nread friend.py\nFalse\n" {
				t.Errorf("%q %v", out[0].Printed, out[0].Err)
			}
		})
	}
}

// TestMemory: rules that take what they can get end with an error, and the
// process has not taken more than what is documented.
func TestMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	if os.Getenv("GPUPROF_TEST_MEMORY") == "" { // a process of its own, whose peak is that of this test
		c := exec.Command(os.Args[0], "-test.run=^TestMemory$", "-test.v")
		c.Env = append(os.Environ(), "GPUPROF_TEST_MEMORY=1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	dir := write(t, map[string]string{"greedy.py": `def get_identifier(): return "Greedy"
def apply(handle):
    x = []
    while True: x.append(bytearray(1 << 20))
`})
	h := newHost(t, Options{})
	s, err := h.Load(context.Background(), Folder(dir))
	if err != nil || len(s.Rules) != 1 {
		t.Fatal(err, s.Problems)
	}
	before := peak(t)
	r, a := report()
	out, err := h.Apply(context.Background(), Job{Report: r, Action: a, Rules: s.Rules})
	if err != nil || out[0].Err == nil {
		t.Fatal(err, "no error")
	}
	if took := peak(t) - before; took > 270 {
		t.Errorf("took %d MB more than before the rule ran, expected at most 256 and a little", took)
	} else {
		t.Logf("%d MB before, %d MB more: %v", before, took, out[0].Err)
	}
}

// peak is the most memory that the process has had, in MB.
func peak(t *testing.T) int {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip(err)
	}
	_, rest, _ := strings.Cut(string(b), "VmHWM:")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kb >> 10
}
