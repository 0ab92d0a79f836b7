package section

import (
	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
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
func recorded(v profile.MetricValue) ncurep.Value {
	switch v.Kind() {
	case profile.KindString:
		return ncurep.StringValue(v.Text())
	case profile.KindFloat:
		return ncurep.FloatValue(float32(v.Double()))
	case profile.KindDouble:
		return ncurep.DoubleValue(v.Double())
	case profile.KindUint32:
		return ncurep.Uint32Value(uint32(v.Uint64()))
	case profile.KindUint64:
		return ncurep.Uint64Value(v.Uint64())
	}
	return ncurep.Value{}
}
