package timeline_test

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/gpuprof/gpuprof/timeline"
	"github.com/gpuprof/gpuprof/trace"
)

// heaps is a trace of calls of many threads that all lie in a few narrow parts
// of a long time.
type heaps struct{ threads, parts, each int }

func (h heaps) Tables() []trace.TableInfo {
	t := trace.TableInfo{Name: trace.TableRuntime}
	for _, c := range []string{"start", "end", "globalTid"} {
		t.Columns = append(t.Columns, trace.ColumnInfo{Name: c})
	}
	return []trace.TableInfo{t}
}

func (h heaps) Read(_ context.Context, table string, columns []trace.ColumnInfo, _ *trace.Strings) (*trace.Table, []error, error) {
	t := &trace.Table{Name: table, Rows: h.threads * h.parts * h.each}
	for _, c := range columns {
		var v []int64
		for thread := range h.threads {
			for p := range h.parts {
				for i := range h.each {
					at := int64(p)*1e9 + int64(i)*10
					v = append(v, map[string]int64{"start": at, "end": at + 7, "globalTid": int64(trace.MakeGlobalID(0, 0, 1, int64(thread+1)))}[c.Name])
				}
			}
		}
		t.AddInts(c.Name, v, nil)
	}
	return t, nil, nil
}

// TestWireFits looks at windows of a trace whose slices lie in heaps: no answer
// is too long, every slice is in one item, and pixels are merged no further
// than they must.
func TestWireFits(t *testing.T) {
	x, err := timeline.Build(context.Background(), trace.New("made up", heaps{threads: 60, parts: 3, each: 2000}))
	if err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	for _, c := range []struct {
		name   string
		t0, t1 int64
		slices uint32
		merge  uint32
	}{
		{"all", x.First, x.End, 360_000, 1}, // three heaps of about 13 pixels of 1280
		{"a heap", 0, 20_000, 120_000, 8},   // 60 rows of 160 items are 115,200 bytes; of 320 they are too many
		{"nothing", 1e8, 2e8, 0, 1},
	} {
		b := x.Wire(timeline.Request{T0: c.t0, T1: c.t1, Pixels: 1280, Tracks: all(x)})
		n, at := uint32(0), 40
		for range le.Uint32(b[24:]) {
			items := int(le.Uint32(b[at+8:]))
			for at += 12; items > 0; at, items = at+12, items-1 {
				if b[at+7]&1 != 0 {
					n++
				} else {
					n += le.Uint32(b[at+8:])
				}
			}
		}
		if n != c.slices || le.Uint32(b[32:]) != 0 || len(b) > timeline.MaxWire+20<<10 || le.Uint32(b[4:]) != c.merge {
			t.Errorf("%s: %d slices, %d rows left out, %d bytes, %d pixels merged; expected %d slices, %d merged", c.name, n, le.Uint32(b[32:]), len(b), le.Uint32(b[4:]), c.slices, c.merge)
		}
	}
}
