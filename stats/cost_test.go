package stats_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/stats"
	"github.com/gpuprof/gpuprof/view"
)

// TestCostColumns: the column that tells what a rule's rows cost is one of its table.
func TestCostColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.sqlite")
	if err := nsysgen.WriteAll(path); err != nil {
		t.Fatal(err)
	}
	f, err := load.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seen := 0
	for _, r := range stats.Reports() {
		if r.Cost == "" {
			continue
		}
		table, err := r.Build(context.Background(), &stats.Request{Trace: f.Trace, Args: map[string]string{}})
		var skip *stats.Skip
		if errors.As(err, &skip) {
			t.Logf("%s: %s", r.Name, skip.Reason)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", r.Name, err)
			continue
		}
		seen++
		if !slices.ContainsFunc(table.Columns, func(c view.Column) bool { return c.Name == r.Cost && c.Unit == "ns" }) {
			t.Errorf("%s has no column %q of ns", r.Name, r.Cost)
		}
	}
	if seen < 7 {
		t.Errorf("%d rules were looked at", seen)
	}
}
