package trace

import (
	"cmp"
	"context"
	"fmt"
)

// A SampledTable is one whose rows are samples of counters.
type SampledTable struct {
	Table, At, Value string // table, and its columns of times, ns, and of values
	List, Metric     string // columns that together name the counter; may be ""
	Device           string // column that tells whose samples they are; "": the low byte of List
	Names            string // table of the names; "": the label is the name
	NameList         string // its columns
	NameMetric, Name string
	Label            string
}

var sampledTables = []SampledTable{
	{Table: "GPU_METRICS", At: "timestamp", Value: "value", List: "typeId", Metric: "metricId",
		Names: "TARGET_INFO_GPU_METRICS", NameList: "typeId", NameMetric: "metricId", Name: "metricName", Label: "GPU metrics"},
	{Table: "SOC_METRICS", At: "timestamp", Value: "value", List: "typeId", Metric: "metricId",
		Names: "TARGET_INFO_SOC_METRICS", NameList: "typeId", NameMetric: "metricId", Name: "metricName", Label: "SoC metrics"},
	{Table: "NET_NIC_METRIC", At: "start", Value: "value", List: "metricsListId", Metric: "metricsIdx", Device: "globalId",
		Names: "TARGET_INFO_NETWORK_METRICS", NameList: "metricsListId", NameMetric: "metricsIdx", Name: "name", Label: "NIC metrics"},
	{Table: "NET_IB_SWITCH_METRIC", At: "start", Value: "value", List: "metricsListId", Metric: "metricsIdx", Device: "globalId",
		Names: "TARGET_INFO_NETWORK_METRICS", NameList: "metricsListId", NameMetric: "metricsIdx", Name: "name", Label: "InfiniBand switch metrics"},
	{Table: "GPU_MEMORY_USAGE_EVENTS", At: "timestamp", Value: "newUsage", Metric: "segmentGroup", Device: "gpu", Label: "GPU memory usage"},
	{Table: "GPU_MEMORY_BUDGET_EVENTS", At: "timestamp", Value: "newBudget", Metric: "segmentGroup", Device: "gpu", Label: "GPU memory budget"},
	{Table: "DEMOTED_BYTES_EVENTS", At: "timestamp", Value: "commitment", Device: "gpu", Label: "Demoted bytes"},
	{Table: "TOTAL_BYTES_RESIDENT_IN_SEGMENT_EVENTS", At: "timestamp", Value: "totalBytesResident", Metric: "segmentId", Device: "gpu", Label: "Bytes resident"},
	{Table: TableMemoryUsage, At: "start", Value: "bytes", Metric: "memKind", Device: "deviceId", Label: "Device memory in use"},
}

// SampledTables are the tables of the trace whose rows are samples of counters. Of
// CUDA_GPU_MEMORY_USAGE_EVENTS the samples are those of [Trace.Samples].
func (t *Trace) SampledTables() []SampledTable {
	var out []SampledTable
	for _, s := range sampledTables {
		if t.Has(s.Table) {
			out = append(out, s)
		}
	}
	return out
}

// A CounterKey names a counter of a table.
type CounterKey struct{ Device, List, Metric int64 }

// Samples yields the samples of a table in the order of the file; those of memory
// in use by time.
func (t *Trace) Samples(ctx context.Context, s SampledTable, yield func(k CounterKey, at, value int64)) error {
	if s.Table == TableMemoryUsage {
		all, err := t.Table(ctx, s.Table, MemoryColumns...)
		if err != nil || all == nil {
			return err
		}
		at := all.Ints("start")
		ReplayMemory(all, func(i int, u *MemoryUse) { yield(CounterKey{u.Device, int64(u.Process), u.Kind}, at[i], u.Used) })
		return ctx.Err()
	}
	return t.ScanColumns(ctx, s.Table, []string{s.At, s.Value, s.List, s.Metric, s.Device}, func(p *Table) error {
		at, list, metric, device, value := p.Ints(s.At), p.Ints(s.List), p.Ints(s.Metric), p.Ints(s.Device), p.Ints(s.Value)
		for i := range at {
			if p.IsNull(s.At, i) || p.IsNull(s.Value, i) {
				continue
			}
			k := CounterKey{device[i], list[i], metric[i]}
			if s.Device == "" {
				k.Device = list[i] & 0xff
			}
			yield(k, at[i], value[i])
		}
		return nil
	})
}

// CounterNames tells the names of the counters of a table.
func (t *Trace) CounterNames(ctx context.Context, s SampledTable) (func(CounterKey) string, error) {
	if s.Names == "" {
		return func(k CounterKey) string {
			switch {
			case s.Table == TableMemoryUsage:
				return fmt.Sprintf("%s, process %d", t.Label(ctx, "ENUM_CUDA_MEM_KIND", k.Metric), GlobalID(k.List).PID())
			case s.Metric == "":
				return s.Label
			}
			return fmt.Sprintf("%s %d", s.Label, k.Metric)
		}, nil
	}
	names, err := t.Table(ctx, s.Names, s.NameList, s.NameMetric, s.Name)
	if err != nil {
		return nil, err
	}
	of := map[[2]int64]string{}
	if c := names.Col(s.Name); c != nil && c.Kind == Texts {
		list, metric := names.Ints(s.NameList), names.Ints(s.NameMetric)
		for i, y := range c.Syms {
			of[[2]int64{list[i], metric[i]}] = t.Strings.Text(y)
		}
	}
	return func(k CounterKey) string {
		return cmp.Or(of[[2]int64{k.List, k.Metric}], fmt.Sprintf("metric %d", k.Metric))
	}, nil
}
