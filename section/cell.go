package section

import (
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/view"
)

// Cell turns a metric value into a cell in the given canonical base unit.
func Cell(v metric.Value, unit string) view.Value {
	switch v.Kind() {
	case metric.KindString:
		return view.String(v.Text())
	case metric.KindFloat, metric.KindDouble:
		return view.Float(v.Double(), unit)
	case metric.KindUint32, metric.KindUint64:
		return view.Uint(v.Uint64(), unit)
	}
	return view.Null
}

// ValueCell is the cell of a metric's aggregate. Where there is none, people
// read "no data" unless there are instances to show; where there is no metric,
// they read "n/a".
func ValueCell(m *profile.Metric, unit string) view.Value {
	switch {
	case m == nil:
		return view.Unavailable(metric.NotAvailable)
	case m.Value.Kind() == metric.KindNone && m.NumInstances() == 0:
		return view.Missing("no data")
	}
	return Cell(m.Value, unit)
}

// Points are the instances of a metric.
func Points(m *profile.Metric, unit string) []view.Point {
	in := m.Instances()
	if len(in) == 0 {
		return nil
	}
	out := make([]view.Point, len(in))
	for i := range in {
		out[i] = view.Point{ID: Cell(in[i].ID, ""), Value: Cell(in[i].Value, unit)}
	}
	return out
}

// Series is the list of a metric's instances with an aggregate, which may be
// null.
func Series(aggregate view.Value, m *profile.Metric, unit string) view.Value {
	return view.Series(aggregate, Points(m, unit), metric.InstanceIDs(m.Name, m.Series))
}

// UnitText is the canonical spelling of u, in which a denominator without
// dimension stays to be seen: "%/" is how ncu shows it.
func UnitText(u metric.Unit) string {
	if u.Denominator == "1" {
		return u.Numerator + "_per_1"
	}
	return u.String()
}
