package timeline

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpuprof/gpuprof/trace"
)

// TestOddTimes: every row whose times make no sense is counted, the others are not.
func TestOddTimes(t *testing.T) {
	tid := int64(trace.MakeGlobalID(0, 0, 7, 1))
	x := build(t, tables{"OSRT_API": {
		"start":     {10, 20, 30, math.MaxInt64 - 5, math.MinInt64},
		"end":       {15, 10, 30, math.MaxInt64, 3},
		"globalTid": {tid, tid, tid, tid, tid}, "nameId": {1, 1, 1, 1, 1}}})
	want := []string{"1 rows end before they start and are drawn as a moment", "2 rows have times more than 73 years from zero, where they are drawn"}
	if d := cmp.Diff(want, x.Notes); d != "" {
		t.Error(d)
	}
	if x.Len() != 5 {
		t.Errorf("%d slices", x.Len())
	}
}

// TestOddNulls: rows without a start are left out, those without an end a moment.
func TestOddNulls(t *testing.T) {
	b := &builder{x: &Index{}}
	p := part{start: []int64{0, 5, 6}, end: []int64{9, 0, 8}, line: []int32{-1, 0, 0}}
	b.odd.mend(&p, []bool{false, true, false})
	b.add(&rows{left: 1})
	want := []string{"1 rows have no start and are left out", "1 rows have no end and are drawn as a moment"}
	if d := cmp.Diff(want, b.odd.notes()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]int64{0, 5, 8}, p.end); d != "" {
		t.Error(d)
	}
}
