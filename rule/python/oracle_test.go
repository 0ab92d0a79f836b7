package python_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/rule/python"
)

// dump prints a report in the form of the oracle.
const dump = `
import json, math, sys
import ncu_report

def number(x):
    return "nan" if isinstance(x, float) and x != x else x

out = []
context = ncu_report.load_report(sys.argv[1])
for action in context[0]:
    metrics = {}
    for n in action:
        m = action[n]
        k = m.kind()
        metrics[n] = {"kind": k, "unit": m.unit(), "d": number(m.as_double()),
            "u": m.as_uint64() if k in (m.ValueKind_UINT32, m.ValueKind_UINT64) else None, "s": m.as_string(),
            "ni": m.num_instances(), "corr": m.has_correlation_ids(), "mt": m.metric_type(), "ms": m.metric_subtype(), "ro": m.rollup_operation()}
    out.append({"name": action.name(), "dem": action.name(action.NameBase_DEMANGLED), "metrics": metrics})
json.dump(out, sys.stdout)
`

// script runs a script in the engine, with a report that it may open.
func script(t *testing.T, e *python.Engine, text, report string, compat bool) []byte {
	t.Helper()
	ctx := context.Background()
	p, err := e.Start(ctx, python.Program{Main: "gpuprof_script", Args: []string{"/script.py", report},
		Files: []python.File{{Path: "/script.py", Text: []byte(text)}}})
	if err != nil {
		t.Fatal(err)
	}
	s := &python.Service{Compat2024: compat, Open: func(ctx context.Context, name string) (*profile.Report, error) {
		f, err := load.Open(ctx, name)
		if err != nil {
			return nil, err
		}
		t.Cleanup(func() { f.Close() })
		return f.Report.Report, nil
	}}
	var out, errs strings.Builder
	err = p.Serve(ctx, s, python.Output{Print: func(stream string, b []byte) error {
		if stream == "stderr" {
			errs.Write(b)
		} else {
			out.Write(b)
		}
		return nil
	}})
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	return []byte(out.String())
}

func newEngine(t *testing.T) *python.Engine {
	t.Helper()
	e, err := python.NewEngine(context.Background(), python.CacheDir(), python.Limits{Memory: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// TestOracle compares every metric of every report with what the module of
// Nsight Compute 2024.1 says of it.
func TestOracle(t *testing.T) {
	e := newEngine(t)
	metrics, bad := 0, 0
	for _, name := range corpustest.Files(t, "oracle/ncu-pages/*/ncu_report.json.gz") {
		report := filepath.Join(corpustest.Dir(t), "corpus", "ncu", filepath.Base(filepath.Dir(name)))
		var want, got []struct {
			Name, Dem string
			Metrics   map[string]map[string]any
		}
		if err := json.Unmarshal([]byte(strings.ReplaceAll(corpustest.Gunzip(t, name), `: NaN`, `: "nan"`)), &want); err != nil {
			t.Fatal(err)
		}
		text := script(t, e, dump, report, true)
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%v\n%.300s", err, text)
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d actions, want %d", report, len(got), len(want))
			continue
		}
		for i := range want {
			if got[i].Name != want[i].Name || got[i].Dem != want[i].Dem || len(got[i].Metrics) != len(want[i].Metrics) {
				t.Errorf("%s: action %d: %q %q with %d metrics, want %q %q with %d", filepath.Base(report), i, got[i].Name, got[i].Dem, len(got[i].Metrics),
					want[i].Name, want[i].Dem, len(want[i].Metrics))
			}
			for m, w := range want[i].Metrics {
				metrics++
				for field, v := range w {
					if field == "desc" {
						continue
					}
					if g := got[i].Metrics[m][field]; fmt.Sprint(g) != fmt.Sprint(v) {
						if bad++; bad <= 20 {
							t.Errorf("%s: action %d: %s: %s is %v, want %v", filepath.Base(report), i, m, field, g, v)
						}
					}
				}
			}
		}
	}
	t.Logf("%d metrics, %d fields differ", metrics, bad)
}
