package torch

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// TestHostile shows the pages of made-up files with bits flipped and parts cut: a
// file may be refused or shown in part, and nothing panics.
func TestHostile(t *testing.T) {
	traceFile, snapshot := made(t)
	for _, name := range []string{traceFile, snapshot} {
		sound, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for k := range 150 {
			b := bytes.Clone(sound)
			if k%5 == 0 {
				b = b[:len(b)*k/150]
			} else {
				for j := range 1 + k%4 {
					b[(k*2654435761+j*40503)%len(b)] ^= 1 << (k % 8)
				}
			}
			f, err := load.OpenReader(bytes.NewReader(b), int64(len(b)), filepath.Base(name))
			if err != nil {
				continue
			}
			for i, p := range []*page.Page{Ops, Breakdown, Shapes, Memory} {
				d, err := p.Build(context.Background(), &page.Request{Page: p, Files: []*load.File{f}, Values: map[string][]string{"by": {[]string{"name", "shape", "module", "line"}[k%4]}}})
				if err != nil {
					continue
				}
				format := view.Format(view.Formats()[i%len(view.Formats())])
				if err := view.Render(&bytes.Buffer{}, d, format, view.Options{}); err != nil {
					t.Errorf("%s %d: %s: %v", filepath.Base(name), k, p.Name, err)
				}
			}
		}
	}
}
