package profile

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/gpuprof/gpuprof/profile/metric"
)

// measured is the loader of an action with two metrics and the results of two rules.
type measured struct{ Loader }

func (measured) Metrics() (*MetricSet, error) {
	return NewMetricSet([]Metric{NewMetric("own", metric.Uint64(1), nil), NewMetric("both", metric.Uint64(2), nil)}), nil
}

func (measured) RuleResults() ([]RuleResult, error) {
	return []RuleResult{{Identifier: "own"}, {Identifier: "both"}}, nil
}

// contents are the metrics and results of a launch as one text.
func contents(l Launch) string {
	text := ""
	ms, _ := l.Metrics()
	for _, m := range ms.All() {
		text += fmt.Sprintf("%s=%d ", m.Name, m.Value.Uint64())
		if l.Metric(m.Name).Value != m.Value {
			text += "(found alone: another) "
		}
	}
	rs, _ := l.RuleResults()
	for _, r := range rs {
		text += r.Identifier + "=" + r.DisplayName + " "
	}
	return text
}

// TestOverlay: what is added is in the launch, takes the place of what has its
// name, and is in no other overlay and not in the action.
func TestOverlay(t *testing.T) {
	a, beside := NewAction(measured{}), NewAction(measured{})
	const plain = "own=1 both=2 own= both= "
	want := func(l Launch, want string) {
		t.Helper()
		if got := contents(l); got != want {
			t.Errorf("found %q, want %q", got, want)
		}
	}
	var none *Overlay
	var o, other Overlay
	want(none.Launch(a), plain)
	o.AddMetrics(a, []Metric{NewMetric("both", metric.Uint64(3), nil), NewMetric("added", metric.Uint64(4), nil)})
	want(o.Launch(a), "own=1 both=3 added=4 own= both= ")
	o.AddRuleResults(a, []RuleResult{{Identifier: "both", DisplayName: "new"}, {Identifier: "added"}})
	o.AddRuleResults(a, []RuleResult{{Identifier: "other"}, {Identifier: "added", DisplayName: "again"}})
	o.AddMetrics(a, []Metric{NewMetric("added", metric.Uint64(5), nil)})
	want(o.Launch(a), "own=1 both=3 added=5 own= both=new other= added=again ")
	ms, rs := o.Added(a)
	if len(ms) != 2 || ms[1].Value.Uint64() != 5 || len(rs) != 3 || rs[2].DisplayName != "again" {
		t.Errorf("added are %v and %v", ms, rs)
	}
	for _, l := range []Launch{o.Launch(beside), other.Launch(a), none.Launch(a), {Action: a}} {
		want(l, plain)
	}
	if ms, rs := none.Added(a); ms != nil || rs != nil {
		t.Errorf("no overlay added %v and %v", ms, rs)
	}
}

// TestOverlaysApart has requests add to the same actions at the same time.
func TestOverlaysApart(t *testing.T) {
	var actions []*Action
	for range 4 {
		actions = append(actions, NewAction(measured{}), NewRecent(1).NewAction(measured{}))
	}
	var wg sync.WaitGroup
	for i := range uint64(8) {
		wg.Go(func() {
			var o Overlay
			for _, a := range slices.Backward(actions) {
				o.AddMetrics(a, []Metric{NewMetric("both", metric.Uint64(i), nil)})
				o.AddRuleResults(a, []RuleResult{{Identifier: "own", DisplayName: fmt.Sprint(i)}})
				if got, want := contents(o.Launch(a)), fmt.Sprintf("own=1 both=%d both= own=%d ", i, i); got != want {
					t.Errorf("found %q, want %q", got, want)
				}
			}
		})
	}
	wg.Wait()
}

// BenchmarkLookup compares a lookup through no overlay, an empty one and one that
// adds metrics with a lookup in the action.
func BenchmarkLookup(b *testing.B) {
	a := NewAction(measured{})
	var none *Overlay
	var empty, adds Overlay
	adds.AddMetrics(a, []Metric{NewMetric("added", metric.Uint64(1), nil)})
	b.Run("action", func(b *testing.B) {
		for b.Loop() {
			a.Metrics()
		}
	})
	for name, o := range map[string]*Overlay{"none": none, "empty": &empty, "adds": &adds} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				o.Launch(a).Metrics()
			}
		})
	}
}
