package section

import (
	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
)

// A roof is a roofline, a point or a wall of a roofline chart.
type roof struct {
	Label string
	Kind  roofKind
	Parts []roofPart // work and traffic; of a wall its value
}

// roofKind says what a Roof is.
type roofKind string

// The kinds of roofs.
const (
	roofLimit    roofKind = "roofline" // what the GPU can do
	roofAchieved roofKind = "achieved" // what the workload did
	roofWall     roofKind = "wall"     // a vertical limit
)

// A roofPart is one quantity of a Roof: a constant, a metric, or the sum of
// metrics per cycle times a frequency.
type roofPart struct {
	Title    string // "Peak Work"
	Constant ncurep.Opt[float64]
	Metrics  []Metric // of the quantity, the frequency last
	rate     bool     // Metrics ends with a frequency
}

func (r *resolver) roofs(c *ncurep.RooflineChart) []roof {
	var out []roof
	for _, l := range c.Rooflines {
		roof := roof{Kind: roofLimit, Parts: []roofPart{r.roofPart("Peak Work", l.PeakWork), r.roofPart("Peak Traffic", l.PeakTraffic)}}
		if l.Options != nil {
			roof.Label = l.Options.Label.Or("")
		}
		out = append(out, roof)
	}
	for _, a := range c.Achieved {
		out = append(out, roof{Kind: roofAchieved, Label: pointLabel(a.Options),
			Parts: []roofPart{r.roofPart("Achieved Work", a.Work), r.roofPart("Achieved Traffic", a.Traffic)}})
	}
	for _, w := range c.Walls {
		out = append(out, roof{Kind: roofWall, Label: pointLabel(w.Options), Parts: []roofPart{r.roofPart("Value", w.Value)}})
	}
	return out
}

func pointLabel(o *ncurep.RooflinePointOptions) string {
	if o == nil {
		return ""
	}
	return o.Label.Or("")
}

func (r *resolver) roofPart(title string, v *ncurep.RooflineValue) roofPart {
	p := roofPart{Title: title}
	switch {
	case v == nil:
	case v.CyclesPerSecond != nil:
		p.Metrics = r.metrics(v.CyclesPerSecond.ValuePerCycle)
		if f := r.metrics([]*ncurep.SectionMetric{v.CyclesPerSecond.CyclesPerSecond}); len(f) > 0 {
			p.Metrics, p.rate = append(p.Metrics, f...), true
		}
	case v.Metric != nil:
		p.Metrics = r.metrics([]*ncurep.SectionMetric{v.Metric})
	default:
		p.Constant = v.Constant
	}
	return p
}

// value computes the quantity; false if a metric is missing.
func (p *roofPart) value(lookup func(string) *profile.Metric) (float64, bool) {
	if p.Constant.Set {
		return p.Constant.Value, true
	}
	sum, rate := 0.0, 1.0
	for i, m := range p.Metrics {
		v := lookup(m.Name)
		if v == nil {
			return 0, false
		}
		if p.rate && i == len(p.Metrics)-1 {
			rate = v.Value.Double()
		} else {
			sum += v.Value.Double()
		}
	}
	return sum * rate, len(p.Metrics) > 0
}
