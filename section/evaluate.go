package section

import (
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// A Row is one metric with what a launch has for it.
type Row struct {
	*Metric
	Value *profile.Metric // nil: the launch does not have it
	at    int             // place among the rows in the order of the definition
}

// Evaluated is a section with the values of one launch.
type Evaluated struct {
	*Section
	Rows   []Row // of the header, or of all metrics
	Bodies [][]EvaluatedItem
}

// An EvaluatedItem is an Item with the values of one launch.
type EvaluatedItem struct {
	*Item
	Rows  []Row   // in the order of the page
	Parts [][]Row // of a roofline chart: a list for each part of each roof
	Set   *profile.MetricSet
}

// AllRows are the rows of e in the order of the page.
func (e *Evaluated) AllRows() []Row {
	if e.Bodies == nil {
		return e.Rows
	}
	rows := slices.Clone(e.Rows)
	for _, items := range e.Bodies {
		for i := range items {
			it := &items[i]
			for _, p := range it.Parts {
				rows = append(rows, p...)
			}
			if it.Shown.Kind != ncurep.ItemTimeline && it.present() {
				rows = append(rows, it.Rows...)
			}
		}
	}
	return rows
}

// Missing names the metrics that the section requires and the launch does not
// have. A group that is empty there counts as there.
func (e *Evaluated) Missing() []string {
	if !e.requires {
		return nil
	}
	var names []string
	for _, r := range e.AllRows() {
		if r.Required && r.Value == nil && !slices.Contains(names, r.Name) {
			names = append(names, r.Name)
		}
	}
	return names
}

// A Builder makes sections. It remembers what launches have in common; it is
// not safe for concurrent use.
type Builder struct {
	// Place tells where in the code of the launch that is viewed an address is, in
	// words; nil: lists of source locations show their metrics alone.
	Place func(address uint64) string

	options    Options
	sections   map[resolution]*Section
	expansions map[expansion][]Metric
	regexps    map[string]*regexp.Regexp
}

type resolution struct {
	def   *Definition
	arch  int
	scope ncurep.CollectionScope
}

// NewBuilder returns a Builder that makes sections in the given way.
func NewBuilder(o Options) *Builder {
	return &Builder{options: o.withDefaults(), sections: map[resolution]*Section{},
		expansions: map[expansion][]Metric{}, regexps: map[string]*regexp.Regexp{}}
}

// Resolve is the function Resolve, which it calls once for each architecture.
func (b *Builder) Resolve(def *Definition, t Target) *Section {
	key := resolution{def, t.Arch, t.Scope}
	s, ok := b.sections[key]
	if !ok {
		s = resolve(def, t, b.options.Unit)
		b.sections[key] = s
	}
	return s
}

// Evaluate looks the metrics of s up in ms.
func (b *Builder) Evaluate(s *Section, ms *profile.MetricSet) *Evaluated {
	e := &Evaluated{Section: s}
	if b.options.Details.header() {
		list := s.Header
		if b.options.Details.body() {
			list = s.All
		}
		e.Rows = b.rows(list, s.Target.Arch, ms)
	}
	if !b.options.Details.body() {
		return e
	}
	for i := range s.Bodies {
		var items []EvaluatedItem
		for k := range s.Bodies[i].Items {
			items = append(items, b.item(&s.Bodies[i].Items[k], s.Target.Arch, ms))
		}
		e.Bodies = append(e.Bodies, items)
	}
	return e
}

func (b *Builder) item(it *Item, arch int, ms *profile.MetricSet) EvaluatedItem {
	e := EvaluatedItem{Item: it, Set: ms}
	for i := range it.Roofs {
		for k := range it.Roofs[i].Parts {
			e.Parts = append(e.Parts, b.rows(byName(slices.Clone(it.Roofs[i].Parts[k].Metrics)), arch, ms))
		}
	}
	e.Rows = b.rows(it.Metrics, arch, ms)
	e.sort()
	return e
}

// rows looks up a list of metrics, each prefix expanded in its place.
func (b *Builder) rows(list []Metric, arch int, ms *profile.MetricSet) []Row {
	rows := make([]Row, 0, len(list))
	for i := range list {
		m := &list[i]
		v := ms.Lookup(m.Name)
		if more := b.expand(m, arch, ms); more != nil {
			for k := range more {
				rows = append(rows, Row{&more[k], ms.Lookup(more[k].Name), len(rows)})
			}
			continue
		}
		rows = append(rows, Row{m, v, len(rows)})
	}
	return rows
}

// sort brings the rows of an item into the order of the page: by key, then as
// the definition says.
func (e *EvaluatedItem) sort() {
	key, dir := e.Shown.SortKey, e.Shown.SortDirection
	slices.SortStableFunc(e.Rows, func(a, b Row) int { return compare(a.Key, b.Key) })
	if !key.Set {
		return
	}
	sign := 1
	if dir.Or(ncurep.Ascending) == ncurep.Descending {
		sign = -1
	}
	slices.SortStableFunc(e.Rows, func(a, b Row) int {
		if key.Value == ncurep.ByLabel {
			return sign * compare(a.label(), b.label())
		}
		av, aok := a.shown()
		bv, bok := b.shown()
		if !aok || !bok { // what has no value comes last
			return -compareBool(aok, bok)
		}
		return sign * compare(av, bv)
	})
}

// present reports whether the launch has the group of metrics of the item, if it
// shows one.
func (e *EvaluatedItem) present() bool { return e.Group == "" || e.Set.Lookup(e.Group) != nil }

// shown is the value as precise as people read it, so that values which read
// alike are equal; false if there is none.
func (r Row) shown() (float64, bool) {
	if r.Value == nil || r.Value.Value.Kind() == metric.KindNone {
		return 0, false
	}
	v := r.Value.Value.Double()
	if math.IsNaN(v) {
		return 0, false
	}
	s := metric.ParseUnit(r.Unit).Auto(v)
	text := metric.Compact.AppendNumber(nil, s.Apply(v))
	if f, err := strconv.ParseFloat(string(text), 64); err == nil {
		return f * math.Pow(1000, float64(s.Step)), true
	}
	return v, true
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

func (r Row) label() string {
	if r.HasLabel {
		return r.Label
	}
	return r.Name
}
