package source

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// TestSourceHostile shows every view of reports whose program is broken.
func TestSourceHostile(t *testing.T) {
	t.Setenv("PATH", "")
	sound, err := os.ReadFile(filepath.Join("..", "..", "examples", "transpose.ncu-rep"))
	if err != nil {
		t.Fatal(err)
	}
	cubin := bytes.Index(sound, []byte("\x7fELF"))
	if cubin < 0 {
		t.Fatal("the example has no cubin")
	}
	r := rand.New(rand.NewPCG(2, 3))
	for i := range 400 {
		b := bytes.Clone(sound)
		for range 1 + i%4 {
			at := r.IntN(len(b))
			if i%2 == 0 {
				at = min(cubin+r.IntN(3000), len(b)-1)
			}
			b[at] ^= byte(1 << r.IntN(8))
		}
		f, err := load.OpenReader(bytes.NewReader(b), int64(len(b)), "broken")
		if err != nil {
			continue
		}
		for _, v := range []string{"sass", "cuda", "cuda,sass", "ptx"} {
			for _, compat := range []string{"", "2024.1"} {
				q := &page.Request{Files: []*load.File{f}, Format: view.FormatCSV, Values: pagetest.Options("print-source", v, "compat", compat, "sort", "hot")}
				d, err := Page.Do(context.Background(), q)
				if err != nil {
					if errors.Is(err, page.ErrUsage) {
						t.Errorf("change %d: %v", i, err)
					}
					continue
				}
				if err := view.Render(io.Discard, d, view.FormatCSV, q.ViewOptions()); err != nil {
					t.Errorf("change %d: %v", i, err)
				}
			}
		}
	}
}
