package section

import (
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/ncurep"
)

// A Metric is what a definition asks for on one target.
type Metric struct {
	Name       string // may carry one of the prefixes regex:, group: and breakdown:
	Key        string // what rows are sorted by: the name before an option replaced it
	Label      string // what people read; may be empty although HasLabel
	HasLabel   bool
	Instances  bool                // the instances are part of what is shown
	Required   bool                // a launch without the metric lacks something that the author counts on
	Multiplier ncurep.Opt[float64] // factor of the values of a timeline
	Unit       string              // canonical base unit, "" for none; unknown while Name has a prefix
}

// A Section is a definition applied to a target.
type Section struct {
	Definition *Definition
	Target     Target
	Header     []Metric // by name, each once
	All        []Metric // Header and what is collected beside it, by name
	Bodies     []body

	requires bool // some metric is Required
}

// A body is one of the alternative contents of a section, all of which are
// shown, one after the other.
type body struct {
	Title   string
	Items   []Item
	Default bool // the one to look at first
}

// An Item is a chart or a table of a Body, beside the metrics that it shows on
// the target.
type Item struct {
	Shown   ncurep.Item
	Group   string   // the group of metrics that a report must have for the item; "" for none
	Metrics []Metric // in the order of the definition
	Bases   []Metric // rows of a suffix table
	Roofs   []roof   // of a roofline chart

	// Items of one container stand side by side, each in a column: the number of the
	// container within its body, from 1; 0 for none.
	Row, Column int
}

// resolve applies def to t. It returns nil if the section is not meant for t.
// unit tells the unit of a metric.
func resolve(def *Definition, t Target, unit func(name string, arch int) string) *Section {
	if !t.matches(def.Filter) {
		return nil
	}
	s := &Section{Definition: def, Target: t}
	r := resolver{target: t, unit: unit, importance: importance(def.Filter, ncurep.ImportanceOptional), groups: ownGroups(def)}
	if def.Header != nil {
		s.Header = r.metrics(def.Header.Metrics)
	}
	s.All = slices.Clone(s.Header)
	for _, list := range []*ncurep.SectionMetrics{def.Metrics, def.SourceMetrics} {
		if list != nil {
			s.All = append(s.All, r.metrics(list.Metrics)...)
		}
	}
	s.Header, s.All = byName(s.Header), byName(s.All)
	for _, b := range def.Bodies {
		body := body{Title: b.DisplayName.Or(""), Default: b.SetDefault.Or(false)}
		r.row = 0
		for _, it := range b.Items {
			body.Items = r.item(body.Items, it, 0)
		}
		s.Bodies = append(s.Bodies, body)
	}
	s.requires = r.requires
	return s
}

type resolver struct {
	target     Target
	unit       func(name string, arch int) string
	importance ncurep.CollectionImportance // of metrics that say nothing else
	requires   bool                        // some metric is required
	row        int                         // containers of the body so far
	groups     map[string][]*ncurep.SectionMetric
}

// ownGroups are the metrics of each group that a definition declares, in its order.
func ownGroups(def *Definition) map[string][]*ncurep.SectionMetric {
	out := map[string][]*ncurep.SectionMetric{}
	for _, g := range def.Groups {
		out["group:"+g.Name.Or("")] = nil
	}
	if len(out) == 0 {
		return nil
	}
	add := func(list []*ncurep.SectionMetric) {
		for _, m := range list {
			if m == nil || HasPrefix(m.Name) {
				continue
			}
			for _, g := range m.Groups {
				if in, own := out["group:"+g]; own && !slices.ContainsFunc(in, func(o *ncurep.SectionMetric) bool { return o.Name == m.Name }) {
					out["group:"+g] = append(in, m)
				}
			}
		}
	}
	if def.Header != nil {
		add(def.Header.Metrics)
	}
	for _, list := range []*ncurep.SectionMetrics{def.Metrics, def.SourceMetrics} {
		if list != nil {
			add(list.Metrics)
		}
	}
	return out
}

// importance is what a filter says, else what holds without it.
func importance(f *ncurep.MetricFilter, without ncurep.CollectionImportance) ncurep.CollectionImportance {
	if f == nil || f.Collection == nil {
		return without
	}
	return f.Collection.Importance.Or(without)
}

// byName sorts metrics by key and keeps the first of each.
func byName(ms []Metric) []Metric {
	slices.SortStableFunc(ms, func(a, b Metric) int { return strings.Compare(a.Key, b.Key) })
	return slices.CompactFunc(ms, func(a, b Metric) bool { return a.Key == b.Key })
}

// metric chooses the first option that matches, else the metric itself if its
// filter lets it through.
func (r *resolver) metric(m *ncurep.SectionMetric) (Metric, bool) {
	out := Metric{Name: m.Name, Key: m.Name, Label: m.Label.Value, HasLabel: m.Label.Set, Instances: m.ShowInstances.Or(false), Multiplier: m.Multiplier}
	important := importance(m.Filter, r.importance)
	out.Required = important == ncurep.ImportanceRequired
	for _, o := range m.Options {
		if r.target.matches(o.Filter) {
			out.Name = o.Name
			out.Required = importance(o.Filter, important) == ncurep.ImportanceRequired
			if o.Label.Set {
				out.Label, out.HasLabel = o.Label.Value, true
			}
			return out, out.Name != ""
		}
	}
	return out, m.Name != "" && r.target.matches(m.Filter)
}

func (r *resolver) metrics(ms []*ncurep.SectionMetric) []Metric {
	out := make([]Metric, 0, len(ms))
	for _, m := range ms {
		if m == nil {
			continue
		}
		if in := r.groups[m.Name]; len(in) > 0 {
			out = append(out, r.metrics(in)...)
			continue
		}
		if x, ok := r.metric(m); ok {
			x.Unit = r.unit(x.Name, r.target.Arch)
			r.requires = r.requires || x.Required
			out = append(out, x)
		}
	}
	return out
}

// maxNesting bounds containers within containers.
const maxNesting = 16

// item appends what it shows to items; of a container its items, which know that they
// stand side by side. Those of a container within another stand in the outer one's row.
func (r *resolver) item(items []Item, it *ncurep.BodyItem, depth int) []Item {
	if it == nil || depth > maxNesting || !r.target.matches(it.Filter) {
		return items
	}
	shown, _ := it.Item()
	if shown.Kind == ncurep.ItemContainer {
		first := len(items)
		for _, sub := range shown.Items {
			items = r.item(items, sub, depth+1)
		}
		if len(items)-first > 1 && depth == 0 {
			r.row++
			for i := range items[first:] {
				items[first+i].Row, items[first+i].Column = r.row, i
			}
		}
		return items
	}
	out := Item{Shown: shown, Group: groups[shown.Kind], Metrics: r.metrics(shown.Metrics)}
	out.Metrics = append(out.Metrics, r.metrics(shown.Highlight)...)
	out.Bases = r.metrics(shown.BaseNames)
	out.Metrics = append(out.Metrics, r.suffixed(out.Bases, shown.Suffixes)...)
	if out.Group != "" {
		out.Metrics = []Metric{{Name: out.Group, Key: out.Group}}
	}
	if shown.Roofline != nil {
		out.Roofs = r.roofs(shown.Roofline)
	}
	return append(items, out)
}

// maxSuffixed bounds a suffix table, whose size is a product: a small file can
// ask for a large one.
const maxSuffixed = 1 << 14

// suffixed are the metrics of a suffix table: every base name with every suffix.
func (r *resolver) suffixed(names []Metric, suffixes []*ncurep.Suffix) []Metric {
	var out []Metric
	for _, b := range names {
		for _, s := range suffixes {
			if len(out) == maxSuffixed {
				return out
			}
			m := b
			m.Name += s.Name
			m.Key += s.Name
			m.Unit = r.unit(m.Name, r.target.Arch)
			out = append(out, m)
		}
	}
	return out
}
