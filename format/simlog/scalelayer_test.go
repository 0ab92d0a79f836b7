package simlog_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/format/simlog"
)

// A scaleLayer is a convolution on a weight-stationary array of rows x columns: of
// its weights, k x n, the array holds one fold at a time, through which the m
// windows of the input pass.
type scaleLayer struct{ m, k, n, side int }

// folds is how often the array is filled.
func (l scaleLayer) folds() (down, across int) {
	return (l.k + l.side - 1) / l.side, (l.n + l.side - 1) / l.side
}

// period is how many cycles a fold takes: the weights come in, then each window
// takes one more cycle, and the last one crosses both sides of the array.
func (l scaleLayer) period() int { return l.side + l.m + 2*l.side - 2 }

// write writes the trace of an operand as SCALE-Sim does: a row a cycle, a column a
// port, -1 where the port idles.
func (l scaleLayer) write(w io.Writer, at func(down, across, cycle, port int) (address int)) {
	b := bufio.NewWriter(w)
	defer b.Flush()
	down, across := l.folds()
	for f := range down * across {
		for c := range l.period() {
			fmt.Fprintf(b, "%d", f*l.period()+c+1)
			for p := range l.side {
				fmt.Fprintf(b, ",%d", at(f%down, f/down, c, p))
			}
			b.WriteByte('\n')
		}
	}
}

func (l scaleLayer) traces() fs.FS {
	file := func(at func(down, across, cycle, port int) int) *fstest.MapFile {
		var b strings.Builder
		l.write(&b, at)
		return &fstest.MapFile{Data: []byte(b.String())}
	}
	return fstest.MapFS{
		"layer0/IFMAP_SRAM_TRACE.csv": file(func(down, _, c, p int) int {
			if window := c - l.side - p; window >= 0 && window < l.m {
				return window*l.k + down*l.side + p
			}
			return -1
		}),
		"layer0/FILTER_SRAM_TRACE.csv": file(func(down, across, c, p int) int {
			if c < l.side {
				return 10_000_000 + (down*l.side+l.side-1-c)*l.n + across*l.side + p
			}
			return -1
		}),
		"layer0/OFMAP_SRAM_TRACE.csv": file(func(_, across, c, p int) int {
			if window := c - (2*l.side - 1) - p; window >= 0 && window < l.m {
				return 20_000_000 + window*l.n + across*l.side + p
			}
			return -1
		}),
	}
}

// TestScaleSimLayer reads the traces of a layer of 54 x 54 outputs, 3 x 3 x 64
// weights and 64 filters on an array of 32 x 32, for which SCALE-Sim reports
// 108,360 cycles, 3,359,232 reads of the input, 36,864 of weights and 3,359,232
// writes of outputs.
func TestScaleSimLayer(t *testing.T) {
	l := scaleLayer{m: 54 * 54, k: 3 * 3 * 64, n: 64, side: 32}
	src, err := simlog.OpenScaleSim(context.Background(), l.traces(), "layer")
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	var accesses int
	for {
		b, err := src.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		accesses += len(b.Cycle)
	}
	got := map[string]int64{}
	for _, tr := range src.Traces {
		got[tr.File[strings.LastIndexByte(tr.File, '/')+1:]] = int64(tr.Accesses)
		if int64(tr.Rows) != 108_360 {
			t.Errorf("%s: %d rows", tr.File, tr.Rows)
		}
	}
	want := map[string]int64{"IFMAP_SRAM_TRACE.csv": 3_359_232, "FILTER_SRAM_TRACE.csv": 36_864, "OFMAP_SRAM_TRACE.csv": 3_359_232}
	if d := cmp.Diff(want, got); d != "" || accesses != 2*3_359_232+36_864 {
		t.Error(accesses, d)
	}
}
