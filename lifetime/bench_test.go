package lifetime_test

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/gpuprof/gpuprof/format/simlog/loggen"
	"github.com/gpuprof/gpuprof/lifetime"
)

// BenchmarkRun computes the lifetimes of a log of 64 MB, read from memory, on one
// goroutine.
func BenchmarkRun(b *testing.B) { benchmarkRun(b, 1, 1) }

// BenchmarkRunTwo lets two goroutines parse and two compute.
func BenchmarkRunTwo(b *testing.B) { benchmarkRun(b, 2, 2) }

func benchmarkRun(b *testing.B, workers, shards int) {
	var log bytes.Buffer
	if _, err := loggen.Write(&log, loggen.Options{Bytes: 64 << 20, Kernels: 3}); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(log.Len()))
	b.ReportAllocs()
	for b.Loop() {
		src := simlog.NewReader(context.Background(), bytes.NewReader(log.Bytes()), simlog.Options{Workers: workers})
		if _, err := lifetime.Run(context.Background(), src, lifetime.Options{Shards: shards}, lifetime.Discard{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRunFile computes the lifetimes of the file that SIMLOG_BENCH names.
func BenchmarkRunFile(b *testing.B) {
	name := os.Getenv("SIMLOG_BENCH")
	if name == "" {
		b.Skip("SIMLOG_BENCH names no file")
	}
	for b.Loop() {
		src, err := simlog.Open(context.Background(), name, simlog.Options{})
		if err != nil {
			b.Fatal(err)
		}
		sum, err := lifetime.Run(context.Background(), src, lifetime.Options{Shards: 1}, lifetime.Discard{})
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(sum.Tally.Bytes)
		src.Close()
	}
}
