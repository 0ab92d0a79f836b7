package compare

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gpuprof/gpuprof/compare/sample"
)

func TestNormal(t *testing.T) {
	same := [][]string{
		{"void f<(int)128, (bool)1>(const float *, T1)", "void f<128, true>(float const*, 128)", "f<128,1>(const float*,128)"},
		{"void SumSqd::SquaredSumsKernel<float>(__half2 *, int, int, T1 *)", "void SumSqd::SquaredSumsKernel<float>(__half2*, int, int, float*)"},
		{"<unnamed>::k(int)", "(anonymous namespace)::k(int)"},
		{"_Z3addiPf", "add(int, float*)", "add(int,float *)"},
		{"vecCopy(double*, int) [clone .kd]", "vecCopy(double*, int)"},
		{"add_kernel_0d1d2de", "add_kernel"},
		{"add_kernel.kd", "add_kernel"},
		{"void g<(unsigned long)4, 8ul>()", "void g<4ul, 8>()"},
	}
	for _, names := range same {
		for _, n := range names[1:] {
			if a, b := normal(names[0]), normal(n); a != b {
				t.Errorf("%q is %q, %q is %q", names[0], a, n, b)
			}
		}
	}
	for _, n := range []string{"cutlass_80_simt_sgemm_256x128_8x4_nn_align1", "triton_poi_fused_add_12", "ampere_sgemm_128x64_nn"} {
		if normal(n) != n {
			t.Errorf("%q became %q", n, normal(n))
		}
	}
	for name, base := range map[string]string{
		"void a::b<int>::c<4>(int)":                        "a::b::c",
		"void at::native::k<4, f<float>(int)>(int, float)": "at::native::k",
		"plain":                      "plain",
		"(anonymous namespace)::k()": "anonymous::k",
	} {
		if got := baseOf(normal(name)); got != base {
			t.Errorf("the base of %q is %q, want %q", name, got, base)
		}
	}
	if got := Fold("AllToAll4D, seq = 45440, op_id = 990760"); got != "AllToAll4D, seq = N, op_id = N" {
		t.Error(got)
	}
	if unversioned("cudaLaunchKernel_v7000") != "cudaLaunchKernel" || unversioned("cuMemcpyAsync_v2_ptsz") != "cuMemcpyAsync" {
		t.Error("versions of calls")
	}
}

func FuzzNormal(f *testing.F) {
	for _, s := range []string{"f<" + strings.Repeat("x", 8000) + ">(" + strings.Repeat("T1,", 8000) + ")", strings.Repeat("(int)", 6000) + "3", "void f<(int)128>(T1)", "_Z3addiPf", "a<<<", ">>>(", "T99999999999999999999", "operator<(int)", "const const (int)(int)3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		baseOf(normal(s))
		(&Names{FoldDigits: true}).of(s)
	})
}

func TestRename(t *testing.T) {
	n := &Names{Rename: []Rename{{regexp.MustCompile("^old(.*)$"), "new$1"}}}
	if a, b := n.of("void oldKernel<4>(int)"), n.of("void newKernel<4>(int)"); a.full != b.full || a.base != "newKernel" {
		t.Errorf("%+v and %+v", a, b)
	}
	fold := &Names{FoldDigits: true}
	if fold.of("triton_poi_fused_add_12").full != fold.of("triton_poi_fused_add_7").full {
		t.Error("digits are not folded")
	}
}

// TestDirections compares the rules with names that were judged one by one.
func TestDirections(t *testing.T) {
	f, err := os.Open("testdata/directions.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	n := 0
	for s.Scan() {
		c := strings.Split(s.Text(), "\t")
		if c[0] == "metric" || len(c) < 3 {
			continue
		}
		n++
		if d := DirectionOf(c[0]); d.Better.String() != c[1] || d.Class != c[2] {
			t.Errorf("%s: %s %s, want %s %s", c[0], d.Better, d.Class, c[1], c[2])
		}
	}
	if n < 200 {
		t.Errorf("%d names", n)
	}
}

// kernel is an entity with a time in ns.
func kernel(name, shape string, ns float64, more ...func(*Values)) *Entity {
	v := &Values{}
	v.Set("gpu__time_duration.sum", nanoseconds, ns)
	for _, f := range more {
		f(v)
	}
	full := normal(name)
	e := &Entity{Class: Kernel, Name: name, Full: full, Base: baseOf(full), Shape: shape, Launches: 1, Source: v}
	fmt.Sscanf(shape, "%d × %d", &e.Size.Grid[0], &e.Size.Block[0])
	return e
}

func runOf(name string, entities ...*Entity) *Run {
	return &Run{Name: name, Kind: Launches, Entities: entities}
}

func compared(old, new *Run) *Comparison { return Compare([]*Run{old}, []*Run{new}, Options{}) }

// matched lists the pairs of a comparison as "old>new", ~ before loose ones.
func matched(c *Comparison) string {
	var out []string
	for _, r := range c.Rows {
		s := r.OldEntity().Name + " " + r.OldEntity().Shape + " > " + r.NewEntity().Name + " " + r.NewEntity().Shape
		if r.Loose {
			s = "~" + s
		}
		out = append(out, s)
	}
	for _, r := range c.OnlyOld {
		out = append(out, "-"+r.OldEntity().Name)
	}
	for _, r := range c.OnlyNew {
		out = append(out, "+"+r.NewEntity().Name)
	}
	return strings.Join(out, "; ")
}

func TestMatching(t *testing.T) {
	for _, x := range []struct {
		what     string
		old, new []*Entity
		want     string
	}{
		{"the same", []*Entity{kernel("a", "1 × 32", 1)}, []*Entity{kernel("a", "1 × 32", 2)}, "a 1 × 32 > a 1 × 32"},
		{"another grid", []*Entity{kernel("a", "1 × 32", 1)}, []*Entity{kernel("a", "2 × 32", 2)}, "a 1 × 32 > a 2 × 32"},
		{"the exact one first", []*Entity{kernel("a", "1 × 32", 1), kernel("a", "4 × 32", 1)}, []*Entity{kernel("a", "4 × 32", 1), kernel("a", "9 × 32", 1)}, "a 1 × 32 > a 9 × 32; a 4 × 32 > a 4 × 32"},
		{"by order", []*Entity{kernel("a", "1 × 1024", 1), kernel("a", "7 × 1024", 1), kernel("a", "3 × 1024", 1)},
			[]*Entity{kernel("a", "2 × 512", 1), kernel("a", "14 × 512", 1), kernel("a", "6 × 512", 1)},
			"a 1 × 1024 > a 2 × 512; a 7 × 1024 > a 14 × 512; a 3 × 1024 > a 6 × 512"},
		{"other template arguments", []*Entity{kernel("void g<128, 8, false>(int)", "1 × 32", 1)}, []*Entity{kernel("void g<128, 8>(int)", "1 × 32", 1)}, "~void g<128, 8, false>(int) 1 × 32 > void g<128, 8>(int) 1 × 32"},
		{"nothing is dropped", []*Entity{kernel("a", "1 × 32", 1), kernel("b", "1 × 32", 1)}, []*Entity{kernel("a", "1 × 32", 1), kernel("c", "1 × 32", 1)}, "a 1 × 32 > a 1 × 32; -b; +c"},
		{"one more in the middle", []*Entity{kernel("a", "100 × 32", 1), kernel("a", "300 × 32", 1)}, []*Entity{kernel("a", "101 × 32", 1), kernel("a", "200000 × 64", 1), kernel("a", "301 × 32", 1)},
			"a 100 × 32 > a 101 × 32; a 300 × 32 > a 301 × 32; +a"},
	} {
		if got := matched(compared(runOf("o", x.old...), runOf("n", x.new...))); got != x.want {
			t.Errorf("%s: %s, want %s", x.what, got, x.want)
		}
	}
	c := Compare([]*Run{runOf("o", kernel("void g<1>()", "1 × 1", 1))}, []*Run{runOf("n", kernel("void g<2>()", "1 × 1", 1))}, Options{Strict: true})
	if got := matched(c); got != "-void g<1>(); +void g<2>()" {
		t.Errorf("strict: %s", got)
	}
}

// drawn is a side of random runs of few names and shapes.
func drawn(t *rapid.T, label string) []*Run {
	var runs []*Run
	for i := range rapid.IntRange(1, 3).Draw(t, label) {
		r := runOf(fmt.Sprint(label, i))
		seen := map[string]bool{}
		for range rapid.IntRange(1, 6).Draw(t, "entities") {
			e := kernel(rapid.SampledFrom([]string{"a", "b", "void c<1>()", "void c<2>()", "void c<1,2,3>()"}).Draw(t, "name"),
				rapid.SampledFrom([]string{"1 × 32", "2 × 32", "64 × 128"}).Draw(t, "shape"), float64(rapid.IntRange(1, 100).Draw(t, "time")))
			if !seen[e.exact()] {
				seen[e.exact()] = true
				r.Entities = append(r.Entities, e)
			}
		}
		runs = append(runs, r)
	}
	return runs
}

// TestSwapAndOrder swaps the sides, and shuffles the files within a side.
func TestSwapAndOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, new := drawn(t, "old"), drawn(t, "new")
		there, back := Compare(old, new, Options{}), Compare(new, old, Options{})
		if len(there.Rows) != len(back.Rows) || len(there.OnlyOld) != len(back.OnlyNew) {
			t.Fatalf("%s and back %s", matched(there), matched(back))
		}
		inverse := map[*Entity]*Row{}
		for _, r := range back.Rows {
			inverse[r.NewEntity()] = r
		}
		for _, r := range there.Rows {
			o := inverse[r.OldEntity()]
			if o == nil || r.Time.Ratio.OK && math.Abs(r.Time.Ratio.Value*o.Time.Ratio.Value-1) > 1e-12 {
				t.Fatalf("%s and back %s", matched(there), matched(back))
			}
		}
		shuffled := Compare(rapid.Permutation(old).Draw(t, "order"), rapid.Permutation(new).Draw(t, "order"), Options{})
		if matched(shuffled) != matched(there) || shuffled.Verdict() != there.Verdict() {
			t.Fatalf("%s, in another order %s", matched(there), matched(shuffled))
		}
	})
}

func says(c *Comparison, want string) bool {
	for _, n := range c.Notes {
		if strings.Contains(n.Text, want) {
			return true
		}
	}
	return false
}

// TestClockSplit is a kernel of the same cycles at a clock that is 9 % higher.
func TestClockSplit(t *testing.T) {
	at := func(hz float64) *Entity {
		return kernel("FindPairs", "1 × 32", 6e8/hz*1e9, func(v *Values) {
			v.Set("gpc__cycles_elapsed.max", "cycle", 6e8)
			v.Set("gpc__cycles_elapsed.avg.per_second", hertz, hz)
		})
	}
	c := compared(runOf("o", at(1.2e9)), runOf("n", at(1.308e9)))
	r := c.Rows[0]
	if math.Abs(r.Clock.Ratio.Value-1.09) > 1e-9 || r.Cycles.Ratio.Value != 1 || !r.ClockMoved() {
		t.Errorf("clock %v, cycles %v", r.Clock.Ratio, r.Cycles.Ratio)
	}
	if !says(c, "the GPU's clock differs by +9.0 %") || !strings.Contains(c.Verdict(), "the clock explains 8.3 of 8.3 %") {
		t.Errorf("%v %s", c.Notes, c.Verdict())
	}
}

func TestWhatMakesSidesUnlike(t *testing.T) {
	inst := func(n float64) func(*Values) { return func(v *Values) { v.Set("smsp__inst_executed.sum", "inst", n) } }
	if c := compared(runOf("o", kernel("a", "1 × 32", 10, inst(100))), runOf("n", kernel("a", "1 × 32", 180, inst(7000)))); !says(c, "another amount of work") {
		t.Errorf("%v", c.Notes)
	}
	if c := compared(runOf("o", kernel("a", "1 × 32", 10, inst(100))), runOf("n", kernel("a", "9 × 32", 180, inst(7000)))); says(c, "another amount of work") {
		t.Errorf("of another grid: %v", c.Notes)
	}
	gpu := func(r *Run, name string) *Run { r.know(GPU, name); return r }
	if c := compared(gpu(runOf("o", kernel("a", "1 × 32", 10)), "A100"), gpu(runOf("n", kernel("a", "1 × 32", 10)), "H100")); !says(c, "GPU: A100 → H100") || c.Notes[0].Level != Refuse {
		t.Errorf("%v", c.Notes)
	}
	var old, new []*Entity
	for i := range 6 {
		name := string(rune('a' + i))
		old, new = append(old, kernel(name, "1 × 32", 1000*float64(i+1))), append(new, kernel(name, "1 × 32", 1023*float64(i+1)))
	}
	if c := compared(runOf("o", old...), runOf("n", new...)); !says(c, "everything takes 2.3 % more") {
		t.Errorf("%v", c.Notes)
	}
	if c := compared(runOf("o", kernel("matrix", "1 × 32", 60000)), runOf("n", kernel("matrix", "1 × 32", 60100), kernel("matrixOptimized", "1 × 32", 66110))); !says(c, "matrixOptimized, which is new, takes 10.0 % more time than matrix") {
		t.Errorf("%v", c.Notes)
	}
}

func TestTheSameMeasurementCountsOnce(t *testing.T) {
	long := func(name string) *Run {
		return runOf(name, kernel("a", "1 × 32", 20017), kernel("b", "1 × 32", 30011), kernel("c", "1 × 32", 51234), kernel("d", "1 × 32", 77))
	}
	a, b := long("a"), long("b")
	b.Entities[3] = kernel("d", "1 × 32", 78) // below 10 us anything may be equal or not
	c := Compare([]*Run{a, b}, []*Run{runOf("n", kernel("a", "1 × 32", 20050))}, Options{})
	if len(c.Old) != 1 || !says(c, "b is the same measurement as a and counts once (old)") {
		t.Errorf("%d old runs, %v", len(c.Old), c.Notes)
	}
	if c := compared(a, b); !c.Shared || c.Verdicts() || !says(c, "are the same measurement") {
		t.Errorf("%v", c.Notes)
	}
	coarse := long("x")
	coarse.Coarse = true
	if c := compared(a, coarse); c.Shared {
		t.Error("a simulator repeats itself")
	}
}

// TestOrderOfRuns drifts by time.
func TestOrderOfRuns(t *testing.T) {
	at := func(minutes ...int) []*Run {
		var out []*Run
		for _, m := range minutes {
			r := runOf(fmt.Sprint("r", m), kernel("a", "1 × 32", 100+float64(m)))
			r.Began = time.Date(2026, 1, 1, 0, m, 0, 0, time.UTC)
			out = append(out, r)
		}
		return out
	}
	if c := Compare(at(1, 2, 3), at(4, 5, 6), Options{}); !says(c, "all old runs were taken before all new ones") {
		t.Errorf("%v", c.Notes)
	}
	if c := Compare(at(1, 4, 5), at(2, 3, 6), Options{}); says(c, "were taken before") {
		t.Errorf("%v", c.Notes)
	}
	if c := compared(at(1)[0], at(2)[0]); says(c, "were taken before") {
		t.Errorf("one run each: %v", c.Notes)
	}
}

func TestCutWindows(t *testing.T) {
	window := func(cut bool, total, median, n float64) *Run {
		v := &Values{}
		v.Set(TotalTime, nanoseconds, total)
		v.Set(MedianTime, nanoseconds, median)
		v.Set(Count, "", n)
		return &Run{Name: fmt.Sprint(total), Kind: Timeline, Window: Window{Cut: cut}, Entities: []*Entity{{Class: Kernel, Name: "flash_fwd", Full: "flash_fwd", Base: "flash_fwd", Launches: int(n), Source: v}}}
	}
	c := compared(window(true, 34*4e6, 4e6, 34), window(true, 30*4e6, 4e6, 30))
	if r := c.Rows[0]; r.Time.Metric != MedianTime || r.Time.Ratio.Value != 1 || !says(c, "windows cut out of longer recordings") {
		t.Errorf("%+v %v", r.Time, c.Notes)
	}
	if a, b := c.Rows[0].Calls(); a != 34 || b != 30 {
		t.Errorf("called %v → %v", a, b)
	}
	if r := compared(window(false, 34*4e6, 4e6, 34), window(false, 30*4e6, 4e6, 30)).Rows[0]; r.Time.Metric != TotalTime {
		t.Errorf("%+v", r.Time)
	}
}

func TestDetails(t *testing.T) {
	attr := func(regs float64, config string) func(*Values) {
		return func(v *Values) {
			v.Set("launch__registers_per_thread", "register_per_thread", regs)
			v.Set("launch__function_pcs", "", regs*1e6)
			v.setTexts("launch__func_cache_config", config)
			v.Set("lts__t_sectors.sum", "sector", 1000*regs)
			v.AddFinding(Finding{Rule: "R" + config, Title: "finding " + config, Speedup: 12})
		}
	}
	c := compared(runOf("o", kernel("a", "1 × 32", 100, attr(128, "L1"))), runOf("n", kernel("a", "1 × 32", 106, attr(168, "Shared"))))
	var text []string
	for _, d := range c.With(c.Rows[0], true) {
		text = append(text, d.Text())
	}
	want := "registers 128 → 168 register/thread; cache configuration L1 → Shared; new finding: finding Shared (est. 12 %); finding gone: finding L1 (est. 12 %); L2 sectors +31.2 %"
	if got := strings.Join(text, "; "); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		Percent(1.031): "+3.1 %", Percent(0.91): "−9.0 %", Percent(3): "3.0 times", Percent(1): "0.00 %", Percent(2.99): "+199.0 %",
		Sentence(sample.TakesMore, 1.031, true):  "takes 3.1 % more time",
		Sentence(sample.TakesLess, 0.91, true):   "takes 9.0 % less time",
		Sentence(sample.TakesMore, 3.2, true):    "takes 3.2 times the time",
		Sentence(sample.TakesMore, 1.031, false): "is 3.1 % more",
		Arrow(291.9e6, 309.4e6, nanoseconds):     "291.9 → 309.4 ms",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestKept keeps runs and compares them with what was read back.
func TestKept(t *testing.T) {
	r := runOf("secret/path.ncu-rep", kernel("void k<4>(int)", "3 × 64", 12345, func(v *Values) {
		v.Set("launch__registers_per_thread", "register_per_thread", 64, 64, 96)
		v.AddFinding(Finding{Rule: "R", Title: "T", Speedup: 3})
	}))
	r.Began = time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	r.know(GPU, "A100")
	r.know(CommandLine, "ncu --secret")
	r.know(Host, "host17")
	var b bytes.Buffer
	if err := Keep(&b, []*Run{r, r}, nil); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); strings.Contains(s, "--secret") || strings.Contains(s, "host17") || strings.Count(s, "\n") != 2 || len(s) > 2000 || !IsKept(b.Bytes()) {
		t.Errorf("%s", s)
	}
	back, err := ReadKept(bytes.NewReader(b.Bytes()), "x")
	if err != nil || len(back) != 2 {
		t.Fatal(err)
	}
	c := compared(r, back[0])
	if got := matched(c); got != "void k<4>(int) 3 × 64 > void k<4>(int) 3 × 64" || c.Rows[0].Time.Ratio.Value != 1 || !back[0].Began.Equal(r.Began) || back[0].Fact(GPU) != "A100" {
		t.Errorf("%s %+v", got, c.Rows[0].Time)
	}
	if v, _ := back[0].Entities[0].Source.Each("launch__registers_per_thread"); len(v) != 2 {
		t.Errorf("registers %v", v)
	}
	for _, bad := range []string{"", "{}", `{"schema":"gpuprof.run/9"}`, "{", "\x00"} {
		if _, err := ReadKept(strings.NewReader(bad), "x.jsonl"); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

func FuzzReadKept(f *testing.F) {
	var b bytes.Buffer
	Keep(&b, []*Run{runOf("a", kernel("k", "1 × 1", 5))}, nil)
	f.Add(b.Bytes())
	f.Add([]byte(`{"schema":"gpuprof.run/1","kind":"launches","entities":[{"class":"kernel","values":{"gpu__time_duration.sum":{"v":[]}}}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		runs, err := ReadKept(bytes.NewReader(b), "x")
		if err != nil {
			return
		}
		if c := Compare(runs, runs, Options{}); c != nil {
			c.Verdict()
			c.Markdown(&bytes.Buffer{})
		}
	})
}

func TestWhoWaits(t *testing.T) {
	run := func(name string, rank0, rank1 float64) *Run {
		r := &Run{Name: name, Kind: Timeline}
		for i, ns := range []float64{rank0, rank1} {
			v := &Values{}
			v.Set(TotalTime, nanoseconds, ns)
			v.Set(MedianTime, nanoseconds, ns/33)
			r.Entities = append(r.Entities, &Entity{Class: Kernel, Name: "ncclDevKernel_SendRecv", Full: "ncclDevKernel_SendRecv", Base: "ncclDevKernel_SendRecv", Path: fmt.Sprint("rank ", i), Launches: 33, Source: v})
		}
		return r
	}
	if c := compared(run("o", 17.2e6, 8.2e6), run("n", 10e6, 23.8e6)); !says(c, "who waits changed: ncclDevKernel_SendRecv: rank 0 17.20 → 10 ms, rank 1 8.200 → 23.80 ms") {
		t.Errorf("%v", c.Notes)
	}
	if c := compared(run("o", 17.2e6, 8.2e6), run("n", 34.3e6, 16.5e6)); says(c, "who waits") {
		t.Errorf("%v", c.Notes)
	}
	if c := compared(run("o", 17.2e6, 8.2e6), run("n", 17.2e6, 8.2e6)); !c.Shared {
		t.Error("equal to the nanosecond, and not said to be the same measurement")
	}
}

// TestInOrder: a launch that is missing among equal ones shifts none of the others,
// for what stands between tells which it is.
func TestInOrder(t *testing.T) {
	list := func(names ...string) (out []*Entity) {
		seen := map[string]int{}
		for i, n := range names {
			e := kernel(n, "1 × 32", float64(i+1))
			if seen[n]++; seen[n] > 1 {
				e.Path = fmt.Sprint("#", seen[n])
			}
			e.Alone = true
			out = append(out, e)
		}
		return out
	}
	places := func(a, b []*Entity) string {
		var out []string
		for _, p := range pairs(a, b, true) {
			mark := ""
			if p.loose {
				mark = "~"
			}
			out = append(out, fmt.Sprint(mark, slices.Index(a, p.old), ">", slices.Index(b, p.new)))
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	}
	for _, c := range []struct {
		old, new []*Entity
		want     string
	}{
		{list("a", "b", "a", "c", "a"), list("b", "a", "c", "a"), "1>0 2>1 3>2 4>3"},
		{list("b", "a", "c", "a"), list("a", "b", "a", "c", "a"), "0>1 1>2 2>3 3>4"},
		{list("a", "b", "a"), list("a", "b", "a"), "0>0 1>1 2>2"},
		{list("x", "f<1>(int)", "y"), list("x", "f<2>(int)", "y"), "0>0 2>2 ~1>1"},
		{list("a", "b"), list("b", "a"), "0>1 1>0"}, // moved, and still matched
	} {
		if got := places(c.old, c.new); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
