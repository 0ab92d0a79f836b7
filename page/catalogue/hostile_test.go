package catalogue

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/page/launch"
	"github.com/gpuprof/gpuprof/view"
)

// TestHostile shows every page of reports that are cut short or have a byte
// changed. A page may be refused with an error or shown in part; it never
// panics. The decoders have tests of their own with many more changes.
func TestHostile(t *testing.T) {
	files := []string{filepath.Join("..", "..", "examples", "transpose.ncu-rep")}
	if testing.Short() {
		t.Log("examples only")
	} else {
		t.Run("corpus", func(t *testing.T) {
			for _, f := range corpustest.Files(t, "corpus/ncu/*rep*") {
				if st, err := os.Stat(f); err == nil && st.Size() < 400<<10 {
					files = append(files, f)
				}
			}
		})
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			sound, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, uint64(len(sound))))
			for i := range 12 {
				showAll(t, fmt.Sprintf("cut %d", i), sound[:len(sound)*i/12])
			}
			for i := range 24 {
				b := bytes.Clone(sound)
				for range 1 + i%3 {
					b[r.IntN(len(b))] ^= byte(1 << r.IntN(8))
				}
				showAll(t, fmt.Sprintf("flip %d", i), b)
			}
		})
	}
}

// showAll builds and renders every page of a report in every format in turn.
func showAll(t *testing.T, what string, b []byte) {
	t.Helper()
	defer func() {
		if e := recover(); e != nil {
			t.Errorf("%s: panic: %v", what, e)
			panic(e)
		}
	}()
	f, err := load.OpenReader(bytes.NewReader(b), int64(len(b)), what)
	if err != nil {
		if len(err.Error()) > 1000 {
			t.Errorf("%s: an error of %d bytes", what, len(err.Error()))
		}
		return
	}
	for i, p := range Pages() {
		if p.Unopened || p.MinArgs == 0 || p == launch.Advice { // rules have tests of their own, and take their time
			continue
		}
		q := &page.Request{Files: []*load.File{f}, Format: view.Format(view.Formats()[i%4]), Values: map[string][]string{}}
		d, err := p.Do(context.Background(), q)
		if err != nil {
			continue
		}
		if err := view.Render(&bytes.Buffer{}, d, q.Format, q.ViewOptions()); err != nil {
			t.Errorf("%s: %s: %v", what, p.Name, err)
		}
	}
}
