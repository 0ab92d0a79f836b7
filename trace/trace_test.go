package trace

import (
	"context"
	"testing"

	"pgregory.net/rapid"
)

func TestGlobalID(t *testing.T) {
	g := GlobalID(0x0001_19f808_19f809)
	if g.PID() != 0x19f808 || g.TID() != 0x19f809 || g.VM() != 1 || g.Hardware() != 0 || g.Process() != 0x0001_19f808_000000 {
		t.Errorf("%x: pid %x tid %x vm %d hardware %d process %x", int64(g), g.PID(), g.TID(), g.VM(), g.Hardware(), int64(g.Process()))
	}
	rapid.Check(t, func(t *rapid.T) {
		hw, vm := rapid.Byte().Draw(t, "hw"), rapid.Byte().Draw(t, "vm")
		pid, tid := rapid.Int64Range(0, 1<<24-1).Draw(t, "pid"), rapid.Int64Range(0, 1<<24-1).Draw(t, "tid")
		g := MakeGlobalID(hw, vm, pid, tid)
		if g.Hardware() != hw || g.VM() != vm || g.PID() != pid || g.TID() != tid || g.Process() != MakeGlobalID(hw, vm, pid, 0) {
			t.Fatalf("%x of %d %d %d %d", int64(g), hw, vm, pid, tid)
		}
	})
}

// TestNest compares the sweep with the definition: the parent is the shortest
// range around, and of equal ranges the earlier encloses the later.
func TestNest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var thread []GlobalID
		var start, end []int64
		// Ranges that nest, as push and pop make them.
		var grow func(tid GlobalID, lo, hi int64, depth int)
		grow = func(tid GlobalID, lo, hi int64, depth int) {
			for at := lo; at < hi && depth < 5; {
				s := at + rapid.Int64Range(0, 3).Draw(t, "gap")
				e := s + rapid.Int64Range(1, 12).Draw(t, "length")
				if e > hi {
					return
				}
				thread, start, end = append(thread, tid), append(start, s), append(end, e)
				grow(tid, s, e, depth+1)
				at = e + 1
			}
		}
		for tid := range rapid.IntRange(1, 3).Draw(t, "threads") {
			grow(GlobalID(tid+1), 0, 40, 0)
		}
		perm := rapid.Permutation(indexes(len(start))).Draw(t, "order")
		th, st, en := make([]GlobalID, len(perm)), make([]int64, len(perm)), make([]int64, len(perm))
		for i, k := range perm {
			th[i], st[i], en[i] = thread[k], start[k], end[k]
		}
		n := Nest(th, st, en, nil)
		for i := range st {
			level := int32(0)
			for k := range st {
				if k != i && th[k] == th[i] && st[k] <= st[i] && en[k] >= en[i] && (st[k] != st[i] || en[k] != en[i] || k < i) {
					level++
				}
			}
			if n.Level[i] != level {
				t.Fatalf("range %d (%d to %d) has level %d, want %d", i, st[i], en[i], n.Level[i], level)
			}
			if p := n.Parent[i]; p >= 0 && (n.Level[p] != level-1 || st[p] > st[i] || en[p] < en[i]) || p < 0 && level > 0 {
				t.Fatalf("range %d has parent %d", i, p)
			}
		}
	})
}

func indexes(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func TestIndex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(t, "n")
		pids, corr := make([]int64, n), make([]int64, n)
		far := rapid.Bool().Draw(t, "far")
		for i := range pids {
			pids[i] = int64(MakeGlobalID(0, 1, rapid.Int64Range(1, 3).Draw(t, "pid"), rapid.Int64Range(0, 9).Draw(t, "tid")))
			corr[i] = rapid.Int64Range(-3, 12).Draw(t, "correlation")
			if far {
				corr[i] *= 1 << 50
			}
		}
		x := NewIndex(pids, corr)
		for i := range pids {
			var want, got []int32
			for k := range pids {
				if GlobalID(pids[k]).Process() == GlobalID(pids[i]).Process() && corr[k] == corr[i] {
					want = append(want, int32(k))
				}
			}
			for r := x.Find(pids[i], corr[i]); r >= 0; r = x.Next(r) {
				got = append(got, r)
			}
			if len(got) != len(want) {
				t.Fatalf("found %v, want %v", got, want)
			}
			for k := range want {
				if got[k] != want[k] {
					t.Fatalf("found %v, want %v", got, want)
				}
			}
		}
		if x.Find(int64(MakeGlobalID(0, 1, 77, 0)), 1) >= 0 || n > 0 && x.Find(pids[0], 1<<62) >= 0 {
			t.Fatal("something is found that is not there")
		}
	})
}

// fixed is a source with one small NVTX table.
type fixed struct{}

func (fixed) Tables() []TableInfo {
	return []TableInfo{
		{Name: "StringIds", Columns: []ColumnInfo{{"id", Integers}, {"value", Texts}}},
		{Name: "NVTX_EVENTS", Columns: []ColumnInfo{{"start", Integers}, {"end", Integers}, {"eventType", Integers}, {"text", Texts},
			{"textId", Integers}, {"globalTid", Integers}, {"domainId", Integers}, {"category", Integers}}},
	}
}

func (fixed) Read(_ context.Context, table string, columns []ColumnInfo, s *Strings) (*Table, []error, error) {
	t := &Table{Name: table}
	if table == "StringIds" {
		t.Rows = 2
		t.Columns = []*Column{{Name: "id", Ints: []int64{3_400_000, 7}}, {Name: "value", Kind: Texts, Syms: []Sym{s.Intern("registered"), s.Intern("other")}}}
		return t, nil, nil
	}
	t.Rows = 4 // a domain, a range with textId, one with text, one without an end
	g := int64(MakeGlobalID(0, 1, 5, 6))
	all := []*Column{
		{Name: "start", Ints: []int64{0, 10, 20, 30}},
		{Name: "end", Ints: []int64{0, 15, 25, 0}, Null: []bool{true, false, false, true}},
		{Name: "eventType", Ints: []int64{75, 59, 60, 59}},
		{Name: "text", Kind: Texts, Syms: []Sym{s.Intern("NCCL"), 0, s.Intern("plain"), s.Intern("open")}, Null: []bool{false, true, false, false}},
		{Name: "textId", Ints: []int64{0, 3_400_000, 0, 0}, Null: []bool{true, false, true, true}},
		{Name: "globalTid", Ints: []int64{g, g, g, g}},
		{Name: "domainId", Ints: []int64{9, 9, 0, 0}},
		{Name: "category", Ints: make([]int64, 4)},
		{Name: "rowid", Ints: []int64{1, 2, 3, 4}},
	}
	for _, c := range columns {
		for _, a := range all {
			if a.Name == c.Name {
				t.Columns = append(t.Columns, a)
			}
		}
	}
	return t, nil, nil
}

func TestRanges(t *testing.T) {
	tr := New("fixed", fixed{})
	r, err := tr.Ranges(context.Background())
	if err != nil || r.Len() != 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	want := []string{"registered", "plain", "open"}
	for i, w := range want {
		if got := tr.Strings.Text(r.Text[i]); got != w {
			t.Errorf("range %d is %q, want %q", i, got, w)
		}
	}
	if !r.Open[2] || r.End[2] != 25 || r.Open[0] || r.PushPop[1] || r.Row[0] != 2 {
		t.Errorf("%+v", r)
	}
	d, err := tr.Domains(context.Background())
	if err != nil || d.Name(r.Thread[0], r.Domain[0]) != "NCCL" || d.Name(r.Thread[1], r.Domain[1]) != "" {
		t.Errorf("domains: %+v, %v", d, err)
	}
	if tr.Has("CUPTI_ACTIVITY_KIND_KERNEL") || !tr.Has("nvtx_events") || tr.HasColumn("NVTX_EVENTS", "binaryData") {
		t.Error("what the trace has")
	}
	if k, err := tr.Table(context.Background(), "CUPTI_ACTIVITY_KIND_KERNEL", "start"); k != nil || err != nil {
		t.Errorf("a table that is not there: %v, %v", k, err)
	}
}
