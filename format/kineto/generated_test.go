package kineto

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/gpuprof/gpuprof/internal/kinetogen"
)

func generated(tb testing.TB, o kinetogen.Options) ([]byte, kinetogen.Truth) {
	tb.Helper()
	var b bytes.Buffer
	truth, err := kinetogen.Write(&b, o)
	if err != nil {
		tb.Fatal(err)
	}
	return b.Bytes(), truth
}

func read(tb testing.TB, text []byte) *Trace {
	tb.Helper()
	t, err := Read(context.Background(), bytes.NewReader(text), int64(len(text)), "made.json")
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func packed(tb testing.TB, text []byte) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(text)
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func TestGenerated(t *testing.T) {
	for name, o := range map[string]kinetogen.Options{
		"new":      {Steps: 3, Layers: 120, Rank: 1, World: 2},
		"old":      {Steps: 2, Layers: 5, Old: true, MetaLast: true},
		"indented": {Steps: 2, Layers: 5000, Indent: true, MetaLast: true}, // some windows of text
	} {
		text, truth := generated(t, o)
		tr := read(t, packed(t, text))
		if len(tr.Problems) > 0 {
			t.Errorf("%s: %v", name, tr.Problems)
		}
		if !tr.Packed || tr.Bytes != int64(len(text)) || !tr.PyTorch {
			t.Errorf("%s: packed %v, %d bytes of %d, PyTorch %v", name, tr.Packed, tr.Bytes, len(text), tr.PyTorch)
		}
		a := figures(tr)
		total := int64(0)
		for _, n := range a.Names {
			if n.Cat == "kernel" || n.Cat == "Kernel" {
				total += n.Total
			}
		}
		got := kinetogen.Truth{Events: a.Events, Ops: tr.Ops.Rows(), Python: a.Python, Calls: tr.Calls.Rows(), Kernels: tr.Kernels.Rows(), Copies: tr.Copies.Rows(),
			Memory: a.Memory.N, KernelTime: total, Base: tr.Base}
		want := truth
		want.Compute, want.ExposedComm, want.Exposed, want.Busy, want.Idle, want.CopyBytes, want.PeakBytes, want.Collectives = 0, 0, 0, 0, 0, 0, 0, 0
		if got != want {
			t.Errorf("%s: found %+v, want %+v", name, got, want)
		}
		if a.Busy["0"] != truth.Busy {
			t.Errorf("%s: busy %d ns, want %d", name, a.Busy["0"], truth.Busy)
		}
		if a.Linked != a.GPU {
			t.Errorf("%s: %d of %d linked", name, a.Linked, a.GPU)
		}
		if d := tr.Devices; len(d) != 1 || d[0].SMs != 132 || d[0].Name != "Model GPU 80GB" {
			t.Errorf("%s: devices %+v", name, d)
		}
	}
}

func TestRank(t *testing.T) {
	text, _ := generated(t, kinetogen.Options{Steps: 1, Layers: 1, Rank: 1, World: 2})
	tr := read(t, text)
	if tr.Rank != 1 || tr.World != 2 || len(tr.Groups) != 1 || tr.Groups[0].Description != "default_pg" || tr.Groups[0].Ranks != "[0,1]" {
		t.Errorf("rank %d of %d, groups %+v", tr.Rank, tr.World, tr.Groups)
	}
}

// TestCutsAndFlips damages a trace everywhere: what is sound must come out, and
// nothing may panic.
func TestCutsAndFlips(t *testing.T) {
	text, truth := generated(t, kinetogen.Options{Steps: 1, Layers: 3, MetaLast: true})
	gz := packed(t, text)
	for k := range 200 {
		cut := len(text) * k / 200
		tr, err := Read(context.Background(), bytes.NewReader(text[:cut]), int64(cut), "cut.json")
		if err == nil && len(tr.Problems) == 0 && cut < bytes.LastIndexByte(text, '}') {
			t.Errorf("cut at %d of %d: %d events and no word of it", cut, len(text), tr.Events)
		}
		if err == nil && tr.Events > truth.Events {
			t.Errorf("cut at %d: %d events of %d", cut, tr.Events, truth.Events)
		}
		cut = len(gz) * k / 200
		tr, err = Read(context.Background(), bytes.NewReader(gz[:cut]), int64(cut), "cut.json.gz")
		if err == nil && len(tr.Problems) == 0 {
			t.Errorf("packed, cut at %d of %d: no word of it", cut, len(gz))
		}
	}
	for _, in := range [][]byte{text, gz} {
		least := truth.Events
		for k := range 2000 {
			b := bytes.Clone(in)
			b[k*2654435761%len(b)] ^= 1 << (k % 8)
			tr, err := Read(context.Background(), bytes.NewReader(b), int64(len(b)), "flip")
			if err == nil {
				least = min(least, tr.Events)
			}
		}
		if &in[0] == &text[0] && least < truth.Events-40 {
			t.Errorf("a flipped bit cost %d of %d events", truth.Events-least, truth.Events)
		}
	}
}

func TestWindowGrowsForALargeEvent(t *testing.T) {
	text := []byte(`{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "args": {"Call stack": "` + string(bytes.Repeat([]byte("x"), 3*windowSize)) + `"}}, {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1}]}`)
	tr := read(t, text)
	if tr.Ops.Rows() != 1 || tr.Kernels.Rows() != 1 || len(tr.Text(tr.Ops.Stack.At(0))) != 3*windowSize || len(tr.Problems) > 0 {
		t.Errorf("%d ops, %d kernels, %v", tr.Ops.Rows(), tr.Kernels.Rows(), tr.Problems)
	}
}

func TestUnpackedSizeIsLimited(t *testing.T) {
	text, _ := generated(t, kinetogen.Options{Steps: 100, Layers: 20})
	u, err := unpack(bytes.NewReader(packed(t, text)), 600<<10)
	if err != nil {
		t.Fatal(err)
	}
	defer u.stop()
	if n, err := io.Copy(io.Discard, u); !errors.Is(err, errTooLarge) || n > 1<<20 {
		t.Errorf("%d bytes came, then %v", n, err)
	}
}

func TestStopsWhenCancelled(t *testing.T) {
	text, _ := generated(t, kinetogen.Options{Steps: 1, Layers: 2})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, bytes.NewReader(text), int64(len(text)), "t"); err != context.Canceled {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	text, _ := generated(f, kinetogen.Options{Steps: 1, Layers: 1})
	f.Add(text)
	f.Add([]byte(`[{"ph":"B","name":"a","pid":1,"tid":1,"ts":1e3},{"ph":"E","pid":1,"tid":1,"ts":"2"},{"ph":"b","id":"0x7","ts":-3.0005}]`))
	f.Add([]byte("\xef\xbb\xbf{\"a\": \"{\"b\"\", \"traceEvents\": [{\"name\": \"C:\\U\\ud83d\\ude00\", \"ts\": nan}, 1, null,,]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		tr, err := Read(context.Background(), bytes.NewReader(text), int64(len(text)), "fuzz")
		if err != nil {
			return
		}
		figures(tr)
		if again := read(t, text); again.Events != tr.Events || rows(again) != rows(tr) {
			t.Error("two readings differ")
		}
	})
}
