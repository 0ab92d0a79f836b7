package web

import (
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/timeline"
)

// benchIndex is the index of the trace that GPUPROF_BENCH_TRACE names, or of a
// small one.
func benchIndex(t *testing.T) *timeline.Index {
	t.Helper()
	path := os.Getenv("GPUPROF_BENCH_TRACE")
	if path == "" {
		path = traceFile(t)
	}
	f, err := load.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	x, err := timeline.Build(t.Context(), f.Trace)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestWalk zooms and pans over a trace as a user does, all tracks open, in 200
// requests: over that which GPUPROF_BENCH_TRACE names, or a small one. It logs
// how long the answers take and how long the longest is.
func TestWalk(t *testing.T) {
	x := benchIndex(t)
	runtime.GC() // of what building left
	h, rnd := timelineHandler(x), rand.New(rand.NewPCG(1, 2))
	t0, t1 := x.First, x.End
	var took []time.Duration
	most := 0
	for i := range 200 {
		from := time.Now()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", fmt.Sprintf("/view?t0=%d&t1=%d&pixels=1280", t0, t1), nil))
		took = append(took, time.Since(from))
		if w.Code != 200 {
			t.Fatal(w.Code, w.Body)
		}
		most = max(most, w.Body.Len())
		wide := t1 - t0
		switch {
		case i%40 == 39: // back to all
			t0, t1 = x.First, x.End
		case rnd.IntN(3) == 0: // pan by a fifth
			d := min(max(wide/5*int64(1-2*rnd.IntN(2)), x.First-t0), x.End-t1)
			t0, t1 = t0+d, t1+d
		default: // zoom to a place
			at := t0 + rnd.Int64N(wide)
			wide = max(wide*2/3, 20)
			t0 = min(max(x.First, at-wide/2), x.End-wide)
			t1 = t0 + wide
		}
	}
	slices.Sort(took)
	t.Logf("%d slices: median %v, 99th of 100 %v, longest %v, at most %d bytes", x.Len(), took[100], took[197], took[199], most)
	if most > 150<<10 {
		t.Errorf("an answer has %d bytes, more than 150 KB", most)
	}
}
