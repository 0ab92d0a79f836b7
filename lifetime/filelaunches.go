package lifetime

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/profile/cufilt"
	"github.com/gpuprof/gpuprof/profile/metric"
)

// TableLaunches reads a kernel table (.sim.csv), ours or GainSight's, and makes an action
// of every kernel, with the metrics that [Launches] gives those of a log. The table does
// not state the clock that its times were made with.
func TableLaunches(in io.Reader, name string) (*profile.Report, error) {
	rows, err := ReadKernelCSV(in, name)
	if err != nil && len(rows) == 0 {
		return nil, err
	}
	r := newFileReport(name, err)
	for i := range rows {
		k := rows[i]
		addKernel(r, k.Name, k.ID, func() []profile.Metric { return tableMetrics(&k) })
	}
	return r, nil
}

func newFileReport(name string, err error) *profile.Report {
	r := &profile.Report{File: name, Ranges: []profile.Range{{}}}
	if err != nil {
		r.Problems = append(r.Problems, profile.Problem{Text: err.Error()})
	}
	return r
}

func addKernel(r *profile.Report, name string, id int64, metrics func() []profile.Metric) {
	a := profile.NewAction(profile.Measured(metrics))
	a.Unsized = true
	a.ID = int(max(id, 0) & math.MaxInt32)
	a.Mangled, a.Demangled = name, cufilt.Filter(name)
	a.Function = functionName(a.Demangled)
	r.Ranges[0].Actions = append(r.Ranges[0].Actions, a)
}

// fileMetrics collects metrics; what a file does not tell is none.
type fileMetrics []profile.Metric

func (ms *fileMetrics) whole(name string, n int64) {
	if n > 0 {
		*ms = append(*ms, profile.NewMetric(name, metric.Uint64(uint64(n)), nil))
	}
}

func (ms *fileMetrics) real(name string, v float64) {
	if !math.IsNaN(v) {
		*ms = append(*ms, profile.NewMetric(name, metric.Double(v), nil))
	}
}

func tableMetrics(k *KernelRow) []profile.Metric {
	var ms fileMetrics
	ms.whole("sm__cycles_elapsed.max", k.Cycles)
	for _, level := range []struct {
		unit string
		row  *LevelRow
	}{{"l1d", &k.L1}, {"l2", &k.L2}} {
		ms.real(level.unit+"__lifetime_time_duration.avg", level.row.MeanUS*1000)
		ms.real(level.unit+"__lifetime_time_duration.max", level.row.MaxUS*1000)
		ms.real(level.unit+"__lifetime_median_time_duration", level.row.MedianUS*1000)
		ms.real(level.unit+"__lifetime_p90_time_duration", level.row.P90US*1000)
		ms.real(level.unit+"__read_mhz", level.row.ReadMHz)
		ms.real(level.unit+"__write_mhz", level.row.WriteMHz)
		ms.real(level.unit+"__used.pct", level.row.Utilization*100)
		ms.whole(level.unit+"__unique_blocks.sum", level.row.Unique)
	}
	return ms
}

// LifetimeLaunches reads a lifetime file (.sim_l1.csv, .sim_l2.csv) and makes an action of
// every kernel that has lifetimes there. The file does not name them.
func LifetimeLaunches(in io.Reader, name string) (*profile.Report, error) {
	of := map[int64]*Distribution{}
	var order []int64
	err := ReadLifetimes(in, name, func(kernel, cycles int64) {
		d := of[kernel]
		if d == nil && len(of) < maxFileKernels {
			d = &Distribution{}
			of[kernel] = d
			order = append(order, kernel)
		}
		if d != nil {
			d.Add(cycles)
		}
	})
	if err != nil && len(order) == 0 {
		return nil, err
	}
	r := newFileReport(name, err)
	if len(of) == maxFileKernels {
		r.Problems = append(r.Problems, profile.Problem{Text: fmt.Sprintf("%s: of kernels behind the first %d nothing is shown", name, maxFileKernels)})
	}
	for _, id := range order {
		d := of[id]
		addKernel(r, "kernel "+strconv.FormatInt(id, 10), id, func() []profile.Metric {
			var ms fileMetrics
			ms.whole("lifetimes.sum", int64(d.N()))
			ms.real("lifetime_cycles.avg", d.Mean())
			ms.real("lifetime_cycles.max", float64(d.Max()))
			ms.real("lifetime_median_cycles", d.Quantile(0.5))
			ms.real("lifetime_p90_cycles", d.Quantile(0.9))
			return ms
		})
	}
	return r, nil
}

// maxFileKernels is how many kernels of a lifetime file are told apart: each holds its
// lifetimes by length.
const maxFileKernels = 10_000
