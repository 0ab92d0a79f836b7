package export

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
)

// A counter is a track of samples, by time.
type counter struct {
	id     uint64
	group  string // what is counted: a GPU, an adapter
	device int64  // of the group, to keep apart those of the same name
	name   string
	at     []int64 // ns
	value  []int64
}

// A sampled table is one whose rows are samples of counters.
type sampled struct {
	table, at, value string
	list, metric     string // columns that together name the counter
	device           string // column that tells whose samples they are; "": the low byte of list
	names            string // table of the names
	nameList         string // its columns
	nameMetric, name string
	label            string
}

var sampledTables = []sampled{
	{table: "GPU_METRICS", at: "timestamp", value: "value", list: "typeId", metric: "metricId",
		names: "TARGET_INFO_GPU_METRICS", nameList: "typeId", nameMetric: "metricId", name: "metricName", label: "GPU metrics"},
	{table: "NET_NIC_METRIC", at: "start", value: "value", list: "metricsListId", metric: "metricsIdx", device: "globalId",
		names: "TARGET_INFO_NETWORK_METRICS", nameList: "metricsListId", nameMetric: "metricsIdx", name: "name", label: "NIC metrics"},
	{table: "NET_IB_SWITCH_METRIC", at: "start", value: "value", list: "metricsListId", metric: "metricsIdx", device: "globalId",
		names: "TARGET_INFO_NETWORK_METRICS", nameList: "metricsListId", nameMetric: "metricsIdx", name: "name", label: "InfiniBand switch metrics"},
}

// samples names a counter of a table.
type samples struct{ device, list, metric int64 }

// counters hands over the counters of a table.
func (w *walker) counters(s sampled) error {
	t, err := w.tr.Table(w.ctx, s.table, s.at, s.value, s.list, s.metric, s.device)
	if err != nil || t == nil || t.Rows == 0 {
		return err
	}
	defer w.tr.Forget(s.table)
	names, err := w.counterNames(s)
	if err != nil {
		return err
	}
	all := map[samples]*counter{}
	at, list, metric, device, value := t.Ints(s.at), t.Ints(s.list), t.Ints(s.metric), t.Ints(s.device), t.Ints(s.value)
	for i := range at {
		if t.IsNull(s.at, i) || t.IsNull(s.value, i) {
			continue
		}
		k := samples{device[i], list[i], metric[i]}
		if s.device == "" {
			k.device = list[i] & 0xff
		}
		c := all[k]
		if c == nil {
			c = &counter{group: s.label, device: k.device, name: names[[2]int64{k.list, k.metric}]}
			c.name = cmp.Or(c.name, fmt.Sprintf("metric %d", k.metric))
			all[k] = c
		}
		c.at, c.value = append(c.at, at[i]), append(c.value, value[i])
	}
	keys := slices.SortedFunc(maps.Keys(all), func(a, b samples) int {
		return cmp.Or(cmp.Compare(a.device, b.device), cmp.Compare(a.list, b.list), cmp.Compare(a.metric, b.metric))
	})
	for _, k := range keys {
		c := all[k]
		w.next++
		c.id = w.next
		c.sort()
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if err := w.out.counter(c); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) counterNames(s sampled) (map[[2]int64]string, error) {
	t, err := w.tr.Table(w.ctx, s.names, s.nameList, s.nameMetric, s.name)
	out := map[[2]int64]string{}
	if c := t.Col(s.name); err == nil && c != nil && c.Kind == trace.Texts {
		list, metric := t.Ints(s.nameList), t.Ints(s.nameMetric)
		for i, y := range c.Syms {
			out[[2]int64{list[i], metric[i]}] = w.tr.Strings.Text(y)
		}
	}
	return out, err
}

// sort puts the samples in the order of time, those of one time as they came.
func (c *counter) sort() {
	if slices.IsSorted(c.at) {
		return
	}
	order := make([]int, len(c.at))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.at[a], c.at[b]) })
	at, value := make([]int64, len(order)), make([]int64, len(order))
	for k, i := range order {
		at[k], value[k] = c.at[i], c.value[i]
	}
	c.at, c.value = at, value
}
