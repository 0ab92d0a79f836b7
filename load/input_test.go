//go:build unix

package load

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

const transpose = "../examples/transpose.ncu-rep"

// What is no file is told by what it is, and a file by its fault.
func TestNoFile(t *testing.T) {
	dir := t.TempDir()
	socket := filepath.Join(dir, "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	empty := filepath.Join(dir, "empty.ncu-rep")
	holes := filepath.Join(dir, "holes.ncu-rep")
	loop := filepath.Join(dir, "loop")
	for _, err := range []error{os.WriteFile(empty, nil, 0o600), os.WriteFile(holes, nil, 0o600), os.Truncate(holes, 2<<30), os.Symlink(loop, loop)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		dir: "a folder", socket: "a socket", "/dev/zero": "a device", "/dev/null": "a device", empty: "an empty file",
		holes: "begins with", loop: "too many levels", filepath.Join(dir, "gone"): "no such file", filepath.Join(dir, "empti.ncu-rep"): "did you mean empty.ncu-rep?",
	} {
		start := time.Now()
		f, err := Open(t.Context(), name)
		if err == nil {
			f.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v, expected %q", name, err, want)
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s: took %v", name, d)
		}
	}
}

// A pipe is read whole. One without a writer waits until the user has enough.
func TestPipe(t *testing.T) {
	whole, err := os.ReadFile(transpose)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := Open(ctx, name); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without a writer: %v", err)
	}
	// The reader that was left waiting may take the place of the next one: a new pipe.
	name += "2"
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	write := func(b []byte) {
		if f, err := os.OpenFile(name, os.O_WRONLY, 0); err == nil {
			f.Write(b)
			f.Close()
		}
	}
	go write(whole)
	f, err := Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if f.Report == nil || f.Size != int64(len(whole)) {
		t.Errorf("found %d bytes, a %s", f.Size, f.Format)
	}
	f.Close()

	defer func(n int64) { maxPipe = n }(maxPipe)
	maxPipe = int64(len(whole)) - 1
	go write(whole)
	if _, err := Open(t.Context(), name); err == nil || !strings.Contains(err.Error(), "found more than") {
		t.Errorf("beyond the limit: %v", err)
	}
	go write(nil)
	if _, err := Open(t.Context(), name); err == nil || !strings.Contains(err.Error(), "the end of the input") {
		t.Errorf("of nothing: %v", err)
	}
}

// Half of a file may go away while it is open. What was read is right, what was
// not is an error, and nothing else happens.
func TestShrinks(t *testing.T) {
	whole, err := os.ReadFile(transpose)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int64{0, 10, int64(len(whole)) / 2} {
		name := filepath.Join(t.TempDir(), "r.ncu-rep")
		if err := os.WriteFile(name, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(name, size); err != nil {
			t.Fatal(err)
		}
		for _, a := range f.Report.Actions() { // a small report is in memory as a whole
			if m, err := a.Metrics(); err == nil && m.Len() == 0 {
				t.Errorf("of %d bytes: a launch without metrics and without an error", size)
			}
		}
		f.Close()
	}
}
