package catalogue

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/page/launch"
	"github.com/gpuprof/gpuprof/view"
)

// TestRequestsTogether has every page of launches read one opened file at the
// same time, beside requests whose rules add metrics: each page is what it is of
// a file of its own. Under the race detector it tells of what is not guarded.
func TestRequestsTogether(t *testing.T) {
	files := []string{filepath.Join("..", "..", "examples", "transpose.ncu-rep")}
	t.Run("corpus", func(t *testing.T) {
		files = append(files, corpustest.Files(t, "corpus/amd/*vcopy_MI100_pmc_perf.csv")...)
		files = append(files, corpustest.Files(t, "corpus/ncu/NVIDIA*nvtx.ncu-rep")...)
	})
	folder := t.TempDir()
	text := "import NvRules\n\n\ndef get_identifier():\n    return \"Adding\"\n\n\ndef get_name():\n    return \"Adding\"\n\n\n" +
		"def get_description():\n    return \"Adding\"\n\n\ndef apply(handle):\n    context = NvRules.get_context(handle)\n" +
		"    context.range_by_idx(0).action_by_idx(0).add_metric(\"rule__added\").set_uint64(NvRules.IMetric.ValueKind_UINT64, 7)\n" +
		"    context.frontend().message(\"added\")\n"
	if err := os.WriteFile(filepath.Join(folder, "adding.py"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ruled := map[string][]string{"section-folder": {folder}, "rule": {"Adding"}, "launch-count": {"2"}}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			apart := openOne(t, name)
			rules, err := shown(launch.Details, apart, ruled)
			if err != nil || !strings.Contains(rules, "added") {
				t.Fatalf("details with the rule: %v, %.300s", err, rules)
			}
			want := map[*page.Page]string{}
			for _, p := range Pages() {
				if !p.Unopened && p.MinArgs > 0 && p != launch.Advice {
					if text, err := shown(p, openOne(t, name), nil); err == nil {
						want[p] = text
					}
				}
			}
			if len(want) < 6 {
				t.Fatalf("%d pages show the file", len(want))
			}
			together := openOne(t, name)
			var wg sync.WaitGroup
			check := func(p *page.Page, values map[string][]string, want string) {
				wg.Go(func() {
					if got, err := shown(p, together, values); err != nil || got != want {
						t.Errorf("%s %v: another document than of a file of its own; %v", p.Name, values, err)
					}
				})
			}
			for range 2 {
				check(launch.Details, ruled, rules)
				for p, text := range want {
					check(p, nil, text)
				}
			}
			wg.Wait()
		})
	}
}

func openOne(t *testing.T, name string) *load.File {
	t.Helper()
	f, err := load.Open(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// shown is a page of a file as JSON.
func shown(p *page.Page, f *load.File, values map[string][]string) (string, error) {
	q := &page.Request{Args: []string{f.Name}, Files: []*load.File{f}, Format: view.FormatJSON, Values: values}
	d, err := p.Do(context.Background(), q)
	if err != nil {
		return "", fmt.Errorf("%s: %w", p.Name, err)
	}
	var b bytes.Buffer
	err = view.Render(&b, d, q.Format, q.ViewOptions())
	return b.String(), err
}
