//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/terminal"
)

const exampleReport = "../../examples/transpose.ncu-rep"

// itself is this test as the command.
func itself(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append(os.Environ(), asCommand+"=1", "NO_COLOR=1")
	return cmd
}

// status is the exit status of what has run, as a shell has it.
func status(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case !errors.As(err, &exit):
		t.Fatal(err)
	}
	if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return exit.ExitCode()
}

// made is a small timeline in a folder.
func made(t *testing.T, dir string) string {
	t.Helper()
	name := filepath.Join(dir, "made.sqlite")
	if err := nsysgen.Write(name, nsysgen.Size{Kernels: 400, Ranges: 120, Copies: 60, Threads: 2, Devices: 1, Names: 3, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	return name
}

// outputs are command lines that write files of every kind.
func outputs(timeline, dir string) map[string][]string {
	at := func(name string) string { return filepath.Join(dir, name) }
	return map[string][]string{
		"text":      {"details", "-o", at("o.txt"), exampleReport},
		"csv":       {"raw", "--csv", "-o", at("o.csv"), exampleReport},
		"json":      {"details", "--format", "json", "-o", at("o.json"), exampleReport},
		"report":    {"details", "-o", at("o.ncu-rep"), exampleReport},
		"stats":     {"stats", "--format", "csv", "-o", at("o"), timeline},
		"sqlite":    {"convert", "-o", at("o.sqlite"), timeline},
		"perfetto":  {"convert", "-o", at("o.pftrace"), timeline},
		"chrome":    {"convert", "-o", at("o2.json"), timeline},
		"csvs":      {"convert", "-o", at("o3.csv"), timeline},
		"parquet":   {"convert", "-o", at("o.parquet"), timeline},
		"nvtxt":     {"convert", "-o", at("o.nvtxt"), timeline},
		"page":      {"export", "-o", at("o.html"), exampleReport},
		"the shell": {"raw", "--format", "json", exampleReport},
	}
}

// On a full disk there is one exit status, whatever is written, and no half file
// under the final name.
func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	if err := mountFull(dir); err != nil {
		t.Skip("no small file system can be mounted here: ", err)
	}
	t.Cleanup(func() { unmount(dir) })
	for what, args := range outputs(made(t, t.TempDir()), dir) {
		cmd := itself(t.Context(), args...)
		var said bytes.Buffer
		cmd.Stderr = &said
		if what == "the shell" {
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Skip(err)
			}
			defer full.Close()
			cmd.Stdout = full
		}
		if got := status(t, cmd.Run()); got != terminal.ExitFinding || !strings.Contains(said.String(), "no space left") {
			t.Errorf("%s: status %d, %s", what, got, said.String())
		}
		left, _ := os.ReadDir(dir)
		for _, e := range left {
			if !e.IsDir() && e.Name() != "filler" {
				t.Errorf("%s leaves %s", what, e.Name())
			}
			if e.Name() != "filler" {
				os.RemoveAll(filepath.Join(dir, e.Name()))
			}
		}
	}
}

// A command that is killed while it writes leaves what was there, whole, and what
// it leaves beside it goes with the next.
func TestKilledWhileWriting(t *testing.T) {
	src, dir := made(t, t.TempDir()), t.TempDir()
	for what, args := range outputs(src, dir) {
		if what == "the shell" || what == "csvs" || what == "parquet" || what == "stats" {
			continue // none, or more than one file
		}
		out := args[len(args)-2]
		if err := os.WriteFile(out, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := status(t, itself(t.Context(), args...).Run()); got != terminal.ExitUsage {
			t.Errorf("%s: an output that exists gives status %d", what, got)
		}
		args = append(slices.Clone(args), "--force-overwrite")
		for delay := time.Millisecond; delay < 40*time.Millisecond; delay *= 2 {
			ctx, cancel := context.WithTimeout(t.Context(), delay)
			err := itself(ctx, args...).Run()
			cancel()
			b, e := os.ReadFile(out)
			if e != nil || err != nil && string(b) != "old" && len(b) < 1000 {
				t.Errorf("%s, killed after %v: found %d bytes, %v", what, delay, len(b), e)
			}
		}
		if got := status(t, itself(t.Context(), args...).Run()); got != 0 {
			t.Errorf("%s: status %d", what, got)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
			t.Errorf("%s leaves %v", what, left)
		}
	}
}

// Ctrl-C ends even what waits for a pipe without a writer.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe.ncu-rep")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"details", pipe}, {"occupancy", "--batch", pipe}, {"export", "-o", dir + "/o.html", pipe}, {"lifetimes", pipe}} {
		cmd := itself(t.Context(), args...)
		var said bytes.Buffer
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(500 * time.Millisecond)
		begin := time.Now()
		cmd.Process.Signal(os.Interrupt)
		if got := status(t, cmd.Wait()); got != terminal.ExitInterrupted || said.String() != "gpuprof: interrupted\n" {
			t.Errorf("%v: status %d, says %q", args, got, said.String())
		}
		if d := time.Since(begin); d > patience+3*time.Second {
			t.Errorf("%v: took %v to end", args, d)
		}
	}
}

// Whoever reads may have read enough: then the command ends as others do.
func TestReaderLeaves(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := itself(t.Context(), "raw", exampleReport)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = w, &said
	r.Close()
	err = cmd.Run()
	w.Close()
	if got := status(t, err); got != 128+int(syscall.SIGPIPE) || said.Len() > 0 {
		t.Errorf("status %d, says %q", got, said.String())
	}
}

// Standard input is a file like others.
func TestStandardInput(t *testing.T) {
	want, err := itself(t.Context(), "raw", "--csv", exampleReport).Output()
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(exampleReport)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"-", "/dev/stdin"} {
		cmd := itself(t.Context(), "raw", "--csv", name)
		cmd.Stdin = bytes.NewReader(whole) // a pipe
		got, err := cmd.Output()
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v, %d bytes, expected %d", name, err, len(got), len(want))
		}
	}
}

// What a file brings is shown, not obeyed, on stderr as well; an input is not
// overwritten.
func TestHostileNames(t *testing.T) {
	dir := t.TempDir()
	evil := filepath.Join(dir, "k\x1b]0;owned\x07\u202e.ncu-rep")
	if err := os.WriteFile(evil, []byte("\x1b[2Jno profile"), 0o600); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	cmd := itself(t.Context(), "details", evil)
	cmd.Stderr = &said
	if got := status(t, cmd.Run()); got != terminal.ExitInput || strings.ContainsAny(said.String(), "\x1b\x07\u202e") || !strings.Contains(said.String(), `k\x1b]0;owned\x07\u202e.ncu-rep`) {
		t.Errorf("status %d, says %q", got, said.String())
	}
	whole, err := os.ReadFile(exampleReport)
	if err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(dir, "mine.ncu-rep")
	if err := os.WriteFile(mine, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"details", "raw", "export"} {
		if got := status(t, itself(t.Context(), page, "-o", mine, mine).Run()); got != terminal.ExitUsage {
			t.Errorf("%s -o over its input: status %d", page, got)
		}
	}
	if b, _ := os.ReadFile(mine); !bytes.Equal(b, whole) {
		t.Error("the input is overwritten")
	}
}
