package section

import (
	"errors"
	"slices"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/section/expr"
)

// DeriveOptions say how derived metrics are computed. The zero value is the
// vendor's guide.
type DeriveOptions struct {
	Rules expr.Rules // how instances are combined
	Force bool       // compute anew what the launch already has
}

// A Deriver computes the derived metrics that definitions hold. It has parsed
// their expressions; it does not change and may be shared by goroutines.
type Deriver struct {
	options DeriveOptions
	metrics []derivedMetric // in the order of their first definitions
	index   map[string]int  // by name
}

// A derivedMetric is all definitions of one name.
type derivedMetric struct {
	name        string
	definitions []*derivation
}

// A derivation is a definition of a derived metric, parsed.
type derivation struct {
	section *Definition
	filter  *ncurep.MetricFilter
	expr    *expr.Expr
	err     error // of the syntax
	needs   []int // for each name of expr: the derived metric, or -1
}

// NewDeriver reads the expressions of all MetricDefinitions of defs. What is
// wrong with them is told by [Deriver.Derive], for the targets they are for.
func NewDeriver(defs []*Definition, o DeriveOptions) *Deriver {
	d := &Deriver{options: o, index: map[string]int{}}
	parsed := map[string]*derivation{}
	for _, def := range defs {
		if def.Definitions == nil {
			continue
		}
		for _, m := range def.Definitions.Definitions {
			p := parsed[m.Expression]
			if p == nil {
				p = &derivation{}
				p.expr, p.err = expr.Parse(m.Expression)
				parsed[m.Expression] = p
			}
			err := p.err
			if m.Name == "" {
				err = errNoName
			}
			d.add(m.Name, &derivation{section: def, filter: m.Filter, expr: p.expr, err: err})
		}
	}
	for i := range d.metrics {
		for _, x := range d.metrics[i].definitions {
			x.needs = d.needs(x.expr)
		}
	}
	return d
}

var errNoName = errors.New("expected a Name, found none")

func (d *Deriver) add(name string, x *derivation) {
	i, ok := d.index[name]
	if !ok {
		i = len(d.metrics)
		d.index[name] = i
		d.metrics = append(d.metrics, derivedMetric{name: name})
	}
	d.metrics[i].definitions = append(d.metrics[i].definitions, x)
}

// needs finds the operands that are derived metrics themselves.
func (d *Deriver) needs(e *expr.Expr) []int {
	if e == nil {
		return nil
	}
	out := make([]int, len(e.Names()))
	for i, name := range e.Names() {
		k, ok := d.index[name]
		if !ok {
			k = -1
		}
		out[i] = k
	}
	return out
}

// choose is the definition for t: the first whose filter and whose section's
// filter let t through, or nil; and the first after it that says something else.
func (m *derivedMetric) choose(t Target) (chosen, other *derivation) {
	for _, x := range m.definitions {
		switch {
		case !t.matches(x.section.Filter) || !t.matches(x.filter):
		case chosen == nil:
			chosen = x
		case x.expr == chosen.expr || x.expr != nil && chosen.expr != nil && x.expr.Equal(chosen.expr):
		default:
			return chosen, x
		}
	}
	return chosen, nil
}

// Derived is what a [Deriver] made of a launch.
type Derived struct {
	Metrics  *profile.MetricSet // those of the launch and the computed ones
	Computed []profile.Metric   // the computed ones, in the order of their definitions
	Problems []Problem
}

// Derive computes the derived metrics of a launch on t that ms does not have, or
// all if the options say so. The result keeps the metrics of ms in their places;
// new ones follow, those computed anew take the place of the old. If there is
// nothing to compute, the result has ms itself. A metric that cannot be computed
// is left as it is in ms; a Problem tells why.
func (d *Deriver) Derive(t Target, ms *profile.MetricSet) Derived {
	l := derivingLaunch{Deriver: d, target: t, set: ms}
	for i := range d.metrics {
		if d.options.Force || ms.Lookup(d.metrics[i].name) == nil {
			l.metric(i)
		}
	}
	return l.derived()
}

// derived puts what has been computed together.
func (l *derivingLaunch) derived() Derived {
	out := Derived{Metrics: l.set, Problems: l.problems}
	var all []profile.Metric
	var places []int
	for i := range l.states {
		if l.states[i].result == nil {
			continue
		}
		if all == nil {
			all = slices.Grow(slices.Clone(l.set.All()), len(l.states))
		}
		m := l.states[i].result.Metric(l.metrics[i].name)
		places = append(places, put(all, &m, l.set))
		if places[len(places)-1] == len(all) {
			all = append(all, m)
		}
	}
	if all == nil {
		return out
	}
	out.Metrics = profile.NewMetricSet(all)
	for _, k := range places {
		out.Computed = append(out.Computed, all[k])
	}
	return out
}

// put replaces the metric of the same name that set finds; where there is none
// the place is behind all.
func put(all []profile.Metric, m *profile.Metric, set *profile.MetricSet) int {
	old := set.Lookup(m.Name)
	if old == nil {
		return len(all)
	}
	for i := range set.All() {
		if &set.All()[i] == old {
			all[i] = *m
			return i
		}
	}
	return len(all)
}

// Derive computes the derived metrics of one launch as the vendor's guide says;
// see [Deriver], which does so for many.
func Derive(defs []*Definition, t Target, ms *profile.MetricSet) (*profile.MetricSet, []Problem) {
	out := NewDeriver(defs, DeriveOptions{}).Derive(t, ms)
	return out.Metrics, out.Problems
}
