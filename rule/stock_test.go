package rule

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/rule/python"
)

func TestStockLoads(t *testing.T) {
	h := newHost(t, Options{})
	s, err := h.Load(context.Background(), Stock())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range s.Problems {
		t.Error(p)
	}
	if len(s.Rules) < 16 {
		t.Errorf("%d rules", len(s.Rules))
	}
	for _, r := range s.Rules {
		if r.Name == "" || r.Description == "" || r.Section == "" {
			t.Errorf("%+v", r)
		}
	}
	for _, o := range apply1(t, h, s) {
		if e, ok := o.Err.(*Error); len(o.Result.Messages) > 0 || !ok || !e.Raised {
			t.Errorf("%s on a launch without metrics: %v, %v", o.Rule.ID, o.Result.Messages, o.Err)
		}
	}
}

// TestCompiled looks for the compiled form of modules and stock rules. A source
// that has changed since has none, and works all the same: a few such are told,
// many are too many.
func TestCompiled(t *testing.T) {
	e, err := python.NewEngine(context.Background(), python.CacheDir(), python.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	sources, err := python.Modules()
	if err != nil {
		t.Fatal(err)
	}
	stock, err := StockSources()
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range stock {
		sources[path] = []byte(text)
	}
	missing := 0
	for path, text := range sources {
		if e.Code(path, text) == nil {
			missing++
			t.Logf("%s is not compiled; run 'go run ./python/precompile'", path)
		}
		if e.Code(path, append(text, '\n')) != nil || e.Code("/elsewhere"+path, text) != nil {
			t.Errorf("%s: another source is found", path)
		}
	}
	if len(sources) < 30 || missing > len(sources)/4 {
		t.Errorf("%d of %d sources are not compiled", missing, len(sources))
	}
}

// samples is a metric with an instance for each value.
func samples(name string, values ...float64) profile.Metric {
	var in []profile.Instance
	for i, v := range values {
		in = append(in, profile.Instance{ID: metric.Uint64(uint64(16 * i)), Value: metric.Double(v)})
	}
	return profile.NewMetric(name, metric.Value{}, in)
}

// TestSpeaks gives rules that have little to look at in real reports something
// to speak of, and the same without what they speak of.
func TestSpeaks(t *testing.T) {
	h := newHost(t, Options{})
	all, err := h.Load(context.Background(), Stock())
	if err != nil {
		t.Fatal(err)
	}
	busy := slices.Repeat([]float64{80}, 30)
	halting := slices.Concat([]float64{0, 0}, busy, slices.Repeat([]float64{1}, 10), busy[:20])
	for _, c := range []struct {
		rule    string
		metrics []profile.Metric
		percent float64 // 0: says nothing
		scope   profile.SpeedupType
	}{
		{"SamplingPhases", []profile.Metric{samples("pmsampling:sm__inst_executed_realtime.avg.pct_of_peak_sustained_elapsed", halting...)}, 100. * 10 / 60, profile.SpeedupGlobal},
		{"SamplingPhases", []profile.Metric{samples("SM.TriageCompute.sm__inst_executed_realtime.avg.per_cycle_active", halting...)}, 100. * 10 / 60, profile.SpeedupGlobal},
		{"SamplingPhases", []profile.Metric{samples("pmsampling:sm__cycles_active.avg", busy...)}, 0, 0},
		{"SharedCoalescing", []profile.Metric{samples("memory_l1_wavefronts_shared", 40, 10), samples("memory_l1_wavefronts_shared_ideal", 10, 10),
			profile.NewMetric("l1tex__throughput.avg.pct_of_peak_sustained_active", metric.Double(50), nil)}, 30, profile.SpeedupGlobal},
		{"SharedCoalescing", []profile.Metric{samples("memory_l1_wavefronts_shared", 10, 10), samples("memory_l1_wavefronts_shared_ideal", 10, 10)}, 0, 0},
	} {
		r, a := report(c.metrics...)
		out, err := h.Apply(context.Background(), Job{Report: r, Action: a, Rules: []*Rule{all.Lookup(c.rule)}})
		if err != nil {
			t.Fatal(err)
		}
		m := out[0].Result.Messages
		switch {
		case c.percent == 0 && len(m) > 0:
			t.Errorf("%s: %+v", c.rule, m)
		case c.percent > 0 && (len(m) != 1 || m[0].Speedup == nil || m[0].Speedup.Type != c.scope || math.Abs(m[0].Speedup.Percent-c.percent) > 0.01):
			t.Errorf("%s: %+v, %v, want %g %%", c.rule, m, out[0].Err, c.percent)
		}
	}
}
