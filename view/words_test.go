package view

import "testing"

func TestWords(t *testing.T) {
	for _, c := range []struct {
		v    Value
		want string
	}{
		{Int(4_010_123, "ns"), "4.01 ms"}, {Int(999, "ns"), "999 ns"}, {Int(12_345, "ns"), "12.3 us"}, {Int(-2_000_000_000, "ns"), "-2 s"},
		{Float(14.04, "%"), "14 %"}, {Int(16<<20, "byte"), "16.8 Mbyte"}, {Int(12345, ""), "12345"}, {String("x"), "x"}, {Int(0, "ns"), "0 ns"},
	} {
		if got := Words(c.v); got != c.want {
			t.Errorf("%v: %q, want %q", c.v, got, c.want)
		}
	}
}
