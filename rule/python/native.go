package python

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A Native host runs programs on the user's own Python, each as a child process.
type Native struct {
	info     nativeInfo
	modules  string
	launcher []string
	limits   Limits
	warning  string
	remove   string      // temporary folder of modules
	shared   atomic.Bool // this system lets the user make no namespaces
}

// nativeInfo is what the user's Python says of itself.
type nativeInfo struct {
	Executable string
	Version    [2]int
	Paths      []string // what it reads modules and libraries from
}

const askInfo = `import json, sys, sysconfig
import os
own = [os.path.join(p, n) for p in (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix) for n in ("lib", "lib64", "pyvenv.cfg")]
known = sysconfig.get_paths()
own += [known[n] for n in ("stdlib", "platstdlib", "purelib", "platlib")]
print(json.dumps({"Executable": sys.executable, "Version": sys.version_info[:2],
    "Paths": sorted({p for p in (os.path.realpath(sys.executable), *own, *sys.path) if p})}))`

// NewNative prepares the Python at path, version 3.11 or later. Cache is where
// the modules of this package are written (see Install); "" stands for a folder
// that Close removes.
//
// Launcher is a command that calls Confine, to be put before the command line
// of Python: the program name of gpuprof and a hidden command of it. Without it,
// and on systems other than Linux, programs run with all rights of the user, and
// Unconfined says so. On Linux it is an error where no filter of system calls is
// known for the architecture.
func NewNative(ctx context.Context, path, cache string, launcher []string, l Limits) (*Native, error) {
	if l.Memory == 0 {
		l.Memory = DefaultMemory
	}
	n := &Native{launcher: launcher, limits: l}
	out, err := exec.CommandContext(ctx, path, "-s", "-B", "-c", askInfo).Output()
	if err != nil {
		return nil, fmt.Errorf("%s: expected a Python interpreter: %w", path, err)
	}
	if err := json.Unmarshal(out, &n.info); err != nil {
		return nil, fmt.Errorf("%s: expected a Python interpreter, found a program that prints %.80q", path, out)
	}
	if v := n.info.Version; v[0] != 3 || v[1] < 11 {
		return nil, fmt.Errorf("%s: expected Python 3.11 or later, found %d.%d", path, v[0], v[1])
	}
	if cache == "" {
		if cache, err = os.MkdirTemp("", "gpuprof-"); err != nil {
			return nil, err
		}
		n.remove = cache
	}
	if n.modules, err = Install(cache); err != nil {
		n.Close()
		return nil, err
	}
	lacks, err := confinement()
	switch {
	case err != nil:
		n.Close()
		return nil, fmt.Errorf("%s: rules cannot be confined, so they do not run: %w", path, err)
	case len(launcher) == 0:
		n.warning = "rules run in " + n.info.Executable + " with all your rights: nothing confines them"
	case lacks != "":
		n.warning = "rules run in " + n.info.Executable + " less confined than they should be: " + lacks
		if runtime.GOOS != "linux" {
			n.launcher = nil
		}
	}
	return n, nil
}

// Unconfined says why programs are not confined, or less than on other systems; ""
// if they are.
func (n *Native) Unconfined() string { return n.warning }

// Close removes what NewNative wrote for the time of the host.
func (n *Native) Close() error {
	if n.remove != "" {
		return os.RemoveAll(n.remove)
	}
	return nil
}

// confineVariable is the environment variable that carries a confined command
// line's limits.
const confineVariable = "GPUPROF_CONFINE"

// A bounds is what a confined program may have.
type bounds struct {
	Read     []string // files and folders to read
	Memory   int64    // bytes of its own; code and libraries come beside it
	Isolated bool     // in namespaces of its own
}

// Start starts a program. Its files are seen where they are on this machine.
func (n *Native) Start(_ context.Context, p Program) (*Process, error) {
	if p.Write.Host != "" {
		return nil, fmt.Errorf("%s: only the Python that gpuprof carries can be given a folder to write in", p.Write.Path)
	}
	b := bounds{Read: append([]string{n.modules}, n.info.Paths...), Memory: n.limits.Memory}
	for _, f := range p.Files {
		if f.Host == "" || f.Path != filepath.ToSlash(f.Host) {
			return nil, fmt.Errorf("%s: Python of your own sees files only where they are", f.Path)
		}
		b.Read = append(b.Read, f.Host)
	}
	boot := fmt.Sprintf("import sys\nsys.path.insert(0, %s)\nsys.argv[0] = ''\nimport gpuprof_guest\ngpuprof_guest.main()", appendString(nil, n.modules))
	args := append([]string{n.info.Executable, "-s", "-B", "-c", boot, p.Main}, p.Args...)
	if len(n.launcher) == 0 {
		return n.begin(args, p, nil)
	}
	args = append(slices.Clone(n.launcher), args...)
	b.Isolated = !n.shared.Load()
	proc, err := n.begin(args, p, &b)
	if err != nil && b.Isolated && noNamespaces(err) {
		n.shared.Store(true)
		b.Isolated = false
		proc, err = n.begin(args, p, &b)
	}
	return proc, err
}

// begin starts a command line, within b if it is not nil.
func (n *Native) begin(args []string, p Program, b *bounds) (*Process, error) {
	c := exec.Command(args[0], args[1:]...)
	c.Dir = p.Dir
	c.Env = nativeEnv(p.Env)
	if b != nil {
		limits, err := json.Marshal(b)
		if err != nil {
			return nil, err
		}
		c.Env = append(c.Env, confineVariable+"="+string(limits))
		if b.Isolated {
			isolate(c)
		}
	}
	return startNative(c)
}

// nativeEnv is the environment of a program: little of ours, so that it learns
// nothing that it has no business to know.
func nativeEnv(extra map[string]string) []string {
	env := []string{"PYTHONDONTWRITEBYTECODE=1", "PYTHONUTF8=1", "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1"}
	for _, name := range []string{"LD_LIBRARY_PATH", "SystemRoot", "LANG", "LC_ALL", "TZ"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	for k, v := range extra {
		env = append(env, k+"="+v)
	}
	return env
}

func startNative(c *exec.Cmd) (*Process, error) {
	in, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	tail := &tail{}
	c.Stderr = tail
	if err := c.Start(); err != nil {
		return nil, err
	}
	p := &Process{answers: in, done: make(chan struct{})}
	requests := &drain{ReadCloser: out, ended: make(chan struct{})}
	p.requests = requests
	var stopped sync.Once
	killed := make(chan struct{})
	p.kill = func() {
		stopped.Do(func() { close(killed) })
		_ = c.Process.Kill() // it may have ended by itself
	}
	go func() {
		<-requests.ended // Wait closes the pipe, so all must have been read
		err := c.Wait()
		select {
		case <-killed:
			p.end(ErrStopped)
		default:
			p.end(tail.explain(err))
		}
	}()
	return p, nil
}

// drain tells when all of a pipe has been read, or nobody will read on.
type drain struct {
	io.ReadCloser
	once  sync.Once
	ended chan struct{}
}

// Read implements io.Reader.
func (d *drain) Read(p []byte) (int, error) {
	n, err := d.ReadCloser.Read(p)
	if err != nil {
		d.once.Do(func() { close(d.ended) })
	}
	return n, err
}

// Close implements io.Closer.
func (d *drain) Close() error {
	d.once.Do(func() { close(d.ended) })
	return d.ReadCloser.Close()
}

// tail keeps the last bytes that a program wrote to its standard error.
type tail struct {
	mu sync.Mutex
	b  []byte
}

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p...)
	if len(t.b) > 4096 {
		t.b = append(t.b[:0], t.b[len(t.b)-2048:]...)
	}
	return len(p), nil
}

func (t *tail) explain(err error) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if text := strings.TrimSpace(string(t.b)); text != "" {
		return fmt.Errorf("the Python program ended: %s", text[strings.LastIndexByte(text, '\n')+1:])
	}
	if exit.ExitCode() < 0 {
		return fmt.Errorf("the Python program ended: %v", exit)
	}
	return &ExitError{Status: exit.ExitCode()}
}
