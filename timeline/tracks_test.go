package timeline

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/trace"
)

// TestTracks: what has the same kind but another label has tracks of its own, on
// the same thread; marks stand below the ranges of their domain.
func TestTracks(t *testing.T) {
	tid := int64(trace.MakeGlobalID(0, 0, 7, 1))
	of := func(start ...int64) map[string][]int64 {
		c := map[string][]int64{}
		for _, s := range start {
			c["start"], c["end"] = append(c["start"], s), append(c["end"], s+5)
			c["nameId"], c["globalTid"] = append(c["nameId"], 1), append(c["globalTid"], tid)
		}
		return c
	}
	nvtx := of(1, 2, 3, 4)
	delete(nvtx, "nameId")
	nvtx["eventType"] = []int64{trace.NvtxPushPop, trace.NvtxMark, trace.NvtxtMark, trace.NvtxStartEnd}
	nvtx["domainId"] = []int64{0, 0, 0, 3}
	nvtx["textId"] = []int64{4, 5, 6, 7}
	x := build(t, tables{"OPENGL_API": of(1, 10), "OPENGL_WORKLOAD": of(20), "UCP_EVENTS": of(1), trace.TableNvtx: nvtx})
	got := map[string]string{}
	for i := range x.Tracks {
		k := &x.Tracks[i]
		n := 0
		for _, r := range k.Rows {
			n += int(r.Len)
		}
		if n > 0 {
			got[k.Name] = fmt.Sprintf("%s %d", k.Kind, n)
		}
	}
	want := map[string]string{"NVTX": "nvtx 1", "NVTX marks": "nvtx 2", "NVTX domain 3": "nvtx 1", "OpenGL": "opengl 2", "OpenGL GPU work": "opengl 1", "UCX": "ucx 1"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if s := x.Slice(x.at(&x.Tracks[x.track(markKey(x))].Rows[0], 3)); s == nil || s.Row != 2 || s.Start != 3 || s.End != 3 {
		t.Errorf("%+v", s)
	}
}

// markKey is the key of the track of marks.
func markKey(x *Index) string {
	for i := range x.Tracks {
		if x.Tracks[i].Name == "NVTX marks" {
			return x.Tracks[i].Key
		}
	}
	return ""
}
