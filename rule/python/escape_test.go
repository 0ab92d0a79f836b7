package python

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gpuprof/gpuprof/internal/corpustest"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "python" && os.Args[2] == "serve" {
		serve()
		return
	}
	if len(os.Args) > 1 && os.Args[1] == "confine" {
		println(Confine(os.Args[2:]).Error())
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func native(tb testing.TB) *Native {
	tb.Helper()
	exe, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	n, err := NewNative(context.Background(), corpustest.Python(tb), CacheDir(), []string{exe, "confine"}, Limits{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { n.Close() })
	return n
}

// attacks are scripts that must not get as far as printing ESCAPED.
var attacks = map[string]string{
	"read /etc/passwd":      `open("/etc/passwd").read()`,
	"read home":             `os.listdir(os.path.expanduser("~root"))`,
	"list tmp":              `assert len(os.listdir("/tmp")) > 1`,
	"list root":             `names = set(os.listdir("/")); assert names & {"etc", "root", "home", "proc"}`,
	"read proc":             `open("/proc/self/maps").read()`,
	"read upwards":          `open("../../../../../../etc/passwd").read()`,
	"read beside":           `open(os.path.dirname(sys.argv[0]) + "/../secret").read()`,
	"read by a link":        `open(os.path.dirname(sys.argv[0]) + "/link").read()`,
	"write":                 `open("/tmp/gpuprof-escape", "w").write("x")`,
	"write beside":          `open(os.path.dirname(sys.argv[0]) + "/new", "w").write("x")`,
	"change itself":         "with open(sys.argv[0], 'r+') as f: f.write('x')",
	"remove itself":         `os.remove(sys.argv[0])`,
	"rename itself":         `os.rename(sys.argv[0], sys.argv[0] + "x")`,
	"make a folder":         `os.mkdir(os.path.dirname(sys.argv[0]) + "/d")`,
	"change modes":          `os.chmod(sys.argv[0], 0o777); assert os.stat(sys.argv[0]).st_mode & 0o777 == 0o777`,
	"link":                  `os.symlink("/etc", os.path.dirname(sys.argv[0]) + "/e")`,
	"write a module":        `open(os.path.join(os.path.dirname(__import__("gpuprof_wire").__file__), "x.py"), "w").write("x")`,
	"socket":                `import socket; socket.socket()`,
	"raw socket":            `import _socket; _socket.socket().connect(("127.0.0.1", 80))`,
	"unix socket":           `import socket; socket.socketpair()`,
	"fork":                  `os.fork()`,
	"posix_spawn":           `os.posix_spawn("/bin/true", ["true"], {})`,
	"subprocess":            `import subprocess; subprocess.run(["true"])`,
	"system":                `assert os.system("true") == 0`,
	"exec":                  `os.execv("/bin/true", ["true"])`,
	"kill":                  `os.kill(os.getppid(), 0)`,
	"kill itself":           `import signal; os.kill(os.getpid(), 0)`,
	"environment":           `assert any(k in os.environ for k in ("HOME", "USER", "PATH", "GPUPROF_SECRET"))`,
	"allocate":              `x = bytearray(1 << 30)`,
	"allocate bits":         "x = []\nwhile True: x.append(bytearray(1 << 20))",
	"take 257 MB":           "x = []\ntry:\n  while True: x.append(bytearray(1 << 20))\nexcept MemoryError:\n  n = len(x); x = []\nassert n > 256",
	"loop":                  `while True: pass`,
	"output":                `while True: print("x" * 1000)`,
	"raw output":            `while True: os.write(1, b"x" * 1000 + b"\n")`,
	"ctypes":                `import ctypes; assert ctypes.CDLL(None).fork() >= 0`,
	"threads":               "import threading\nfor i in range(10): threading.Thread(target=lambda: bytearray(1 << 30)).start()\nassert False",
	"signal by a pipe":      "import fcntl\nr, w = os.pipe()\nfcntl.fcntl(r, fcntl.F_SETOWN, os.getppid())\nfcntl.fcntl(r, 10, 9)",
	"signal by stdin":       "import fcntl\nfcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())",
	"other processes":       `assert any(os.path.exists("/proc/%d" % p) for p in range(1, 40000) if p != os.getpid())`,
	"sign of processes":     "try:\n  os.kill(1, 0)\nexcept ProcessLookupError: pass\nelse: sys.exit(0)\nassert False",
	"be looked into":        "import ctypes\nlibc = ctypes.CDLL(None)\nassert libc.prctl(3) == 1 or libc.prctl(4, 1) == 0",
	"exec itself":           `os.execv(sys.executable, [sys.executable, "-c", "print('ESC' + 'APED')"])`,
	"shared memory":         `import mmap; mmap.mmap(-1, 1 << 20)[0]`,
	"timer":                 `import signal; signal.setitimer(signal.ITIMER_REAL, 100)`,
	"priority":              `os.nice(1)`,
	"session":               `os.setsid()`,
	"group":                 `os.setpgid(0, 0)`,
	"what lies beside":      `open(os.path.dirname(sys.argv[0]) + "/notes.txt").read()`,
	"list what lies beside": `assert "notes.txt" in os.listdir(os.path.dirname(sys.argv[0]))`,
	"every call":            everyCall,
	"limits":                `import resource; resource.setrlimit(resource.RLIMIT_AS, (-1, -1))`,
}

// everyCall tries each system call by number, with arguments that harm nobody, and
// fails unless one is answered by more than a refusal that is not in the list of
// what programs may call. Calls that are waited for or end the program are in it.
const everyCall = `import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
allowed = set(int(n) for n in os.environ["GPUPROF_TEST_CALLS"].split())
assert len(allowed) > 50
for base in (0, 0x40000000):
  for n in range(600):
    if base == 0 and n in allowed: continue
    ctypes.set_errno(0)
    r = libc.syscall(ctypes.c_long(base + n), *[ctypes.c_long(-1)] * 6)
    if r != -1 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
      print("system call", base + n, r, ctypes.get_errno())
      sys.exit(0)
raise OSError("all refused")`

// TestEscapes lets programs try to get out, in both hosts.
func TestEscapes(t *testing.T) {
	t.Setenv("GPUPROF_SECRET", "1")
	hosts := map[string]func(testing.TB) host{"wasm": func(tb testing.TB) host { return engine(tb) }}
	if runtime.GOOS == "linux" {
		hosts["native"] = func(tb testing.TB) host { return native(tb) }
	}
	for name, make := range hosts {
		t.Run(name, func(t *testing.T) {
			h := make(t)
			if n, ok := h.(*Native); ok && n.Unconfined() != "" {
				t.Skip(n.Unconfined())
			}
			for what, code := range attacks {
				t.Run(what, func(t *testing.T) { attack(t, h, code, what == "loop" || what == "raw output") })
			}
			// The host itself is well: an honest program still runs.
			if out, err := attackWith(t, h, "pass", time.Minute); err != nil || !strings.Contains(out, "ESCAPED") {
				t.Errorf("an honest program printed %q, ended with %v", out, err)
			}
		})
	}
}

// attack fails if a program escapes, or if nobody can tell as it ran out of time,
// unless it is endless.
func attack(t *testing.T, h host, code string, endless bool) {
	patience := 2 * time.Minute
	if endless {
		patience = 2 * time.Second
	}
	out, err := attackWith(t, h, code, patience)
	if errors.Is(err, context.DeadlineExceeded) && !endless {
		t.Error("it ran out of time")
	}
	if err == nil || strings.Contains(out, "ESCAPED") {
		t.Errorf("escaped: printed %.300q, ended with %v", out, err)
	}
	for _, file := range []string{"/tmp/gpuprof-escape"} {
		if os.Remove(file) == nil {
			t.Errorf("wrote %s", file)
		}
	}
	t.Logf("%.100q %v", lastLine(out), err)
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

func attackWith(t *testing.T, h host, code string, patience time.Duration) (string, error) {
	root := t.TempDir()
	dir := filepath.Join(root, "rules")
	script := filepath.Join(dir, "script.py")
	for name, text := range map[string]string{filepath.Join(root, "secret"): "secret", filepath.Join(dir, "notes.txt"): "notes", script: "import os, sys\n" + code + "\nprint('ESCAPED')\n"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../secret", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	path := filepath.ToSlash(script)
	p, err := h.Start(ctx, Program{Main: "gpuprof_script", Args: []string{path}, Files: []File{{Path: path, Host: script}}, Env: map[string]string{"GPUPROF_TEST_CALLS": callNumbers()}})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	err = p.Serve(ctx, &Service{}, Output{Print: func(_ string, text []byte) error {
		if out.Len()+len(text) > 1<<20 {
			return errors.New("too much output")
		}
		out.Write(text)
		return nil
	}})
	if files, _ := os.ReadDir(dir); len(files) != 3 {
		t.Errorf("the folder holds %d files, not 3", len(files))
	}
	if st, err := os.Stat(script); err != nil || st.Mode().Perm() != 0o644 || st.Size() != int64(len(code)+len("import os, sys\n\nprint('ESCAPED')\n")) {
		t.Errorf("the script was changed: %v, %v", st, err)
	}
	return out.String(), err
}
