package lifetime

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/cufilt"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// Launches analyses the log of a GPU simulator, of which name is for messages, and
// makes an action of every kernel. Its metrics are the simulator's statistics under
// their own names, those of them that a profiler has too under the profiler's, and
// the lifetimes of data in each memory level. A log that ends within a kernel gives
// what came before, and the analysis with the error.
func Launches(ctx context.Context, src simlog.Source, name string) (*profile.Report, *Analysis, error) {
	k := &kernelSource{Source: src}
	a, err := Analyze(ctx, k, Settings{})
	if a == nil || ctx.Err() != nil {
		return nil, nil, err
	}
	r := &profile.Report{File: name, Ranges: []profile.Range{{}}}
	for _, n := range a.Notes {
		r.Problems = append(r.Problems, profile.Problem{Text: name + ": " + n.String()})
	}
	if err != nil {
		r.Problems = append(r.Problems, profile.Problem{Text: fmt.Sprintf("%s: %v", name, err)})
	}
	if c := a.Config; c.SMs > 0 {
		d := profile.Device{Name: "simulated GPU"}
		for _, at := range []struct {
			name string
			v    int64
		}{{"multiprocessor_count", c.SMs}, {"l2_cache_size", c.L2Bytes}, {"clock_rate", int64(c.ClockMHz * 1000)}} {
			if at.v > 0 {
				d.Attributes = append(d.Attributes, profile.DeviceAttribute{Name: at.name, Value: metric.Uint64(uint64(at.v))})
			}
		}
		r.Devices = []profile.Device{d}
	}
	for i, kernel := range k.kernels {
		r.Ranges[0].Actions = append(r.Ranges[0].Actions, launch(a, kernel, &a.Kernels[i]))
	}
	return r, a, err
}

// kernelSource keeps the kernels that pass.
type kernelSource struct {
	simlog.Source
	kernels []*simlog.Kernel
}

func (k *kernelSource) Next() (*simlog.Batch, error) {
	b, err := k.Source.Next()
	if err == nil {
		for _, e := range b.Events {
			if e.Kind == simlog.KernelEnd {
				k.kernels = append(k.kernels, lean(e.Kernel))
			}
		}
	}
	return b, err
}

// lean copies a kernel without the statistics of single cores and banks, which are
// many and add up to the totals that are there as well.
func lean(k *simlog.Kernel) *simlog.Kernel {
	out := *k
	out.Stats, out.Delta = nil, nil
	for _, s := range k.Delta {
		if !strings.Contains(s.Name, "_core[") && !strings.Contains(s.Name, "_bank[") {
			out.Delta = append(out.Delta, s)
		}
	}
	return &out
}

func launch(a *Analysis, k *simlog.Kernel, sum *KernelSummary) *profile.Action {
	out := profile.NewAction(profile.Measured(func() []profile.Metric { return launchMetrics(a, k, sum) }))
	out.ID = k.Index
	out.Mangled = k.Name
	out.Demangled = cufilt.Filter(k.Name)
	out.Function = functionName(out.Demangled)
	if out.Unsized = true; k.Grid != [3]int{} {
		out.Grid, out.Block = dims(k.Grid), dims(k.Block)
	}
	out.Stream = uint32(max(k.Stream, 0))
	return out
}

// functionName is a demangled name without result type, namespaces and arguments.
func functionName(s string) string {
	if i := strings.IndexAny(s, "(<"); i > 0 {
		s = s[:i]
	}
	s = s[strings.LastIndexByte(s, ' ')+1:]
	return s[strings.LastIndexByte(s, ':')+1:]
}

func dims(d [3]int) (out [3]uint64) {
	for i, n := range d {
		out[i] = uint64(max(n, 1))
	}
	return out
}

// launchMetrics are the metrics of a kernel.
func launchMetrics(a *Analysis, k *simlog.Kernel, sum *KernelSummary) []profile.Metric {
	var ms []profile.Metric
	count := func(name string, n int64) {
		if n > 0 {
			ms = append(ms, profile.NewMetric(name, metric.Uint64(uint64(n)), nil))
		}
	}
	double := func(name string, v float64) {
		if !math.IsNaN(v) {
			ms = append(ms, profile.NewMetric(name, metric.Double(v), nil))
		}
	}
	if k.Grid != [3]int{} {
		for i, axis := range []string{"x", "y", "z"} {
			count("launch__grid_dim_"+axis, int64(k.Grid[i]))
			count("launch__block_dim_"+axis, int64(k.Block[i]))
		}
		count("launch__grid_size", int64(k.Grid[0])*int64(k.Grid[1])*int64(k.Grid[2]))
		count("launch__block_size", int64(k.Block[0])*int64(k.Block[1])*int64(k.Block[2]))
	}
	count("launch__registers_per_thread", k.Registers)
	count("launch__shared_mem_per_block", k.SharedBytes)
	count("launch__stream_id", k.Stream)
	count("sm__cycles_elapsed.max", sum.Cycles)
	count("smsp__thread_inst_executed.sum", k.Instructions)
	if a.Config.ClockMHz > 0 { // an assumed clock is none to compare durations by
		double("gpu__time_duration.sum", a.Machine.NS(float64(sum.Cycles)))
	}
	for i := range sum.Levels {
		lv := &sum.Levels[i]
		unit := strings.ToLower(lv.Name)
		count(unit+"__accesses_load.sum", lv.Loads)
		count(unit+"__accesses_store.sum", lv.Stores)
		count(unit+"__lifetimes.sum", int64(lv.Lifetimes))
		if a.Config.ClockMHz > 0 {
			double(unit+"__lifetime_time_duration.avg", lv.MeanUS*1000)
			double(unit+"__lifetime_time_duration.max", lv.MaxUS*1000)
			double(unit+"__lifetime_median_time_duration", lv.MedianUS*1000)
			double(unit+"__lifetime_p90_time_duration", lv.P90US*1000)
		}
		double(unit+"__lifetimes_never_reused.pct", lv.NeverReused*100)
	}
	for _, s := range k.Delta {
		double(s.Name, s.Value)
	}
	return ms
}
