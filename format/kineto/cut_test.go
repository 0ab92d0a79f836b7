package kineto

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"strings"
	"testing"
)

const cutText = `{"schemaVersion": 1, "traceEvents": [
  {"ph": "X", "cat": "kernel", "name": "a", "ts": 10, "dur": 2, "pid": 0, "tid": 7, "args": {"device": 0, "correlation": 5}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "ts": 5, "dur": 1, "pid": 9, "tid": 9, "args": {"correlation": 5, "External id": 2}}, 1, 2,
  {"ph": "B", "name": "range", "ts": 1, "pid": 9, "tid": 9}, {"ph": "E", "ts": 20.5, "pid": 9, "tid": 9},
  {"ph": "s", "cat": "x", "id": 5, "ts": 5, "pid": 9, "tid": 9},
  {"ph": "M", "name": "process_name", "pid": 9, "tid": 0, "args": {"name": "python"}}
], "traceName": "t"}`

func located(t *testing.T, text string) (*Trace, []Place) {
	t.Helper()
	tr, places, err := Locate(context.Background(), strings.NewReader(text), int64(len(text)), "t.json")
	if err != nil {
		t.Fatal(err)
	}
	return tr, places
}

func TestLocate(t *testing.T) {
	_, places := located(t, cutText)
	want := []Place{{Table: InKernels}, {Table: InCalls}, {Table: InOthers}, {Table: InOthers}, {Table: InFlows}, {}}
	if len(places) != len(want) {
		t.Fatalf("%d places, want %d", len(places), len(want))
	}
	for i, p := range places {
		if p.Table != want[i].Table || p.Row != want[i].Row || cutText[p.Start] != '{' || cutText[p.End-1] != '}' {
			t.Errorf("event %d: %+v", i, p)
		}
	}
}

func TestCut(t *testing.T) {
	_, places := located(t, cutText)
	cut := func(text string, keep func(int) bool, added ...[]byte) string {
		var b bytes.Buffer
		if err := Cut(&b, strings.NewReader(text), int64(len(text)), places, keep, added...); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got := cut(cutText, func(int) bool { return true }); got != cutText {
		t.Errorf("nothing is left out, and it became\n%s", got)
	}
	for mask := range 1 << len(places) {
		got := cut(cutText, func(i int) bool { return mask>>i&1 != 0 }, []byte(`{"ph": "M", "name": "new"}`))
		if !strings.Contains(got, "1, 2") || !strings.HasSuffix(got, `], "traceName": "t"}`) {
			t.Fatalf("what is no event is gone:\n%s", got)
		}
		_, kept := located(t, got)
		n := 1
		for i := range places {
			n += mask >> i & 1
		}
		if len(kept) != n {
			t.Fatalf("mask %b: %d events, want %d:\n%s", mask, len(kept), n, got)
		}
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, cutText)
	z.Close()
	r, err := gzip.NewReader(strings.NewReader(cut(packed.String(), func(i int) bool { return true })))
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := io.ReadAll(r); string(b) != cutText {
		t.Errorf("packed, it became\n%s", b)
	}
}

// TestMergeNumbers merges traces of two ranks that use the same numbers.
func TestMergeNumbers(t *testing.T) {
	part := func(text string, time, origin int64) *Part {
		tr, places := located(t, text)
		return &Part{In: strings.NewReader(text), Size: int64(len(text)), Trace: tr, Places: places, Time: time, Origin: origin}
	}
	merge := func(parts ...*Part) string {
		var b bytes.Buffer
		if err := Merge(&b, parts); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got := merge(part(cutText, 0, 1), part(cutText, 0, 1)); got != cutText {
		t.Errorf("with itself it became\n%s", got)
	}
	rank := func(n string) string {
		return strings.Replace(cutText, `{"schemaVersion"`, `{"distributedInfo": {"rank": `+n+`, "world_size": 2}, "schemaVersion"`, 1)
	}
	tr, _ := located(t, merge(part(rank("0"), 0, 1), part(rank("1"), 1_500, 2)))
	if tr.Kernels.Rows() != 2 || tr.Calls.Rows() != 2 {
		t.Fatalf("%d kernels, %d calls", tr.Kernels.Rows(), tr.Calls.Rows())
	}
	if a, b := tr.Kernels.Correlation.At(0), tr.Kernels.Correlation.At(1); a == b || tr.Calls.Correlation.At(1) != b {
		t.Errorf("correlation numbers %d and %d, of the call %d", a, b, tr.Calls.Correlation.At(1))
	}
	if tr.Kernels.Device.At(1) == 0 || tr.Tracks[tr.Calls.Track.At(1)].PID == 9 || tr.Tracks[tr.Kernels.Track.At(1)].PID != tr.Kernels.Device.At(1) {
		t.Errorf("device %d, tracks %v", tr.Kernels.Device.At(1), tr.Tracks)
	}
	if got := tr.Kernels.Start.At(1); got != 11_500 {
		t.Errorf("it starts at %d", got)
	}
	if err := Merge(io.Discard, []*Part{part(`{"traceEvents": []}`, 0, 0)}); err == nil {
		t.Error("no events, and no error")
	}
}
