package sketch

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestMedian: the median of numbers in parts is within the error of that of all, in
// whatever order they are merged.
func TestMedian(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 50), rapid.Int64Range(1, 1e12), rapid.Just(int64(math.MaxInt64))), 1, 300).Draw(t, "numbers")
		parts := make([]Sketch, 3)
		for i, x := range v {
			parts[i%3].Add(x)
		}
		var there, back Sketch
		for i := range parts {
			there.Merge(&parts[i])
			back.Merge(&parts[2-i])
		}
		slices.Sort(v)
		lo, hi := float64(v[(len(v)-1)/2]), float64(v[len(v)/2])
		want := (lo + hi) / 2
		if got := there.Median(); math.Abs(got-want) > want*Error*(1+1e-9) || got != back.Median() || there.Count() != int64(len(v)) {
			t.Fatalf("%g and %g, want %g", got, back.Median(), want)
		}
		b, err := json.Marshal(&there)
		if err != nil {
			t.Fatal(err)
		}
		var read Sketch
		if err := json.Unmarshal(b, &read); err != nil || read.Median() != there.Median() || read.Count() != there.Count() {
			t.Fatalf("%s: %v", b, err)
		}
	})
}

// TestRead refuses what is no sketch.
func TestRead(t *testing.T) {
	for _, bad := range []string{`{}`, `[]`, `[1,2]`, `[-1]`, `[0,1,0]`, `[0,-5,1]`, `[0,1,1,1,1]`, `[0,99999,1]`, `[0,1,9223372036854775807,2,1]`} {
		if json.Unmarshal([]byte(bad), new(Sketch)) == nil {
			t.Errorf("%s is taken", bad)
		}
	}
	var s Sketch
	s.Add(-4)
	s.Add(0)
	if s.Median() != 0 || s.Count() != 2 || new(Sketch).Median() != 0 {
		t.Errorf("%+v", s)
	}
}
