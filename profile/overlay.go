package profile

import "slices"

// An Overlay is what one request adds to actions: what rules say of them, and the
// metrics that rules add or sections derive. The actions stay as they were read,
// so that many requests can look at one report at the same time, each with an
// overlay of its own. What it adds is seen through [Overlay.Launch].
//
// A nil Overlay adds nothing. Goroutines may read one together, but not while
// something is added.
type Overlay struct{ added map[*Action]*addition }

// An addition is what an overlay adds to one action.
type addition struct {
	metrics []Metric
	rules   []RuleResult
	set     *MetricSet // the action's metrics with those added; nil: none are
	err     error      // of the action's metrics
}

// AddMetrics adds metrics to an action; one of a name that it has takes the place
// of that.
func (o *Overlay) AddMetrics(a *Action, ms []Metric) {
	if len(ms) == 0 {
		return
	}
	isNew := make(map[string]bool, len(ms))
	for i := range ms {
		isNew[ms[i].Name] = true
	}
	with := func(old []Metric) []Metric {
		return append(slices.DeleteFunc(slices.Clone(old), func(m Metric) bool { return isNew[m.Name] }), ms...)
	}
	old, err := o.Launch(a).Metrics()
	x := o.to(a)
	x.metrics, x.set, x.err = with(x.metrics), NewMetricSet(with(old.All())), err
}

// AddRuleResults adds results to an action. They take the place of those that it
// has of the same rules.
func (o *Overlay) AddRuleResults(a *Action, rs []RuleResult) {
	if len(rs) > 0 {
		x := o.to(a)
		x.rules = withResults(x.rules, rs)
	}
}

// Added returns what was added to an action.
func (o *Overlay) Added(a *Action) ([]Metric, []RuleResult) {
	if x := o.of(a); x != nil {
		return x.metrics, x.rules
	}
	return nil, nil
}

// Launch returns the action with what is added to it.
func (o *Overlay) Launch(a *Action) Launch { return Launch{Action: a, overlay: o} }

// of is what is added to a; nil: nothing.
func (o *Overlay) of(a *Action) *addition {
	if o == nil {
		return nil
	}
	return o.added[a]
}

// to is where to add to a.
func (o *Overlay) to(a *Action) *addition {
	if o.added == nil {
		o.added = map[*Action]*addition{}
	}
	x := o.added[a]
	if x == nil {
		x = &addition{}
		o.added[a] = x
	}
	return x
}

// withResults is old with rs in place of the results of the same rules.
func withResults(old, rs []RuleResult) []RuleResult {
	isNew := make(map[string]bool, len(rs))
	for i := range rs {
		isNew[rs[i].Identifier] = true
	}
	kept := slices.DeleteFunc(slices.Clone(old), func(r RuleResult) bool { return isNew[r.Identifier] })
	return append(kept, rs...)
}

// A Launch is an action as one request sees it: what the request's [Overlay] adds
// is part of it.
type Launch struct {
	*Action
	overlay *Overlay
}

// Metrics returns all metrics of the launch, as [Action.Metrics] does.
func (l Launch) Metrics() (*MetricSet, error) {
	if x := l.overlay.of(l.Action); x != nil && x.set != nil {
		return x.set, x.err
	}
	return l.Action.Metrics()
}

// Metric returns the metric of a name, or nil. It need not load the others.
func (l Launch) Metric(name string) *Metric {
	if x := l.overlay.of(l.Action); x != nil && x.set != nil {
		return x.set.Lookup(name)
	}
	return l.Action.Metric(name)
}

// RuleResults returns what rules said when the report was made, and since.
func (l Launch) RuleResults() ([]RuleResult, error) {
	rs, err := l.Action.RuleResults()
	if x := l.overlay.of(l.Action); x != nil && len(x.rules) > 0 {
		rs = withResults(rs, x.rules)
	}
	return rs, err
}
