package fleet_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gpuprof/gpuprof/internal/ranksgen"
)

// TestDiskFull runs out of room in the middle of the work: what lacks is named with
// the reason, and done when there is room again.
func TestDiskFull(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root makes a small disk")
	}
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=96k"); err != nil {
		t.Skip("no small disk: ", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	s := ranksgen.Default(21)
	dir, work := made(t, s), filepath.Join(disk, "work")
	_, want := ask(t, "fleet stats", nil, dir)
	d, _ := ask(t, "fleet stats", options("work", work, "shard-size", "1", "jobs", "1"), dir)
	said := d.Sections[0].Items[0].Message
	if !d.Failed || said == nil || !strings.Contains(said.Text, "no space left on device") || !strings.Contains(said.Text, "fleet resume") {
		t.Fatalf("a full disk: %+v", d.Sections[0])
	}
	if left, _ := filepath.Glob(filepath.Join(work, "parts", ".*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size=64m"); err != nil {
		t.Fatal(err)
	}
	if _, got := ask(t, "fleet resume", nil, work); got != want {
		t.Errorf("resumed: %s\nwant %s", got, want)
	}
}

// TestKilledReducer kills the process that merges, at several times: the next one has
// the answer, and what the first left is whole or not there.
func TestKilledReducer(t *testing.T) {
	if work := os.Getenv("GPUPROF_TEST_MERGE"); work != "" {
		for {
			ask(t, "fleet merge", nil, work)
		}
	}
	s := ranksgen.Default(22)
	dir, work := made(t, s), filepath.Join(t.TempDir(), "work")
	_, want := ask(t, "fleet ranks", options("work", work, "shard-size", "1"), dir)
	for i := range 6 {
		os.Remove(filepath.Join(work, "run.gpr"))
		child := exec.Command(os.Args[0], "-test.run=^TestKilledReducer$")
		child.Env = append(os.Environ(), "GPUPROF_TEST_MERGE="+work)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+37*i) * time.Millisecond)
		child.Process.Kill()
		child.Wait()
		if _, err := os.Stat(filepath.Join(work, "run.gpr")); err == nil {
			if _, got := ask(t, "ranks", nil, filepath.Join(work, "run.gpr")); got != want {
				t.Errorf("what a killed reducer left: %s", got)
			}
		}
		if _, got := ask(t, "fleet merge", nil, work); got != want {
			t.Errorf("after a killed reducer: %s\nwant %s", got, want)
		}
	}
}
