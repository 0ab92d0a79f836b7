package page

import (
	"regexp"
	"strings"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/section"
)

// MetricsOf are the metrics of a launch; what cannot be read is noted.
func MetricsOf(q *Request, l Launch) *profile.MetricSet {
	ms, err := l.Metrics()
	if err != nil {
		q.Notef("%v", err)
	}
	if q.Compat2024() {
		return ms.LastWins()
	}
	return ms
}

// UnitOf is the canonical base unit of a metric of a launch, "" for none.
func UnitOf(q *Request, l Launch, name string) string {
	if q.Compat2024() {
		major, minor := l.CC()
		return section.UnitText(metric.Lookup2024(name, 10*major+minor).Unit)
	}
	return section.UnitText(metric.Lookup(name).Unit)
}

// MetricsOption chooses metrics.
var MetricsOption = Option{Name: "metrics", Remote: true, Kind: List, Arg: "NAME,...",
	Help: "only these metrics; regex:EXPR takes all names in which EXPR is found"}

// A MetricChoice is the value of --metrics.
type MetricChoice struct {
	names map[string]bool
	res   []*regexp.Regexp
}

// ParseMetrics reads --metrics; nil takes every metric. As in ncu a base name
// takes its first-level submetrics .avg .max .min .sum.
func ParseMetrics(q *Request) (*MetricChoice, error) {
	list := q.List("metrics")
	if len(list) == 0 {
		return nil, nil
	}
	c := &MetricChoice{names: map[string]bool{}}
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

// Takes reports whether a metric was asked for; nil takes all.
func (c *MetricChoice) Takes(name string) bool {
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
