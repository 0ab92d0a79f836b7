package profile

import (
	"math"

	"github.com/gpuprof/gpuprof/profile/metric"
)

// Numbers collects the metrics of a launch. What a file does not tell, NaN or
// negative, is left out.
type Numbers []Metric

// Whole adds a whole number.
func (n *Numbers) Whole(name string, v int64) {
	if v >= 0 {
		*n = append(*n, NewMetric(name, metric.Uint64(uint64(v)), nil))
	}
}

// Real adds a number that may be no whole one.
func (n *Numbers) Real(name string, v float64) {
	switch {
	case math.IsNaN(v):
	case v >= 0 && v < 1<<53 && v == math.Trunc(v):
		n.Whole(name, int64(v))
	default:
		*n = append(*n, NewMetric(name, metric.Double(v), nil))
	}
}

// Text adds a text that is not empty.
func (n *Numbers) Text(name, s string) {
	if s != "" {
		*n = append(*n, NewMetric(name, metric.String(s), nil))
	}
}

// Launch adds what all vendors' launches have, under the names that rules know.
func (n *Numbers) Launch(a *Action, device int) {
	n.Whole("launch__device_id", int64(device))
	volume := func(d [3]uint64) float64 { return float64(d[0]) * float64(d[1]) * float64(d[2]) }
	grid, block := volume(a.Grid), volume(a.Block)
	if grid > 0 {
		n.Real("launch__grid_size", grid)
	}
	if block > 0 {
		n.Real("launch__block_size", block)
	}
	if grid > 0 && block > 0 {
		n.Real("launch__thread_count", grid*block)
	}
}

// Measured is the [Loader] of a launch of which no more is known than metrics.
type Measured func() []Metric

// Metrics calls m.
func (m Measured) Metrics() (*MetricSet, error) { return NewMetricSet(m()), nil }

// RuleResults returns none.
func (Measured) RuleResults() ([]RuleResult, error) { return nil, nil }

// NvtxState returns none.
func (Measured) NvtxState() (*NvtxState, error) { return nil, nil }

// CallStack returns none.
func (Measured) CallStack() ([]Frame, error) { return nil, nil }

// Code returns none.
func (Measured) Code() (*Code, error) { return nil, nil }
