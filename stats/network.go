package stats

import (
	"context"
	"strings"

	"github.com/gpuprof/gpuprof/trace"
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
		t, err := q.table(ctx, "samples of network adapters", "NET_NIC_METRIC", "start", "end", "globalId", "metricsListId", "metricsIdx", "value")
		if err != nil {
			return nil, err
		}
		adapters, err := adapterNames(ctx, q)
		if err != nil {
			return nil, err
		}
		most := float64(q.integer("ticks_threshold", 10000))
		start, end, id, value := t.Ints("start"), t.Ints("end"), t.Ints("globalId"), t.Ints("value")
		list, index = t.Ints("metricsListId"), t.Ints("metricsIdx")
		out := table(nanoseconds("Start"), nanoseconds("End"), nanoseconds("Duration"), address("GUID"), text("Name"), decimal("Send Wait Rate"))
		for _, i := range byTime(start) {
			d := end[i] - start[i]
			if !waits[metricKey{list[i], index[i]}] || d <= 0 {
				continue
			}
			if rate := float64(value[i]) / float64(d) * 1e6; rate > most {
				a := adapters[id[i]]
				out.Rows = append(out.Rows, []view.Value{view.Int(start[i], ns), view.Int(end[i], ns), view.Int(d, ns), view.Hex(uint64(a.guid)), view.String(a.name), view.Float(rate, "")})
			}
		}
		return out, nil
	},
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
