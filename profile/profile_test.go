package profile

import (
	"errors"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/profile/metric"
)

func TestDuplicateMetrics(t *testing.T) {
	in := []Instance{{ID: metric.Uint64(1), Value: metric.Uint64(7)}}
	s := NewMetricSet([]Metric{
		NewMetric("a", metric.Uint64(1), nil),
		NewMetric("a", metric.Uint64(2), in),
		NewMetric("a", metric.Uint64(3), in),
		NewMetric("b", metric.Uint64(4), nil),
		NewMetric("b", metric.Uint64(5), nil),
	})
	for name, want := range map[string][2]uint64{"a": {2, 3}, "b": {4, 5}} {
		if got := s.Lookup(name).Value.Uint64(); got != want[0] {
			t.Errorf("%s = %d, want %d: the first with instances, else the first", name, got, want[0])
		}
		if got := s.LastWins().Lookup(name).Value.Uint64(); got != want[1] {
			t.Errorf("last %s = %d, want %d", name, got, want[1])
		}
	}
	if s.Len() != 2 || len(s.All()) != 5 || s.Sorted()[0].Name != "a" || s.Lookup("c") != nil {
		t.Errorf("%d names, %d entries", s.Len(), len(s.All()))
	}
}

// loader counts how often its parts are asked for.
type loader struct{ metrics int }

func (l *loader) Metrics() (*MetricSet, error) {
	l.metrics++
	return NewMetricSet([]Metric{NewMetric("device__attribute_compute_capability_major", metric.Uint64(9), nil)}), errors.New("cut short")
}
func (l *loader) RuleResults() ([]RuleResult, error) { return nil, nil }
func (l *loader) NvtxState() (*NvtxState, error)     { return nil, nil }
func (l *loader) CallStack() ([]Frame, error)        { return nil, nil }
func (l *loader) Code() (*Code, error)               { return nil, errors.New("broken") }

func TestActionLoadsOnce(t *testing.T) {
	l := &loader{}
	a := NewAction(l)
	a.Grid, a.Block = [3]uint64{1, 1, 1}, [3]uint64{1, 1, 1}
	for range 3 {
		m, err := a.Metrics()
		if err == nil || m.Len() != 1 {
			t.Errorf("%v, %v: want what could be read and the error", m, err)
		}
	}
	if major, _ := a.CC(); major != 9 || l.metrics != 1 {
		t.Errorf("CC %d, loaded %d times", major, l.metrics)
	}
	r := Report{File: "x", Ranges: []Range{{Actions: []*Action{a}}}}
	if err := r.CheckValid(); err == nil || !strings.Contains(err.Error(), "x: action 0") {
		t.Errorf("CheckValid: %v", err)
	}
	if s, _ := a.NvtxState(); s.HasRanges() {
		t.Error("a missing NVTX state has ranges")
	}
}
