package flame

import (
	"math"
	"testing"
)

// TestClip: spans that make no sense have no part in sums.
func TestClip(t *testing.T) {
	for _, c := range []struct {
		f          Filter
		start, end int64
		ok         bool
	}{
		{Filter{}, 10, 20, true},
		{Filter{}, 20, 10, false},
		{Filter{}, 0, math.MaxInt64, false},
		{Filter{}, math.MinInt64, 0, false},
		{Filter{Start: 15, End: 30}, 10, 20, true},
		{Filter{Start: 15, End: 30}, 10, math.MaxInt64, false},
		{Filter{Start: 25, End: 30}, 10, 20, false},
	} {
		if start, end, ok := c.f.clip(c.start, c.end); ok != c.ok || ok && end-start > 10 {
			t.Errorf("%+v: %d to %d, %v", c, start, end, ok)
		}
	}
}
