package view

import "testing"

func TestNumberStyle(t *testing.T) {
	for _, c := range []struct {
		v    Value
		s    NumberStyle
		want string
	}{
		{Int(7, ""), NumberStyle{}, "7"},
		{Int(-7, ""), NumberStyle{Decimals: 1}, "-7"},
		{Float(7, ""), NumberStyle{Decimals: 1}, "7.0"},
		{Float(0.25, ""), NumberStyle{Decimals: 1}, "0.3"},
		{Float(0.15, ""), NumberStyle{Decimals: 1}, "0.2"},
		{Float(-0.15, ""), NumberStyle{Decimals: 1}, "-0.2"},
		{Float(9.96, ""), NumberStyle{Decimals: 1}, "10.0"},
		{Float(99.5, ""), NumberStyle{}, "100"},
		{Float(0.04, ""), NumberStyle{Decimals: 1}, "0.0"},
		{Int(8046134272, ""), NumberStyle{Divisor: 1e6, Decimals: 3}, "8046.134"},
		{Int(1, ""), NumberStyle{Divisor: 1e6, Decimals: 3}, "0.000"},
		{Int(-1499, ""), NumberStyle{Divisor: 1e6, Decimals: 3}, "-0.001"},
		{Int(1500, ""), NumberStyle{Divisor: 1e6, Decimals: 3}, "0.002"},
		{Int(-1<<63, ""), NumberStyle{Divisor: 1e6, Decimals: 3}, "-9223372036854.776"},
		{Uint(1500, ""), NumberStyle{Divisor: 1e6, Decimals: 3}, "0.002"},
		{Float(1e22, ""), NumberStyle{Decimals: 1}, "10000000000000000000000.0"},
	} {
		if got := string(c.s.append(nil, c.v)); got != c.want {
			t.Errorf("%v in %+v: %s, want %s", c.v, c.s, got, c.want)
		}
	}
}
