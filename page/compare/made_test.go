package compare

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/kinetogen"
	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// TestMadeTimelines compares timelines that are made for it: with itself, where
// nothing differs, and with one of more work.
func TestMadeTimelines(t *testing.T) {
	dir := t.TempDir()
	database := func(name string, kernels int) string {
		path := filepath.Join(dir, name)
		size := nsysgen.Size{Kernels: kernels, Ranges: kernels / 4, Copies: kernels / 10, Threads: 2, Devices: 2, Names: 6, Seed: 1}
		if err := nsysgen.Write(path, size); err != nil {
			t.Fatal(err)
		}
		return path
	}
	torch := func(name string, layers int) string {
		var b bytes.Buffer
		if _, err := kinetogen.Write(&b, kinetogen.Options{Steps: 4, Layers: layers}); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, pair := range [][2]string{
		{database("old.sqlite", 2000), database("new.sqlite", 3000)},
		{torch("old.pt.trace.json", 3), torch("new.pt.trace.json", 5)},
	} {
		if same := madeDiff(t, pair[0], pair[0]); !strings.Contains(same, "nothing differs") {
			t.Errorf("%s with itself: %.300s", pair[0], same)
		}
		there, back := madeDiff(t, pair[0], pair[1]), madeDiff(t, pair[1], pair[0])
		if strings.Contains(there, "nothing differs") || there == back {
			t.Errorf("%s: %.300s", pair, there)
		}
	}
}

func madeDiff(t *testing.T, names ...string) string {
	t.Helper()
	q := &page.Request{Format: view.FormatText, Values: map[string][]string{}}
	for _, name := range names {
		f, err := load.Open(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		q.Files = append(q.Files, f)
	}
	d, err := Diff.Do(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := view.Render(&b, d, view.FormatText, view.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
