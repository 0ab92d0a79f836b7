package memory

import (
	"bytes"
	"context"
	"maps"
	"testing"

	"github.com/gpuprof/gpuprof/format/torchmem"
	"github.com/gpuprof/gpuprof/internal/torchmemgen"
)

func TestMade(t *testing.T) {
	for _, old := range []bool{false, true} {
		var b bytes.Buffer
		truth, err := torchmemgen.Write(&b, torchmemgen.Options{Allocations: 3000, Slots: 50, Stacks: 12, Depth: 6, OldHistories: old})
		if err != nil {
			t.Fatal(err)
		}
		s, err := torchmem.Read(context.Background(), bytes.NewReader(b.Bytes()), int64(b.Len()), "made.pickle")
		if err != nil {
			t.Fatal(err)
		}
		list := Devices(s)
		if len(list) != 1 {
			t.Fatalf("%d devices", len(list))
		}
		d := list[0]
		if d.Allocated.Peak != truth.Peak || d.Allocated.PeakEvent != truth.PeakEvent || d.Allocated.End != truth.End || d.Allocated.Start != 0 || d.Events != truth.Events {
			t.Errorf("%+v, want %+v", d.Allocated, truth)
		}
		if d.Reserved.Start != 0 || d.Reserved.Peak != truth.Reserved || d.Reserved.PeakEvent != 0 || d.End.Requested != truth.End || d.End.Blocks != truth.Live {
			t.Errorf("%+v %+v, want %+v", d.Reserved, d.End, truth)
		}
		if len(d.Odd)+len(d.Inconsistent) > 0 {
			t.Errorf("%v %v", d.Odd, d.Inconsistent)
		}
		sum := func(list []Use) (n int64) {
			for _, u := range list {
				n += u.Bytes
			}
			return n
		}
		if sum(d.AtPeak) != truth.Peak || sum(LiveAt(s, 0, truth.Events-1)) != truth.End || sum(LiveAt(s, 0, -1)) != 0 {
			t.Errorf("live: %d at the peak, %d at the end", sum(d.AtPeak), sum(LiveAt(s, 0, truth.Events-1)))
		}
		peak, last := int64(0), Level{}
		for _, l := range d.Levels(s) {
			peak, last = max(peak, l.Allocated), l
		}
		if peak != truth.Peak || last.Allocated != truth.End || last.Reserved != truth.Reserved {
			t.Errorf("levels: peak %d, last %+v", peak, last)
		}
	}
}

// TestRing drops the first half of the events, as a full ring does: curves are
// the same from there on.
func TestRing(t *testing.T) {
	var b bytes.Buffer
	truth, err := torchmemgen.Write(&b, torchmemgen.Options{Allocations: 2000, Slots: 40, Stacks: 5, Depth: 3})
	if err != nil {
		t.Fatal(err)
	}
	s, err := torchmem.Read(context.Background(), bytes.NewReader(b.Bytes()), int64(b.Len()), "made.pickle")
	if err != nil {
		t.Fatal(err)
	}
	whole := Devices(s)[0]
	var levels []Level
	for _, l := range whole.Levels(s) {
		levels = append(levels, l)
	}
	half := truth.Events / 2
	s.Traces[0] = s.Traces[0].From(half)
	d := Devices(s)[0]
	i := half
	for _, l := range d.Levels(s) {
		if l != levels[i] {
			t.Fatalf("event %d: %+v, want %+v", i, l, levels[i])
		}
		i++
	}
	if i != truth.Events || d.Allocated.End != truth.End || d.Allocated.Start == 0 {
		t.Errorf("%d events, %+v", i, d.Allocated)
	}
}

// TestCategories adds up what lived at the peak by category, which the maker gives
// by stack.
func TestCategories(t *testing.T) {
	for _, with := range []bool{true, false} {
		var b bytes.Buffer
		truth, err := torchmemgen.Write(&b, torchmemgen.Options{Allocations: 2000, Slots: 40, Stacks: 6, Depth: 2, Categories: with})
		if err != nil {
			t.Fatal(err)
		}
		s, err := torchmem.Read(context.Background(), bytes.NewReader(b.Bytes()), int64(b.Len()), "made.pickle")
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int64{}
		for _, u := range CategoriesAt(s, 0, truth.PeakEvent) {
			got[s.Texts[u.Stack]] = u.Bytes
		}
		if !with {
			if len(got) > 0 {
				t.Errorf("without categories: %v", got)
			}
			continue
		}
		want := map[string]int64{}
		for _, u := range LiveAt(s, 0, truth.PeakEvent) {
			want[s.Texts[categoryOf(t, s, u.Stack)]] += u.Bytes
		}
		if len(got) != 2 || got["activation"]+got["gradient"] != truth.Peak || !maps.Equal(got, want) {
			t.Errorf("got %v, want %v of %d", got, want, truth.Peak)
		}
	}
}

// categoryOf is the category of the first event with a stack.
func categoryOf(t *testing.T, s *torchmem.Snapshot, stack int) uint32 {
	for _, row := range s.Traces[0].Rows {
		if int(s.Events.Stack.At(row)) == stack && s.Events.Action.At(row) == torchmem.Alloc {
			return s.Events.Category.At(row)
		}
	}
	t.Fatalf("no event has stack %d", stack)
	return 0
}

// TestWithoutSegments replays events of a snapshot that does not tell the segments of its
// end: what is reserved is what events took, and never less than nothing.
func TestWithoutSegments(t *testing.T) {
	var b bytes.Buffer
	truth, err := torchmemgen.Write(&b, torchmemgen.Options{Allocations: 300, Slots: 50, Stacks: 12, Depth: 6})
	if err != nil {
		t.Fatal(err)
	}
	s, err := torchmem.Read(context.Background(), bytes.NewReader(b.Bytes()), int64(b.Len()), "made.pickle")
	if err != nil {
		t.Fatal(err)
	}
	s.Segments = nil
	d := Devices(s)[0]
	if r := d.Reserved; r.Start != 0 || r.Peak != truth.Reserved || r.End != truth.Reserved {
		t.Errorf("%+v, want %d from 0 on", r, truth.Reserved)
	}
}
