package page

import "testing"

// An extent that is not known is no extent of zero.
func TestExtent(t *testing.T) {
	for _, c := range []struct {
		grid, block [3]uint64
		want        string
	}{
		{[3]uint64{32, 1, 1}, [3]uint64{128, 2, 1}, "(32, 1, 1)x(128, 2, 1)"},
		{[3]uint64{}, [3]uint64{128, 1, 1}, "n/ax(128, 1, 1)"},
		{[3]uint64{}, [3]uint64{}, "n/a"},
	} {
		if got := Extent(c.grid, c.block); got != c.want {
			t.Errorf("found %q, want %q", got, c.want)
		}
	}
}
