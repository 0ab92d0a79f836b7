package section

import (
	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// MetricData is a metric as reports store it, for [ncurep.ResultEdit.AppendMetrics].
func MetricData(m *profile.Metric) ncurep.MetricData {
	out := ncurep.MetricData{Name: m.Name, Value: recorded(m.Value)}
	if m.Series {
		out.Series = ncurep.Some(uint32(1))
	}
	if in := m.Instances(); len(in) > 0 {
		out.Instances = &ncurep.Instances{}
		for i := range in {
			out.Instances.Append(recorded(in[i].ID), recorded(in[i].Value))
		}
	}
	return out
}

// recorded is a value as a report holds it.
func recorded(v metric.Value) ncurep.Value {
	switch v.Kind() {
	case metric.KindString:
		return ncurep.StringValue(v.Text())
	case metric.KindFloat:
		return ncurep.FloatValue(float32(v.Double()))
	case metric.KindDouble:
		return ncurep.DoubleValue(v.Double())
	case metric.KindUint32:
		return ncurep.Uint32Value(uint32(v.Uint64()))
	case metric.KindUint64:
		return ncurep.Uint64Value(v.Uint64())
	}
	return ncurep.Value{}
}
