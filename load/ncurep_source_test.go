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
		if d := cmp.Diff(c.want, ncuSourceMetrics(c.sections, c.arch)); d != "" {
			t.Errorf("%s: -want +got:\n%s", c.name, d)
		}
	}
}
