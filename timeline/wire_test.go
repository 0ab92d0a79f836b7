package timeline_test

import (
	"context"
	"encoding/binary"
	"fmt"
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

// named is a trace of calls that all have names of their own, short ones before
// a long one.
type named struct{ short int }

func (n named) Tables() []trace.TableInfo {
	t := trace.TableInfo{Name: trace.TableRuntime}
	for _, c := range []string{"start", "end", "globalTid", "nameId"} {
		t.Columns = append(t.Columns, trace.ColumnInfo{Name: c})
	}
	return []trace.TableInfo{t, {Name: "StringIds", Columns: []trace.ColumnInfo{{Name: "id"}, {Name: "value", Kind: trace.Texts}}}}
}

func (n named) Read(_ context.Context, table string, columns []trace.ColumnInfo, in *trace.Strings) (*trace.Table, []error, error) {
	t := &trace.Table{Name: table, Rows: n.short + 1}
	for _, c := range columns {
		var v []int64
		var y []trace.Sym
		for i := range int64(t.Rows) {
			end := 10*i + 8
			if int(i) == n.short {
				end = 20 * i
			}
			v = append(v, map[string]int64{"start": 10 * i, "end": end, "globalTid": int64(trace.MakeGlobalID(0, 0, 1, 1)), "nameId": i, "id": i, "rowid": i + 1}[c.Name])
			y = append(y, in.Intern(fmt.Sprintf("a call whose name no other call has, number %d", i)))
		}
		if c.Kind == trace.Texts {
			t.Columns = append(t.Columns, &trace.Column{Name: c.Name, Kind: trace.Texts, Syms: y})
			continue
		}
		t.AddInts(c.Name, v, nil)
	}
	return t, nil, nil
}

// TestWireNames: where there are more names than there is room, the widest slice
// has its name, and narrow ones keep their hue.
func TestWireNames(t *testing.T) {
	const short = 900
	x, err := timeline.Build(context.Background(), trace.New("made up", named{short}))
	if err != nil {
		t.Fatal(err)
	}
	b := x.Wire(timeline.Request{T0: x.First, T1: x.End, Pixels: 4096, Tracks: all(x)})
	le := binary.LittleEndian
	items, at := int(le.Uint32(b[48:])), 52
	if items != short+1 {
		t.Fatalf("%d items", items)
	}
	var names []string
	for i := at + 12*items; i < len(b); {
		n := int(le.Uint32(b[i:]))
		names = append(names, string(b[i+4:i+4+n]))
		i += 4 + n
	}
	nameless, hues := 0, map[byte]bool{}
	for i := range items {
		it := b[at+12*i:]
		hues[it[7]>>1] = true
		k := int(le.Uint16(it[4:]))
		if k == 65535 {
			nameless++
			continue
		}
		if want := fmt.Sprintf("a call whose name no other call has, number %d", i); names[k] != want {
			t.Fatalf("item %d is named %q", i, names[k])
		}
	}
	if nameless == 0 || le.Uint16(b[at+12*short+4:]) != 0 || len(hues) < 100 {
		t.Errorf("%d items have no name, the widest has name %d, %d hues", nameless, le.Uint16(b[at+12*short+4:]), len(hues))
	}
}
