package amd

import (
	"bytes"
	"testing"

	"github.com/gpuprof/gpuprof/format/amd/internal/synth"
)

// BenchmarkReadTrace reads a trace of 200,000 calls, on one core.
func BenchmarkReadTrace(b *testing.B) {
	var buf bytes.Buffer
	if err := synth.Trace(&buf, 200000, 16, 1); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(buf.Len()))
	for b.Loop() {
		t, err := ReadTrace(bytes.NewReader(buf.Bytes()), int64(buf.Len()), "synth.atp")
		if err != nil || len(t.Problems) > 0 {
			b.Fatal(err, t.Problems)
		}
	}
}

// BenchmarkCounters reads and takes apart a counter file of 20,000 kernels.
func BenchmarkCounters(b *testing.B) {
	var buf bytes.Buffer
	if err := synth.Counters(&buf, 20000, 1); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(buf.Len()))
	for b.Loop() {
		c, err := ReadCounters(bytes.NewReader(buf.Bytes()), int64(buf.Len()), "synth.csv")
		if err != nil || len(c.Problems) > 0 {
			b.Fatal(err, c.Problems)
		}
		var cells []string
		for i := range c.Rows {
			cells, _ = c.Cells(cells[:0], i)
			c.Kernel(cells)
		}
	}
}
