package timeline

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/gpuprof/gpuprof/trace/interval"
)

// TestNear: what lasts between any two times fits an int64, order stays, and times
// that make sense stay what they are.
func TestNear(t *testing.T) {
	times := rapid.SliceOf(rapid.OneOf(rapid.Int64(), rapid.Int64Range(-1000, 1000), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, interval.Farthest, -interval.Farthest})))
	rapid.Check(t, func(t *rapid.T) {
		in := times.Draw(t, "times")
		out := make([]int64, len(in))
		for i, v := range in {
			out[i] = near(v)
		}
		for i, a := range out {
			if interval.Sound(in[i], in[i]) && a != in[i] {
				t.Fatalf("%d became %d", in[i], a)
			}
			for k, b := range out {
				if in[i] <= in[k] && (a > b || b-a < 0) {
					t.Fatalf("%d and %d became %d and %d", in[i], in[k], a, b)
				}
			}
		}
	})
}
