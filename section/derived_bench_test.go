package section

import (
	"fmt"
	"testing"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// benchLaunches is how many launches one operation of the benchmarks derives, on
// one GPU, each with 1,000 measured metrics.
const benchLaunches = 154

func benchDefinitions(plain, source int) []*Definition {
	var list []string
	for i := range plain {
		list = append(list, fmt.Sprintf("derived__plain_%d = ( unit__counter_%d.sum.per_second * 128 ) / unit__counter_%d.sum.per_second", i, i, i+1))
	}
	for i := range source {
		list = append(list, fmt.Sprintf("derived__source_%d = source_%d / source_%d", i, i, source))
	}
	return []*Definition{defining("S", list...)}
}

func benchMetrics(source, instructions int) *profile.MetricSet {
	var list []profile.Metric
	for i := range 1000 {
		list = append(list, plain(fmt.Sprintf("unit__counter_%d.sum.per_second", i), float64(i+1)))
	}
	for i := range source + 1 {
		instances := make([]profile.Instance, instructions)
		for k := range instances {
			instances[k] = profile.Instance{ID: metric.Uint64(1<<40 + uint64(k)*16), Value: metric.Uint64(uint64(k) + 1)}
		}
		list = append(list, profile.NewMetric(fmt.Sprintf("source_%d", i), metric.Uint64(1), instances))
	}
	return profile.NewMetricSet(list)
}

func BenchmarkDerive(b *testing.B) {
	for _, c := range []struct {
		name                        string
		plain, source, instructions int
		carried                     bool
	}{
		{name: "carried", plain: 20, source: 6, instructions: 500, carried: true},
		{name: "plain", plain: 26},
		{name: "full", plain: 20, source: 6, instructions: 500}, // as the largest sets of real reports
		{name: "large", plain: 16, source: 10, instructions: 2000},
	} {
		b.Run(c.name, func(b *testing.B) {
			defs, ms := benchDefinitions(c.plain, c.source), benchMetrics(c.source, c.instructions)
			want := c.plain + c.source
			if c.carried {
				ms, _ = Derive(defs, Target{Arch: 90}, ms)
				want = 0
			}
			b.ReportAllocs()
			for b.Loop() {
				d := NewDeriver(defs, DeriveOptions{})
				for range benchLaunches {
					if out := d.Derive(Target{Arch: 90}, ms); len(out.Computed) != want {
						b.Fatal(len(out.Computed), out.Problems)
					}
				}
			}
		})
	}
}
