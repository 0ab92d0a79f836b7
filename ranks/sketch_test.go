package ranks

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSketch: quantiles of durations in parts are within the error of those of all, in
// whatever order the parts are merged, and a sketch is read as it was written.
func TestSketch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 50), rapid.Int64Range(1, 1e12), rapid.Just(int64(math.MaxInt64))), 1, 300).Draw(t, "durations")
		var parts [3][]int64
		for i, x := range v {
			parts[i%3] = append(parts[i%3], x)
		}
		var there, back Sketch
		for i := range parts {
			there.Merge(SketchOf(slices.Clone(parts[i])))
			back.Merge(SketchOf(slices.Clone(parts[2-i])))
		}
		if !reflect.DeepEqual(there, back) || there.Len() != int64(len(v)) {
			t.Fatalf("%v and %v", there, back)
		}
		slices.Sort(v)
		near := func(what string, got, want float64) {
			if math.Abs(got-want) > want*SketchError*(1+1e-6) {
				t.Fatalf("%s: %g, want %g", what, got, want)
			}
		}
		near("median", there.Median(), (float64(v[(len(v)-1)/2])+float64(v[len(v)/2]))/2)
		for _, q := range []float64{0, 0.1, 0.9, 1} {
			near("quantile", there.Quantile(q), float64(v[int(q*float64(len(v)-1))]))
		}
		b, err := json.Marshal(&there)
		if err != nil {
			t.Fatal(err)
		}
		var read Sketch
		if err := json.Unmarshal(b, &read); err != nil || !reflect.DeepEqual(read, there) {
			t.Fatalf("%s: %v", b, err)
		}
	})
}

// TestReadSketch refuses what is no sketch.
func TestReadSketch(t *testing.T) {
	for _, bad := range []string{`{}`, `[1]`, `[0,-1]`, `[1,0]`, `[-5,1]`, `[1,1,1,1]`, `[2,1,1,1]`, `[99999,1]`, `[1,9223372036854775807,2,1]`} {
		if json.Unmarshal([]byte(bad), new(Sketch)) == nil {
			t.Errorf("%s is taken", bad)
		}
	}
	s := SketchOf([]int64{-4, 0})
	if s.Median() != 0 || s.Len() != 2 || new(Sketch).Median() != 0 || new(Sketch).Quantile(0.5) != 0 {
		t.Errorf("%+v", s)
	}
}
