package profile

import "sync"

// A Recent makes actions that keep their metrics only while they are among those
// asked for last, for files of so many launches that their metrics would not fit
// memory. Metrics that were forgotten are loaded again.
type Recent struct {
	mu   sync.Mutex
	ring []*Action
	next int
}

// NewRecent makes a Recent that keeps the metrics of n actions.
func NewRecent(n int) *Recent { return &Recent{ring: make([]*Action, max(n, 1))} }

// NewAction returns an action whose parts come from l.
func (r *Recent) NewAction(l Loader) *Action { return &Action{loader: l, recent: r} }

// A MetricLoader is a Loader of a Recent's action that can make one metric
// alone. It returns nil where the action has none of the name.
type metricLoader interface {
	Metric(name string) *Metric
}

func (r *Recent) metrics(a *Action) (*MetricSet, error) {
	r.mu.Lock()
	m := a.last
	r.mu.Unlock()
	if m != nil {
		return m, nil
	}
	m, err := a.loader.Metrics()
	if m == nil {
		m = &MetricSet{}
	}
	if err != nil {
		return m, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if a.last != nil {
		return a.last, nil // another goroutine was faster
	}
	a.last = m
	if old := r.ring[r.next]; old != nil {
		old.last = nil
	}
	r.ring[r.next] = a
	r.next = (r.next + 1) % len(r.ring)
	return m, nil
}
