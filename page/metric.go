package page

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/section"
)

// MetricsOf are the metrics of a launch; what cannot be read is noted.
func MetricsOf(q *Request, l Launch) *profile.MetricSet {
	ms, err := l.Metrics()
	q.Damage(err)
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

// Met is an error of the request if no launch has a metric that was asked for by name
// or expression; it names the nearest that there are. Also are names beyond those
// of launches that count. Under --compat the vendor's n/a stands in its place.
func (c *MetricChoice) Met(q *Request, launches []Launch, also map[string]bool) error {
	if c == nil || len(launches) == 0 || q.Compat2024() {
		return nil
	}
	have := map[string]bool{}
	maps.Copy(have, also)
	for _, l := range launches {
		for _, m := range MetricsOf(q, l).All() {
			have[m.Name] = true
		}
		if c.Among(q, have) == nil {
			return nil
		}
	}
	return c.Among(q, have)
}

// Among is an error of the request if a metric that was asked for is not among have.
func (c *MetricChoice) Among(q *Request, have map[string]bool) error {
	if c == nil {
		return nil
	}
	for _, asked := range q.List("metrics") {
		if metIn(asked, have) {
			continue
		}
		if strings.HasPrefix(asked, "regex:") {
			return Usagef("--metrics: no metric here matches %q; 'gpuprof metrics FILE' lists those of a report", asked)
		}
		near := nearestMetric(asked, have)
		return Usagef("--metrics: there is no metric %q here%s; 'gpuprof metrics FILE' lists those of a report", asked, near)
	}
	return nil
}

// nearestMetric is what was meant instead of a metric that there is not. Names are long:
// where none is near, the part before the first point is looked at alone.
func nearestMetric(asked string, have map[string]bool) string {
	if near := spelling.Nearest(asked, slices.Sorted(maps.Keys(have))); near != "" {
		return near
	}
	bases := map[string]bool{}
	for name := range have {
		base, _, _ := strings.Cut(name, ".")
		bases[base] = true
	}
	base, _, _ := strings.Cut(asked, ".")
	return spelling.Nearest(base, slices.Sorted(maps.Keys(bases)))
}

// metIn reports whether a value of --metrics names any of the metrics.
func metIn(asked string, have map[string]bool) bool {
	if expr, ok := strings.CutPrefix(asked, "regex:"); ok {
		re, err := regexp.Compile(expr)
		if err != nil {
			return true // ParseMetrics says so
		}
		for name := range have {
			if re.MatchString(name) {
				return true
			}
		}
		return false
	}
	if have[asked] {
		return true
	}
	for _, r := range metric.Rollups {
		if have[asked+"."+r.String()] {
			return true
		}
	}
	return false
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
