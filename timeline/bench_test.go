package timeline_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/timeline"
)

// index builds the index of a generated database, or of that which
// GPUPROF_BENCH_TRACE names.
func index(tb testing.TB) *timeline.Index {
	tb.Helper()
	path := os.Getenv("GPUPROF_BENCH_TRACE")
	if path == "" {
		path = filepath.Join(tb.TempDir(), "a.sqlite")
		size := nsysgen.Default
		size.Kernels, size.Ranges, size.Copies = size.Kernels/100, size.Ranges/100, size.Copies/100
		if err := nsysgen.Write(path, size); err != nil {
			tb.Fatal(err)
		}
	}
	f, err := load.Open(context.Background(), path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	x, err := timeline.Build(context.Background(), f.Trace)
	if err != nil {
		tb.Fatal(err)
	}
	return x
}

// all are the tracks of tables.
func all(x *timeline.Index) []int {
	var out []int
	for k := range x.Tracks {
		if !x.Tracks[k].Derived {
			out = append(out, k)
		}
	}
	return out
}

func BenchmarkBuild(b *testing.B) {
	for range b.N {
		x := index(b)
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.HeapAlloc)/1e6, "heap-MB")
		b.ReportMetric(float64(m.Sys)/1e6, "sys-MB")
		b.ReportMetric(float64(x.Len()), "slices")
		runtime.KeepAlive(x)
	}
}

func BenchmarkWire(b *testing.B) {
	x := index(b)
	tracks := all(x)
	for _, c := range []struct {
		name string
		part int64
	}{{"all", 1}, {"tenth", 10}, {"10000th", 10_000}} {
		b.Run(c.name, func(b *testing.B) {
			n, w := 0, (x.End-x.First)/c.part
			for i := range b.N {
				t0 := x.First + int64(i%7)*(x.End-x.First-w)/7
				n = max(n, len(x.Wire(timeline.Request{T0: t0, T1: t0 + w, Pixels: 1280, Tracks: tracks})))
			}
			b.ReportMetric(float64(n), "bytes")
		})
	}
}

func BenchmarkSearch(b *testing.B) {
	x := index(b)
	re := regexp.MustCompile("(?i)kernel_1")
	for b.Loop() {
		m, _ := x.Search(re)
		x.Next(m, x.First, timeline.None, false)
	}
}

func BenchmarkAggregate(b *testing.B) {
	x := index(b)
	tracks := all(x)
	for b.Loop() {
		if _, err := x.Aggregate(context.Background(), tracks, x.First, x.End); err != nil {
			b.Fatal(err)
		}
	}
}
