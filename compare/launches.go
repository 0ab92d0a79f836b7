package compare

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// FromReport makes a run of those launches of a report that are in keep, all if
// keep is nil. Launches of one kernel with one grid, block and NVTX state are one
// entity, unless each is asked for: then the n-th of them is one of its own.
func FromReport(r *profile.Report, keep []*profile.Action, n *Names, each bool) *Run {
	if keep == nil {
		keep = r.Actions()
	}
	run := &Run{Name: r.File, Kind: Launches, Began: r.Created}
	core := make([]map[string]metric.Value, len(keep))
	for i, a := range keep {
		core[i], _ = a.Values(isCore)
	}
	reportFacts(run, r, keep, core)
	by := map[string]*Entity{}
	failed := 0
	for i, a := range keep {
		f := n.of(a.FullName())
		e := &Entity{Class: Kernel, Name: f.shown, Full: f.full, Base: f.base, Path: nvtxPath(a), Shape: shapeOf(a), Size: Extent{a.Grid, a.Block}}
		key := e.exact()
		if each {
			e.Alone = true
			for i := 0; by[key] != nil; i++ {
				e.Path = nvtxPath(a) + "#" + strconv.Itoa(i+2)
				key = e.exact()
			}
		}
		if by[key] == nil {
			e.Source = &launches{core: map[string]*column{}}
			by[key] = e
			run.Entities = append(run.Entities, e)
		}
		e = by[key]
		e.Launches++
		e.Source.(*launches).add(a, core[i])
		if v, ok := timeOf(core[i]); ok && !(v > 0) {
			e.Failed++
			failed++
		}
	}
	if failed > 0 {
		run.Notes = append(run.Notes, fmt.Sprintf("%s without a time: %s", counted(failed, "launch", "launches"), "they failed, and are no value"))
	}
	run.Identity = identityOf(run)
	return run
}

// shapeOf is the grid and the block; "" where the file tells neither.
func shapeOf(a *profile.Action) string {
	text := func(d [3]uint64) string {
		if !a.Knows(d) {
			return "n/a"
		}
		return dims(d)
	}
	if !a.Knows(a.Grid) && !a.Knows(a.Block) {
		return ""
	}
	return text(a.Grid) + " × " + text(a.Block)
}

// dims writes three numbers without the ones at their end: 432×8.
func dims(d [3]uint64) string {
	n := 3
	for n > 1 && d[n-1] == 1 {
		n--
	}
	var b []byte
	for i, v := range d[:n] {
		if i > 0 {
			b = append(b, "×"...)
		}
		b = strconv.AppendUint(b, v, 10)
	}
	return string(b)
}

func timeOf(core map[string]metric.Value) (v float64, ok bool) {
	for _, name := range timeMetrics {
		if v, has := core[name]; has && isNumber(v) {
			return v.Double(), true
		}
	}
	return 0, false
}

// nvtxPath is the stack of ranges at a launch, with numbers folded.
func nvtxPath(a *profile.Action) string {
	s, err := a.NvtxState()
	if err != nil || !s.HasRanges() {
		return ""
	}
	var parts []string
	for _, d := range s.Domains {
		for i, r := range d.PushPop {
			name := Fold(r.Name)
			if i == 0 && d.Name != profile.DefaultDomain && d.Name != "" {
				name = d.Name + "@" + name
			}
			parts = append(parts, name)
		}
	}
	return strings.Join(parts, "/")
}

// launches are the Source of an entity of a report.
type launches struct {
	actions []*profile.Action
	names   []string
	core    map[string]*column // of the metrics that every comparison asks for
	rest    map[string]*column // of all others; nil: not read
}

// A column is what the launches of an entity have of a metric.
type column struct {
	time  bool
	each  []float64
	texts []string // each once
}

func isNumber(v metric.Value) bool {
	return v.Kind() != metric.KindNone && v.Kind() != metric.KindString
}

func (l *launches) Metrics() []string {
	if l.names == nil {
		seen := map[string]bool{}
		l.names = []string{}
		var like *profile.MetricSet
		for _, a := range l.actions {
			ms, _ := a.Metrics()
			if like != nil && like.SameNames(ms) {
				continue
			}
			like = ms
			for _, m := range ms.All() {
				if !seen[m.Name] {
					seen[m.Name] = true
					l.names = append(l.names, m.Name)
				}
			}
		}
		slices.Sort(l.names)
	}
	return l.names
}

// coreMetrics are the metrics that every comparison asks for, beside the
// attributes of the launch.
var coreMetrics = func() []string {
	names := slices.Concat(timeMetrics, cycleMetrics, clockMetrics, workMetrics, deviceMetrics)
	for _, m := range tellingMetrics {
		names = append(names, m.metric)
	}
	slices.Sort(names)
	return slices.Compact(names)
}()

const attribute = "launch__"

func isCore(name string) bool {
	if strings.HasPrefix(name, attribute) {
		return true
	}
	_, is := slices.BinarySearch(coreMetrics, name)
	return is
}

// attributesOf are names that an entity has, in byte order, with all attributes of
// its launch: other metrics need not be read for them.
func attributesOf(e *Entity) []string {
	if l, ok := e.Source.(*launches); ok {
		return slices.Sorted(maps.Keys(l.core))
	}
	return e.Source.Metrics()
}

func (l *launches) add(a *profile.Action, core map[string]metric.Value) {
	l.actions = append(l.actions, a)
	addTo(l.core, core)
}

// addTo adds the values of a launch to columns.
func addTo(columns map[string]*column, values map[string]metric.Value) {
	for name, v := range values {
		c := columns[name]
		if c == nil {
			c = &column{time: DirectionOf(name).Class == "time"}
			columns[name] = c
		}
		switch {
		case isNumber(v):
			if x := v.Double(); !math.IsNaN(x) && (x > 0 || !c.time) { // a time of zero is a launch that failed
				c.each = append(c.each, x)
			}
		case v.Kind() == metric.KindString && !slices.Contains(c.texts, v.Text()):
			c.texts = append(c.texts, v.Text())
		}
	}
}

// column reads what is not of the core for all metrics at once: where a file has
// many launches, the metrics of one are made anew whenever they are asked for.
func (l *launches) column(name string) *column {
	columns := l.core
	if !isCore(name) {
		if l.rest == nil {
			l.rest = map[string]*column{}
			for _, a := range l.actions {
				values, _ := a.Values(func(name string) bool { return !isCore(name) })
				addTo(l.rest, values)
			}
		}
		columns = l.rest
	}
	if c := columns[name]; c != nil {
		return c
	}
	return &column{}
}

func (l *launches) Each(name string) ([]float64, string) {
	return l.column(name).each, metric.Lookup(name).Unit.String()
}

func (l *launches) Texts(name string) []string { return l.column(name).texts }

func (l *launches) Findings() []Finding {
	var out []Finding
	for _, a := range l.actions {
		rs, _ := a.RuleResults()
		for _, r := range rs {
			for _, m := range r.Messages {
				if m.Type != profile.MessageOptimization && m.Type != profile.MessageWarning {
					continue
				}
				f := Finding{Rule: r.Identifier, Title: m.Name}
				if f.Title == "" {
					f.Title = r.DisplayName
				}
				if m.Speedup != nil {
					f.Speedup = m.Speedup.Percent
				}
				for _, at := range r.Markers {
					if at.Source && at.File != "" {
						f.File, f.Line = at.File, int(at.Line)
						break
					}
				}
				out = appendFinding(out, f)
			}
		}
	}
	return out
}

// appendFinding keeps of findings with one rule and title the one with the
// largest speedup.
func appendFinding(list []Finding, f Finding) []Finding {
	for i := range list {
		if list[i].Rule == f.Rule && list[i].Title == f.Title {
			if f.Speedup > list[i].Speedup {
				list[i] = f
			}
			return list
		}
	}
	return append(list, f)
}

// actions are the launches behind an entity of a report; nil for others.
func (e *Entity) actions() []*profile.Action {
	if l, ok := e.Source.(*launches); ok {
		return l.actions
	}
	return nil
}

// Launch is the first launch of the entity, nil where it is of no report.
func (e *Entity) Launch() *profile.Action {
	if a := e.actions(); len(a) > 0 {
		return a[0]
	}
	return nil
}
