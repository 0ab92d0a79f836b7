package profile

import "github.com/gpuprof/gpuprof/profile/metric"

import "testing"

// counting is a loader whose metrics tell how often they were loaded.
type counting struct {
	loader
	last *MetricSet
}

func (c *counting) Metrics() (*MetricSet, error) {
	c.metrics++
	c.last = c.last.Like([]Metric{NewMetric("b", metric.Uint64(uint64(c.metrics)), nil), NewMetric("a", metric.Uint64(0), nil)})
	return c.last, nil
}

// TestRecent: metrics are forgotten when others were asked for since, but not
// those that were added.
func TestRecent(t *testing.T) {
	r := NewRecent(2)
	var loaders [3]counting
	var actions [3]*Action
	for i := range actions {
		actions[i] = r.NewAction(&loaders[i])
	}
	ask := func(i int, want uint64) {
		t.Helper()
		m, err := actions[i].Metrics()
		if err != nil || m.Lookup("b").Value.Uint64() != want {
			t.Errorf("action %d: loaded %d times, want %d; %v", i, m.Lookup("b").Value.Uint64(), want, err)
		}
	}
	ask(0, 1)
	ask(1, 1)
	ask(0, 1)
	ask(2, 1) // 0 is forgotten
	ask(1, 1)
	ask(0, 2)
	var o Overlay
	o.AddMetrics(actions[1], []Metric{NewMetric("c", metric.Uint64(1), nil)}) // 1 is loaded again for it
	ask(2, 2)                                                                 // which took the place of 2
	ask(0, 3)
	for i := range 3 {
		actions[2].Metrics()
		actions[0].Metrics()
		m, _ := o.Launch(actions[1]).Metrics()
		if m.Lookup("c") == nil || m.Lookup("b") == nil {
			t.Fatalf("round %d: what was added is gone", i)
		}
	}
}

func TestLike(t *testing.T) {
	set := func(prev *MetricSet, names ...string) *MetricSet {
		var ms []Metric
		for i, n := range names {
			ms = append(ms, NewMetric(n, metric.Uint64(uint64(i)), nil))
		}
		return prev.Like(ms)
	}
	a := set(nil, "x", "b")
	b := set(a, "x", "b")
	if !a.SameNames(b) || b.Lookup("b").Value.Uint64() != 1 || b.Sorted()[0].Name != "b" || b.Sorted()[0] != b.Lookup("b") {
		t.Errorf("like: %+v", b)
	}
	for _, c := range []*MetricSet{set(a, "x"), set(a, "b", "x"), set(a, "x", "c"), a.LastWins()} {
		if c.SameNames(a) {
			t.Errorf("%v has the names of %v", c.All(), a.All())
		}
	}
	if c := set(a, "b", "x"); c.Lookup("x").Value.Uint64() != 1 {
		t.Error("another order, but the same places")
	}
	var none MetricSet
	if none.Lookup("x") != nil || none.Len() != 0 || len(none.Sorted()) != 0 || none.SameNames(&none) {
		t.Error("an empty set holds something")
	}
}
