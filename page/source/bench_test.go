package source

import (
	"context"
	"io"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// BenchmarkSource opens reports and shows every instruction: 154 launches
// without source metrics, and one of 17,316 instructions with 24 each.
func BenchmarkSource(b *testing.B) {
	b.Setenv("PATH", "")
	for _, name := range []string{"bwd29__self-join-MiSTIC__profile.ncu-rep", "jhiems__PMKID_Brute-Force__profile.nsight-cuprof-report"} {
		b.Run(name, func(b *testing.B) {
			file := filepath.Join(corpustest.Dir(b), "corpus", "ncu", name)
			b.ReportAllocs()
			for b.Loop() {
				f, err := load.Open(context.Background(), file)
				if err != nil {
					b.Fatal(err)
				}
				q := &page.Request{Files: []*load.File{f}, Format: view.FormatCSV}
				d, err := Page.Do(context.Background(), q)
				if err != nil {
					b.Fatal(err)
				}
				if err := view.Render(io.Discard, d, view.FormatCSV, q.ViewOptions()); err != nil {
					b.Fatal(err)
				}
				f.Close()
			}
		})
	}
}
