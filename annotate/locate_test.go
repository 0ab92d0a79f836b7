package annotate

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLocate(t *testing.T) {
	session := t.TempDir()
	capture := filepath.Join(session, "app_Capture_000")
	if err := os.Mkdir(capture, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"b.nvtxt", "a.txt", "app_Capture_000/c.NVTXT"} {
		if err := os.WriteFile(filepath.Join(session, name), []byte("A = 1\n@Marker, Time\nMarker, $A\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := Locate(capture, session)
	if d := cmp.Diff([]string{filepath.Join(capture, "c.NVTXT"), filepath.Join(session, "b.nvtxt")}, files); d != "" || err != nil {
		t.Fatal(d, err)
	}
	loaded := LoadFiles(context.Background(), append(files, filepath.Join(session, "none.nvtxt"), session), LoadOptions{})
	for i, l := range loaded {
		if i < 2 && (l.Err != nil || l.Events.Len() != 1) || i >= 2 && (l.Err == nil || l.File != nil) {
			t.Errorf("%s: %v %v", l.Path, l.File, l.Err)
		}
	}
	if files, err := Locate(filepath.Join(session, "none"), ""); len(files) != 0 || err != nil {
		t.Error(files, err)
	}
}
