package page

import (
	"context"
	"io"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/view"
)

// BenchmarkDetails opens a report of 154 launches and prints the page.
func BenchmarkDetails(b *testing.B) {
	file := filepath.Join(corpustest.Dir(b), "corpus/ncu/bwd29__self-join-MiSTIC__profile.ncu-rep")
	for _, shown := range []string{"header", "all"} {
		b.Run(shown, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				in, err := load.Open(context.Background(), file)
				if err != nil {
					b.Fatal(err)
				}
				q := &Request{Files: []*load.File{in}, Format: view.FormatText, Values: options("print-details", shown)}
				d, err := Lookup("details").Do(context.Background(), q)
				if err != nil {
					b.Fatal(err)
				}
				if err := view.Render(io.Discard, d, view.FormatText, q.ViewOptions()); err != nil {
					b.Fatal(err)
				}
				in.Close()
			}
		})
	}
}
