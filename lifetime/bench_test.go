package lifetime_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
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

func benchmarkRun(b *testing.B, workers, jobs int) {
	var log bytes.Buffer
	if _, err := loggen.Write(&log, loggen.Options{Bytes: 64 << 20, Kernels: 3}); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(log.Len()))
	b.ReportAllocs()
	for b.Loop() {
		src := simlog.NewReader(context.Background(), bytes.NewReader(log.Bytes()), simlog.Options{Workers: workers})
		if _, err := lifetime.Run(context.Background(), src, lifetime.Options{Jobs: jobs}, lifetime.Discard{}); err != nil {
			b.Fatal(err)
		}
	}
}

// The benchmarks below read the file that SIMLOG_BENCH names. User CPU time is
// reported beside wall time, since other programs share the machine.

// BenchmarkFileLifetimes computes all lifetimes and writes nothing.
func BenchmarkFileLifetimes(b *testing.B) {
	for _, cores := range []int{1, 2} {
		b.Run(fmt.Sprintf("cores=%d", cores), func(b *testing.B) {
			benchmarkFile(b, cores, func(src simlog.Source) (*lifetime.Summary, error) {
				return lifetime.Run(context.Background(), src, lifetime.Options{Jobs: cores}, lifetime.Discard{})
			})
		})
	}
}

// BenchmarkFileReport computes everything and writes all files.
func BenchmarkFileReport(b *testing.B) {
	for _, cores := range []int{1, 2} {
		b.Run(fmt.Sprintf("cores=%d", cores), func(b *testing.B) {
			dir := b.TempDir()
			benchmarkFile(b, cores, func(src simlog.Source) (*lifetime.Summary, error) {
				a, _, err := lifetime.AnalyzeToFiles(context.Background(), src, lifetime.Settings{Options: lifetime.Options{Jobs: cores}},
					lifetime.Files{Dir: dir, Name: "bench", Lifetimes: true, Charts: true})
				if err != nil {
					return nil, err
				}
				return &a.Summary, nil
			})
		})
	}
}

func benchmarkFile(b *testing.B, cores int, run func(simlog.Source) (*lifetime.Summary, error)) {
	name := os.Getenv("SIMLOG_BENCH")
	if name == "" {
		b.Skip("SIMLOG_BENCH names no file")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	workers := 0
	if cores > 1 {
		workers = cores
	}
	before := userTime()
	var bytes int64
	for b.Loop() {
		src, err := simlog.Open(context.Background(), name, simlog.Options{Workers: workers})
		if err != nil {
			b.Fatal(err)
		}
		sum, err := run(src)
		if err != nil {
			b.Fatal(err)
		}
		bytes += sum.Tally.Bytes
		b.SetBytes(sum.Tally.Bytes)
		src.Close()
	}
	b.ReportMetric(float64(bytes)/1e6/(userTime()-before).Seconds(), "MB/cpu-s")
}
