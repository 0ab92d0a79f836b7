package timeline_test

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/format/nsysdb"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/timeline"
	"github.com/gpuprof/gpuprof/trace"
)

// waits writes a database of two processes with a GPU each, of which every wait says device 0,
// as Nsight Systems writes them; contexts tells of the contexts, too.
func waits(t *testing.T, contexts bool) *load.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.sqlite")
	const a, b = 144 << 24, 145 << 24
	err := nsysdb.WriteFile(path, 4096, func(w *nsysdb.Writer) error {
		whole := func(name string, columns []string, rows ...[]int64) error {
			vs := make([]nsysdb.Vector, len(columns))
			for c := range columns {
				var v []int64
				for _, r := range rows {
					v = append(v, r[c])
				}
				vs[c] = nsysdb.Integers(v, nil)
			}
			tab, err := w.Table("CREATE TABLE " + name + " (" + strings.Join(columns, " INTEGER, ") + " INTEGER)")
			if err != nil {
				return err
			}
			return tab.Append(len(rows), vs)
		}
		err := cmp.Or(
			whole("CUPTI_ACTIVITY_KIND_KERNEL", []string{"start", "end", "deviceId", "contextId", "streamId", "globalPid", "shortName"}, []int64{10, 20, 0, 1, 7, a, 1}, []int64{10, 20, 1, 2, 15, b, 1}),
			whole("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", []string{"start", "end", "deviceId", "contextId", "streamId", "globalPid", "syncType"},
				[]int64{11, 12, 0, 1, 7, a, 1}, []int64{11, 12, 0, 2, 15, b, 1}, []int64{13, 14, 0, 2, trace.AllStreams, b, 1}))
		if contexts {
			err = cmp.Or(err, whole("TARGET_INFO_CUDA_CONTEXT_INFO", []string{"processId", "contextId", "deviceId"}, []int64{144, 1, 0}, []int64{145, 2, 1}))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := load.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// Waits stand on the GPU of their context, whatever device their rows say, and so
// does --device choose them.
func TestWaitsStandOnTheirGPU(t *testing.T) {
	for _, contexts := range []bool{false, true} {
		f := waits(t, contexts)
		x, err := timeline.Build(context.Background(), f.Trace)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, k := range x.Tracks {
			got = append(got, k.Key+" "+k.Name)
		}
		for _, want := range []string{"d0/p90000000/c1/s7/synchronization Stream 7 synchronization",
			"d1/p91000000/c2/s15/synchronization Stream 15 synchronization", "d1/p91000000/c2/s4294967295/synchronization All streams synchronization"} {
			if !slices.Contains(got, want) {
				t.Errorf("contexts told %v: there is no track %q among %q", contexts, want, got)
			}
		}
		picked := f.Trace.Pick(trace.Selection{Devices: []int64{1}})
		if rows, err := picked.Table(context.Background(), trace.TableSync, "start", "contextId"); err != nil || rows.Rows != 2 || rows.Ints("contextId")[0] != 2 {
			t.Errorf("contexts told %v: device 1 has %+v, %v", contexts, rows, err)
		}
	}
}
