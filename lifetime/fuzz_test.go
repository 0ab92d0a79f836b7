package lifetime_test

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/gpuprof/gpuprof/lifetime"
)

// FuzzAnalyze runs the whole way from a log's bytes to its report.
func FuzzAnalyze(f *testing.F) {
	f.Add([]byte(twoKernels), true)
	f.Add([]byte("Processing kernel a\n-kernel id = 1\nGPGPU-Sim Cycle 5380: Load instr from L1D cache at SM 0 bank 0 addr 93ce6c00 status 2\ngpu_sim_cycle = 9\n"), false)
	f.Fuzz(func(t *testing.T, log []byte, last bool) {
		src, err := simlog.NewSource(context.Background(), "fuzz", bytes.NewReader(log), simlog.Options{})
		if err != nil {
			return
		}
		s := lifetime.Settings{Options: lifetime.Options{Jobs: 4}, Lifetimes: func(string) (io.Writer, error) { return io.Discard, nil }}
		if last {
			s.Options.End = lifetime.AtLastRead
		}
		a, err := lifetime.Analyze(context.Background(), src, s)
		if a == nil {
			t.Fatal(err)
		}
		var n uint64
		for _, k := range a.Kernels {
			for _, l := range k.Levels {
				n += l.Lifetimes
				if l.Lifetimes > 0 && !(l.MedianUS >= 0 && l.MedianUS <= l.MaxUS && l.P90US <= l.MaxUS) {
					t.Fatalf("level %+v", l)
				}
			}
		}
		var sum uint64
		for _, l := range a.Totals {
			sum += l.Lifetimes.N()
		}
		if n != sum {
			t.Fatalf("%d lifetimes in kernels, %d in levels", n, sum)
		}
		if err := a.WriteReport(io.Discard, "fuzz", noon); err != nil {
			t.Fatal(err)
		}
		if err := lifetime.WriteHistogramSVG(io.Discard, "fuzz", a.Series()); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzFromCSV(f *testing.F) {
	f.Add([]byte("Kernel ID,Total Cycles,L1 Write Frequency\n1,100,5.5\n"), []byte(lifetime.LifetimeHeader+"1,2.00,3.00,4.00\n"), []byte("kernel_id,cluster\n1,a\n"), []byte(devices))
	f.Fuzz(func(t *testing.T, table, lives, weights, dev []byte) {
		s := lifetime.Settings{}
		if w, err := lifetime.ReadWeights(bytes.NewReader(weights), "w"); err == nil {
			s.Weights = w
		}
		if d, err := lifetime.ReadDevices(bytes.NewReader(dev), "d"); err == nil {
			s.Devices = d
		}
		a, err := lifetime.FromCSV(s, bytes.NewReader(table), "t", map[string]io.Reader{"L1D": bytes.NewReader(lives)})
		if err != nil {
			return
		}
		if err := a.WriteReport(io.Discard, "fuzz", noon); err != nil {
			t.Fatal(err)
		}
	})
}
