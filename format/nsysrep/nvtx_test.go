package nsysrep

import (
	"bytes"
	"math"
	"os"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	gen "github.com/gpuprof/gpuprof/internal/nsysrepgen"
	"pgregory.net/rapid"
)

// nvtxEvent reads what Append writes; ok is false where an event has more.
func nvtxEvent(event []byte) (e *NVTXEvent, ok bool) {
	m, err := Parse(event)
	if err != nil || len(m) != 2 || m[1].Num != nvtxFamily {
		return nil, false
	}
	p := m.Sub(nvtxFamily)
	e = &NVTXEvent{Type: int64(m[0].Int), Text: p.Text(7), Domain: p.Int(13), Thread: uint64(p.Int(9)), Start: p.Int(2)}
	for _, f := range p {
		whole := int64(f.Int)
		switch f.Num {
		case 4:
			e.Range = &whole
		case 6:
			c := uint32(f.Int)
			e.Color = &c
		case 8:
			x, _ := Parse(f.Bytes)
			switch {
			case len(x) == 1 && x[0].Num == 2:
				v := int64(x[0].Int)
				e.Int = &v
			case len(x) == 1 && x[0].Num == 3:
				v := math.Float64frombits(x[0].Int)
				e.Float = &v
			default:
				return e, false
			}
		case 10:
			e.End = &whole
		case 11:
			t := f.Int
			e.EndThread = &t
		case 1, 2, 7, 9, 13, 14:
		default:
			return e, false
		}
	}
	return e, true
}

// TestNVTXOfCorpus decodes the NVTX events of real reports and encodes them again: the
// same bytes, where the event has nothing that is not encoded.
func TestNVTXOfCorpus(t *testing.T) {
	same, other, more := 0, 0, 0
	for _, path := range corpustest.Files(t, "corpus/nsys-rep/*.nsys-rep") {
		in, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		st, _ := in.Stat()
		f, err := Open(in, st.Size(), path)
		if err != nil || st.Size() > 4<<20 { // what is larger has the same events again
			continue
		}
		var packed, buf []byte
		for _, fr := range f.Frames {
			b, err := f.unpack(fr, &packed, &buf)
			if err != nil {
				continue
			}
			for at := 0; at < len(b); {
				num, _, sub, n := field(b[at:])
				if n == 0 {
					break
				}
				at += n
				if m, err := Parse(sub); num != 1 || err != nil || m.Find(nvtxFamily) == nil {
					continue
				}
				e, ok := nvtxEvent(sub)
				switch {
				case !ok:
					more++
				case bytes.Equal(e.Append(nil), b[at-n:at]):
					same++
				default:
					if other++; other < 5 {
						t.Logf("%s: found %x, encoded %x", path, b[at-n:at], e.Append(nil))
					}
				}
			}
		}
	}
	t.Logf("%d events are encoded as they were, %d otherwise, %d hold more", same, other, more)
	if same == 0 || other > 0 {
		t.Errorf("%d of %d events are encoded otherwise", other, same+other)
	}
}

func TestAddNVTX(t *testing.T) {
	base := gen.Sample().Bytes()
	rapid.Check(t, func(rt *rapid.T) {
		whole, color := rapid.Ptr(rapid.Int64(), true), rapid.Ptr(rapid.Uint32(), true)
		events := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) *NVTXEvent {
			e := &NVTXEvent{Type: rapid.SampledFrom([]int64{34, 39, 59, 60}).Draw(rt, "type"), Start: rapid.Int64().Draw(rt, "start"), End: whole.Draw(rt, "end"),
				Range: whole.Draw(rt, "range"), Color: color.Draw(rt, "color"), Text: rapid.String().Draw(rt, "text"), Thread: rapid.Uint64().Draw(rt, "thread")}
			if rapid.Bool().Draw(rt, "whole") {
				e.Int = whole.Draw(rt, "int")
			} else {
				e.Float = rapid.Ptr(rapid.Float64(), true).Draw(rt, "float")
			}
			return e
		}), 0, 20).Draw(rt, "events")
		f, err := Open(bytes.NewReader(base), int64(len(base)), "base")
		if err != nil {
			rt.Fatal(err)
		}
		var out bytes.Buffer
		err = f.AddNVTX(&out, len(events), func(yield func(*NVTXEvent, error) bool) {
			for _, e := range events {
				if !yield(e, nil) {
					return
				}
			}
		})
		if err != nil {
			rt.Fatal(err)
		}
		checkAdded(rt, f, out.Bytes(), events)
	})
}

// checkAdded reads a report with events added: they are there, and all else is as it was.
func checkAdded(rt *rapid.T, f *File, written []byte, events []*NVTXEvent) {
	g, err := Open(bytes.NewReader(written), int64(len(written)), "written")
	if err != nil || len(g.Problems()) > 0 {
		rt.Fatal(err, g.Problems())
	}
	var packed, buf, packed2, buf2 []byte
	for i, fr := range f.Frames {
		a, err1 := f.unpack(fr, &packed, &buf)
		b, err2 := g.unpack(g.Frames[i], &packed2, &buf2)
		if err1 != nil || err2 != nil || !bytes.Equal(a, b) {
			rt.Fatalf("frame %d differs: %v %v", i, err1, err2)
		}
	}
	n := 0
	for _, fr := range g.Frames[len(f.Frames):] {
		b, err := g.unpack(fr, &packed, &buf)
		if err != nil {
			rt.Fatal(err)
		}
		for at := 0; at < len(b); {
			_, _, sub, size := field(b[at:])
			e, ok := nvtxEvent(sub)
			if !ok || n >= len(events) || !bytes.Equal(e.Append(nil), events[n].Append(nil)) {
				rt.Fatalf("event %d: found %+v, want %+v", n, e, events[n])
			}
			n, at = n+1, at+size
		}
	}
	if n != len(events) || g.Summary.Int(countField) != f.Summary.Int(countField)+int64(n) {
		rt.Fatalf("%d events of %d, %d in the summary, which had %d", n, len(events), g.Summary.Int(countField), f.Summary.Int(countField))
	}
	if s, _, err := g.Strings(); err != nil || len(s) == 0 {
		rt.Fatal("texts are lost", err)
	}
}
