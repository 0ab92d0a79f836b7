package trace

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// stackTrace makes a trace of samples with the given stacks, innermost function
// first as the tables have them; a name is a letter.
func stackTrace(stacks []string, thread []int64) *Trace {
	var id, symbol, depth, module []int64
	var event, start, tid, cycles []int64
	for i, st := range stacks {
		for d, r := range st {
			id, symbol, depth, module = append(id, int64(i+1)), append(symbol, int64(r)), append(depth, int64(d)), append(module, 'M')
		}
		event, start, tid, cycles = append(event, int64(i+1)), append(start, int64(10*i)), append(tid, thread[i]), append(cycles, int64(i+1))
	}
	for _, v := range [][]int64{id, symbol, depth, module} { // rows come in any order
		slices.Reverse(v)
	}
	names := &Table{Name: "StringIds", Rows: 58}
	var keys []int64
	value := &Column{Name: "value", Kind: Texts}
	chains := &Table{Name: "SAMPLING_CALLCHAINS", Rows: len(id)}
	chains.AddInts("id", id, nil)
	chains.AddInts("symbol", symbol, nil)
	chains.AddInts("module", module, nil)
	chains.AddInts("stackDepth", depth, nil)
	events := &Table{Name: "COMPOSITE_EVENTS", Rows: len(event)}
	events.AddInts("id", event, nil)
	events.AddInts("start", start, nil)
	events.AddInts("globalTid", tid, nil)
	events.AddInts("cpuCycles", cycles, nil)
	tr := New("x", tables{names, chains, events})
	for k := int64('A'); k <= 'z'; k++ {
		keys = append(keys, k)
		value.Syms = append(value.Syms, tr.Strings.Intern(string(rune(k))))
	}
	names.AddInts("id", keys, nil)
	names.Columns = append(names.Columns, value)
	tr.order = tables{names, chains, events}.Tables()
	for i := range tr.order {
		tr.infos[strings.ToLower(tr.order[i].Name)] = &tr.order[i]
	}
	return tr
}

// folded lists the stacks that have events, outermost function first.
func folded(tr *Trace, s *Stacks, f *StackFold) map[string]string {
	out := map[string]string{}
	for n := range s.Parent {
		if f.Self[n] == 0 {
			continue
		}
		var names []string
		for _, fr := range s.Stack(int32(n), nil) {
			names = append(names, tr.Strings.Text(fr.Symbol))
		}
		out[strings.Join(names, ";")] = fmt.Sprintf("%d/%d", f.Self[n], f.SelfWeight[n])
	}
	return out
}

func TestStacks(t *testing.T) {
	a, b := int64(MakeGlobalID(0, 1, 5, 6)), int64(MakeGlobalID(0, 1, 5, 7))
	tr := stackTrace([]string{"cba", "cba", "ba", "fdba", "", "gg"}, []int64{a, b, a, a, a, b})
	s, err := tr.Stacks(context.Background(), SampleStacks)
	if err != nil {
		t.Fatal(err)
	}
	if s.Bare != 1 || s.Orphan != 0 || s.Len() != 5 || s.Unit() != "cycle" {
		t.Errorf("%d bare, %d orphan, %d events, unit %s", s.Bare, s.Orphan, s.Len(), s.Unit())
	}
	for _, c := range []struct {
		name   string
		filter StackFilter
		want   map[string]string
	}{
		{"all", StackFilter{}, map[string]string{"a;b;c": "2/3", "a;b": "1/3", "a;b;d;f": "1/4", "g;g": "1/6"}},
		{"thread", StackFilter{Thread: GlobalID(b)}, map[string]string{"a;b;c": "1/2", "g;g": "1/6"}},
		{"process", StackFilter{Thread: GlobalID(b).Process()}, map[string]string{"a;b;c": "2/3", "a;b": "1/3", "a;b;d;f": "1/4", "g;g": "1/6"}},
		{"span", StackFilter{Start: 10, End: 30}, map[string]string{"a;b;c": "1/2", "a;b": "1/3"}},
		{"none", StackFilter{Start: 100, End: 200}, map[string]string{}},
	} {
		if diff := cmp.Diff(c.want, folded(tr, s, s.Fold(c.filter))); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	g := s.ByFrame(s.Fold(StackFilter{Thread: GlobalID(b)}))
	for i, fr := range s.Frames {
		if tr.Strings.Text(fr.Symbol) == "g" && (g.Self[i] != 1 || g.Total[i] != 1) {
			t.Errorf("g calls itself: self %d, total %d, want 1 and 1", g.Self[i], g.Total[i])
		}
	}
	idle := stackTrace([]string{"a"}, []int64{a})
	for _, t := range idle.source.(tables) {
		if c := t.Col("cpuCycles"); c != nil {
			c.Ints[0] = 0
		}
	}
	if s, err := idle.Stacks(context.Background(), SampleStacks); err != nil || s.Unit() != "sample" || s.Fold(StackFilter{}).Weight != 1 {
		t.Errorf("samples without cycles weigh %+v, %v", s, err)
	}
	if s, err := tr.Stacks(context.Background(), CUDAStacks); s != nil || err != nil {
		t.Errorf("stacks of CUDA calls that are not there: %v, %v", s, err)
	}
}

// TestFold compares sums over the tree with sums over the stacks themselves.
func TestFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stacks := rapid.SliceOfN(rapid.StringMatching(`[a-d]{1,6}`), 1, 12).Draw(t, "stacks")
		tr := stackTrace(stacks, make([]int64, len(stacks)))
		s, err := tr.Stacks(context.Background(), SampleStacks)
		if err != nil {
			t.Fatal(err)
		}
		lo := rapid.Int64Range(0, 120).Draw(t, "from")
		hi := rapid.Int64Range(lo+1, 130).Draw(t, "to")
		f := s.Fold(StackFilter{Start: lo, End: hi})
		byFrame := s.ByFrame(f)
		for i, fr := range s.Frames {
			var self, total, weight int64
			for k, st := range stacks {
				name := tr.Strings.Text(fr.Symbol)
				if at := int64(10 * k); at < lo || at >= hi || !strings.Contains(st, name) {
					continue
				}
				total++
				weight += int64(k + 1)
				if strings.HasPrefix(st, name) {
					self++
				}
			}
			if byFrame.Self[i] != self || byFrame.Total[i] != total || byFrame.TotalWeight[i] != weight {
				t.Fatalf("frame %d: self %d total %d weight %d, want %d %d %d", i, byFrame.Self[i], byFrame.Total[i], byFrame.TotalWeight[i], self, total, weight)
			}
		}
		var roots int64
		for n, p := range s.Parent {
			if p >= int32(n) {
				t.Fatalf("node %d has parent %d", n, p)
			}
			if p < 0 {
				roots += f.Total[n]
			}
		}
		if roots != f.Events {
			t.Fatalf("the outermost frames have %d events, of %d", roots, f.Events)
		}
	})
}
