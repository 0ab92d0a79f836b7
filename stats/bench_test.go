package stats_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/stats"
	"github.com/gpuprof/gpuprof/view"
)

// BenchmarkReports makes every report of a generated database. The environment
// variable GPUPROF_BENCH_DB names a larger one to use in its place.
func BenchmarkReports(b *testing.B) {
	path := os.Getenv("GPUPROF_BENCH_DB")
	if path == "" {
		path = filepath.Join(b.TempDir(), "x.sqlite")
		size := nsysgen.Default
		size.Kernels, size.Ranges, size.Copies = size.Kernels/20, size.Ranges/20, size.Copies/20
		if err := nsysgen.Write(path, size); err != nil {
			b.Fatal(err)
		}
	}
	for _, r := range stats.Reports() {
		b.Run(r.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				run(b, path, r)
			}
		})
	}
}

func run(b *testing.B, path string, r *stats.Report) {
	f, err := load.Open(context.Background(), path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	t, err := r.Build(context.Background(), &stats.Request{Trace: f.Trace})
	if _, skip := err.(*stats.Skip); skip {
		b.Skip(err)
	}
	if err != nil {
		b.Fatal(err)
	}
	s := view.Section{}
	s.AddTable(t)
	if err := view.Render(io.Discard, &view.Document{Sections: []view.Section{s}}, view.FormatCSV, view.Options{}); err != nil {
		b.Fatal(err)
	}
}
