package column

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestIntegers compares columns of integers with slices: runs of values that are near
// each other, far apart, alike or absent, from any part of the range.
func TestIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole(t, rapid.Int64())
		whole(t, rapid.Int32())
		whole(t, rapid.Uint32())
	})
}

func whole[T Integer](t *rapid.T, value *rapid.Generator[T]) {
	absent := value.Draw(t, "absent")
	c := Integers[T]{Absent: absent}
	var want []T
	for range rapid.IntRange(1, 6).Draw(t, "runs") {
		n, base, step := rapid.IntRange(1, 6000).Draw(t, "rows"), value.Draw(t, "base"), value.Draw(t, "step")
		gap := rapid.SampledFrom([]int{1, 7, math.MaxInt}).Draw(t, "gap")
		wide := rapid.SampledFrom([]T{0, 1, 3, 1000, step}).Draw(t, "wide")
		for i := range n {
			v := base + T(i%251)*wide
			if i%gap == gap-1 {
				v = absent
			}
			c.Add(v)
			want = append(want, v)
		}
	}
	for range 8 {
		i := rapid.IntRange(0, len(want)-1).Draw(t, "row")
		v := rapid.OneOf(value, rapid.SampledFrom([]T{absent, want[0], want[i] + 1, want[i] - 1, want[i] + 200, want[i] + 70000})).Draw(t, "value")
		c.Set(i, v)
		want[i] = v
	}
	c.Add(absent)
	c.Add(9)
	want = append(want, absent, 9)
	if c.Len() != len(want) {
		t.Fatalf("%d rows, want %d", c.Len(), len(want))
	}
	has := false
	for i, v := range want {
		if c.At(i) != v {
			t.Fatalf("row %d is %d, want %d", i, c.At(i), v)
		}
		has = has || v != absent
	}
	if c.Has() != has {
		t.Fatalf("Has is %v", c.Has())
	}
}

// TestIntegersEnds are ends of the range, and what lies just within a width.
func TestIntegersEnds(t *testing.T) {
	for _, reach := range []uint64{0, 1, 1<<8 - 2, 1<<8 - 1, 1<<16 - 2, 1<<16 - 1, 1<<32 - 2, 1<<32 - 1, math.MaxInt64, math.MaxUint64} {
		for _, base := range []int64{math.MinInt64, -1, 0, math.MaxInt64} {
			c := Integers[int64]{Absent: -7}
			for i := range chunkRows {
				switch i % 3 {
				case 0:
					c.Add(base)
				case 1:
					c.Add(int64(uint64(base) + reach))
				default:
					c.Add(-7)
				}
			}
			if a, b, n := c.At(0), c.At(1), c.At(2); a != base || b != int64(uint64(base)+reach) || n != -7 {
				t.Errorf("%d and %d more: %d, %d, %d", base, reach, a, b, n)
			}
		}
	}
}
