package lifetime_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/gpuprof/gpuprof/internal/corpustest"
	"github.com/gpuprof/gpuprof/lifetime"
)

func openCorpus(t *testing.T, name string) simlog.Source {
	t.Helper()
	src, err := simlog.Open(context.Background(), filepath.Join(corpustest.Dir(t), "corpus/sim", name), simlog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return src
}

func analyze(t *testing.T, src simlog.Source, s lifetime.Settings) *lifetime.Analysis {
	t.Helper()
	a, err := lifetime.Analyze(context.Background(), src, s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// onlyLoads makes every access a load, so that each block has one lifetime as long
// as it is not evicted.
type onlyLoads struct{ simlog.Source }

func (o onlyLoads) Next() (*simlog.Batch, error) {
	b, err := o.Source.Next()
	if err == nil {
		for i, info := range b.Info {
			b.Info[i] = simlog.MakeInfo(info.Level(), simlog.OpLoad, info.Status(), info.Unit(), info.Bank())
		}
	}
	return b, err
}

func kernelLine(m *lifetime.Machine, l lifetime.KernelLevel) string {
	cycles := func(us float64) float64 { return math.Round(us*m.ClockMHz*1e6) / 1e6 }
	return fmt.Sprintf("%s loads %d stores %d retries %d unique %d lifetimes %d median %v p90 %v max %v merged %d rewritten %d refilled %d", l.Name, l.Loads, l.Stores, l.Retries,
		l.Unique, l.Lifetimes, cycles(l.MedianUS), cycles(l.P90US), cycles(l.MaxUS), l.Merged, l.Rewritten, l.Refilled)
}

// A real run: every count of ours equals the simulator's own, which needs retries
// left out and merged misses told from fills.
func TestCorpusReconciles(t *testing.T) {
	a := analyze(t, openCorpus(t, "accel-sim/gslog_h100_elementwise_gemv.log.gz"), lifetime.Settings{})
	checked, broken := a.Broken()
	if checked != 16 || len(broken) != 0 {
		t.Errorf("%d checks, broken: %v", checked, broken)
	}
	if got := a.Kernels[1].Checks[4].String(); got != "L2 accesses: 148480 counted = L2_total_cache_accesses" {
		t.Error(got)
	}
	want := []string{
		"L1D loads 2048 stores 8 retries 1357 unique 1153 lifetimes 1160 median 6473 p90 13724.1 max 13826 merged 344 rewritten 7 refilled 0",
		"L2 loads 147456 stores 1024 retries 16703 unique 131328 lifetimes 132224 median 6409 p90 11066.7 max 13662 merged 371 rewritten 896 refilled 0",
	}
	var got []string
	for _, l := range a.Kernels[1].Levels {
		got = append(got, kernelLine(&a.Machine, l))
	}
	if d := gocmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if a.Machine.ClockMHz != 1132 || a.Machine.ClockFrom != "stated by the log" {
		t.Errorf("clock %v %s", a.Machine.ClockMHz, a.Machine.ClockFrom)
	}
}

// Taken as misses that each fill, the pending hits of the same run make lifetimes
// that never were, and the counts say so.
func TestCorpusWithoutMerging(t *testing.T) {
	a := analyze(t, openCorpus(t, "accel-sim/gslog_h100_elementwise_gemv.log.gz"), lifetime.Settings{Options: lifetime.Options{MergeWindow: -1}})
	_, broken := a.Broken()
	var got []string
	for _, c := range broken {
		got = append(got, c.String())
	}
	want := []string{
		"L1D misses: 1497 counted, L1D_cache_core[0].Miss = 1153, difference +344",
		"L1D pending hits: 0 counted, L1D_cache_core[0].Pending_hits = 344, difference -344",
		"L2 misses: 131699 counted, L2_total_cache_misses = 131328, difference +371",
		"L2 pending hits: 0 counted, L2_total_cache_pending_hits = 371, difference -371",
	}
	if d := gocmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// One lifetime for each block of the GEMV, from its fill to the kernel's end; and
// from its first to its last access, where nearly all are zero.
func TestCorpusGEMV(t *testing.T) {
	a := analyze(t, onlyLoads{openCorpus(t, "accel-sim/gslog_h100_elementwise_gemv.log.gz")}, lifetime.Settings{})
	want := []string{
		"L1D loads 2056 stores 0 retries 1357 unique 1153 lifetimes 1153 median 6473 p90 13724.8 max 13826 merged 344 rewritten 0 refilled 0",
		"L2 loads 148480 stores 0 retries 16703 unique 131328 lifetimes 131328 median 6433 p90 11079 max 13662 merged 371 rewritten 0 refilled 0",
	}
	var got []string
	for _, l := range a.Kernels[1].Levels {
		got = append(got, kernelLine(&a.Machine, l))
	}
	if d := gocmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if n, _ := a.Total("L2").Lifetimes.Within(0); n != 0 {
		t.Errorf("%d lifetimes of 0", n)
	}
	a = analyze(t, onlyLoads{openCorpus(t, "accel-sim/gslog_h100_elementwise_gemv.log.gz")}, lifetime.Settings{Options: lifetime.Options{End: lifetime.AtLastRead}})
	if n, _ := a.Total("L2").Lifetimes.Within(0); n != 14080+131072 {
		t.Errorf("%d lifetimes of 0 in the L2 by last read", n)
	}
	if l := a.Kernels[1].Levels[1]; l.MedianUS != 0 || l.Lifetimes != 131328 {
		t.Errorf("by last read: %+v", l)
	}
}

func TestCorpusTruncated(t *testing.T) {
	a := analyze(t, openCorpus(t, "accel-sim/gslog_h100_matmul_TRUNCATED.log.gz"), lifetime.Settings{})
	k := a.Kernels[0]
	if k.Complete || k.EndAt != 37064 || k.Cycles != 37064 || len(k.Checks) != 0 {
		t.Errorf("kernel %+v", k)
	}
	want := []string{
		"L1D loads 4410 stores 0 retries 46 unique 1778 lifetimes 1778 median 6724 p90 20762.1 max 32034 merged 1862 rewritten 0 refilled 0",
		"L2 loads 201462 stores 0 retries 117790 unique 3857 lifetimes 3857 median 13096 p90 29398.4 max 31872 merged 5857 rewritten 0 refilled 0",
	}
	var got []string
	for _, l := range k.Levels {
		got = append(got, kernelLine(&a.Machine, l))
	}
	if d := gocmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestCorpusStock(t *testing.T) {
	a := analyze(t, openCorpus(t, "accel-sim/stock_trace_h100_elementwise.log.gz"), lifetime.Settings{})
	checked, broken := a.Broken()
	if checked != 4 || len(broken) != 0 {
		t.Errorf("%d checks, broken: %v", checked, broken)
	}
	l := a.Kernels[0].Levels[0]
	if l.Name != "L2" || l.Unknown != 14080 || l.Lifetimes != 14080 || l.Open != 14080 {
		t.Errorf("%+v", l)
	}
	if len(a.Notes) != 1 || !strings.Contains(a.Notes[0].Text, "does not call load or store") {
		t.Errorf("notes %v", a.Notes)
	}
}

// SCALE-Sim: each weight is written once by the DRAM and read for the rest of the
// layer, each result is written and drained.
func TestCorpusScaleSim(t *testing.T) {
	a := analyze(t, openCorpus(t, "scale-sim/golden_ws"), lifetime.Settings{Machine: lifetime.Machine{ClockMHz: 1000}})
	var got []string
	for _, l := range a.Kernels[0].Levels {
		got = append(got, kernelLine(&a.Machine, l))
	}
	want := []string{
		"IFMAP loads 262144 stores 0 retries 0 unique 65536 lifetimes 65536 median 49202 p90 55472 max 55692 merged 0 rewritten 0 refilled 0",
		"FILTER loads 32768 stores 32768 retries 0 unique 32768 lifetimes 32768 median 57364 p90 58675 max 59002 merged 0 rewritten 0 refilled 0",
		"OFMAP loads 262144 stores 262144 retries 0 unique 32768 lifetimes 262144 median 350 p90 10718 max 42844 merged 0 rewritten 229376 refilled 0",
	}
	if d := gocmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
