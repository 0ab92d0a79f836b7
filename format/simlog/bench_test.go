package simlog_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"testing"

	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/gpuprof/gpuprof/format/simlog/loggen"
)

// BenchmarkParse reads a log of 64 MB from memory on one core.
func BenchmarkParse(b *testing.B) { benchmarkParse(b, loggen.Options{Bytes: 64 << 20, Kernels: 8}, 1) }

// BenchmarkParseProbe reads the stock wording of GPGPU-Sim.
func BenchmarkParseProbe(b *testing.B) {
	benchmarkParse(b, loggen.Options{Bytes: 64 << 20, Kernels: 8, Probe: true}, 1)
}

// BenchmarkParseTwo lets two goroutines parse.
func BenchmarkParseTwo(b *testing.B) {
	benchmarkParse(b, loggen.Options{Bytes: 64 << 20, Kernels: 8}, 2)
}

func benchmarkParse(b *testing.B, o loggen.Options, workers int) {
	var log bytes.Buffer
	t, err := loggen.Write(&log, o)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(t.Bytes)
	b.ReportAllocs()
	before, n := userTime(), int64(0)
	for b.Loop() {
		n += t.Bytes
		r := simlog.NewReader(context.Background(), bytes.NewReader(log.Bytes()), simlog.Options{Workers: workers})
		drain(b, r)
		if r.Tally().Lines != t.Lines {
			b.Fatalf("%d lines, the log has %d", r.Tally().Lines, t.Lines)
		}
	}
	b.ReportMetric(float64(n)/1e6/(userTime()-before).Seconds(), "MB/cpu-s")
}

// BenchmarkParseFile reads the file that SIMLOG_BENCH names, on one core. User CPU
// time is reported beside wall time, since other programs share the machine.
func BenchmarkParseFile(b *testing.B) {
	name := os.Getenv("SIMLOG_BENCH")
	if name == "" {
		b.Skip("SIMLOG_BENCH names no file")
	}
	before := userTime()
	var bytes int64
	for b.Loop() {
		f, err := os.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		r := simlog.NewReader(context.Background(), f, simlog.Options{})
		drain(b, r)
		bytes += r.Tally().Bytes
		b.SetBytes(r.Tally().Bytes)
		f.Close()
	}
	b.ReportMetric(float64(bytes)/1e6/(userTime()-before).Seconds(), "MB/cpu-s")
}

func drain(tb testing.TB, s simlog.Source) {
	tb.Helper()
	for {
		if _, err := s.Next(); err == io.EOF {
			return
		} else if err != nil {
			tb.Fatal(err)
		}
	}
}
