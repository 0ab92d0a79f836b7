package ranks

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// A Sketch counts durations in buckets whose bounds grow by 2 %, so that
// quantiles are known to 1 % (a DDSketch: Masson, Rim and Lee, VLDB 2019). Two
// sketches are merged by adding their counts.
type Sketch struct {
	Bucket []int32 // ascending; 0 holds what is below 1 ns
	Count  []int64
}

// SketchError is the relative error of quantiles, at most.
const SketchError = 0.01

const growth = (1 + SketchError) / (1 - SketchError)

// mostBuckets bounds a sketch that is read; numbers of 64 bits have some 2,200.
const mostBuckets = 1 << 13

var logGrowth = math.Log(growth)

// bucketOf is the bucket of a duration.
func bucketOf(ns int64) int32 {
	if ns < 1 {
		return 0
	}
	return 1 + int32(math.Ceil(math.Log(float64(ns))/logGrowth-1e-9))
}

// valueOf is the duration that stands for a bucket: within SketchError of both bounds.
func valueOf(bucket int32) float64 {
	if bucket <= 0 {
		return 0
	}
	return math.Exp(float64(bucket-1)*logGrowth) * 2 / (growth + 1)
}

// SketchOf counts durations, which it sorts.
func SketchOf(ns []int64) (s Sketch) {
	slices.Sort(ns)
	for i := 0; i < len(ns); {
		b := bucketOf(ns[i])
		k := i + 1
		for k < len(ns) && (ns[k] == ns[i] || bucketOf(ns[k]) == b) {
			k++
		}
		s.Bucket, s.Count = append(s.Bucket, b), append(s.Count, int64(k-i))
		i = k
	}
	return s
}

// Merge adds the counts of another sketch.
func (s *Sketch) Merge(o Sketch) {
	var m Sketch
	for i, k := 0, 0; i < len(s.Bucket) || k < len(o.Bucket); {
		switch {
		case k == len(o.Bucket) || i < len(s.Bucket) && s.Bucket[i] < o.Bucket[k]:
			m.Bucket, m.Count = append(m.Bucket, s.Bucket[i]), append(m.Count, s.Count[i])
			i++
		case i == len(s.Bucket) || o.Bucket[k] < s.Bucket[i]:
			m.Bucket, m.Count = append(m.Bucket, o.Bucket[k]), append(m.Count, o.Count[k])
			k++
		default:
			m.Bucket, m.Count = append(m.Bucket, s.Bucket[i]), append(m.Count, s.Count[i]+o.Count[k])
			i, k = i+1, k+1
		}
	}
	*s = m
}

// Len is how many durations there are.
func (s *Sketch) Len() (all int64) {
	for _, n := range s.Count {
		all += n
	}
	return all
}

// Quantile is the duration below which a share q of all lies, to 1 %; 0 of none.
func (s *Sketch) Quantile(q float64) float64 { return s.at(int64(q * float64(s.Len()-1))) }

// Median is the duration in the middle, or between the two, to 1 %; 0 of none.
func (s *Sketch) Median() float64 {
	n := s.Len()
	return (s.at((n-1)/2) + s.at(n/2)) / 2
}

// at is about the duration of a rank from 0.
func (s *Sketch) at(rank int64) float64 {
	var sum int64
	for i, n := range s.Count {
		if sum += n; sum > rank {
			return valueOf(s.Bucket[i])
		}
	}
	return 0
}

// MarshalJSON writes buckets and their counts in turn.
func (s *Sketch) MarshalJSON() ([]byte, error) {
	out := make([]int64, 0, 2*len(s.Bucket))
	for i, b := range s.Bucket {
		out = append(out, int64(b), s.Count[i])
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (s *Sketch) UnmarshalJSON(b []byte) error {
	var list []int64
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	if len(list)%2 != 0 || len(list) > 2*mostBuckets {
		return fmt.Errorf("expected buckets with their counts, found %d numbers", len(list))
	}
	*s = Sketch{}
	sum, last := int64(0), int64(-1)
	for i := 0; i < len(list); i += 2 {
		bucket, n := list[i], list[i+1]
		if bucket <= last || bucket > mostBuckets || n <= 0 || sum+n < sum {
			return fmt.Errorf("expected a bucket with a count, found %d with %d", bucket, n)
		}
		s.Bucket, s.Count = append(s.Bucket, int32(bucket)), append(s.Count, n)
		sum, last = sum+n, bucket
	}
	return nil
}
