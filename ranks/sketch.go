package ranks

import (
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

const growth = 1.01 / 0.99 // so that the middle of a bucket is within 1 % of its bounds

var logGrowth = math.Log(growth)

// bucketOf is the bucket of a duration.
func bucketOf(ns int64) int32 {
	if ns < 1 {
		return 0
	}
	return 1 + int32(math.Ceil(math.Log(float64(ns))/logGrowth-1e-9))
}

// valueOf is the duration that stands for a bucket.
func valueOf(bucket int32) float64 {
	if bucket <= 0 {
		return 0
	}
	return math.Exp((float64(bucket-1) - 0.5) * logGrowth)
}

// sketchOf counts durations, which it sorts.
func sketchOf(ns []int64) (s Sketch) {
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

// Quantile is the duration below which a share q of all lies, to 1 %; 0 of none.
func (s *Sketch) Quantile(q float64) float64 {
	var all, sum int64
	for _, n := range s.Count {
		all += n
	}
	rank := int64(q * float64(all-1))
	for i, n := range s.Count {
		if sum += n; sum > rank {
			return valueOf(s.Bucket[i])
		}
	}
	return 0
}
