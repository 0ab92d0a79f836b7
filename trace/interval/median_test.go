package interval

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestMedian compares with sorting.
func TestMedian(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Int64Range(-40, 40), 1, 60).Draw(t, "v")
		sorted := slices.Sorted(slices.Values(v))
		want := float64(sorted[len(v)/2]+sorted[(len(v)-1)/2]) / 2
		if got := Median(v); got != want {
			t.Fatalf("%v, want %v of %v", got, want, sorted)
		}
		if slices.Sort(v); !slices.Equal(v, sorted) {
			t.Fatalf("%v became %v", sorted, v)
		}
	})
}
