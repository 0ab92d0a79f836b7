//go:build unix && !solaris && !aix

package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestMain lets the test be its own victim: with the name of a file in the
// environment it writes half of it and waits.
func TestMain(m *testing.M) {
	if name := os.Getenv("ATOMICFILE_VICTIM"); name != "" {
		f, err := Create(name)
		if err == nil {
			_, err = f.Write(bytes.Repeat([]byte("half"), 1<<10))
		}
		fmt.Println(err)
		io.Copy(io.Discard, os.Stdin)
		return
	}
	os.Exit(m.Run())
}

// victim starts a writer that is in the middle of a file.
func victim(t *testing.T, name string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "ATOMICFILE_VICTIM="+name)
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	line := make([]byte, 100)
	n, err := out.Read(line)
	if got := string(line[:n]); err != nil || got != "<nil>\n" {
		t.Fatalf("the victim says %q, %v", got, err)
	}
	return cmd
}

func hidden(t *testing.T, dir string) int {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".out.") {
			n++
		}
	}
	return n
}

// A writer that is killed leaves the old file whole; the next removes what the
// dead left, and nothing of the living.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	if err := WriteBytes(name, []byte("old")); err != nil {
		t.Fatal(err)
	}
	bystander := filepath.Join(dir, ".out.notes")
	link := filepath.Join(dir, ".out.AAAAAAAAAAAA")
	other := filepath.Join(dir, ".other.AAAAAAAAAAAA")
	for _, n := range []string{bystander, other} {
		if err := os.WriteFile(n, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(other, link); err != nil {
		t.Fatal(err)
	}
	dead, living := victim(t, name), victim(t, name)
	dead.Process.Signal(syscall.SIGKILL)
	dead.Wait()
	if got, _ := os.ReadFile(name); string(got) != "old" {
		t.Fatalf("a killed writer left %q", got)
	}
	if n := hidden(t, dir); n != 4 {
		t.Fatalf("%d hidden files, expected those of the dead and the living, notes and a link", n)
	}
	if err := WriteBytes(name, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if n := hidden(t, dir); n != 3 {
		t.Errorf("%d hidden files after the next writer, expected that of the living, notes and a link", n)
	}
	if got, _ := os.ReadFile(name); string(got) != "new" {
		t.Errorf("found %q", got)
	}
	for _, n := range []string{bystander, other} {
		if _, err := os.Stat(n); err != nil {
			t.Error(err)
		}
	}
	living.Process.Kill()
}

// Of many writers of one name one is the last, and its file is whole.
func TestManyWriters(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			for range 20 {
				if err := WriteBytes(name, bytes.Repeat([]byte{byte('a' + i)}, 10_000)); err != nil {
					t.Error(err)
				}
				got, err := os.ReadFile(name)
				if err != nil || len(got) != 10_000 || bytes.Count(got, got[:1]) != len(got) {
					t.Errorf("half a file: %d bytes, %v", len(got), err)
				}
			}
		})
	}
	wg.Wait()
	if n := hidden(t, dir); n != 0 {
		t.Errorf("%d hidden files", n)
	}
}

// On a full disk the old file stays.
func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	if err := mountSmall(dir); err != nil {
		t.Skip("no small file system can be mounted here: ", err)
	}
	t.Cleanup(func() { unmount(dir) })
	name := filepath.Join(dir, "out")
	if err := WriteBytes(name, []byte("old")); err != nil {
		t.Fatal(err)
	}
	err := WriteBytes(name, make([]byte, 1<<20))
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v, expected that the disk is full", err)
	}
	if got, _ := os.ReadFile(name); string(got) != "old" {
		t.Errorf("found %q", got)
	}
	if n := hidden(t, dir); n != 0 {
		t.Errorf("%d hidden files", n)
	}
}
