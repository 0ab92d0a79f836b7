package torchmem

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"testing"

	"github.com/gpuprof/gpuprof/internal/torchmemgen"
)

func generated(tb testing.TB, o torchmemgen.Options) ([]byte, torchmemgen.Truth) {
	tb.Helper()
	var b bytes.Buffer
	t, err := torchmemgen.Write(&b, o)
	if err != nil {
		tb.Fatal(err)
	}
	return b.Bytes(), t
}

func TestGenerated(t *testing.T) {
	for _, old := range []bool{false, true} {
		b, truth := generated(t, torchmemgen.Options{Allocations: 5000, Slots: 300, Stacks: 40, Depth: 20, OldHistories: old})
		var z bytes.Buffer
		zw := gzip.NewWriter(&z)
		_, _ = zw.Write(b)
		_ = zw.Close()
		page := "<!DOCTYPE html><script>let local_files = [{\"name\": \"snapshot.pickle\", \"base64\": \"" + base64.StdEncoding.EncodeToString(append(bytes.Clone(b), 0, 0)) + "\"}]</script>"
		for how, in := range map[string][]byte{"": b, "gzip": z.Bytes(), "HTML": []byte(page)} {
			s, err := readBytes(in)
			if err != nil {
				t.Fatal(how, err)
			}
			if s.Packed != how || len(s.Problems) > 0 || s.Protocol != 4 || s.Bytes != int64(len(b)) {
				t.Errorf("packed %q, want %q; problems %v, protocol %d, %d bytes", s.Packed, how, s.Problems, s.Protocol, s.Bytes)
			}
			active := 0
			for _, b := range s.Segments[0].Blocks {
				if b.State == "active_allocated" {
					active++
					if got := s.Stack(b.Stack); len(got) != 20 || got[0].Name == "" {
						t.Fatalf("the stack of a block is %v", got)
					}
				}
				if b.Misplaced {
					t.Fatal("a block is misplaced")
				}
			}
			if s.Traces[0].Len() != truth.Events || active != truth.Live || s.Segments[0].Total != truth.Reserved || s.Stacks() != 41 {
				t.Errorf("%d events, %d live, %d reserved, %d stacks; want %+v", s.Traces[0].Len(), active, s.Segments[0].Total, s.Stacks(), truth)
			}
			if fmt.Sprint(s.Settings) != "[{PYTORCH_CUDA_ALLOC_CONF } {max_split_size -1} {expandable_segments false}]" || s.Annotations[0] != (Annotation{"step", "START", 0, 1_700_000_000_000_000}) {
				t.Errorf("settings %v, annotations %v", s.Settings, s.Annotations)
			}
		}
	}
}

// TestProtocolZero reads dicts that are filled key by key.
func TestProtocolZero(t *testing.T) {
	const text = "(dp0\nVsegments\np1\n(lp2\n(dp3\nVaddress\np4\nL4096L\nsVtotal_size\np5\nI512\nsVblocks\np6\n(lp7\n(dp8\nVsize\np9\nI512\nsVrequested_size\nI500\n" +
		"sVstate\np10\nVactive_allocated\np11\nsVframes\n(lp12\n(dp13\nVfilename\nVa\\u0041.py\nsVline\nI7\nsVname\nS'f'\nsasasasVdevice_traces\np14\n(lp15\n" +
		"(lp16\n(dp17\nVaction\nValloc\nsVaddr\nI4096\nsVsize\nI500\nsVframes\ng12\nsaas."
	s, err := readBytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if s.Protocol != 0 || len(s.Segments) != 1 || len(s.Segments[0].Blocks) != 1 || s.Traces[0].Len() != 1 {
		t.Fatalf("%+v", s)
	}
	b := s.Segments[0].Blocks[0]
	if got := s.Stack(b.Stack); len(got) != 1 || got[0] != (Frame{"aA.py", 7, "f"}) || b.Address != 4096 || b.Requested != 500 {
		t.Errorf("%+v %v", b, got)
	}
	if s.Events.Stack.At(0) != b.Stack {
		t.Error("the event has another stack than its block")
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		ops  string
		want uint64
	}{{"\x8a\x00", 0}, {"\x8a\x01\xff", 1<<64 - 1}, {"\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x80\x00", 1 << 63}, {"\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80", 1 << 63},
		{"J\xff\xff\xff\xff", 1<<64 - 1}, {"L18446744073709551615L\n", 1<<64 - 1}, {"I-5\n", 1<<64 - 5}} {
		p := newParser(context.Background(), "t")
		p.src = bytes.NewReader([]byte(c.ops + "."))
		v, ok := p.run()
		if got, whole := p.bits(v); !ok || !whole || got != c.want {
			t.Errorf("%q: %d, %v %v; want %d", c.ops, got, ok, p.err, c.want)
		}
	}
}

func TestCutsAndFlips(t *testing.T) {
	b, _ := generated(t, torchmemgen.Options{Allocations: 30, Slots: 8, Stacks: 3, Depth: 4})
	for k := range 200 {
		if _, err := readBytes(b[:len(b)*k/200]); err == nil {
			t.Errorf("cut at %d of 200: no error", k)
		}
	}
	for k := range 2000 {
		c := bytes.Clone(b)
		c[k*2654435761%len(c)] ^= 1 << (k % 8)
		_, _ = readBytes(c)
	}
}

func TestStopsWhenCancelled(t *testing.T) {
	b, _ := generated(t, torchmemgen.Options{Allocations: 30, Slots: 8, Stacks: 3, Depth: 4})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, bytes.NewReader(b), int64(len(b)), "t"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	b, _ := generated(f, torchmemgen.Options{Allocations: 10, Slots: 4, Stacks: 2, Depth: 2})
	f.Add(b)
	f.Add([]byte("(dVsegments\n(lsVdevice_traces\n(lp0\ng0\nas."))
	f.Add([]byte("\x80\x02}q\x00(X\x01\x00\x00\x00aq\x01]r\x02\x00\x00\x00(K\x01M\x02\x00e0u\x85\x86\x87."))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := readBytes(b)
		if err != nil {
			return
		}
		for _, tr := range s.Traces {
			for _, row := range tr.Rows {
				s.Stack(s.Events.Stack.At(row))
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	in, truth := generated(b, torchmemgen.Options{Allocations: 200_000, Slots: 5000, Stacks: 400, Depth: 40})
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if s, err := readBytes(in); err != nil || s.Events.Action.Len() != truth.Events {
			b.Fatal(err)
		}
	}
}
