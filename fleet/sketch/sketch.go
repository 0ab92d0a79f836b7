// Package sketch keeps the distribution of many numbers in little room, so that
// quantiles of what lies in many places can be told: DDSketch of Masson, Rim and Lee
// (VLDB 2019). A bucket holds numbers that differ by at most 2 %, so a quantile is
// within [Error] of a number that is there at that rank. Adding and merging are exact
// and in any order the same.
package sketch

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Error is the relative error of quantiles, at most.
const Error = 0.01

const gamma = (1 + Error) / (1 - Error)

var perOctave = math.Log(gamma)

// mostBuckets bounds what a sketch that was written may hold; numbers of 64 bits have
// some 2,200.
const mostBuckets = 1 << 13

// A Sketch is a distribution of numbers of 0 or more; what is less counts as 0. The
// zero value is empty.
type Sketch struct {
	count int64
	zero  int64           // numbers of 0
	of    map[int32]int64 // by bucket: greater than gamma^(k-1), at most gamma^k
}

// Add adds a number.
func (s *Sketch) Add(v int64) {
	s.count++
	if v <= 0 {
		s.zero++
		return
	}
	if s.of == nil {
		s.of = map[int32]int64{}
	}
	s.of[int32(math.Ceil(math.Log(float64(v))/perOctave))]++
}

// Merge adds the numbers of another sketch.
func (s *Sketch) Merge(o *Sketch) {
	s.count, s.zero = s.count+o.count, s.zero+o.zero
	if s.of == nil {
		s.of = map[int32]int64{}
	}
	for k, n := range o.of {
		s.of[k] += n
	}
}

// Count is how many numbers there are.
func (s *Sketch) Count() int64 { return s.count }

// Median is the number in the middle, or between the two; 0 if there are none.
func (s *Sketch) Median() float64 {
	if s.count == 0 {
		return 0
	}
	return (s.at((s.count-1)/2) + s.at(s.count/2)) / 2
}

// at is about the number of a rank from 0.
func (s *Sketch) at(rank int64) float64 {
	if rank -= s.zero; rank < 0 {
		return 0
	}
	for _, k := range slices.Sorted(maps.Keys(s.of)) {
		if rank -= s.of[k]; rank < 0 {
			return 2 * math.Pow(gamma, float64(k)) / (gamma + 1)
		}
	}
	return 0
}

// MarshalJSON writes the count of zeros, then buckets and their counts in turn.
func (s *Sketch) MarshalJSON() ([]byte, error) {
	out := []int64{s.zero}
	for _, k := range slices.Sorted(maps.Keys(s.of)) {
		out = append(out, int64(k), s.of[k])
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (s *Sketch) UnmarshalJSON(b []byte) error {
	var list []int64
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	if len(list)%2 != 1 || len(list) > 2*mostBuckets || list[0] < 0 {
		return fmt.Errorf("expected zeros and buckets with their counts, found %d numbers", len(list))
	}
	*s = Sketch{count: list[0], zero: list[0], of: map[int32]int64{}}
	for i := 1; i < len(list); i += 2 {
		k, n := list[i], list[i+1]
		if k < 0 || k > mostBuckets || n <= 0 || s.count+n < s.count || s.of[int32(k)] != 0 {
			return fmt.Errorf("expected a bucket with a count, found %d with %d", k, n)
		}
		s.of[int32(k)], s.count = n, s.count+n
	}
	return nil
}
