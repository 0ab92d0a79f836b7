package load

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
)

func TestNcuSourceMetrics(t *testing.T) {
	arch := func(low, high int) *ncurep.MetricFilter {
		f := &ncurep.MetricFilter{}
		if low > 0 {
			f.MinArch = ncurep.Some(ncurep.Arch(low))
		}
		if high > 0 {
			f.MaxArch = ncurep.Some(ncurep.Arch(high))
		}
		return f
	}
	label := ncurep.Some[string]
	list := func(ms ...*ncurep.SectionMetric) *ncurep.SectionMetrics { return &ncurep.SectionMetrics{Metrics: ms} }
	column := func(name, label string) profile.SourceMetric { return profile.SourceMetric{Name: name, Label: label} }
	mean := &ncurep.DisplayProperties{SourceCorrelation: &ncurep.SourceCorrelation{DivideByCorrelatedLineCount: ncurep.Some(true)}}
	off := &ncurep.DisplayProperties{SourceCorrelation: &ncurep.SourceCorrelation{Disabled: ncurep.Some(true)}}
	for _, c := range []struct {
		name     string
		arch     int
		sections []*ncurep.Section
		want     []profile.SourceMetric
	}{
		{"groups come first, an empty label hides, none shows the name", 80, []*ncurep.Section{{Metrics: list(
			&ncurep.SectionMetric{Name: "hidden", Label: label("")}, &ncurep.SectionMetric{Name: "plain"},
			&ncurep.SectionMetric{Name: "group:g", Label: label("G")})}},
			[]profile.SourceMetric{column("group:g", "G"), column("plain", "plain")}},
		{"by the order of sections, the first of a name counts", 80, []*ncurep.Section{
			{Order: ncurep.Some(uint32(100)), Metrics: list(&ncurep.SectionMetric{Name: "a", Label: label("late")}, &ncurep.SectionMetric{Name: "b"})},
			{Order: ncurep.Some(uint32(60)), Metrics: list(&ncurep.SectionMetric{Name: "a", Label: label("")}, &ncurep.SectionMetric{Name: "b", Label: label("early")})}},
			[]profile.SourceMetric{column("b", "early"), column("a", "late")}},
		{"a list of its own replaces the metrics", 80, []*ncurep.Section{
			{Metrics: list(&ncurep.SectionMetric{Name: "a"})}, {SourceMetrics: list(&ncurep.SectionMetric{Name: "b"})}},
			[]profile.SourceMetric{column("b", "b")}},
		{"options", 75, []*ncurep.Section{{Metrics: list(
			&ncurep.SectionMetric{Name: "old", Label: label("L"), Options: []*ncurep.MetricOption{{Name: "new", Filter: arch(70, 0)}}},
			&ncurep.SectionMetric{Name: "base", Filter: arch(0, 72), Options: []*ncurep.MetricOption{{Name: "other", Label: label("O")}}},
			&ncurep.SectionMetric{Name: "gone", Filter: arch(80, 0)},
			&ncurep.SectionMetric{Name: "ranges", Filter: &ncurep.MetricFilter{Ranges: []*ncurep.ArchRange{{MinArch: ncurep.Some(ncurep.Arch(70)), MaxArch: ncurep.Some(ncurep.Arch(80))}}}})}},
			[]profile.SourceMetric{column("new", "L"), column("other", "O"), column("ranges", "ranges")}},
		{"the base where no option fits", 61, []*ncurep.Section{{Metrics: list(
			&ncurep.SectionMetric{Name: "old", Options: []*ncurep.MetricOption{{Name: "new", Filter: arch(70, 0)}, {Name: "any"}}})}},
			[]profile.SourceMetric{column("old", "old")}},
		{"lines", 80, []*ncurep.Section{{Metrics: list(
			&ncurep.SectionMetric{Name: "m", Display: mean}, &ncurep.SectionMetric{Name: "n", Display: off}, &ncurep.SectionMetric{Name: "derived__avg_thread_executed"})}},
			[]profile.SourceMetric{{Name: "m", Label: "m", Mean: true}, {Name: "n", Label: "n", NotByLine: true}, {Name: "derived__avg_thread_executed", Label: "derived__avg_thread_executed", Mean: true}}},
	} {
		if d := cmp.Diff(c.want, ncuSourceMetrics(c.sections, ncuArchFilter{arch: c.arch})); d != "" {
			t.Errorf("%s: -want +got:\n%s", c.name, d)
		}
	}
}

// TestNcuArchFilter2024 takes filters as the tool of 2024 does, which knows
// nothing beyond compute capability 9.0.
func TestNcuArchFilter2024(t *testing.T) {
	some := func(a int) ncurep.Opt[ncurep.Arch] { return ncurep.Some(ncurep.Arch(a)) }
	for _, c := range []struct {
		filter      ncurep.MetricFilter
		arch        int
		now, in2024 bool
	}{
		{ncurep.MetricFilter{MaxArch: some(90)}, 120, false, true},
		{ncurep.MetricFilter{MinArch: some(100)}, 120, true, true},
		{ncurep.MetricFilter{MinArch: some(100)}, 80, false, true},
		{ncurep.MetricFilter{MinArch: some(80)}, 120, true, false},
		{ncurep.MetricFilter{MinArch: some(75), MaxArch: some(100)}, 86, true, true},
		{ncurep.MetricFilter{MinArch: some(75)}, 70, false, false},
	} {
		now, in2024 := ncuArchFilter{arch: c.arch}.matches(&c.filter), ncuArchFilter{arch: c.arch, compat: true}.matches(&c.filter)
		if now != c.now || in2024 != c.in2024 {
			t.Errorf("%+v on %d: %v and %v, want %v and %v", c.filter, c.arch, now, in2024, c.now, c.in2024)
		}
	}
}
