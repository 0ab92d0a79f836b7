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
	if err := nsysgen.Write(path, nsysgen.Size{Kernels: 3000, Ranges: 7, Copies: 300, Threads: 3, Devices: 2, Names: 20, Seed: 3}); err != nil {
		t.Fatal(err)
	}
	f, err := load.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sql, err := query.For(f.Trace, "api_to_kernel")
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range []int{0, 50} {
		want, err := query.Run(ctx, []query.Base{{Path: path}}, sql, query.Bounds{Rows: rows}, false)
		if err != nil {
			t.Fatal(err)
		}
		got, ok, err := query.Direct(ctx, f.Trace, "api_to_kernel", query.Bounds{Rows: rows})
		if err != nil || !ok || got.More != want[0].More {
			t.Fatalf("%v, %v, more %v and %v", ok, err, got.More, want[0].More)
		}
		texts := func(t *view.Table, all bool) []string {
			var out []string
			for _, r := range t.Rows {
				if s := fmt.Sprint(r); all {
					out = append(out, s)
				} else {
					out = append(out, fmt.Sprint(r[1])) // a cut may fall among calls that took equally long
				}
			}
			slices.Sort(out)
			return out
		}
		if d := cmp.Diff(texts(want[0].Table, rows == 0), texts(got.Table, rows == 0)); d != "" || len(got.Table.Rows) == 0 {
			t.Errorf("%d rows: %s", rows, d)
		}
		if d := cmp.Diff(fmt.Sprint(want[0].Table.Columns), fmt.Sprint(got.Table.Columns)); d != "" {
			t.Log(d)
		}
	}
	if _, ok, err := query.Direct(ctx, f.Trace, "threads", query.Bounds{}); ok || err != nil {
		t.Error(ok, err)
	}
	if _, _, err := query.Direct(ctx, f.Trace, "api_to_kernel", query.Bounds{Bytes: 1000}); err != query.ErrSize {
		t.Error(err)
	}
}
