package section_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/metric"
	"github.com/gpuprof/gpuprof/section"
	"github.com/gpuprof/gpuprof/section/expr"
)

// launches calls f with every launch of the real reports.
func launches(tb testing.TB, f func(*load.Report, *profile.Action, []*section.Definition, section.Target, *profile.MetricSet)) {
	for _, pattern := range []string{"*.ncu-rep", "*.nsight-cuprof-report"} {
		for _, name := range corpustest.Files(tb, "corpus/ncu/"+pattern) {
			file, err := load.Open(tb.Context(), name)
			if err != nil {
				tb.Fatal(err)
			}
			for _, a := range file.Report.Ranges[0].Actions {
				defs, err := file.Report.Sections(a)
				if err != nil {
					tb.Fatalf("%s: %v", filepath.Base(name), err)
				}
				ms, err := a.Metrics()
				if err != nil {
					tb.Fatalf("%s: %v", filepath.Base(name), err)
				}
				major, minor := a.CC()
				f(file.Report, a, defs, section.Target{Arch: 10*major + minor}, ms)
			}
			file.Close()
		}
	}
}

func same(a, b *profile.Metric) bool {
	return a != nil && b != nil && a.Value == b.Value && slices.Equal(a.Instances(), b.Instances())
}

// TestStoredMetrics computes every derived metric of real reports anew and
// compares value, kind and instances with what the tool stored: all agree under
// the rules of the tool's release. What cannot be computed the tool stored
// without a value.
func TestStoredMetrics(t *testing.T) {
	compared, guide, missing := 0, 0, 0
	launches(t, func(r *load.Report, a *profile.Action, defs []*section.Definition, target section.Target, ms *profile.MetricSet) {
		out := section.NewDeriver(defs, section.DeriveOptions{Rules: expr.RulesOf(r.Tool), Force: true}).Derive(target, ms)
		for _, m := range out.Computed {
			compared++
			if old := ms.Lookup(m.Name); !same(old, &m) {
				t.Errorf("%s, launch %d, release %.6s: %s: computed %v %v, stored %v", filepath.Base(r.File), a.ID, r.Tool, m.Name, m.Value.Kind(), m.Value, old)
			}
		}
		for _, p := range out.Problems {
			var me *section.MissingError
			old := ms.Lookup(p.Metric)
			if missing++; !errors.As(p.Err, &me) || old == nil || old.Value.Kind() != metric.KindNone || old.NumInstances() > 0 {
				t.Errorf("%s, launch %d: %v; stored: %v", filepath.Base(r.File), a.ID, p, old)
			}
		}
		out = section.NewDeriver(defs, section.DeriveOptions{Force: true}).Derive(target, ms)
		for _, m := range out.Computed {
			if same(ms.Lookup(m.Name), &m) {
				guide++
			}
		}
	})
	t.Logf("%d metrics agree, %d of them under the guide's rules; %d have no operands", compared, guide, missing)
	if compared < 200 || missing == 0 {
		t.Errorf("compared %d metrics, %d without operands: expected more", compared, missing)
	}
}

// TestStoredMetricsStay checks that metrics which reports carry cost nothing,
// and that they come back where they are dropped.
func TestStoredMetricsStay(t *testing.T) {
	launches(t, func(r *load.Report, a *profile.Action, defs []*section.Definition, target section.Target, ms *profile.MetricSet) {
		out, problems := section.Derive(defs, target, ms)
		if out != ms || len(problems) > 0 {
			t.Errorf("%s, launch %d: the set has changed; %v", filepath.Base(r.File), a.ID, problems)
		}
		var kept []profile.Metric
		dropped := map[string]bool{}
		for _, m := range ms.All() {
			if strings.HasPrefix(m.Name, "derived__") {
				dropped[m.Name] = m.Value.Kind() != metric.KindNone
				continue
			}
			kept = append(kept, m)
		}
		d := section.NewDeriver(defs, section.DeriveOptions{Rules: expr.RulesOf(r.Tool)})
		derived := d.Derive(target, profile.NewMetricSet(kept))
		for name, valued := range dropped {
			if valued && !same(ms.Lookup(name), derived.Metrics.Lookup(name)) {
				t.Errorf("%s, launch %d: %s does not come back", filepath.Base(r.File), a.ID, name)
			}
		}
	})
}
