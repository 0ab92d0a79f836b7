package section

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/view"
)

// named makes section metrics of "name" or "name=label".
func named(list ...string) []*ncurep.SectionMetric {
	var out []*ncurep.SectionMetric
	for _, s := range list {
		name, label, ok := strings.Cut(s, "=")
		m := &ncurep.SectionMetric{Name: name}
		if ok {
			m.Label = ncurep.Some(label)
		}
		out = append(out, m)
	}
	return out
}

// metrics makes a set of "name=number" or "name=text".
func metrics(list ...string) *profile.MetricSet {
	var ms []profile.Metric
	for _, s := range list {
		name, value, _ := strings.Cut(s, "=")
		v := metric.String(value)
		var f float64
		if n, err := fmt.Sscan(value, &f); n == 1 && err == nil {
			v = metric.Double(f)
		}
		ms = append(ms, profile.NewMetric(name, v, nil))
	}
	return profile.NewMetricSet(ms)
}

// rowText is a row as "label value".
func rowText(rows []Row) []string {
	var out []string
	for _, r := range rows {
		v := "n/a"
		if r.Value != nil {
			v = fmt.Sprint(r.Value.Value.Double())
		}
		out = append(out, r.label()+" "+v)
	}
	return out
}

func TestMetricOptions(t *testing.T) {
	m := &ncurep.SectionMetric{Name: "base", Label: ncurep.Some("Base"), Filter: &ncurep.MetricFilter{MaxArch: arch(70)},
		Options: []*ncurep.MetricOption{
			{Name: "turing", Filter: &ncurep.MetricFilter{MinArch: arch(75), MaxArch: arch(75)}},
			{Name: "ampere", Label: ncurep.Some("Ampere"), Filter: &ncurep.MetricFilter{MinArch: arch(75), MaxArch: arch(86)}},
			{Name: "", Filter: &ncurep.MetricFilter{MinArch: arch(120)}},
		}}
	for _, c := range []struct {
		arch int
		want string
	}{{61, "base/Base"}, {70, "base/Base"}, {72, ""}, {75, "turing/Base"}, {80, "ampere/Ampere"}, {86, "ampere/Ampere"}, {90, ""}, {120, ""}} {
		s := resolve(&Definition{Header: &ncurep.SectionHeader{Metrics: []*ncurep.SectionMetric{m}}}, Target{Arch: c.arch}, noUnit)
		got := ""
		for _, m := range s.Header {
			got += m.Name + "/" + m.Label
		}
		if got != c.want {
			t.Errorf("%d: %q, want %q", c.arch, got, c.want)
		}
	}
}

func noUnit(string, int) string { return "" }

func TestSectionFilter(t *testing.T) {
	def := &Definition{Filter: &ncurep.MetricFilter{MinArch: arch(80)}}
	if resolve(def, Target{Arch: 75}, noUnit) != nil {
		t.Error("a section for 8.0 is there on 7.5")
	}
	if resolve(def, Target{Arch: 80}, noUnit) == nil {
		t.Error("a section for 8.0 is not there on 8.0")
	}
}

// TestHeader shows the header by name; with the body also what is collected
// beside it, each name once, what is missing too.
func TestHeader(t *testing.T) {
	def := &Definition{
		Header:        &ncurep.SectionHeader{Metrics: named("c=C", "a=A", "", "missing=M")},
		Metrics:       &ncurep.SectionMetrics{Metrics: named("b=B", "c=again")},
		SourceMetrics: &ncurep.SectionMetrics{Metrics: named("d=")},
	}
	ms := metrics("a=1", "b=2", "c=3", "d=4")
	for _, c := range []struct {
		details Details
		want    []string
	}{
		{DetailsHeader, []string{"A 1", "C 3", "M n/a"}},
		{DetailsAll, []string{"A 1", "B 2", "C 3", " 4", "M n/a"}},
		{DetailsBody, nil},
	} {
		b := NewBuilder(Options{Details: c.details})
		e := b.Evaluate(b.Resolve(def, Target{Arch: 80}), ms)
		if d := cmp.Diff(c.want, rowText(e.Rows)); d != "" {
			t.Errorf("%s: %s", c.details, d)
		}
	}
}

// TestPrefixes expands names with prefixes in their place.
func TestPrefixes(t *testing.T) {
	def := &Definition{Header: &ncurep.SectionHeader{Metrics: named(
		"breakdown:sm__t={UNIT}: {COMPOUND_NAME}", "group:stalls=Stalls", "group:unlabelled", "group:gone=Gone",
		"regex:^launch__=Launch", "regex:nothing=Nothing", "regex:(=Broken", "a=A")}}
	ms := metrics("a=1", "breakdown:sm__t=lts__d_sectors.avg.pct,sm__mio2rf_writeback_active.avg,xyz__hits.sum",
		"lts__d_sectors.avg.pct=5", "sm__mio2rf_writeback_active.avg=6", "xyz__hits.sum=7",
		"group:stalls=s__b,s__a", "s__a=8", "s__b=9", "group:unlabelled=s__a", "launch__y=11", "launch__x=10")
	b := NewBuilder(Options{})
	e := b.Evaluate(b.Resolve(def, Target{Arch: 80}), ms)
	want := []string{"A 1", "L2: D Sectors 5", "SM: Mio2rf Writeback Active 6", "XYZ: Hits 7", "Gone n/a",
		"Stalls (s__b) 9", "Stalls (s__a) 8", "s__a 8", "Broken n/a", "Launch (launch__x) 10", "Launch (launch__y) 11"}
	if d := cmp.Diff(want, rowText(e.Rows)); d != "" {
		t.Error(d)
	}
}

// TestSort orders rows by name, or as the definition says; values that read
// alike are equal, what is missing comes last.
func TestSort(t *testing.T) {
	item := func(key ncurep.Opt[ncurep.SortKey], dir ncurep.SortDirection) *ncurep.BodyItem {
		return &ncurep.BodyItem{BarChart: &ncurep.BarChart{Metrics: named("m4=x", "m1=z", "m3=y", "m2=w", "m0=v"),
			SortKey: key, SortDirection: ncurep.Some(dir)}}
	}
	ms := metrics("m1=0.001", "m2=7", "m3=0", "m4=0.5", "m0=nan")
	none := ncurep.Opt[ncurep.SortKey]{}
	for _, c := range []struct {
		item *ncurep.BodyItem
		want string
	}{
		{item(none, ncurep.Descending), "v z w y x"},
		{item(ncurep.Some(ncurep.ByValue), ncurep.Descending), "w x z y v"},
		{item(ncurep.Some(ncurep.ByValue), ncurep.Ascending), "z y x w v"},
		{item(ncurep.Some(ncurep.ByLabel), ncurep.Ascending), "v w x y z"},
		{item(ncurep.Some(ncurep.ByLabel), ncurep.Descending), "z y x w v"},
	} {
		b := NewBuilder(Options{Details: DetailsBody})
		def := &Definition{Bodies: []*ncurep.SectionBody{{Items: []*ncurep.BodyItem{c.item}}}}
		e := b.Evaluate(b.Resolve(def, Target{}), ms)
		got := ""
		for _, r := range e.Bodies[0][0].Rows {
			got += " " + r.Label
		}
		if got[1:] != c.want {
			t.Errorf("%v %v: %s, want %s", c.item.BarChart.SortKey, c.item.BarChart.SortDirection, got, c.want)
		}
	}
}

func TestSuffixTable(t *testing.T) {
	table := &ncurep.SuffixTable{Label: ncurep.Some("Distribution"),
		Suffixes:  &ncurep.Suffixes{Suffixes: []*ncurep.Suffix{{Name: ".min"}, {Name: ".avg"}}},
		BaseNames: &ncurep.BaseNames{BaseNames: named("sm__c=SM", "dram__c=DRAM")}}
	def := &Definition{Bodies: []*ncurep.SectionBody{{Items: []*ncurep.BodyItem{{SuffixTable: table}}}}}
	b := NewBuilder(Options{Details: DetailsAll})
	e := b.Evaluate(b.Resolve(def, Target{}), metrics("sm__c.min=1", "sm__c.avg=2", "dram__c.avg=3"))
	want := []string{"DRAM 3", "DRAM n/a", "SM 2", "SM 1"}
	if d := cmp.Diff(want, rowText(e.AllRows())); d != "" {
		t.Error(d)
	}
	for range maxSuffixed {
		table.BaseNames.BaseNames = append(table.BaseNames.BaseNames, table.BaseNames.BaseNames[0])
	}
	if n := len(resolve(def, Target{}, noUnit).Bodies[0].Items[0].Metrics); n != maxSuffixed {
		t.Errorf("%d rows of a table that is too large, want %d", n, maxSuffixed)
	}
}

// TestNesting bounds containers within containers, a container of itself too.
func TestNesting(t *testing.T) {
	loop := &ncurep.BodyItem{Horizontal: &ncurep.HorizontalContainer{}}
	loop.Horizontal.Items = []*ncurep.BodyItem{{Table: &ncurep.Table{Metrics: named("a")}}, nil, loop}
	s := resolve(&Definition{Bodies: []*ncurep.SectionBody{{Items: []*ncurep.BodyItem{loop}}}}, Target{}, noUnit)
	if n := len(s.Bodies[0].Items); n != maxNesting {
		t.Errorf("%d items, want %d", n, maxNesting)
	}
}

func TestRoofValue(t *testing.T) {
	ms := metrics("per_cycle=3", "more=4", "frequency=10", "direct=5")
	value := func(v *ncurep.RooflineValue) (float64, bool) {
		r := resolver{unit: noUnit}
		p := r.roofPart("", v)
		return p.value(ms.Lookup)
	}
	one := func(name string) *ncurep.SectionMetric { return named(name)[0] }
	for _, c := range []struct {
		v    *ncurep.RooflineValue
		want float64
		ok   bool
	}{
		{nil, 0, false},
		{&ncurep.RooflineValue{Constant: ncurep.Some(2.5)}, 2.5, true},
		{&ncurep.RooflineValue{Metric: one("direct")}, 5, true},
		{&ncurep.RooflineValue{Metric: one("gone")}, 0, false},
		{&ncurep.RooflineValue{CyclesPerSecond: &ncurep.CyclesPerSecondExpression{
			ValuePerCycle: named("per_cycle", "more"), CyclesPerSecond: one("frequency")}}, 70, true},
		{&ncurep.RooflineValue{CyclesPerSecond: &ncurep.CyclesPerSecondExpression{
			ValuePerCycle: named("per_cycle", "gone"), CyclesPerSecond: one("frequency")}}, 0, false},
	} {
		if got, ok := value(c.v); got != c.want || ok != c.ok {
			t.Errorf("%+v: %v, %v, want %v, %v", c.v, got, ok, c.want, c.ok)
		}
	}
}

// TestBuild lays a section out: a header for people and programs, charts, and
// nothing for a group of metrics that the launch does not have.
func TestBuild(t *testing.T) {
	def := &Definition{Identifier: "Id", DisplayName: "Title", Description: ncurep.Some("About"),
		Header: &ncurep.SectionHeader{Metrics: named("gpu__time_duration.sum=Duration")},
		Bodies: []*ncurep.SectionBody{{DisplayName: ncurep.Some("Body"), Items: []*ncurep.BodyItem{
			{MemoryChart: &ncurep.LabelItem{Label: ncurep.Some("Memory Chart")}},
			{LineChart: &ncurep.LineChart{Label: ncurep.Some("Curve"), Metrics: named("curve"),
				AxisX: &ncurep.ValueAxis{Range: &ncurep.AxisRange{Max: ncurep.Some(int64(9))}}}},
		}}}}
	v, ok := build(def, Target{Arch: 80}, metrics("gpu__time_duration.sum=2500"), Options{Details: DetailsAll})
	if !ok || v.ID != "Id" || v.Title != "Title" || v.Description != "About" || len(v.Items) != 2 {
		t.Fatalf("got %+v", v)
	}
	row := v.Items[0].Table.Rows[0]
	if row[0].Text() != "gpu__time_duration.sum" || row[1].Text() != "Duration" || row[2].Text() != "second" || row[3].Float64() != 2500 {
		t.Errorf("row %+v", row)
	}
	c := v.Items[1]
	if c.Chart.Table.Layout.Heading != "Body\nTable Name : Curve" || c.Chart.Kind != view.LineChart || !c.Chart.X.HasMax || c.Chart.X.Max != 9 || c.Chart.X.HasMin {
		t.Errorf("chart %+v", c)
	}
	if v := c.Chart.Table.Rows[0][3]; v.Kind() != view.KindNull || v.Text() != "n/a" {
		t.Errorf("a missing metric is %+v", v)
	}
}

func TestRoofChart(t *testing.T) {
	part := func(name string) *ncurep.RooflineValue { return &ncurep.RooflineValue{Metric: named(name)[0]} }
	def := &Definition{Bodies: []*ncurep.SectionBody{{Items: []*ncurep.BodyItem{{RooflineChart: &ncurep.RooflineChart{
		Rooflines: []*ncurep.Roofline{{PeakWork: part("peak"), PeakTraffic: part("bandwidth")}},
		Achieved:  []*ncurep.AchievedValue{{Work: part("work"), Traffic: part("gone")}},
		Walls:     []*ncurep.RooflineWall{{Value: &ncurep.RooflineValue{Constant: ncurep.Some(4.0)}}},
	}}}}}}
	v, _ := build(def, Target{}, metrics("peak=100", "bandwidth=8", "work=50"), Options{Details: DetailsAll})
	var rows [][]view.Value
	for _, it := range v.Items {
		if it.Chart != nil && it.For == view.Programs {
			rows = it.Chart.Table.Rows
		}
	}
	if len(rows) != 3 || rows[0][4].Float64() != 12.5 || rows[1][2].Kind() != view.KindNull || rows[2][4].Float64() != 4 {
		t.Errorf("chart rows %+v", rows)
	}
	if math.IsNaN(rows[0][4].Float64()) {
		t.Error("not a number")
	}
}
