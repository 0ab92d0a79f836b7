package spelling

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		most int
		want int
	}{
		{"", "", 8, 0}, {"kern", "kern", 8, 0}, {"kern", "kren", 8, 2}, {"kern", "kernel", 8, 2}, {"sum", "", 8, 3},
		{"kitten", "sitting", 8, 3}, {"a", "abcdef", 4, 5}, {"abcdef", "a", 4, 5},
	} {
		if got := Distance(c.a, c.b, c.most); got != c.want {
			t.Errorf("%q to %q, at most %d: %d, want %d", c.a, c.b, c.most, got, c.want)
		}
		if got := Distance(c.b, c.a, c.most); got != c.want {
			t.Errorf("%q to %q, the other way round: %d, want %d", c.b, c.a, got, c.want)
		}
	}
}
