package sass

import (
	"math"
	"testing"
)

func TestAppendFloat(t *testing.T) {
	for _, c := range []struct {
		f    float64
		want string
	}{
		{0, "0"}, {math.Copysign(0, -1), "-0.0 "}, {1, "1"}, {-2.5, "-2.5"}, {math.Inf(1), "+INF "}, {math.Inf(-1), "-INF "},
		{math.NaN(), "+QNAN "}, {math.Copysign(math.NaN(), -1), "-QNAN "},
		{1073741824, "1.07374182400000000000e+09"}, {999999999, "999999999"}, {2.384185791015625e-07, "2.384185791015625e-07"},
		{float64(float32(0.1)), "0.10000000149011611938"},
		{0.0001, "0.00010000000000000000479"}, {512.5, "512.5"},
	} {
		if got := string(appendFloat(nil, c.f)); got != c.want {
			t.Errorf("%g: got %q, want %q", c.f, got, c.want)
		}
	}
}

func TestAppendSet(t *testing.T) {
	if got := string(appendSet(nil, 0b1101)); got != "{3,2,0}" {
		t.Error(got)
	}
}
