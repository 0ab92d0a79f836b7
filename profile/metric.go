package profile

import (
	"fmt"
	"sort"
	"sync"

	"github.com/gpuprof/gpuprof/profile/metric"
)

// An Instance is one element of a metric: a value with the id that says what it
// belongs to, such as a program counter. ID is of kind none where there is none.
type Instance struct{ ID, Value metric.Value }

// A Metric is a measured or static quantity of an action.
type Metric struct {
	Name      string
	Value     metric.Value
	Series    bool // instances are samples over time, their ids timestamps in ns
	instances *instances
}

// instances are those of a metric; most have none.
type instances struct {
	list   []Instance
	source InstanceSource // of the list, where that is nil
	index  int
	count  int
}

// An InstanceSource decodes the instances of the metric with the given index.
type InstanceSource interface{ Instances(index int) []Instance }

// NewMetric returns a metric with the given instances.
func NewMetric(name string, v metric.Value, list []Instance) Metric {
	m := Metric{Name: name, Value: v}
	if len(list) > 0 {
		m.instances = &instances{list: list, count: len(list)}
	}
	return m
}

// LazyMetric returns a metric with n instances that src decodes when asked.
func LazyMetric(name string, v metric.Value, n int, src InstanceSource, index int) Metric {
	m := Metric{Name: name, Value: v}
	if n > 0 {
		m.instances = &instances{source: src, index: index, count: n}
	}
	return m
}

// NumInstances is the number of instances, known without decoding them.
func (m *Metric) NumInstances() int {
	if m.instances == nil {
		return 0
	}
	return m.instances.count
}

// Instances returns the elements of the metric. The result is shared: do not
// change it.
func (m *Metric) Instances() []Instance {
	switch in := m.instances; {
	case in == nil:
		return nil
	case in.list == nil && in.source != nil:
		return in.source.Instances(in.index)
	default:
		return in.list
	}
}

// A MetricSet holds the metrics of an action in file order, found by name.
type MetricSet struct {
	all   []Metric
	names *metricNames
}

// metricNames find metrics by name. Sets with the same names share them.
type metricNames struct {
	at     map[string]int
	once   sync.Once
	sorted []int // places in byte order of names, made on first use
}

// NewMetricSet makes a set of ms. Of several metrics with one name the set finds
// the first that has instances, else the first; All keeps them all.
func NewMetricSet(ms []Metric) *MetricSet {
	n := &metricNames{at: make(map[string]int, len(ms))}
	for i := range ms {
		at, seen := n.at[ms[i].Name]
		if !seen || ms[at].NumInstances() == 0 && ms[i].NumInstances() > 0 {
			n.at[ms[i].Name] = i
		}
	}
	return &MetricSet{ms, n}
}

// Like makes a set of ms, as NewMetricSet does. Where Fits says so, it costs next
// to nothing: reports of a million launches have as many such sets. s may be nil.
func (s *MetricSet) Like(ms []Metric) *MetricSet {
	if s.Fits(ms) {
		return &MetricSet{ms, s.names}
	}
	return NewMetricSet(ms)
}

// Fits reports whether ms has the names of s in their order and neither has
// instances. s may be nil.
func (s *MetricSet) Fits(ms []Metric) bool {
	if s == nil || len(ms) != len(s.all) || s.names == nil {
		return false
	}
	for i := range ms {
		if ms[i].Name != s.all[i].Name || ms[i].instances != nil || s.all[i].instances != nil {
			return false
		}
	}
	return true
}

// SameNames reports whether both sets are known to have the same names in the
// same order, because one was made like the other.
func (s *MetricSet) SameNames(o *MetricSet) bool {
	return s != nil && o != nil && s.names != nil && s.names == o.names
}

// LastWins returns a set of the same entries that finds the last of several with
// one name, as Nsight Compute 2024.1 does.
func (s *MetricSet) LastWins() *MetricSet {
	n := &metricNames{at: make(map[string]int, s.Len())}
	for i := range s.all {
		n.at[s.all[i].Name] = i
	}
	return &MetricSet{s.all, n}
}

// Lookup returns the metric of a name, or nil.
func (s *MetricSet) Lookup(name string) *Metric {
	if s.names == nil {
		return nil
	}
	if i, ok := s.names.at[name]; ok {
		return &s.all[i]
	}
	return nil
}

// Len is the number of different names.
func (s *MetricSet) Len() int {
	if s.names == nil {
		return 0
	}
	return len(s.names.at)
}

// All returns every entry in file order, duplicates too.
func (s *MetricSet) All() []Metric { return s.all }

// Sorted returns the metrics by name in byte order, one for each name.
func (s *MetricSet) Sorted() []*Metric {
	n := s.names
	if n == nil {
		return nil
	}
	n.once.Do(func() {
		n.sorted = make([]int, 0, len(n.at))
		for _, i := range n.at {
			n.sorted = append(n.sorted, i)
		}
		sort.Slice(n.sorted, func(i, k int) bool { return s.all[n.sorted[i]].Name < s.all[n.sorted[k]].Name })
	})
	out := make([]*Metric, len(n.sorted))
	for i, at := range n.sorted {
		out[i] = &s.all[at]
	}
	return out
}

func (s *MetricSet) checkValid() error {
	for i := range s.all {
		m := &s.all[i]
		if m.Name == "" {
			return fmt.Errorf("metric %d has no name", i)
		}
		if n := len(m.Instances()); n != m.NumInstances() {
			return fmt.Errorf("metric %s: %d instances announced, %d present", m.Name, m.NumInstances(), n)
		}
	}
	return nil
}
