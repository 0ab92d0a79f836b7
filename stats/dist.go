package stats

import (
	"math"

	"github.com/gpuprof/gpuprof/trace/interval"
	"github.com/gpuprof/gpuprof/view"
)

// A dist describes a set of numbers. A sum that leaves int64 is the number next to
// it that there is: see intervals.go.
type dist struct {
	n, sum, min, max int64
	avg, med, stddev float64
}

// distOf describes values, which it reorders.
func distOf(v []int64) dist {
	d := dist{n: int64(len(v))}
	if len(v) == 0 {
		return d
	}
	d.min, d.max = v[0], v[0]
	for _, x := range v {
		d.sum += x
		d.min, d.max = min(d.min, x), max(d.max, x)
	}
	d.avg = float64(d.sum) / float64(d.n)
	if n := int64(len(v)); d.max > math.MaxInt64/n || d.min < math.MinInt64/n { // it may have left int64
		var real float64
		d.sum = 0
		for _, x := range v {
			d.sum = interval.Plus(d.sum, x)
			real += float64(x)
		}
		d.avg = real / float64(n)
	}
	if d.n > 1 {
		var sq float64
		for _, x := range v {
			e := float64(x) - d.avg
			sq += e * e
		}
		d.stddev = math.Sqrt(sq / float64(d.n-1))
	}
	d.med = median(v)
	return d
}

// median reorders v.
func median(v []int64) float64 {
	k := len(v) / 2
	hi := nth(v, k)
	if len(v)%2 == 1 {
		return float64(hi)
	}
	lo := v[0]
	for _, x := range v[:k] { // all at most hi
		lo = max(lo, x)
	}
	return float64(lo)/2 + float64(hi)/2
}

// nth puts the k-th smallest value at v[k], nothing larger before it, and
// returns it (Hoare's selection with the median of three as pivot).
func nth(v []int64, k int) int64 {
	lo, hi := 0, len(v)-1
	for lo < hi {
		mid := lo + (hi-lo)/2
		p := max(min(v[lo], v[mid]), min(max(v[lo], v[mid]), v[hi]))
		i, j := lo, hi
		for i <= j {
			for v[i] < p {
				i++
			}
			for v[j] > p {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return v[k]
		}
	}
	return v[k]
}

// values are the cells of distColumns.
func (d *dist) values(unit string) []view.Value { return d.addTo(nil, unit) }

// addTo appends the cells of distColumns to a row.
func (d *dist) addTo(row []view.Value, unit string) []view.Value {
	return append(row, view.Float(d.avg, unit), view.Float(d.med, unit), view.Int(d.min, unit), view.Int(d.max, unit), view.Float(d.stddev, unit))
}

const (
	ns    = "ns"
	octet = "byte"
)
