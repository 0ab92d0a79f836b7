package query_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/query"
	"github.com/gpuprof/gpuprof/view"
)

// TestDirect: the answer without SQL is that of SQL, but for the order of calls that
// took equally long.
func TestDirect(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "x.sqlite")
	if err := nsysgen.Write(path, nsysgen.Size{Kernels: 3000, Ranges: 300, Copies: 300, Threads: 3, Devices: 2, Names: 20, Seed: 3}); err != nil {
		t.Fatal(err)
	}
	f, err := load.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for recipe, ordered := range map[string]int{"api_to_kernel": 1, "rename_kernels": -1} {
		sql, err := query.For(f.Trace, recipe)
		if err != nil {
			t.Fatal(err)
		}
		for _, rows := range []int{0, 50} {
			want, err := query.Run(ctx, []query.Base{{Path: path}}, sql, query.Bounds{Rows: rows}, false)
			if err != nil {
				t.Fatal(err)
			}
			got, ok, err := query.Direct(ctx, f.Trace, recipe, query.Bounds{Rows: rows})
			if err != nil || !ok || got.More != want[0].More {
				t.Fatalf("%s: %v, %v, more %v and %v", recipe, ok, err, got.More, want[0].More)
			}
			texts := func(t *view.Table) (out []string) {
				for _, r := range t.Rows {
					switch {
					case rows == 0:
						out = append(out, fmt.Sprint(r))
					case ordered >= 0:
						out = append(out, fmt.Sprint(r[ordered])) // a cut may fall among calls that took equally long
					default:
						out = append(out, "") // any rows will do
					}
				}
				slices.Sort(out)
				return out
			}
			if d := cmp.Diff(texts(want[0].Table), texts(got.Table)); d != "" || len(got.Table.Rows) == 0 {
				t.Errorf("%s, %d rows: %s", recipe, rows, d)
			}
		}
		if _, _, err := query.Direct(ctx, f.Trace, recipe, query.Bounds{Bytes: 1000}); err != query.ErrSize {
			t.Error(recipe, err)
		}
	}
	if _, ok, err := query.Direct(ctx, f.Trace, "threads", query.Bounds{}); ok || err != nil {
		t.Error(ok, err)
	}
}
