package steps_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gpuprof/gpuprof/internal/ranksgen"
	"github.com/gpuprof/gpuprof/steps"
	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
)

// a tables is a source of tables of integers, nil for NULL, and of texts.
type tables map[string]map[string][]any

func (s tables) Tables() (out []trace.TableInfo) {
	for name, cols := range s {
		info := trace.TableInfo{Name: name}
		for c, cells := range cols {
			k := trace.Integers
			if len(cells) > 0 {
				if _, ok := cells[0].(string); ok {
					k = trace.Texts
				}
			}
			info.Columns = append(info.Columns, trace.ColumnInfo{Name: c, Kind: k})
		}
		out = append(out, info)
	}
	return out
}

func (s tables) Read(_ context.Context, name string, columns []trace.ColumnInfo, in *trace.Strings) (*trace.Table, []error, error) {
	t := &trace.Table{Name: name}
	for _, cells := range s[name] {
		t.Rows = len(cells)
	}
	for _, ci := range columns {
		c := &trace.Column{Name: ci.Name, Kind: ci.Kind, Null: make([]bool, t.Rows)}
		for i := range t.Rows {
			var v any = int64(i + 1) // rowid
			if cells, ok := s[name][ci.Name]; ok {
				v = cells[i]
			}
			c.Null[i] = v == nil
			switch x := v.(type) {
			case string:
				c.Syms = append(c.Syms, in.Intern(x))
			case int64:
				c.Ints = append(c.Ints, x)
			case int:
				c.Ints = append(c.Ints, int64(x))
			default:
				c.Ints = append(c.Ints, 0)
			}
		}
		t.Columns = append(t.Columns, c)
	}
	return t, nil, nil
}

// kernelTable has kernels of one device, names by number.
func kernelTable(start, end, name []any) map[string][]any {
	n := len(start)
	zero := slices.Repeat([]any{int64(0)}, n)
	return map[string][]any{"start": start, "end": end, "globalPid": slices.Repeat([]any{int64(trace.MakeGlobalID(0, 1, 7, 0))}, n), "deviceId": zero,
		"streamId": zero, "correlationId": zero, "shortName": name, "demangledName": name}
}

var names = map[string][]any{"id": {1, 2, 3}, "value": {"gemm", "ncclDevKernel_AllReduce_RING", "flash_fwd"}}

func one(t testing.TB, s tables) *steps.Device {
	t.Helper()
	list, err := steps.Read(context.Background(), trace.New("made", s), nil)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	return list[0]
}

// TestTorchSaysWhatCommunicates: a kernel of a collective is communication by any
// name; one that is not, or of a number that no row has, is not.
func TestTorchSaysWhatCommunicates(t *testing.T) {
	k := kernelTable([]any{0, 10, 20, 30}, []any{10, 20, 30, 40}, []any{1, 1, 2, 1})
	k["collective"] = []any{nil, 2, 1, 9}
	d := one(t, tables{"StringIds": names, trace.TableKernel: k, trace.TableCollectives: {"name": {"allreduce", "_reduce_scatter_base"}}})
	want := []steps.Class{steps.GEMM, steps.ReduceScatter, steps.AllReduce, steps.GEMM}
	if !slices.Equal(d.Class, want) {
		t.Errorf("%v, want %v", d.Class, want)
	}
	if whole, _ := d.Whole(); whole.Exposed() != 20 {
		t.Errorf("%d ns of exposed communication, want 20", whole.Exposed())
	}
}

// TestTimesThatAreNone has every kind of time that takes none.
func TestTimesThatAreNone(t *testing.T) {
	d := one(t, tables{"StringIds": names, trace.TableKernel: kernelTable(
		[]any{50, nil, 10, -20, 5, math.MinInt64, 0, 30},
		[]any{60, 100, nil, -10, 1, 9, math.MaxInt64, 30},
		[]any{1, 1, 1, 1, 1, 1, 1, 1})})
	if d.Unplaced != 5 || d.Len() != 3 {
		t.Errorf("%d pieces of work and %d without a time, want 3 and 5", d.Len(), d.Unplaced)
	}
	whole, _ := d.Whole()
	if whole.Start != -20 || whole.End != 60 || whole.Busy() != 20 || whole.Idle() != 60 {
		t.Errorf("from %d to %d, busy %d, idle %d; want -20 to 60, 20, 60", whole.Start, whole.End, whole.Busy(), whole.Idle())
	}
}

// TestMeasureAgainstCounting compares the sweep with counting every nanosecond.
func TestMeasureAgainstCounting(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(rt, "n")
		var start, end, name []any
		kind := [200]uint{}
		class := [200]uint{}
		for range n {
			s := rapid.IntRange(0, 150).Draw(rt, "start")
			e := s + rapid.IntRange(0, 40).Draw(rt, "long")
			k := rapid.IntRange(1, 3).Draw(rt, "name")
			start, end, name = append(start, s), append(end, e), append(name, k)
			for at := s; at < e; at++ {
				class[at] |= 1 << k
				if k == 2 {
					kind[at] |= 1 << steps.Communication
				} else {
					kind[at] |= 1 << steps.Compute
				}
			}
		}
		d := one(t, tables{"StringIds": names, trace.TableKernel: kernelTable(start, end, name)})
		cut := rapid.IntRange(1, 190).Draw(rt, "cut")
		windows := []steps.Window{{Span: steps.Span{Start: 0, End: int64(cut)}}, {Span: steps.Span{Start: int64(cut), End: 195}}}
		times, matrix := d.Measure(windows)
		var want [2][1 << steps.Kinds]int64
		var both int64
		for at := range 195 {
			w := 0
			if at >= cut {
				w = 1
			}
			want[w][kind[at]]++
			if class[at]&(1<<1) != 0 && class[at]&(1<<2) != 0 {
				both++
			}
		}
		for w := range times {
			if times[w].Together != want[w] {
				rt.Fatalf("window %d: %v, want %v", w, times[w].Together, want[w])
			}
			if x := &times[w]; x.Busy()+x.Idle() != x.Wall() || x.Hidden()+x.Exposed() != x.Of(steps.Communication) {
				rt.Fatalf("parts of window %d do not add up", w)
			}
		}
		if got := matrix[steps.GEMM][steps.AllReduce]; got != both || matrix[steps.AllReduce][steps.GEMM] != both {
			rt.Fatalf("matrix multiply beside AllReduce: %d, want %d", got, both)
		}
	})
}

// TestUnion compares a union, its length inside a span and its coarser forms with
// counting.
func TestUnion(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var in []steps.Span
		var on [300]bool
		for range rapid.IntRange(0, 20).Draw(rt, "n") {
			s := rapid.IntRange(0, 250).Draw(rt, "start")
			e := s + rapid.IntRange(0, 30).Draw(rt, "long")
			in = append(in, steps.Span{Start: int64(s), End: int64(e)})
			for at := s; at < e; at++ {
				on[at] = true
			}
		}
		u := interval.UnionOf(slices.Clone(in))
		from, to := rapid.IntRange(0, 299).Draw(rt, "from"), rapid.IntRange(0, 299).Draw(rt, "to")
		var all, inside int64
		for at, x := range on {
			if x {
				all++
				if at >= from && at < to {
					inside++
				}
			}
		}
		if interval.Length(u) != all || interval.Within(u, steps.Span{Start: int64(from), End: int64(to)}) != inside {
			rt.Fatalf("%v: length %d, inside %d; want %d, %d", u, interval.Length(u), interval.Within(u, steps.Span{Start: int64(from), End: int64(to)}), all, inside)
		}
		n := rapid.IntRange(1, 8).Draw(rt, "most")
		c, added := interval.Coarsen(slices.Clone(u), n)
		if len(c) > max(n, 0) && len(u) > n || interval.Length(c) != interval.Length(u)+added {
			rt.Fatalf("%v coarsened to %d: %v, %d added", u, n, c, added)
		}
	})
}

// TestFind names steps in many ways. Ranges are 100 ns long and 20 apart.
func TestFind(t *testing.T) {
	series := func(format string, n int) (out []string) {
		for i := range n {
			if strings.Contains(format, "%") {
				out = append(out, fmt.Sprintf(format, i+3))
			} else {
				out = append(out, format)
			}
		}
		return out
	}
	for _, c := range []struct {
		texts  []string
		source steps.Source
		first  int64
	}{
		{series("ProfilerStep#%d", 4), steps.Profiler, 3},
		{series("step %d", 4), steps.Numbered, 3},
		{series("iteration_%d", 4), steps.Numbered, 3},
		{series("Epoch 2, step/%d of many", 4), steps.Numbered, 3},
		{series("train_step", 4), steps.Repeated, 0},
		{series("forward", 4), steps.Repeated, 0},
		{series("aten::mm, seq = 4, op_id = %d", 6), steps.NoSteps, 0},
		{series("layer %d", 2), steps.NoSteps, 0},
		{[]string{"step 3", "step 3", "step 2"}, steps.NoSteps, 0},
	} {
		var start, end, text []any
		for i, s := range c.texts {
			start, end, text = append(start, 120*i), append(end, 120*i+100), append(text, s)
		}
		n := len(start)
		pid := int64(trace.MakeGlobalID(0, 1, 7, 9))
		s := tables{"StringIds": names, trace.TableKernel: kernelTable([]any{5}, []any{9}, []any{1}), trace.TableNvtx: {
			"start": start, "end": end, "text": text, "eventType": slices.Repeat([]any{int64(trace.NvtxPushPop)}, n), "globalTid": slices.Repeat([]any{pid}, n), "domainId": slices.Repeat([]any{int64(0)}, n)}}
		tr := trace.New("made", s)
		list, err := steps.Read(context.Background(), tr, nil)
		if err != nil {
			t.Fatal(err)
		}
		f, err := steps.NewFinder(context.Background(), tr, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := f.Find(list[0])
		if got.Source != c.source || len(got.Steps) > 0 && got.Steps[0].Number != c.first || c.source != steps.NoSteps && len(got.Steps) != n {
			t.Errorf("%q: %v from %v, want source %d, first %d", c.texts[0], got, got.Steps, c.source, c.first)
		}
	}
}

// TestPeriod finds steps without ranges, whose windows are those of the ranges.
func TestPeriod(t *testing.T) {
	s := ranksgen.Default(3)
	s.Straggler, s.Factor, s.StallRank, s.StallStep, s.Stall = 1, 1.2, 2, 3, 4e6
	s.Payloads = false
	windows := func(named bool) (out [][]steps.Span) {
		s.Names = named
		for _, tr := range ranksgen.Make(s).Traces() {
			list, err := steps.Read(context.Background(), tr, nil)
			if err != nil {
				t.Fatal(err)
			}
			f, err := steps.NewFinder(context.Background(), tr, nil)
			if err != nil {
				t.Fatal(err)
			}
			var spans []steps.Span
			for _, w := range list[0].Windows(f.Find(list[0]), nil) {
				spans = append(spans, w.Span)
			}
			out = append(out, spans)
		}
		return out
	}
	want, got := windows(true), windows(false)
	for r := range want {
		if !slices.Equal(got[r], want[r]) {
			t.Errorf("rank %d: %v by the period, %v by ranges", r, got[r], want[r])
		}
	}
}

// TestIsCommunication tells kernels that communicate from others by their names.
func TestIsCommunication(t *testing.T) {
	for name, want := range map[string]bool{
		"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x)":                   true,
		"void deep_ep::internode::dispatch<false, 8>(int4*)":            true,
		"void dpsk::ep::internode::combine<false, 8>(int4*)":            true,
		"void dpsk::ep::intranode::dispatch<8>(int4*)":                  true,
		"flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel":  true,
		"void cutlass::device_kernel<dpsk::grouped_gemm::cuda::fp8<1>>": false,
		"void step::internal(float*)":                                   false,
	} {
		if got := steps.IsCommunication(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
