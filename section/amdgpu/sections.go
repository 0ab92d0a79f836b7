package amdgpu

import (
	"embed"
	"io/fs"
	"strings"
	"sync"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/section"
)

// stockFiles are the sections for counters of AMD GPUs. Reports of NVIDIA
// carry their sections; these stand in where a file has none.
//
//go:embed stock/*.section
var stockFiles embed.FS

// stock parses the sections once; they are sound, as a test makes sure.
var stock = sync.OnceValues(func() ([]*ncurep.Section, error) {
	names, err := fs.Glob(stockFiles, "stock/*.section")
	if err != nil {
		return nil, err
	}
	var out []*ncurep.Section
	for _, name := range names {
		b, err := stockFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		def, _, err := section.ParseFile(name, string(b))
		if err != nil {
			return nil, err
		}
		out = append(out, def)
	}
	return out, nil
})

// Sections remembers the sections of launches that have the same metrics. The
// zero value is ready.
type Sections struct {
	mu   sync.Mutex
	sets []*profile.MetricSet
	defs [][]*ncurep.Section
}

// Of are the sections of which an action has any metric, each with the metrics
// that it has, and one with the counters that none of them shows.
func (c *Sections) Of(a *profile.Action) ([]*ncurep.Section, error) {
	ms, err := a.Metrics()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, s := range c.sets {
		if s.SameNames(ms) {
			return c.defs[i], nil
		}
	}
	defs, err := sectionsOf(ms)
	if err == nil && len(c.sets) < maxSets {
		c.sets, c.defs = append(c.sets, ms), append(c.defs, defs)
	}
	return defs, err
}

func sectionsOf(ms *profile.MetricSet) ([]*ncurep.Section, error) {
	all, err := stock()
	if err != nil {
		return nil, err
	}
	shown := map[string]bool{}
	var out []*ncurep.Section
	for _, def := range all {
		own := *def
		own.Header = &ncurep.SectionHeader{Metrics: present(def.Header.Metrics, ms)}
		for _, m := range def.Header.Metrics {
			shown[m.Name] = true
		}
		own.Bodies = nil
		for _, body := range def.Bodies {
			if b := bars(body, ms); b != nil {
				own.Bodies = append(own.Bodies, b)
			}
		}
		// What sums up other sections is left out where there is nothing to sum up.
		if n := len(own.Header.Metrics); n > 2 || n > 0 && len(own.Bodies) == len(def.Bodies) {
			out = append(out, &own)
		}
	}
	rest := &ncurep.SectionHeader{}
	for _, m := range ms.Sorted() {
		if !shown[m.Name] && !strings.HasPrefix(m.Name, "launch__") {
			rest.Metrics = append(rest.Metrics, &ncurep.SectionMetric{Name: m.Name})
		}
	}
	if len(rest.Metrics) > 0 {
		out = append(out, &ncurep.Section{Identifier: "AMDCounters", DisplayName: "Other Counters", Order: ncurep.Some(uint32(90)), Header: rest})
	}
	return out, nil
}

// maxSets is how many sets of metrics are remembered.
const maxSets = 64

// present are the metrics of which ms has a value.
func present(metrics []*ncurep.SectionMetric, ms *profile.MetricSet) []*ncurep.SectionMetric {
	var out []*ncurep.SectionMetric
	for _, m := range metrics {
		if ms.Lookup(m.Name) != nil {
			out = append(out, m)
		}
	}
	return out
}

// bars is a body with the bar charts that have bars to draw; nil without any.
func bars(body *ncurep.SectionBody, ms *profile.MetricSet) *ncurep.SectionBody {
	own := *body
	own.Items = nil
	for _, it := range body.Items {
		if it.BarChart == nil {
			continue
		}
		c := *it.BarChart
		if c.Metrics = present(c.Metrics, ms); len(c.Metrics) > 0 {
			own.Items = append(own.Items, &ncurep.BodyItem{BarChart: &c})
		}
	}
	if own.Items == nil {
		return nil
	}
	return &own
}
