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
	of               []int64 // what it describes
}

// distOf describes values, which it reorders.
func distOf(v []int64) dist {
	d := dist{n: int64(len(v)), of: v}
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
	d.med = interval.Median(v)
	return d
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
