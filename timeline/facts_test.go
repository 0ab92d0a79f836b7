package timeline_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/gpuprof/gpuprof/internal/nsysgen"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/timeline"
)

func TestDetails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.sqlite")
	if err := nsysgen.WriteAll(path); err != nil {
		t.Fatal(err)
	}
	f, err := load.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	x, err := timeline.Build(context.Background(), f.Trace)
	if err != nil {
		t.Fatal(err)
	}
	facts := map[string]map[string]string{}
	for id := range x.Len() {
		s := x.Slice(timeline.SliceID(id))
		d, err := x.Details(context.Background(), timeline.SliceID(id))
		if s.Table == "critical path" {
			if len(d.Facts) == 0 || d.Facts[0].Name != "step" {
				t.Errorf("step: %+v", d)
			}
			continue
		}
		if err != nil || d == nil || d.RowID < 1 || d.RowID > nsysgen.AllRows {
			t.Fatalf("%s: %+v, %v", s.Table, d, err)
		}
		if x.Tracks[s.Track].Derived {
			continue
		}
		if want := nsysgen.AllStart + (d.RowID-1)*nsysgen.AllStep; s.Start != want {
			t.Errorf("%s: row %d begins at %d, not %d", s.Table, d.RowID, want, s.Start)
		}
		if s.Row != d.RowID {
			t.Errorf("%s: row %d and %d", s.Table, s.Row, d.RowID)
		}
		facts[s.Table] = map[string]string{}
		for _, v := range d.Facts {
			facts[s.Table][v.Name] = v.Text
		}
	}
	for table, names := range map[string][]string{
		"CUPTI_ACTIVITY_KIND_KERNEL":          {"grid", "block", "registersPerThread", "staticSharedMemory", "localMemoryPerThread", "launchType", "streamId", "contextId", "graphId", "correlation"},
		"NVTX_EVENTS":                         {"category", "color", "thread"},
		"CUPTI_ACTIVITY_KIND_MEMCPY":          {"bytes", "bandwidth", "copyKind"},
		"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": {"eventId", "streamId"},
	} {
		for _, n := range names {
			if _, ok := facts[table][n]; !ok {
				t.Errorf("%s does not tell %s: %v", table, n, facts[table])
			}
		}
	}
	if d, err := x.Details(context.Background(), -1); d != nil || err != nil {
		t.Error(d, err)
	}
}
