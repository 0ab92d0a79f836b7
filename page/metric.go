package page

import (
	"regexp"
	"strings"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/view"
)

// unitOf is the canonical base unit of a metric, "" for none.
func unitOf(name string) string { return metric.Lookup(name).Unit.String() }

// cellOf turns a metric value into a cell in the given unit.
func cellOf(v profile.MetricValue, unit string) view.Value {
	switch v.Kind() {
	case profile.KindString:
		return view.String(v.Text())
	case profile.KindFloat, profile.KindDouble:
		return view.Float(v.Double(), unit)
	case profile.KindUint32, profile.KindUint64:
		return view.Uint(v.Uint64(), unit)
	}
	return view.Null
}

// valueCell is the cell of a metric's aggregate: where there is none, people
// read "no data" unless there are instances to show.
func valueCell(m *profile.Metric, unit string) view.Value {
	if m.Value.Kind() == profile.KindNone && m.NumInstances() == 0 {
		return view.Missing("no data")
	}
	return cellOf(m.Value, unit)
}

// pointsOf are the instances of a metric.
func pointsOf(m *profile.Metric, unit string) []view.Point {
	in := m.Instances()
	if len(in) == 0 {
		return nil
	}
	var first uint64
	if m.Series || strings.HasPrefix(m.Name, "profiler__timestamp_") {
		first = in[0].ID.Uint64()
	}
	hex := hexIDs[m.Name]
	out := make([]view.Point, len(in))
	for i := range in {
		id := cellOf(in[i].ID, "")
		switch {
		case first != 0 && in[i].ID.IsInteger():
			id = view.Time(in[i].ID.Uint64(), first)
		case hex && in[i].ID.IsInteger():
			id = view.Hex(in[i].ID.Uint64())
		}
		out[i] = view.Point{ID: id, Value: cellOf(in[i].Value, unit)}
	}
	return out
}

// hexIDs are the metrics whose ids Nsight Compute prints in hexadecimal, found
// by comparison: their ids are addresses, but so are those of other metrics
// that it prints in decimal.
var hexIDs = map[string]bool{
	"memory_type":                                          true,
	"memory_access_type":                                   true,
	"memory_access_size_type":                              true,
	"smsp__branch_targets_threads_divergent":               true,
	"smsp__sass_inst_executed_memdesc_explicit_evict_type": true,
}

// isList reports whether a metric is no measurement but a list of the names of
// others, which the pages for people leave out.
func isList(name string) bool {
	return strings.HasPrefix(name, "breakdown:") || strings.HasPrefix(name, "group:") || strings.HasPrefix(name, "regex:")
}

// A metricChoice is the value of --metrics.
type metricChoice struct {
	names map[string]bool
	res   []*regexp.Regexp
}

// parseMetrics reads --metrics; nil takes every metric. As in ncu a base name
// takes its first-level submetrics .avg .max .min .sum.
func parseMetrics(q *Request) (*metricChoice, error) {
	list := q.List("metrics")
	if len(list) == 0 {
		return nil, nil
	}
	c := &metricChoice{names: map[string]bool{}}
	for _, s := range list {
		if expr, ok := strings.CutPrefix(s, "regex:"); ok {
			re, err := regexp.Compile(expr)
			if err != nil {
				return nil, Usagef("--metrics: %q: %v", s, err)
			}
			c.res = append(c.res, re)
			continue
		}
		c.names[s] = true
		if !strings.Contains(s, ".") {
			for _, r := range []string{".avg", ".max", ".min", ".sum"} {
				c.names[s+r] = true
			}
		}
	}
	return c, nil
}

func (c *metricChoice) match(name string) bool {
	if c == nil || c.names[name] {
		return true
	}
	for _, re := range c.res {
		if re.MatchString(name) {
			return true
		}
	}
	return false
}
