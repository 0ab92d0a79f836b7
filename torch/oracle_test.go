package torch

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/trace/interval"
)

func timelineOf(tb testing.TB, name string, python bool) (*Timeline, bool) {
	tb.Helper()
	f, err := load.Open(context.Background(), name)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = f.Close() })
	t, err := Read(context.Background(), f.Trace, python)
	if err != nil {
		tb.Fatal(err)
	}
	return t, true
}

// sheet reads a table of another program's answer; nil if it has none.
func sheet(tb testing.TB, folder, file, table string) []map[string]string {
	tb.Helper()
	name := filepath.Join(corpustest.Dir(tb), "oracle/kineto", folder, file+".json.gz")
	var a struct{ Tables map[string]string }
	if err := json.Unmarshal([]byte(corpustest.Gunzip(tb, name)), &a); err != nil {
		tb.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(a.Tables[table])).ReadAll()
	if err != nil || len(rows) < 2 {
		return nil
	}
	var out []map[string]string
	for _, r := range rows[1:] {
		m := map[string]string{}
		for i, v := range r {
			m[rows[0][i]] = v
		}
		out = append(out, m)
	}
	return out
}

func number(tb testing.TB, s string) float64 {
	tb.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

func near(got, want, relative float64) bool {
	return math.Abs(got-want) <= relative*math.Abs(want)+1e-9
}

// arrows are the files where memory sets have a call but no ac2g arrow, by which
// TraceLens finds calls: it leaves them out.
var arrows = map[string]bool{"AMD-AGI__TraceLens__mi300~ddp_resnet18_no_pool~train_resnet18.json.gz": true, "AMD-AGI__TraceLens__mi300~resnet_act_checkpoint.json.gz": true}

func TestTraceLensTimeline(t *testing.T) {
	compared := 0
	for _, name := range corpustest.Files(t, "corpus/kineto/*.json*") {
		base := filepath.Base(name)
		rows := sheet(t, "tracelens", base, "gpu_timeline")
		if rows == nil {
			continue
		}
		tl, _ := timelineOf(t, name, false)
		b := tl.breakdownAll(traceLens)
		got := map[string]int64{"computation_time": b.Compute, "exposed_comm_time": b.ExposedComm, "exposed_memcpy_time": b.ExposedCopy, "busy_time": b.Busy,
			"idle_time": b.Idle, "total_time": b.Total, "total_comm_time": b.Comm, "total_memcpy_time": b.Copies}
		if arrows[base] {
			continue
		}
		// TraceLens adds microseconds as float64: each time is off by half of the last bit.
		noise := float64(len(tl.Work.Start)) * 0.001 / 1e3
		for _, r := range rows {
			want := number(t, r["time ms"])
			if g := float64(got[r["type"]]) / 1e6; math.Abs(g-want) > 1e-6*math.Abs(want)+noise {
				t.Errorf("%s: %s is %v ms, TraceLens has %v (unlinked %d of %d)", base, r["type"], g, want, tl.Unlinked, len(tl.Work.Start))
			}
		}
		compared++
	}
	t.Logf("%d files", compared)
}

func TestHTABreakdown(t *testing.T) {
	compared := 0
	for _, name := range corpustest.Files(t, "corpus/kineto/*.json*") {
		base := filepath.Base(name)
		rows := sheet(t, "hta-exact", base, "temporal_breakdown")
		if len(rows) != 1 {
			continue
		}
		tl, _ := timelineOf(t, name, false)
		if tl.Unlinked > 0 && tl.Unlinked < len(tl.Work.Start) || streamed(t, tl) || len(tl.Work.Start) == 0 {
			continue
		}
		b := tl.breakdownAll(hta)
		for what, g := range map[string]int64{"idle_time(us)": b.Idle, "compute_time(us)": b.Compute, "non_compute_time(us)": b.Busy - b.Compute, "kernel_time(us)": b.Total} {
			if want := number(t, rows[0][what]); !near(float64(g)/1e3, want, 1e-4) && math.Abs(float64(g)/1e3-want) > 0.002 {
				t.Errorf("%s: %s is %v, HTA has %v (unlinked %d of %d)", base, what, float64(g)/1e3, want, tl.Unlinked, len(tl.Work.Start))
			}
		}
		compared++
	}
	t.Logf("%d files", compared)
}

// streamed reports whether operators say on which stream they launched, which
// HTA takes for work of the GPU.
func streamed(t *testing.T, tl *Timeline) bool {
	ops, err := tl.Trace.Table(t.Context(), "PYTORCH_OPS", "extraId")
	if err != nil {
		t.Fatal(err)
	}
	c := ops.Col("extraId")
	for i := 0; c != nil && i < ops.Rows; i++ {
		if !c.IsNull(i) && strings.Contains(tl.Name(c.Ints[i]), `"stream"`) {
			return true
		}
	}
	return false
}

// busyByName is the time, ns, in which at least one kernel ran that a call of an
// operator, or of the runtime where there is none, launched itself, added up over calls: TraceLens counts so, where kernels
// of one call overlap on several streams.
func busyByName(t *testing.T, tl *Timeline) map[string]int64 {
	calls := map[int32][]interval.Span{}
	for i := range tl.Work.Start {
		by := tl.operator(tl.Work.Owner[i])
		if by < 0 {
			by = tl.Work.Call[i]
		}
		if by >= 0 {
			calls[by] = append(calls[by], interval.Span{Start: tl.Work.Start[i], End: tl.Work.End[i]})
		}
	}
	busy := map[string]int64{}
	for by, spans := range calls {
		busy[tl.Name(tl.Host.Name[by])] += interval.Length(interval.UnionOf(spans))
	}
	return busy
}

// TestTraceLensOperators compares the device time of operators by name, and of
// kernels by operator.
func TestTraceLensOperators(t *testing.T) {
	compared, rows := 0, 0
	for _, name := range corpustest.Files(t, "corpus/kineto/*.json*") {
		base := filepath.Base(name)
		want := sheet(t, "tracelens", base, "ops_summary")
		if want == nil || arrows[base] {
			continue
		}
		tl, _ := timelineOf(t, name, false)
		if tl.Unlinked == len(tl.Work.Start) {
			continue
		}
		ops, err := tl.Operators(t.Context(), ByName)
		if err != nil {
			t.Fatal(err)
		}
		got, busy := map[string]Operator{}, busyByName(t, tl)
		for _, o := range ops {
			got[o.Name] = o
		}
		bad := 0
		for _, r := range want {
			w := number(t, r["total_direct_kernel_time_ms"])
			if g := float64(busy[r["name"]]) / 1e6; math.Abs(g-w) > 1e-6*w+float64(got[r["name"]].Kernels)*1e-6 {
				if bad++; bad < 4 {
					t.Errorf("%s: %s has %v ms, TraceLens %v (%d of %d unlinked)", base, r["name"], g, w, tl.Unlinked, len(tl.Work.Start))
				}
			}
			rows++
		}
		compared++
	}
	t.Logf("%d files, %d operators", compared, rows)
}

// TestTraceLensShapes compares the arithmetic of products, convolutions and
// attention.
func TestTraceLensShapes(t *testing.T) {
	compared := 0
	for _, name := range corpustest.Files(t, "corpus/kineto/AMD-AGI__TraceLens__*_10160*.json*") {
		base := filepath.Base(name)
		tl, _ := timelineOf(t, name, false)
		shapes, err := tl.Shapes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		flops := map[string]map[float64]bool{}
		for _, s := range shapes {
			if flops[s.Operator] == nil {
				flops[s.Operator] = map[float64]bool{}
			}
			flops[s.Operator][math.Round(s.FLOP)] = true
		}
		for _, kind := range []string{"GEMM", "CONV_fwd", "SDPA_fwd"} {
			for _, r := range sheet(t, "tracelens", base, kind) {
				op := r["name"]
				if arithmeticKinds[op] == "" {
					continue
				}
				compared++
				if want := math.Round(number(t, r["GFLOPS_first"]) * 1e9); !flops[op][want] {
					t.Errorf("%s: no %s of %v FLOP; there are %v", base, op, want, flops[op])
				}
			}
		}
	}
	t.Logf("%d shapes", compared)
}
