package export

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
)

// A counter is a track of samples.
type counter struct {
	id     uint64
	group  string // what is counted: a GPU, an adapter
	device int64  // of the group, to keep apart those of the same name
	name   string
	quoted []byte // for the sink
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

func (k samples) hash() uint64 { return uint64(k.device) + uint64(k.list)*3 + uint64(k.metric)*5 }

// counters hands over the counters of a table.
func (w *walker) counters(s sampled) error {
	if !w.tr.Has(s.table) {
		return nil
	}
	names, err := w.counterNames(s)
	if err != nil {
		return err
	}
	st := newStream[samples](w.held)
	all := map[samples]*counter{}
	err = w.tr.ScanColumns(w.ctx, s.table, []string{s.at, s.value, s.list, s.metric, s.device}, func(t *trace.Table) error {
		s.samples(t, func(k samples, at, _ int64) { st.note(st.line(k, k.hash()), at) })
		return nil
	})
	if err != nil {
		return err
	}
	st.seal()
	keys := slices.SortedFunc(slices.Values(st.keys), func(a, b samples) int {
		return cmp.Or(cmp.Compare(a.device, b.device), cmp.Compare(a.list, b.list), cmp.Compare(a.metric, b.metric))
	})
	for _, k := range keys {
		w.next++
		c := &counter{id: w.next, group: s.label, device: k.device, name: names[[2]int64{k.list, k.metric}]}
		c.name = cmp.Or(c.name, fmt.Sprintf("metric %d", k.metric))
		all[k] = c
		if err := w.out.counter(c); err != nil {
			return err
		}
	}
	emit := func(k int32, rows []row) error {
		c := all[st.keys[k]]
		if c == nil { // not there when the table was read first: the file changed
			return nil
		}
		for _, r := range rows {
			if err := w.out.sample(c, r.at, int64(r.more)); err != nil {
				return err
			}
		}
		return w.ctx.Err()
	}
	err = w.tr.ScanColumns(w.ctx, s.table, []string{s.at, s.value, s.list, s.metric, s.device}, func(t *trace.Table) error {
		s.samples(t, func(k samples, at, v int64) { st.add(st.line(k, k.hash()), row{at: at, more: uint64(v)}) })
		if st.full() {
			return st.flush(false, emit)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return st.flush(true, emit)
}

// samples yields the samples of a part of the table.
func (s sampled) samples(t *trace.Table, yield func(k samples, at, v int64)) {
	at, list, metric, device, value := t.Ints(s.at), t.Ints(s.list), t.Ints(s.metric), t.Ints(s.device), t.Ints(s.value)
	for i := range at {
		if t.IsNull(s.at, i) || t.IsNull(s.value, i) {
			continue
		}
		k := samples{device[i], list[i], metric[i]}
		if s.device == "" {
			k.device = list[i] & 0xff
		}
		yield(k, at[i], value[i])
	}
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
