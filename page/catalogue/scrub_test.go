package catalogue

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/page/launch"
	"github.com/gpuprof/gpuprof/page/timeline"
	"github.com/gpuprof/gpuprof/scrub"
	"github.com/gpuprof/gpuprof/view"
)

// TestScrubKeepsAnalysis holds the pages of scrubbed profiles against those of the
// profiles themselves, in which the names that scrub took out are replaced.
func TestScrubKeepsAnalysis(t *testing.T) {
	for _, c := range []struct {
		pattern string
		pages   []*page.Page
	}{
		{"corpus/ncu/*rep*", []*page.Page{launch.Details, launch.Raw}},
		{"corpus/nsys/*.sqlite", []*page.Page{timeline.Stats}},
		{"corpus/nsys-rep/*rep", []*page.Page{timeline.Stats}},
		{"corpus/rocm/*/*.db", []*page.Page{timeline.Stats}},
		{"corpus/kineto/*.json*", []*page.Page{timeline.Stats}},
		{"corpus/amd/*.atp", []*page.Page{timeline.Stats}},
	} {
		names, err := filepath.Glob(filepath.Join(corpustest.Dir(t), filepath.FromSlash(c.pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			t.Run(filepath.Base(name), func(t *testing.T) { keepsAnalysis(t, name, c.pages) })
		}
	}
}

func keepsAnalysis(t *testing.T, name string, pages []*page.Page) {
	in, err := scrub.Open(name)
	if errors.Is(err, scrub.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	to := filepath.Join(t.TempDir(), filepath.Base(name))
	var s *scrub.Scrubber
	err = atomicfile.Write(to, func(f *atomicfile.File) error {
		s, err = scrub.Run(context.Background(), in, f, scrub.Options{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		before, _ := pagetest.Render(t, p, name, view.FormatJSON, nil)
		after, _ := pagetest.Render(t, p, to, view.FormatJSON, nil)
		before = string(s.Replace(scrub.Text{Place: "page", Bytes: []byte(strings.ReplaceAll(before, filepath.Dir(name), filepath.Dir(to)))}))
		if before == after {
			continue
		}
		b, a := strings.Split(before, "\n"), strings.Split(after, "\n")
		if len(a) != len(b) {
			t.Errorf("%s: %d lines before, %d after", p.Name, len(b), len(a))
		}
		shown := 0
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] && shown < 5 {
				t.Errorf("%s, line %d:\nbefore %.300s\nafter  %.300s", p.Name, i+1, b[i], a[i])
				shown++
			}
		}
	}
}
