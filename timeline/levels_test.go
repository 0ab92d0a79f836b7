package timeline

import (
	"testing"

	"pgregory.net/rapid"
)

// TestLevels compares with looking at every depth.
func TestLevels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l levels
		var ends []int64
		start := int64(-50)
		for range rapid.IntRange(1, 200).Draw(t, "n") {
			start += rapid.Int64Range(0, 3).Draw(t, "step")
			end := start + rapid.Int64Range(0, 40).Draw(t, "length")
			want := 0
			for want < len(ends) && ends[want] > start {
				want++
			}
			if want == len(ends) {
				ends = append(ends, 0)
			}
			ends[want] = end
			if got := l.take(start, end); int(got) != want || int(l.n) != len(ends) {
				t.Fatalf("depth %d of %d, expected %d of %d", got, l.n, want, len(ends))
			}
		}
	})
}
