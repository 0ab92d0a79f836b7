package catalogue

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/page/timeline"
	"github.com/gpuprof/gpuprof/view"
)

// filtered filters a file into a folder.
func filtered(t *testing.T, name string, values map[string][]string) string {
	t.Helper()
	in, err := load.Open(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	to := filepath.Join(t.TempDir(), filepath.Base(name))
	q := &page.Request{Files: []*load.File{in}, Args: []string{name}, Values: values, Output: to}
	if _, err := timeline.Filter.Do(context.Background(), q); err != nil {
		t.Fatal(err)
	}
	return to
}

// TestFilterIsTheSelection holds the statistics of what filter wrote against those of
// the selection.
func TestFilterIsTheSelection(t *testing.T) {
	made := filepath.Join(t.TempDir(), "made.sqlite")
	if err := nsysgen.Write(made, nsysgen.Size{Kernels: 2000, Ranges: 600, Copies: 100, Threads: 4, Devices: 2, Names: 20, Seed: 3}); err != nil {
		t.Fatal(err)
	}
	t.Run("made", func(t *testing.T) { filterIsSelection(t, made, true) })
	t.Run("corpus", func(t *testing.T) {
		for _, name := range corpustest.Files(t, "corpus/nsys/*.sqlite") {
			t.Run(filepath.Base(name), func(t *testing.T) { filterIsSelection(t, name, false) })
		}
	})
}

func filterIsSelection(t *testing.T, name string, made bool) { // made: with empty cells where the schema has none
	for _, by := range [][]string{{"device", "0"}, {"kernel-regex", "gemm|kernel|7"}, {"filter-time", "500ms/1500ms"}, {"stream", "7"}, {"device", "0", "filter-time", "0/2s"}} {
		values := pagetest.Options(by...)
		to := filtered(t, name, values)
		if !made {
			sound(t, to)
		}
		want, _ := pagetest.Render(t, timeline.Stats, name, view.FormatJSON, values)
		got, _ := pagetest.Render(t, timeline.Stats, to, view.FormatJSON, nil)
		want = strings.ReplaceAll(strings.ReplaceAll(want, filepath.Dir(name), filepath.Dir(to)), " in the span of time asked for", "")
		if got == want {
			continue
		}
		a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
		t.Errorf("%v: %d lines, the selection has %d", by, len(a), len(b))
		for i, shown := 0, 0; i < min(len(a), len(b)) && shown < 3; i++ {
			if a[i] != b[i] {
				t.Errorf("line %d:\n got %.200s\nwant %.200s", i+1, a[i], b[i])
				shown++
			}
		}
	}
}
