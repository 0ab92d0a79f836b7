package launch

import (
	"context"
	"io"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// BenchmarkDetails opens a report of 154 launches and prints the page.
func BenchmarkDetails(b *testing.B) {
	file := filepath.Join(corpustest.Dir(b), "corpus/ncu/bwd29__self-join-MiSTIC__profile.ncu-rep")
	for _, o := range []struct {
		name   string
		values []string
	}{
		{"header", []string{"print-details", "header"}},
		{"all", []string{"print-details", "all"}},
		{"full", []string{"print-details", "all", "set", "full"}}, // sections and derived metrics of our own
	} {
		b.Run(o.name, func(b *testing.B) {
			b.ReportAllocs()
			start := cpuTime(b)
			for b.Loop() {
				in, err := load.Open(context.Background(), file)
				if err != nil {
					b.Fatal(err)
				}
				q := &page.Request{Files: []*load.File{in}, Format: view.FormatText, Values: pagetest.Options(o.values...)}
				d, err := Details.Do(context.Background(), q)
				if err != nil {
					b.Fatal(err)
				}
				if err := view.Render(io.Discard, d, view.FormatText, q.ViewOptions()); err != nil {
					b.Fatal(err)
				}
				in.Close()
			}
			b.ReportMetric(float64(cpuTime(b)-start)/float64(b.N)/1e6, "cpu-ms/op")
		})
	}
}
