package ranks

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/internal/ranksgen"
	"github.com/gpuprof/gpuprof/trace"
)

// large is a rank of 20 steps with 500 collectives and 670 kernels each.
func large(tb testing.TB) ([]*trace.Trace, *Partial) {
	tb.Helper()
	s := ranksgen.Default(1)
	s.Ranks, s.Steps, s.Layers = 2, 20, 167
	traces := ranksgen.Make(s).Traces()
	list, err := Map(context.Background(), traces[0], nil)
	if err != nil {
		tb.Fatal(err)
	}
	return traces, list[0]
}

// TestSmall bounds the size of the partial of a large rank.
func TestSmall(t *testing.T) {
	_, p := large(t)
	s := &Set{}
	if err := s.Add(p); err != nil {
		t.Fatal(err)
	}
	n, _ := s.WriteTo(io.Discard)
	calls := 0
	for _, c := range p.Channels {
		calls += c.Count
	}
	t.Logf("%d kernels, %d collectives: %d bytes", p.Kernels, calls, n)
	if n > 300_000 {
		t.Errorf("%d bytes, want 300,000 at most", n)
	}
}

func BenchmarkMap(b *testing.B) {
	traces, p := large(b)
	for b.Loop() {
		if _, err := Map(context.Background(), traces[0], nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(p.Kernels)*float64(b.N)/b.Elapsed().Seconds(), "kernels/s")
}

// BenchmarkMerge1000 reads a thousand partials from files and writes them as one.
func BenchmarkMerge1000(b *testing.B) {
	_, p := large(b)
	dir := b.TempDir()
	var names []string
	for i := range 1000 {
		q := *p
		q.Process = int64(i)
		s := &Set{}
		if err := s.Add(&q); err != nil {
			b.Fatal(err)
		}
		names = append(names, filepath.Join(dir, fmt.Sprint(i, ".gpr")))
		f, err := os.Create(names[i])
		if err != nil {
			b.Fatal(err)
		}
		s.WriteTo(f)
		f.Close()
	}
	for b.Loop() {
		all, parts := &Set{}, []*Set(nil)
		for _, n := range names {
			f, err := os.Open(n)
			if err != nil {
				b.Fatal(err)
			}
			s, err := ReadSet(f, n)
			if err != nil {
				b.Fatal(err)
			}
			f.Close()
			parts = append(parts, s)
		}
		all.Merge(parts...)
		if all.Len() != len(names) {
			b.Fatalf("%d partials", all.Len())
		}
		all.WriteTo(io.Discard)
	}
}
