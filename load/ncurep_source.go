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
func ncuSourceMetrics(sections []*ncurep.Section, gpu ncuArchFilter) []profile.SourceMetric {
	lists := ncuSourceLists(sections, func(s *ncurep.Section) *ncurep.SectionMetrics { return s.SourceMetrics })
	if len(lists) == 0 {
		lists = ncuSourceLists(sections, func(s *ncurep.Section) *ncurep.SectionMetrics { return s.Metrics })
	}
	return ncuListedMetrics(lists, gpu)
}

// ncuListedMetrics are the metrics of lists, which are in the order of the page.
func ncuListedMetrics(lists []*ncurep.SectionMetrics, gpu ncuArchFilter) []profile.SourceMetric {
	var groups, single []profile.SourceMetric
	seen := map[string]bool{}
	for _, list := range lists {
		for _, m := range list.Metrics {
			sm, ok := ncuSourceMetric(m, gpu)
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
func ncuSourceMetric(m *ncurep.SectionMetric, gpu ncuArchFilter) (sm profile.SourceMetric, ok bool) {
	name, label := m.Name, m.Label
	base := gpu.matches(m.Filter)
	i := slices.IndexFunc(m.Options, func(o *ncurep.MetricOption) bool {
		return (o.Filter != nil || !base) && gpu.matches(o.Filter)
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

// ncuArchFilter is a GPU that filters let through or not.
type ncuArchFilter struct {
	arch   int  // 0: any
	compat bool // as Nsight Compute 2024.1 does
}

// matches reports whether a filter lets the GPU through. The other conditions of
// a filter are about collecting, which is done.
func (g ncuArchFilter) matches(f *ncurep.MetricFilter) bool {
	if f == nil || g.arch == 0 {
		return true
	}
	if len(f.Ranges) > 0 {
		return slices.ContainsFunc(f.Ranges, func(r *ncurep.ArchRange) bool { return g.within(r.MinArch, r.MaxArch) })
	}
	return g.within(f.MinArch, f.MaxArch)
}

func (g ncuArchFilter) within(low, high ncurep.Opt[ncurep.Arch]) bool {
	arch := g.arch
	if g.compat {
		// It has no words for later GPUs: it takes them for the first that it
		// knows, and leaves bounds out that name them.
		if arch > lastArch2024 {
			arch = firstArch2024
		}
		low.Set = low.Set && int(low.Value) <= lastArch2024
		high.Set = high.Set && int(high.Value) <= lastArch2024
	}
	return (!low.Set || int(low.Value) <= arch) && (!high.Set || arch <= int(high.Value))
}

// The range of the architectures that Nsight Compute 2024.1 knows.
const (
	firstArch2024 = 50
	lastArch2024  = 90
)

// SourceMetrics2024 lists what Nsight Compute 2024.1 shows for each instruction
// of an action, which is Code.Metrics but for GPUs that it does not know.
func (r *Report) SourceMetrics2024(a *profile.Action) []profile.SourceMetric {
	c, _ := a.Code()
	switch {
	case c == nil:
		return nil
	case r.ncu == nil:
		return c.Metrics
	}
	sections, _ := r.Sections(a)
	return ncuSourceMetrics(sections, ncuArchFilter{arch: c.Arch, compat: true})
}

// SourceMetricsOf lists what sections other than those of the report show for
// each instruction of an action. A section without a list of source metrics has
// older ones', its metrics without a place in header and body.
func (r *Report) SourceMetricsOf(a *profile.Action, sections []*ncurep.Section) []profile.SourceMetric {
	major, minor := a.CC()
	lists := ncuSourceLists(sections, func(s *ncurep.Section) *ncurep.SectionMetrics {
		if l := s.SourceMetrics; l != nil && len(l.Metrics) > 0 {
			return l
		}
		return s.Metrics
	})
	return ncuListedMetrics(lists, ncuArchFilter{arch: 10*major + minor})
}
