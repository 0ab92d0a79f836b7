package stats

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/trace"
	"github.com/gpuprof/gpuprof/trace/interval"
	"github.com/gpuprof/gpuprof/view"
)

// A metricKey is a metric of a list of network counters.
type metricKey struct{ list, index int64 }

var networkCongestion = &Report{
	Name: "network_congestion", Old: []string{"networkcongestion"}, Title: "Network Devices Congestion",
	Args:  []Arg{{Name: "ticks_threshold", Value: true, Default: "10000", Help: "report stretches with more than so many ticks a millisecond"}},
	Short: "stretches in which network adapters had to wait before they could send",
	Build: func(ctx context.Context, q *Request) (*view.Table, error) {
		names, err := q.table(ctx, "network counters", "TARGET_INFO_NETWORK_METRICS", "metricsListId", "metricsIdx", "name")
		if err != nil {
			return nil, err
		}
		waits := map[metricKey]bool{}
		list, index := names.Ints("metricsListId"), names.Ints("metricsIdx")
		if c := names.Col("name"); c != nil && c.Kind == trace.Texts {
			for i, y := range c.Syms {
				n := strings.ToLower(q.Trace.Strings.Text(y))
				if strings.Contains(n, "send") && strings.Contains(n, "wait") {
					waits[metricKey{list[i], index[i]}] = true
				}
			}
		}
		adapters, err := adapterNames(ctx, q)
		if err != nil {
			return nil, err
		}
		out := table(nanoseconds("Start"), nanoseconds("End"), nanoseconds("Duration"), decimal("Send Wait Rate"), address("GUID"), text("Name"))
		var none error
		for _, from := range []string{"NET_NIC_METRIC", "NET_IB_SWITCH_METRIC"} {
			t, err := q.table(ctx, "samples of network adapters or switches", from, "start", "end", "globalId", "metricsListId", "metricsIdx", "value")
			if _, skip := err.(*Skip); skip {
				if from == "NET_NIC_METRIC" {
					none = err
				}
				continue
			}
			if err != nil {
				return nil, err
			}
			none = nil
			congested(out, t, waits, float64(q.integer("ticks_threshold", 10000)), func(id int64) (guid int64, name string) {
				if from == "NET_IB_SWITCH_METRIC" {
					return switchGUID(id, adapters), "" // as documented, a switch has no name
				}
				return adapters[id].guid, adapters[id].name
			})
		}
		if none != nil {
			return nil, none
		}
		slices.SortStableFunc(out.Rows, func(a, b []view.Value) int { return cmp.Compare(int64(a[0].Uint64()), int64(b[0].Uint64())) })
		return out, nil
	},
}

// congested adds the samples in which a device waited more ticks a millisecond
// than most.
func congested(out *view.Table, t *trace.Table, waits map[metricKey]bool, most float64, device func(id int64) (guid int64, name string)) {
	start, end, id, value := t.Ints("start"), t.Ints("end"), t.Ints("globalId"), t.Ints("value")
	list, index := t.Ints("metricsListId"), t.Ints("metricsIdx")
	for i := range start {
		d := interval.Lasts(start[i], end[i])
		if !waits[metricKey{list[i], index[i]}] || d <= 0 {
			continue
		}
		if rate := float64(value[i]) / float64(d) * 1e6; rate > most {
			guid, name := device(id[i])
			out.Rows = append(out.Rows, []view.Value{view.Int(start[i], ns), view.Int(end[i], ns), view.Int(d, ns), view.Float(rate, ""), view.Hex(uint64(guid)), view.String(name)})
		}
	}
}

// switchGUID is the GUID of an InfiniBand switch: where no table of adapters
// knows its number, the number itself. That it is one is a guess.
func switchGUID(id int64, known map[int64]adapter) int64 {
	if a, ok := known[id]; ok {
		return a.guid
	}
	return id
}

type adapter struct {
	guid int64
	name string
}

// adapterNames are the network adapters by the GlobalId of their samples.
func adapterNames(ctx context.Context, q *Request) (map[int64]adapter, error) {
	info, err := q.Trace.Table(ctx, "TARGET_INFO_NIC_INFO", "GUID", "nicId", "name")
	if err != nil || info == nil {
		return nil, err
	}
	byNIC := map[int64]adapter{}
	guid, names := info.Ints("GUID"), info.Col("name")
	for i, nic := range info.Ints("nicId") {
		a := adapter{guid: guid[i]}
		if names != nil && names.Kind == trace.Texts {
			a.name = q.Trace.Strings.Text(names.Syms[i])
		}
		byNIC[nic] = a
	}
	ids, err := q.Trace.Table(ctx, "NIC_ID_MAP", "nicId", "globalId")
	if err != nil || ids == nil {
		return nil, err
	}
	out := map[int64]adapter{}
	global := ids.Ints("globalId")
	for i, nic := range ids.Ints("nicId") {
		out[global[i]] = byNIC[nic]
	}
	return out, nil
}
