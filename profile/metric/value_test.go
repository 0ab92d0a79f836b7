package metric_test

import (
	"math"
	"testing"

	"github.com/gpuprof/gpuprof/profile/metric"
)

func TestValue(t *testing.T) {
	for _, c := range []struct {
		v metric.Value
		d float64
		u uint64
	}{
		{metric.Double(2.9), 2.9, 2}, {metric.Float(0.5), 0.5, 0}, {metric.Uint64(1 << 63), 1 << 63, 1 << 63}, {metric.Uint32(7), 7, 7},
		{metric.String("12"), 0, 0}, {metric.Value{}, 0, 0}, {metric.Double(-1), -1, 0}, {metric.Double(1e30), 1e30, 0}, {metric.Double(math.Inf(1)), math.Inf(1), 0},
	} {
		if c.v.Double() != c.d || c.v.Uint64() != c.u {
			t.Errorf("%v %v: %v, %d; want %v, %d", c.v.Kind(), c.v, c.v.Double(), c.v.Uint64(), c.d, c.u)
		}
	}
}
