package column

import (
	"testing"

	"pgregory.net/rapid"
)

// TestColumn compares a column with a slice.
func TestColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Column[int]{Absent: -1}
		var want []int
		runs := rapid.SliceOfN(rapid.IntRange(1, 3000), 1, 8).Draw(t, "runs")
		for k, n := range runs {
			for range n {
				v := -1
				if k%2 == 1 {
					v = len(want)
				}
				c.Add(v)
				want = append(want, v)
			}
		}
		for range 5 {
			i := rapid.IntRange(0, len(want)-1).Draw(t, "row")
			c.Set(i, 7)
			want[i] = 7
		}
		c.Add(9)
		want = append(want, 9)
		if c.Len() != len(want) {
			t.Fatalf("%d rows, want %d", c.Len(), len(want))
		}
		for i, v := range want {
			if c.At(i) != v {
				t.Fatalf("row %d is %d, want %d", i, c.At(i), v)
			}
		}
	})
}
