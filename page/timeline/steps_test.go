package timeline

import (
	"context"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// TestStepRange: where no range matches the page says that, and not that no range is
// repeated.
func TestStepRange(t *testing.T) {
	f, err := load.Open(context.Background(), small(t))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, pattern := range []string{"^nowhere$", ""} {
		q := &page.Request{Files: []*load.File{f}, Values: pagetest.Options("step-range", pattern)}
		d, err := Steps.Do(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := view.Render(&b, d, view.FormatMarkdown, q.ViewOptions()); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); strings.Contains(got, "no NVTX range of this process matches --step-range") != (pattern != "") {
			t.Errorf("--step-range %q: %s", pattern, got)
		}
	}
}
