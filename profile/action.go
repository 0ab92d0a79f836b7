package profile

import (
	"sync"

	"github.com/gpuprof/gpuprof/profile/metric"
)

// An Action is one profiled workload, in the main a kernel launch. Its exported
// fields are there from the start; the methods load on first use and may be
// called from several goroutines. It does not change: what rules and sections add
// to it is in an [Overlay].
type Action struct {
	ID        int    // position in the report from 0, the ID that ncu prints
	Function  string // name without namespaces, arguments and template arguments
	Demangled string // full name
	Mangled   string // name in the binary
	Grid      [3]uint64
	Block     [3]uint64
	Unsized   bool // zeros of Grid and Block are not known; else they are of a launch that failed
	Context   uint32
	Stream    uint32
	Process   Process
	ThreadID  uint32 // the thread that launched
	FreeClock bool   // the GPU's clocks were not held while measuring
	recent    *Recent
	last      *MetricSet // while recent keeps it
	loader    Loader
	metrics   lazy[*MetricSet]
	rules     lazy[[]RuleResult]
	nvtx      lazy[*NvtxState]
	stack     lazy[[]Frame]
	source    lazy[*Code]
}

// Knows reports whether the file tells d, the Grid or the Block of the launch.
func (a *Action) Knows(d [3]uint64) bool {
	return !a.Unsized || d[0] > 0 && d[1] > 0 && d[2] > 0
}

// A Loader fetches the parts of one action. A method is called at most once, but
// for Metrics of an action of a Recent.
type Loader interface {
	Metrics() (*MetricSet, error)
	RuleResults() ([]RuleResult, error)
	NvtxState() (*NvtxState, error) // nil if the report has none
	CallStack() ([]Frame, error)
	Code() (*Code, error) // nil if the report has none
}

// NewAction returns an action whose parts come from l. The caller fills the
// exported fields.
func NewAction(l Loader) *Action { return &Action{loader: l} }

type lazy[T any] struct {
	once sync.Once
	v    T
	err  error
}

func (l *lazy[T]) get(f func() (T, error)) (T, error) {
	l.once.Do(func() { l.v, l.err = f() })
	return l.v, l.err
}

// Metrics returns all metrics of the action. On an error it returns what could
// be read together with the error, and never nil.
func (a *Action) Metrics() (*MetricSet, error) {
	if a.recent != nil {
		return a.recent.metrics(a)
	}
	m, err := a.metrics.get(a.loader.Metrics)
	if m == nil {
		m = &MetricSet{}
	}
	return m, err
}

// RuleResults returns what the rules said when the report was made.
func (a *Action) RuleResults() ([]RuleResult, error) { return a.rules.get(a.loader.RuleResults) }

// NvtxState returns the NVTX ranges open at the launch, or nil.
func (a *Action) NvtxState() (*NvtxState, error) { return a.nvtx.get(a.loader.NvtxState) }

// CallStack returns the host frames at the launch, innermost first.
func (a *Action) CallStack() ([]Frame, error) { return a.stack.get(a.loader.CallStack) }

// Code returns the program that was launched, or nil.
func (a *Action) Code() (*Code, error) { return a.source.get(a.loader.Code) }

// Metric returns the metric of a name, or nil. It need not load the others.
func (a *Action) Metric(name string) *Metric {
	if one, ok := a.loader.(metricLoader); ok && a.recent != nil {
		return one.Metric(name)
	}
	m, _ := a.Metrics()
	return m.Lookup(name)
}

// A scanner is a Loader that can pass over metrics without keeping them. take may
// get several of one name.
type scanner interface {
	ScanMetrics(want func(name string) bool, take func(name string, v metric.Value, instances int)) error
}

// Values are the values of the metrics whose names are wanted, as Metric has them
// but without instances. Where the file allows it nothing else is loaded or kept,
// for who wants a little of each of many launches.
func (a *Action) Values(want func(name string) bool) (map[string]metric.Value, error) {
	out := map[string]metric.Value{}
	s, ok := a.loader.(scanner)
	if !ok || a.recent != nil {
		ms, err := a.Metrics()
		all := ms.All()
		for i := range all {
			if want(all[i].Name) && ms.Lookup(all[i].Name) == &all[i] {
				out[all[i].Name] = all[i].Value
			}
		}
		return out, err
	}
	whole := map[string]bool{} // has instances
	err := s.ScanMetrics(want, func(name string, v metric.Value, instances int) {
		if _, seen := out[name]; !seen || !whole[name] && instances > 0 {
			out[name], whole[name] = v, instances > 0
		}
	})
	return out, err
}

// Device is the number of the GPU that the action ran on.
func (a *Action) Device() int { return int(a.number("launch__device_id")) }

// CC is the compute capability of the GPU, major and minor; zero if the report
// does not say.
func (a *Action) CC() (major, minor int) {
	return int(a.number("device__attribute_compute_capability_major")), int(a.number("device__attribute_compute_capability_minor"))
}

func (a *Action) number(name string) uint64 {
	if m := a.Metric(name); m != nil {
		return m.Value.Uint64()
	}
	return 0
}

// A Frame is one entry of a call stack.
type Frame struct {
	Address  uint64
	Function string
	File     string
	Line     uint32
	Module   string
}

func (a *Action) checkValid() error {
	m, err := a.Metrics()
	if err != nil {
		return err
	}
	if err := m.checkValid(); err != nil {
		return err
	}
	// A grid may be empty: a launch that failed is reported so, all its metrics NaN.
	if _, err := a.RuleResults(); err != nil {
		return err
	}
	_, err = a.NvtxState()
	return err
}
