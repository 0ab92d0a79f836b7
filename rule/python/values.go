package python

import (
	"context"
	"math"
	"strconv"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// kindOf is the kind of a metric; one without a value of its own has the kind of
// its instances.
func kindOf(m *profile.Metric) byte {
	if m.Value.Kind() == metric.KindNone && m.NumInstances() > 0 {
		if in := m.Instances(); len(in) > 0 {
			return byte(in[0].Value.Kind())
		}
	}
	return byte(m.Value.Kind())
}

// appendValue appends a value as JSON, with the NaN and Infinity of Python.
func appendValue(b []byte, v metric.Value) []byte {
	switch v.Kind() {
	case metric.KindString:
		return appendString(b, v.Text())
	case metric.KindFloat, metric.KindDouble:
		return appendFloat(b, v.Double())
	case metric.KindUint32, metric.KindUint64:
		return strconv.AppendUint(b, v.Uint64(), 10)
	}
	return append(b, "null"...)
}

// appendFloat appends f so that Python reads a float and not an int.
func appendFloat(b []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(b, "NaN"...)
	case math.IsInf(f, 1):
		return append(b, "Infinity"...)
	case math.IsInf(f, -1):
		return append(b, "-Infinity"...)
	case f == math.Trunc(f) && math.Abs(f) < 1e15:
		return append(strconv.AppendFloat(b, f, 'f', -1, 64), ".0"...)
	}
	return strconv.AppendFloat(b, f, 'e', -1, 64)
}

func (s *Service) instances(_ context.Context, q *Request) error {
	var k struct {
		at
		Metric string
	}
	if err := q.Decode(&k); err != nil {
		return err
	}
	a, err := s.find(k.at)
	if err != nil {
		return err
	}
	m := s.metrics(a).Lookup(k.Metric)
	if m == nil {
		return &Error{"KeyError", k.Metric}
	}
	in := m.Instances()
	b := append(q.out, '{')
	b = appendColumn(b, "values", "kinds", in, func(x *profile.Instance) metric.Value { return x.Value })
	b = append(b, ',')
	b = appendColumn(b, "ids", "id_kinds", in, func(x *profile.Instance) metric.Value { return x.ID })
	q.out = append(b, '}')
	return nil
}

// appendColumn appends the values of a column and their kinds, one number if
// they are all the same.
func appendColumn(b []byte, values, kinds string, in []profile.Instance, get func(*profile.Instance) metric.Value) []byte {
	b = append(append(append(b, '"'), values...), `":[`...)
	same := true
	for i := range in {
		b = comma(b, i)
		b = appendValue(b, get(&in[i]))
		same = same && get(&in[i]).Kind() == get(&in[0]).Kind()
	}
	b = append(append(append(b, `],"`...), kinds...), `":`...)
	number := func(i int) { b = strconv.AppendUint(b, uint64(get(&in[i]).Kind()), 10) }
	switch {
	case len(in) == 0:
		return append(b, '0')
	case same:
		number(0)
		return b
	}
	b = append(b, '[')
	for i := range in {
		b = comma(b, i)
		number(i)
	}
	return append(b, ']')
}

func (s *Service) describe(_ context.Context, q *Request) error {
	var a struct{ Metric string }
	if err := q.Decode(&a); err != nil {
		return err
	}
	return q.Answer(metric.Describe(a.Metric))
}
