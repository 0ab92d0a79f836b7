package stats

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/view"
)

const tableMetrics = "GPU_METRICS"

// A gpuMetricKey is a counter of a GPU.
type gpuMetricKey struct{ typ, metric int64 }

// samples are those of a counter by time, with sums up to each for means.
type samples struct {
	gpuMetricKey
	gpu   int64
	name  string
	at    []int64
	value []int64
	sums  []float64 // of all before; one more than samples
}

// gpuSamples reads the counters, those of a GPU together.
func gpuSamples(ctx context.Context, q *Request) ([]*samples, error) {
	t, err := q.Trace.Table(ctx, tableMetrics, "timestamp", "typeId", "metricId", "value")
	if err != nil {
		return nil, err
	}
	if t == nil || t.Rows == 0 {
		return nil, skipf("the trace has no sampled counters of GPUs: there is no table %s", tableMetrics)
	}
	names, err := q.Trace.Table(ctx, "TARGET_INFO_GPU_METRICS", "typeId", "metricId", "metricName")
	if err != nil {
		return nil, err
	}
	called := map[gpuMetricKey]string{}
	if c := names.Col("metricName"); c != nil && c.Kind == trace.Texts {
		metric := names.Ints("metricId")
		for i, typ := range names.Ints("typeId") {
			called[gpuMetricKey{typ, metric[i]}] = q.Trace.Strings.Text(c.Syms[i])
		}
	}
	by := map[gpuMetricKey]*samples{}
	var all []*samples
	at, metric, value := t.Ints("timestamp"), t.Ints("metricId"), t.Ints("value")
	for i, typ := range t.Ints("typeId") {
		if t.IsNull("timestamp", i) || q.Filter != nil && (at[i] < q.Filter.Start || at[i] > q.Filter.End) {
			continue
		}
		k := gpuMetricKey{typ, metric[i]}
		s := by[k]
		if s == nil {
			s = &samples{gpuMetricKey: k, gpu: typ & 0xff, name: called[k]}
			by[k] = s
			all = append(all, s)
		}
		s.at, s.value = append(s.at, at[i]), append(s.value, value[i])
	}
	slices.SortFunc(all, func(a, b *samples) int {
		return cmp.Or(cmp.Compare(a.gpu, b.gpu), cmp.Compare(a.name, b.name), cmp.Compare(a.typ, b.typ), cmp.Compare(a.metric, b.metric))
	})
	for _, s := range all {
		s.finish()
	}
	if len(all) == 0 {
		return nil, skipf("the trace has no sampled counters of GPUs%s", q.suffix())
	}
	return all, nil
}

func (s *samples) finish() {
	order := byTime(s.at)
	at, value := make([]int64, len(order)), make([]int64, len(order))
	s.sums = make([]float64, len(order)+1)
	for k, i := range order {
		at[k], value[k] = s.at[i], s.value[i]
		s.sums[k+1] = s.sums[k] + float64(s.value[i])
	}
	s.at, s.value = at, value
}

// A gathering adds up samples.
type gathering struct {
	n, min, max int64
	sum         float64
}

// add takes the samples of a stretch of time, its end left out. The value of a
// sample is what was counted since the one before it.
func (g *gathering) add(s *samples, start, end int64) {
	i := sort.Search(len(s.at), func(k int) bool { return s.at[k] >= start })
	j := i + sort.Search(len(s.at)-i, func(k int) bool { return s.at[i+k] >= end })
	for _, v := range s.value[i:j] {
		if g.n == 0 || v < g.min {
			g.min = v
		}
		if g.n == 0 || v > g.max {
			g.max = v
		}
		g.n++
	}
	g.sum += s.sums[j] - s.sums[i]
}

func (g *gathering) cells() []view.Value {
	if g.n == 0 {
		return []view.Value{view.Null, view.Null, view.Null, view.Int(0, "")}
	}
	return []view.Value{view.Float(g.sum/float64(g.n), ""), view.Int(g.min, ""), view.Int(g.max, ""), view.Int(g.n, "")}
}

// metricColumns are GPU, metric, mean, min, max and number of samples.
func metricColumns(more ...view.Column) []view.Column {
	mean := decimal("Mean")
	mean.Role = view.RoleMean
	mean.Number = &view.NumberStyle{Decimals: 2}
	return append([]view.Column{count("GPU"), text("Metric"), mean, count("Min"), count("Max"), count("Samples")}, more...)
}

var gpuMetricsSum = &Report{
	Name: "gpu_metrics_sum", Title: "GPU Metrics Summary",
	Short: "mean, min and max of every sampled counter of GPUs; a report of gpuprof's own",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		all, err := gpuSamples(ctx, q)
		if err != nil {
			return nil, err
		}
		out := table(metricColumns()...)
		out.Link = nil
		for _, s := range all {
			var g gathering
			g.add(s, s.at[0], 1<<63-1)
			out.Rows = append(out.Rows, append([]view.Value{view.Int(s.gpu, ""), view.String(s.name)}, g.cells()...))
		}
		return out, nil
	},
}

// A stay is a stretch of time of something that has a name; GPU -1: of all.
type stay struct {
	span
	gpu  int64
	name int32
}

// metricsWhile has a row for each name and counter that has samples in its
// stretches.
func metricsWhile(q *Request, all []*samples, stays []stay, names []string, what view.Column) *view.Table {
	out := table(metricColumns(what)...)
	for _, s := range all {
		found := make([]gathering, len(names))
		for _, x := range stays {
			if x.gpu < 0 || x.gpu == s.gpu {
				found[x.name].add(s, x.Start, x.End)
			}
		}
		order := make([]int, 0, len(names))
		for i := range found {
			if found[i].n > 0 {
				order = append(order, i)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(found[b].n, found[a].n) })
		for _, i := range order {
			row := append([]view.Value{view.Int(s.gpu, ""), view.String(s.name)}, found[i].cells()...)
			out.Rows = append(out.Rows, append(row, view.String(names[i])))
		}
	}
	return out
}

var gpuMetricsKernSum = &Report{
	Name: "gpu_metrics_kern_sum", Title: "GPU Metrics by Kernel",
	Short: "mean, min and max of the sampled counters while a kernel ran on the GPU, whatever else ran beside it; a report of gpuprof's own", Args: kernelArgs[:2],
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		all, err := gpuSamples(ctx, q)
		if err != nil {
			return nil, err
		}
		col := kernelColumn(q)
		t, err := q.table(ctx, "kernels", trace.TableKernel, "start", "end", "deviceId", col, "demangledName")
		if err != nil {
			return nil, err
		}
		g, ids := groupInts(mangledOr(t, col).Ints(col))
		var stays []stay
		start, end, device := t.Ints("start"), t.Ints("end"), t.Ints("deviceId")
		for i, n := range g.of {
			stays = append(stays, stay{span{Start: start[i], End: end[i]}, device[i], n})
		}
		var names []string
		for _, id := range ids {
			names = append(names, q.Trace.NameText(id))
		}
		return metricsWhile(q, all, stays, names, kernelName), nil
	},
}

var gpuMetricsNvtxSum = &Report{
	Name: "gpu_metrics_nvtx_sum", Title: "GPU Metrics by NVTX Range",
	Short: "mean, min and max of the sampled counters while an NVTX range was open on the host; a report of gpuprof's own",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		all, err := gpuSamples(ctx, q)
		if err != nil {
			return nil, err
		}
		r, err := q.ranges(ctx)
		if err != nil {
			return nil, err
		}
		name, err := rangeNames(ctx, q.Trace, r)
		if err != nil {
			return nil, err
		}
		g, names := groupBy(r.Len(), name)
		var stays []stay
		for i, n := range g.of {
			stays = append(stays, stay{span{Start: r.Start[i], End: r.End[i]}, -1, n})
		}
		return metricsWhile(q, all, stays, names, text("NVTX Range")), nil
	},
}
