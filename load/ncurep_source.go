package load

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
)

// ncuSourceMetrics lists what sections show for each instruction on a GPU of
// the given architecture. Since 2023.3 sections have a list of their own for
// that; before, their metrics without a place in the header or body serve. A
// label that is there but empty hides a metric; where several sections name one,
// the first counts. Groups come first.
func ncuSourceMetrics(sections []*ncurep.Section, arch int) []profile.SourceMetric {
	lists := ncuSourceLists(sections, func(s *ncurep.Section) *ncurep.SectionMetrics { return s.SourceMetrics })
	if len(lists) == 0 {
		lists = ncuSourceLists(sections, func(s *ncurep.Section) *ncurep.SectionMetrics { return s.Metrics })
	}
	var groups, single []profile.SourceMetric
	seen := map[string]bool{}
	for _, list := range lists {
		for _, m := range list.Metrics {
			sm, ok := ncuSourceMetric(m, arch)
			if !ok || seen[sm.Name] {
				continue
			}
			seen[sm.Name] = true
			if strings.HasPrefix(sm.Name, "group:") {
				groups = append(groups, sm)
			} else {
				single = append(single, sm)
			}
		}
	}
	return append(groups, single...)
}

// ncuSourceLists gathers one kind of list in the order of the page.
func ncuSourceLists(sections []*ncurep.Section, of func(*ncurep.Section) *ncurep.SectionMetrics) []*ncurep.SectionMetrics {
	sections = slices.Clone(sections)
	slices.SortStableFunc(sections, func(a, b *ncurep.Section) int { return cmp.Compare(a.Order.Or(0), b.Order.Or(0)) })
	var lists []*ncurep.SectionMetrics
	for _, s := range sections {
		if l := of(s); l != nil && len(l.Metrics) > 0 {
			lists = append(lists, l)
		}
	}
	slices.SortStableFunc(lists, func(a, b *ncurep.SectionMetrics) int { return cmp.Compare(a.Order.Or(0), b.Order.Or(0)) })
	return lists
}

// ncuSourceMetric resolves a metric for an architecture: the first option made
// for it, else the metric itself. ok is false if neither applies or the label
// hides it.
func ncuSourceMetric(m *ncurep.SectionMetric, arch int) (sm profile.SourceMetric, ok bool) {
	name, label := m.Name, m.Label
	base := ncuArchMatches(m.Filter, arch)
	i := slices.IndexFunc(m.Options, func(o *ncurep.MetricOption) bool {
		return (o.Filter != nil || !base) && ncuArchMatches(o.Filter, arch)
	})
	switch {
	case i >= 0:
		name = m.Options[i].Name
		if m.Options[i].Label.Set {
			label = m.Options[i].Label
		}
	case !base:
		return sm, false
	}
	if label.Set && label.Value == "" {
		return sm, false
	}
	sm = profile.SourceMetric{Name: name, Label: label.Or(name), Mean: strings.HasPrefix(name, "derived__avg_")}
	if d := m.Display; d != nil && d.SourceCorrelation != nil {
		sm.Mean = sm.Mean || d.SourceCorrelation.DivideByCorrelatedLineCount.Or(false)
		sm.NotByLine = d.SourceCorrelation.Disabled.Or(false)
	}
	return sm, true
}

// ncuArchMatches reports whether a filter lets an architecture through. The other
// conditions of a filter are about collecting, which is done.
func ncuArchMatches(f *ncurep.MetricFilter, arch int) bool {
	if f == nil || arch == 0 {
		return true
	}
	if len(f.Ranges) > 0 {
		return slices.ContainsFunc(f.Ranges, func(r *ncurep.ArchRange) bool { return ncuArchWithin(r.MinArch, r.MaxArch, arch) })
	}
	return ncuArchWithin(f.MinArch, f.MaxArch, arch)
}

func ncuArchWithin(low, high ncurep.Opt[ncurep.Arch], arch int) bool {
	return (!low.Set || int(low.Value) <= arch) && (!high.Set || arch <= int(high.Value))
}
