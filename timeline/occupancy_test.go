package timeline_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/timeline"
)

// A kernel tells its theoretical occupancy where its row and the GPU allow it to be
// reckoned: 65,536 registers of sm_90 hold 4 blocks of 256 threads of 64 registers, of the
// 8 that 2,048 threads are.
func TestDetailsOccupancy(t *testing.T) {
	for _, c := range []struct{ major, registers, block, want string }{
		{"9", "64", "256,1,1", "50 %, limited by registers"},
		{"9", "16", "256,1,1", "100 %"},
		{"9", "0", "256,1,1", ""},
		{"9", "64", "4096,1,1", ""},
		{"0", "64", "256,1,1", ""},
		{"77", "64", "256,1,1", ""},
	} {
		text := fmt.Sprintf(`{"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "Made", "computeMajor": %s, "computeMinor": 0}],
"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 10, "dur": 5,
 "args": {"device": 0, "context": 1, "stream": 7, "correlation": 3, "registers per thread": %s, "shared memory": 0, "grid": [64,2,3], "block": [%s]}}]}`, c.major, c.registers, c.block)
		f, err := load.OpenReader(strings.NewReader(text), int64(len(text)), "a.pt.trace.json")
		if err != nil {
			t.Fatal(err)
		}
		x, err := timeline.Build(context.Background(), f.Trace)
		if err != nil {
			t.Fatal(err)
		}
		got, grid := "", ""
		for id := range x.Len() {
			d, err := x.Details(context.Background(), timeline.SliceID(id))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range d.Facts {
				switch f.Name {
				case "theoreticalOccupancy":
					got = f.Text
				case "grid":
					grid += f.Text
				}
			}
		}
		if got != c.want {
			t.Errorf("sm_%s, %s registers, block %s: %q, expected %q", c.major, c.registers, c.block, got, c.want)
		}
		if grid != "64 2 3" { // in the file gridX blockX gridY …
			t.Errorf("grid %q", grid)
		}
		f.Close()
	}
}
