package rule

import (
	"context"
	"testing"

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

// TestCompiled looks for the compiled form of all modules and stock rules. A
// source that has changed since has none, and works all the same.
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
	for path, text := range sources {
		if e.Code(path, text) == nil {
			t.Errorf("%s is not compiled; run 'go run ./python/precompile'", path)
		}
		if e.Code(path, append(text, '\n')) != nil || e.Code("/elsewhere"+path, text) != nil {
			t.Errorf("%s: another source is found", path)
		}
	}
	if len(sources) < 30 {
		t.Errorf("%d sources", len(sources))
	}
}
