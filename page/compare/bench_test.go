package compare

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/gpuprof/gpuprof/internal/examples"
	"github.com/gpuprof/gpuprof/internal/pagetest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// BenchmarkReports compares full reports of 100 kernels, one and five a side, from
// the files to the text. As the peer it opens the same files and decodes the
// metrics of every launch, which a comparison cannot do without.
func BenchmarkReports(b *testing.B) {
	var names []string
	for seed := range uint64(10) {
		name := filepath.Join(b.TempDir(), fmt.Sprintf("run%d.ncu-rep", seed))
		if err := examples.Many(100, seed).WriteFile(name); err != nil {
			b.Fatal(err)
		}
		names = append(names, name)
	}
	for _, runs := range []int{1, 5} {
		b.Run(fmt.Sprintf("%d+%d", runs, runs), func(b *testing.B) {
			var ours, peer time.Duration
			for b.Loop() {
				began := time.Now()
				decodeAll(b, names[:2*runs])
				peer += time.Since(began)
				began = time.Now()
				diffAll(b, names[:2*runs])
				ours += time.Since(began)
			}
			b.ReportMetric(ours.Seconds()/float64(b.N), "diff-s")
			b.ReportMetric(ours.Seconds()/peer.Seconds(), "diff/decode")
		})
	}
}

func decodeAll(b *testing.B, names []string) {
	n := 0
	for _, name := range names {
		f, err := load.Open(context.Background(), name)
		if err != nil {
			b.Fatal(err)
		}
		for _, a := range f.Report.Actions() {
			ms, err := a.Metrics()
			if err != nil {
				b.Fatal(err)
			}
			n += ms.Len()
		}
		f.Close()
	}
	if n < 100*850*len(names) {
		b.Fatal(n, "metrics")
	}
}

func diffAll(b *testing.B, names []string) {
	q := &page.Request{Format: view.FormatText, Values: pagetest.Options(), Before: len(names) / 2}
	for _, name := range names {
		f, err := load.Open(context.Background(), name)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		q.Files = append(q.Files, f)
	}
	d, err := Diff.Do(context.Background(), q)
	if err != nil {
		b.Fatal(err)
	}
	if err := view.Render(io.Discard, d, view.FormatText, view.Options{}); err != nil {
		b.Fatal(err)
	}
}
