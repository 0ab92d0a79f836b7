package compare

import (
	"math"
	"testing"
)

func TestWord(t *testing.T) {
	for _, c := range []struct {
		old, new         float64
		unit             string
		better           Better
		word, difference string
	}{
		{100, 100, "ns", Lower, "the same", "="},
		{100, 101, "ns", Lower, "within noise", "+1 ns"},
		{1000, 2500, "ns", Lower, "worse", "+1500 ns"},
		{2500, 1000, "ns", Lower, "better", "−1500 ns"},
		{1, 2, "", Higher, "better", "+1"},
		{2, 1, "", Neither, "less", "−1"},
		{0, 1, "byte", Neither, "more", "+1 byte"},
		{80, 80.4, "%", Neither, "within noise", "+0.4 pp"},
		{80, 80.02, "%", Neither, "within noise", "≈"},
		{80, 86.25, "%", Neither, "more", "+6.2 pp"},
		{math.NaN(), 1, "", Lower, "", ""},
		{math.Inf(1), 1, "", Neither, "less", ""},
	} {
		if w, d := Word(c.old, c.new, c.unit, c.better, 0.02), Difference(c.old, c.new, c.unit); w != c.word || d != c.difference {
			t.Errorf("%v: %q %q", c, w, d)
		}
	}
}
