package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gpuprof/gpuprof/compare/sample"
)

// Class is what an entity is.
type Class string

// The classes.
const (
	Kernel    Class = "kernel"
	Copy      Class = "copy"
	API       Class = "api call"
	Range     Class = "range"
	Device    Class = "device"
	Rank      Class = "rank"
	Benchmark Class = "benchmark"
)

// Kind is the kind of model that a run came from. Runs of different kinds are
// not compared.
type Kind string

// The kinds.
const (
	Launches   Kind = "launches"
	Timeline   Kind = "timeline"
	Benchmarks Kind = "benchmarks"
)

// A Run is one measurement: one report, timeline or file of results. It is the
// unit of statistics, whatever number of launches it holds.
type Run struct {
	Name     string // of the file
	Kind     Kind
	Began    time.Time // zero: not known
	Identity string    // equal in files of one and the same measurement; "" if the file does not tell
	Facts    []Fact
	Entities []*Entity // in the order of their first launch
	Notes    []string  // what the file says that a reader has to know, such as failed launches
	Window   Window
	Coarse   bool // a simulator or a coarse clock, which repeat themselves exactly
}

// A Fact is something about how a run was made that decides whether runs can be
// compared.
type Fact struct {
	What  Subject
	Value string
}

// A Window is what of the program's life a timeline holds.
type Window struct {
	Duration float64 // ns; 0: not known
	Cut      bool    // it was cut out of a longer recording, so that totals mean nothing
	Steps    int     // 0: not known
}

// Fact is a fact of the run, "" if it is not known.
func (r *Run) Fact(what Subject) string {
	for _, f := range r.Facts {
		if f.What == what {
			return f.Value
		}
	}
	return ""
}

func (r *Run) know(what Subject, value string) {
	if value = strings.TrimSpace(value); value != "" && r.Fact(what) == "" {
		r.Facts = append(r.Facts, Fact{what, value})
	}
}

// An Entity is what is compared: all launches of a kernel with one grid and
// block, an NVTX range, a benchmark.
type Entity struct {
	Class    Class
	Name     string // as people know it
	Full     string // in one spelling, whatever tool wrote it
	Base     string // without template arguments and parameters
	Shape    string // grid × block; "" where there is none
	Path     string // open NVTX ranges, numbers folded
	Launches int    // or calls, or instances
	Failed   int    // launches that have no time
	Alone    bool   // it is a launch by itself, and stands where the report has it
	Size     Extent
	Source   Source
}

// An Extent is the grid and block of a launch.
type Extent struct{ Grid, Block [3]uint64 }

// threads is the number of threads, for telling similar launches.
func (e Extent) threads() float64 {
	n := 1.0
	for _, v := range slices.Concat(e.Grid[:], e.Block[:]) {
		n *= math.Max(1, float64(v))
	}
	return n
}

// A Source answers what was measured of an entity.
type Source interface {
	// Metrics are the names of what has numbers, in byte order.
	Metrics() []string
	// Each are the values of a metric for every launch that has one, with the
	// canonical unit.
	Each(metric string) (values []float64, unit string)
	// Texts are the values of a metric that is a text, each once.
	Texts(metric string) []string
	// Findings are what rules said.
	Findings() []Finding
}

// A Finding is a piece of advice of a rule.
type Finding struct {
	Rule    string  // identifier
	Title   string  // of the message
	Speedup float64 // estimated, percent; 0: none
	File    string  // where it points to, "" if nowhere
	Line    int
}

// Value is the run's value of a metric: the median of its launches. ok is false
// where none has it.
func (e *Entity) Value(metric string) (v float64, unit string, ok bool) {
	each, unit := e.Source.Each(metric)
	if len(each) == 0 {
		return math.NaN(), unit, false
	}
	return sample.Median(each), unit, true
}

// exact is the key of the strictest pass.
func (e *Entity) exact() string {
	return string(e.Class) + "\x00" + e.Full + "\x00" + e.Shape + "\x00" + e.Path
}

// timeMetrics are the names under which the time of an entity stands, the first
// that both sides have.
var timeMetrics = []string{"gpu__time_duration.sum", "gpu__time_duration.avg", "gpu__time_duration.max", "gpu__time_duration_measured_wallclock", TotalTime, BenchmarkTime}

// cycleMetrics are those of its time in cycles of the multiprocessors' clock.
var cycleMetrics = []string{"sm__cycles_elapsed.max", "gpc__cycles_elapsed.max", "sm__cycles_elapsed.avg", "gpc__cycles_elapsed.avg"}

// clockMetrics are the clock that it reached.
var clockMetrics = []string{"gpc__cycles_elapsed.avg.per_second", "sm__cycles_elapsed.avg.per_second", "gpc__cycles_elapsed.max.per_second", clockRate}

// Units in the canonical spelling of package metric, in which a time counts
// nanoseconds though it is called after the second.
const (
	nanoseconds = "second"
	hertz       = "cycle_per_second"
)

// Names of what timelines and files of results measure.
const (
	TotalTime  = "time.total"    // ns of all instances
	MedianTime = "time.median"   // ns of one instance
	StepTime   = "time.per_step" // ns of all instances in one step
	Count      = "count"
	clockRate  = "sm_clock_rate" // Hz
)

// A Table of values is a Source for what is known by name, of a file of results
// or of a run that was kept.
type Values struct {
	list     []value
	findings []Finding
}

type value struct {
	name, unit string
	each       []float64
	texts      []string
}

// Set adds or replaces a number.
func (v *Values) Set(metric, unit string, each ...float64) {
	v.set(value{name: metric, unit: unit, each: each})
}

// setTexts adds or replaces a metric that is a text.
func (v *Values) setTexts(metric string, texts ...string) { v.set(value{name: metric, texts: texts}) }

func (v *Values) set(x value) {
	i, found := slices.BinarySearchFunc(v.list, x.name, func(a value, name string) int { return cmp.Compare(a.name, name) })
	if found {
		v.list[i] = x
		return
	}
	v.list = slices.Insert(v.list, i, x)
}

// AddFinding adds what a rule said.
func (v *Values) AddFinding(f Finding) { v.findings = append(v.findings, f) }

func (v *Values) find(metric string) *value {
	i, found := slices.BinarySearchFunc(v.list, metric, func(a value, name string) int { return cmp.Compare(a.name, name) })
	if !found {
		return nil
	}
	return &v.list[i]
}

// Metrics are the names of all values, texts included.
func (v *Values) Metrics() []string {
	out := make([]string, len(v.list))
	for i := range v.list {
		out[i] = v.list[i].name
	}
	return out
}

// Each are the numbers of a metric.
func (v *Values) Each(metric string) ([]float64, string) {
	if x := v.find(metric); x != nil {
		return x.each, x.unit
	}
	return nil, ""
}

// Texts are the texts of a metric.
func (v *Values) Texts(metric string) []string {
	if x := v.find(metric); x != nil {
		return x.texts
	}
	return nil
}

// Findings are those that were added.
func (v *Values) Findings() []Finding { return v.findings }
