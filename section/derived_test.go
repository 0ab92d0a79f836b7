package section

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/format/ncurep"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/section/expr"
)

// defining makes a section of definitions "name = expression".
func defining(identifier string, definitions ...string) *Definition {
	def := &Definition{Identifier: identifier, Definitions: &ncurep.MetricDefinitions{}}
	for _, d := range definitions {
		name, expression, _ := strings.Cut(d, " = ")
		def.Definitions.Definitions = append(def.Definitions.Definitions, &ncurep.MetricDefinition{Name: name, Expression: expression})
	}
	return def
}

func metricsOf(list ...profile.Metric) *profile.MetricSet { return profile.NewMetricSet(list) }

func plain(name string, v float64) profile.Metric {
	return profile.NewMetric(name, metric.Double(v), nil)
}

// listed are the metrics behind the first n of ms: "name=value".
func listed(ms *profile.MetricSet, n int) (out []string) {
	for _, m := range ms.All()[n:] {
		out = append(out, fmt.Sprintf("%s=%g", m.Name, m.Value.Double()))
	}
	return out
}

func texts(problems []Problem) (out []string) {
	for _, p := range problems {
		out = append(out, p.Error())
	}
	return out
}

func TestDerive(t *testing.T) {
	base := metricsOf(plain("a", 6), plain("b", 3), profile.NewMetric("nothing", metric.Value{}, nil))
	for _, c := range []struct {
		name     string
		defs     []*Definition
		metrics  []string
		problems []string
	}{
		{name: "none", defs: []*Definition{{Identifier: "S"}}},
		{name: "several", defs: []*Definition{defining("S", "x = a / b", "y = a * 2"), defining("T", "z = a-b")},
			metrics: []string{"x=2", "y=12", "z=3"}},
		{name: "chain backwards", defs: []*Definition{defining("S", "z = y + 1", "y = x + 1"), defining("T", "x = a + 1")},
			metrics: []string{"z=9", "y=8", "x=7"}},
		{name: "carried", defs: []*Definition{defining("S", "a = b * 100", "x = a")},
			metrics: []string{"x=6"}},
		{name: "carried without a value", defs: []*Definition{defining("S", "nothing = b", "x = nothing + a")},
			problems: []string{"section S: derived metric x: the launch has no nothing"}},
		{name: "missing", defs: []*Definition{defining("S", "x = a + p + q * p", "y = x + a", "z = a")}, metrics: []string{"z=6"},
			problems: []string{"section S: derived metric x: the launch has no p, q", "section S: derived metric y: the launch has no x"}},
		{name: "syntax", defs: []*Definition{defining("S", "x = a +", "y = a", " = a", "e")}, metrics: []string{"y=6"},
			problems: []string{`section S: derived metric x: "a +": column 4: expected a metric, a number or '(', found the end`,
				"section S: derived metric : expected a Name, found none",
				`section S: derived metric e: "": column 1: expected a metric, a number or '(', found the end`}},
		{name: "cycle", defs: []*Definition{defining("S", "x = y + 1", "y = z", "z = x * a", "w = b")}, metrics: []string{"w=3"},
			problems: []string{"section S: derived metric z: needs itself: x -> y -> z -> x",
				"section S: derived metric y: needs itself: x -> y -> z -> x", "section S: derived metric x: needs itself: x -> y -> z -> x"}},
		{name: "behind a cycle", defs: []*Definition{defining("S", "w = x + y", "x = x")},
			problems: []string{"section S: derived metric x: needs itself: x -> x", "section S: derived metric w: the launch has no x, y"}},
		{name: "a cycle that the launch breaks", defs: []*Definition{defining("S", "x = a + 1", "a = x")}, metrics: []string{"x=7"}},
		{name: "same twice", defs: []*Definition{defining("S", "x = a+b"), defining("T", "x = ( a + b )")}, metrics: []string{"x=9"}},
		{name: "differing", defs: []*Definition{defining("S", "x = a+b"), defining("T", "x = a-b")}, metrics: []string{"x=9"},
			problems: []string{`section S: derived metric x: section T defines it as "a-b"; "a+b" is used`}},
	} {
		out, problems := Derive(c.defs, Target{Arch: 80}, base)
		if d := cmp.Diff(c.metrics, listed(out, 3)); d != "" {
			t.Errorf("%s: metrics -want +got\n%s", c.name, d)
		}
		if d := cmp.Diff(c.problems, texts(problems)); d != "" {
			t.Errorf("%s: problems -want +got\n%s", c.name, d)
		}
		if len(c.metrics) == 0 && out != base {
			t.Errorf("%s: nothing to compute made another set", c.name)
		}
	}
}

func TestDeriveErrors(t *testing.T) {
	_, problems := Derive([]*Definition{defining("S", "m = p", "c = c", "s = (")}, Target{}, metricsOf())
	var missing *MissingError
	var cycle *cycleError
	var syntax *expr.SyntaxError
	if len(problems) != 3 || !errors.As(problems[0], &missing) || !errors.As(problems[1], &cycle) || !errors.As(problems[2], &syntax) {
		t.Error(problems)
	}
}

func TestDeriveFilters(t *testing.T) {
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
	s := defining("S", "x = a * 1", "x = a * 2", "x = a * 3", "y = x + 100")
	for i, f := range []*ncurep.MetricFilter{arch(0, 72), arch(75, 89), arch(90, 0)} {
		s.Definitions.Definitions[i].Filter = f
	}
	old := defining("Old", "x = a * 4")
	old.Filter = arch(0, 61)
	d := NewDeriver([]*Definition{old, s}, DeriveOptions{})
	for cc, want := range map[int]string{60: "[x=4 y=104] 1", 70: "[x=1 y=101] 0", 72: "[x=1 y=101] 0", 75: "[x=2 y=102] 0", 89: "[x=2 y=102] 0", 90: "[x=3 y=103] 0", 121: "[x=3 y=103] 0", 74: "[] 1"} {
		out := d.Derive(Target{Arch: cc}, metricsOf(plain("a", 1)))
		if got := fmt.Sprint(listed(out.Metrics, 1), " ", len(out.Problems)); got != want {
			t.Errorf("%d: got %s, want %s (%v)", cc, got, want, out.Problems)
		}
	}
}

func TestForce(t *testing.T) {
	base := metricsOf(plain("a", 6), plain("x", 100), plain("b", 2), plain("keep", 5))
	d := NewDeriver([]*Definition{defining("S", "y = x + 1", "x = a * b", "keep = keep + 1", "a = lost")}, DeriveOptions{Force: true})
	out := d.Derive(Target{}, base)
	if diff := cmp.Diff([]string{"a=6", "x=12", "b=2", "keep=5", "y=13"}, listed(out.Metrics, 0)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	want := []string{"section S: derived metric a: the launch has no lost", "section S: derived metric keep: needs itself: keep -> keep"}
	if diff := cmp.Diff(want, texts(out.Problems)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if base.Lookup("x").Value.Double() != 100 {
		t.Error("the launch's own set has changed")
	}
	var computed []string
	for _, m := range out.Computed {
		computed = append(computed, m.Name)
		if s := out.Metrics.Lookup(m.Name); s == nil || s.Value != m.Value {
			t.Errorf("%s is not the metric of the set", m.Name)
		}
	}
	if diff := cmp.Diff([]string{"y", "x"}, computed); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestAnyOrder shuffles a chain as long as is allowed.
func TestAnyOrder(t *testing.T) {
	var definitions []string
	for i := range maxChain {
		definitions = append(definitions, fmt.Sprintf("m%d = m%d + 1", i+1, i))
	}
	for seed := range int64(20) {
		rand.New(rand.NewSource(seed)).Shuffle(len(definitions), func(i, k int) {
			definitions[i], definitions[k] = definitions[k], definitions[i]
		})
		out, problems := Derive([]*Definition{defining("S", definitions...)}, Target{}, metricsOf(plain("m0", 0)))
		if v := out.Lookup(fmt.Sprintf("m%d", maxChain)); len(problems) > 0 || v == nil || v.Value.Double() != maxChain {
			t.Fatalf("seed %d: %v %v", seed, v, problems)
		}
	}
	definitions = []string{}
	for i := range 100 * maxChain {
		definitions = append(definitions, fmt.Sprintf("m%d = m%d + 1", i, i+1))
	}
	_, problems := Derive([]*Definition{defining("S", definitions...)}, Target{}, metricsOf())
	if len(problems) == 0 || !strings.Contains(problems[0].Error(), "at most 1000 definitions") {
		t.Errorf("%.200v", problems)
	}
}

// TestShared derives the same launches from several goroutines.
func TestShared(t *testing.T) {
	d := NewDeriver([]*Definition{defining("S", "y = x + 1", "x = a * 2")}, DeriveOptions{})
	base := metricsOf(plain("a", 6))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 100 {
				if out := d.Derive(Target{}, base); out.Metrics.Lookup("y").Value.Double() != 13 {
					t.Error(out)
				}
			}
		})
	}
	group.Wait()
}

// TestGuideExample reads the guide's example as a section file.
func TestGuideExample(t *testing.T) {
	def, warnings, err := ParseFile("x.section", `
Identifier: "Derived"
MetricDefinitions {
    MetricDefinitions {
        Name: "derived_avg_thread_executed"
        Expression: "thread_inst_executed_true / inst_executed"
    }
    MetricDefinitions {
        Name: "derived_uncoalesced_l2_transactions_global"
        Expression: "memory_l2_transactions_global / memory_ideal_l2_transactions_global"
    }
    MetricDefinitions {
        Name: "sm_sass_thread_inst_executed_op_ffma_pred_on_x2"
        Expression: "sm_sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained * 2"
    }
}`)
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0].Text, "no DisplayName") { // as the guide prints it
		t.Fatal(err, warnings)
	}
	at := func(pc, v uint64) profile.Instance {
		return profile.Instance{ID: metric.Uint64(pc), Value: metric.Uint64(v)}
	}
	base := metricsOf(
		profile.NewMetric("thread_inst_executed_true", metric.Uint64(96), []profile.Instance{at(16, 64), at(32, 32)}),
		profile.NewMetric("inst_executed", metric.Uint64(4), []profile.Instance{at(16, 2), at(32, 2)}),
		plain("sm_sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained", 128))
	out, problems := Derive([]*Definition{def}, Target{}, base)
	m := out.Lookup("derived_avg_thread_executed")
	if m == nil || m.Value != metric.Uint64(24) || !cmp.Equal(m.Instances(), []profile.Instance{at(16, 32), at(32, 16)}, cmp.AllowUnexported(metric.Value{})) {
		t.Errorf("%+v", m)
	}
	if m := out.Lookup("sm_sass_thread_inst_executed_op_ffma_pred_on_x2"); m == nil || m.Value != metric.Double(256) {
		t.Errorf("%+v", m)
	}
	want := []string{"section Derived: derived metric derived_uncoalesced_l2_transactions_global: " +
		"the launch has no memory_l2_transactions_global, memory_ideal_l2_transactions_global"}
	if d := cmp.Diff(want, texts(problems)); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// TestData writes computed metrics into a report and reads them back.
func TestData(t *testing.T) {
	samples := profile.NewMetric("samples", metric.Float(2), []profile.Instance{
		{ID: metric.Uint64(10), Value: metric.Float(1.5)}, {ID: metric.String("op"), Value: metric.Uint32(7)},
		{Value: metric.Double(0.25)}})
	samples.Series = true
	base := metricsOf(samples, profile.NewMetric("text", metric.String("A"), nil), profile.NewMetric("n", metric.Uint32(3), nil), plain("d", 0.5))
	derived := NewDeriver([]*Definition{defining("S", "s = samples * 2", "t = text + 1", "u = n + 1", "v = d / 2", "w = 5 - n")}, DeriveOptions{}).Derive(Target{}, base)
	if len(derived.Problems) > 0 || len(derived.Computed) != 5 {
		t.Fatal(derived)
	}
	var report bytes.Buffer
	if _, err := (&ncurep.Report{Session: &ncurep.Session{}, Process: &ncurep.Process{}, Results: []*ncurep.ResultData{{}}}).WriteTo(&report); err != nil {
		t.Fatal(err)
	}
	file, err := ncurep.OpenBytes(report.Bytes(), "before")
	if err != nil {
		t.Fatal(err)
	}
	edit := file.Edit()
	for i := range derived.Computed {
		edit.Result(file.Results[0]).AppendMetrics(MetricData(&derived.Computed[i]))
	}
	name := filepath.Join(t.TempDir(), "after.ncu-rep")
	if err := edit.WriteFile(name); err != nil {
		t.Fatal(err)
	}
	after, err := ncurep.OpenFile(name)
	if err != nil {
		t.Fatal(err)
	}
	defer after.Close()
	ms, err := after.Results[0].Metrics()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range ms.All {
		m := &ms.All[i]
		line := fmt.Sprintf("%s %v:%v series %d", m.Name, m.Value.Kind(), m.Value, m.Series.Value)
		in, _ := m.Instances()
		for k := range in.Len() {
			id, v := in.At(k)
			line += fmt.Sprintf(" [%v:%v %v:%v]", id.Kind(), id, v.Kind(), v)
		}
		got = append(got, line)
	}
	want := []string{
		"s float:4 series 1 [uint64:10 float:3] [string:op uint32:14] [none: double:0.5]",
		"t string:A series 0", "u uint32:4 series 0", "v double:0.25 series 0", "w uint64:2 series 0",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}
