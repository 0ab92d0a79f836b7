package page

import (
	"regexp"
	"strings"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/view"
)

// metricsOf are the metrics of a launch; what cannot be read is noted.
func metricsOf(q *Request, l launch) *profile.MetricSet {
	ms, err := l.Metrics()
	if err != nil {
		q.note("%v", err)
	}
	if q.Compat2024() {
		return ms.LastWins()
	}
	return ms
}

// unitOf is the canonical base unit of a metric of a launch, "" for none.
func unitOf(q *Request, l launch, name string) string {
	if q.Compat2024() {
		major, minor := l.CC()
		return unitText(metric.Lookup2024(name, 10*major+minor).Unit)
	}
	return unitText(metric.Lookup(name).Unit)
}

// unitText is the canonical spelling of u, in which a denominator without
// dimension stays to be seen: "%/" is how ncu shows it.
func unitText(u metric.Unit) string {
	if u.Denominator == "1" {
		return u.Numerator + "_per_1"
	}
	return u.String()
}

// cellOf turns a metric value into a cell in the given unit.
func cellOf(v profile.MetricValue, unit string) view.Value {
	return section.Cell(v, unit)
}

// valueCell is the cell of a metric's aggregate: where there is none, people
// read "no data" unless there are instances to show.
func valueCell(m *profile.Metric, unit string) view.Value {
	return section.ValueCell(m, unit)
}

// seriesOf is the list of a metric's instances with an aggregate, which may be
// null.
func seriesOf(aggregate view.Value, m *profile.Metric, unit string) view.Value {
	return view.Series(aggregate, section.Points(m, unit), metric.InstanceIDs(m.Name, m.Series))
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
