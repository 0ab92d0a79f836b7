package flame

import (
	"context"
	"testing"

	"github.com/gpuprof/gpuprof/trace"
)

// one is a source of NVTX ranges.
type one struct{ t *trace.Table }

func (s one) Tables() []trace.TableInfo {
	info := trace.TableInfo{Name: trace.TableNvtx}
	for _, c := range s.t.Columns {
		info.Columns = append(info.Columns, trace.ColumnInfo{Name: c.Name})
	}
	return []trace.TableInfo{info}
}

func (s one) Read(_ context.Context, _ string, columns []trace.ColumnInfo, _ *trace.Strings) (*trace.Table, []error, error) {
	out := &trace.Table{Name: trace.TableNvtx, Rows: s.t.Rows}
	for _, a := range columns {
		c := s.t.Col(a.Name)
		if c == nil {
			c = &trace.Column{Name: a.Name, Ints: make([]int64, s.t.Rows)}
		}
		out.Columns = append(out.Columns, c)
	}
	return out, nil, nil
}

// TestUnsound: ranges whose times make no sense are counted, those that the filter
// leaves out are not.
func TestUnsound(t *testing.T) {
	tid := int64(trace.MakeGlobalID(0, 0, 7, 8))
	n := &trace.Table{Rows: 5}
	n.AddInts("start", []int64{0, 10, 1 << 62, 20, 500}, nil)
	n.AddInts("end", []int64{5, 9, 1<<62 + 5, 0, 510}, []bool{false, false, false, true, false})
	n.AddInts("eventType", []int64{trace.NvtxPushPop, trace.NvtxPushPop, trace.NvtxPushPop, trace.NvtxPushPop, trace.NvtxPushPop}, nil)
	n.AddInts("globalTid", []int64{tid, tid, tid, tid, tid}, nil)
	p, err := Read(context.Background(), trace.New("made", one{n}), NVTX, Filter{})
	if err != nil {
		t.Fatal(err)
	}
	// The last end is itself too far, so that the open range is not sound either.
	if p.Unsound != 3 || p.Open != 0 || len(p.Start) != 2 {
		t.Errorf("%d not sound, %d open, %d in the tree", p.Unsound, p.Open, len(p.Start))
	}
	if p, err = Read(context.Background(), trace.New("made", one{n}), NVTX, Filter{Start: 1, End: 100}); err != nil || p.Unsound != 3 || len(p.Start) != 1 {
		t.Errorf("%+v, %v", p, err)
	}
}
