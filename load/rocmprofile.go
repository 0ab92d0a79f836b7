package load

import (
	"fmt"

	"github.com/gpuprof/gpuprof/format/rocm"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/section/amdgpu"
)

// rocmReport makes an action of each dispatch of s, with its counters.
func rocmReport(f *File, s *rocm.Session) *Report {
	r := &Report{Report: &profile.Report{File: f.Name, Format: f.Format, Tool: string(s.Kind), Ranges: []profile.Range{{}}}}
	device := map[uint64]int{}
	agents := map[uint64]rocm.Agent{}
	for _, a := range s.Agents {
		agents[a.ID] = a
	}
	counters := map[uint64][]int32{} // of each dispatch
	for i := range s.Counters {
		id := s.Counters[i].Dispatch
		counters[id] = append(counters[id], int32(i))
	}
	recent, like := profile.NewRecent(recentOf(len(s.Counters)/max(1, len(s.Dispatches)))), &shapes{}
	for i := range s.Dispatches {
		d := &s.Dispatches[i]
		id, ok := device[d.Agent]
		if !ok {
			id = len(r.Devices)
			device[d.Agent] = id
			name := agents[d.Agent].Name
			if name == "" {
				name = fmt.Sprint("Agent ", d.Agent)
			}
			r.Devices = append(r.Devices, profile.Device{ID: id, Name: name})
		}
		name := r.Devices[id].Name
		var a *profile.Action
		a = recent.NewAction(rocmLaunch{like: like, Measured: func() []profile.Metric {
			return rocmMetrics(s, d, a, id, name, counters[d.ID])
		}})
		a.ID, a.Function, a.Demangled, a.Mangled = i, d.Kernel, d.Kernel, d.Kernel
		for k := range a.Block {
			a.Block[k] = max(d.Group[k], 1)
		}
		if a.Grid = groupsOf(d.Grid, a.Block); s.Kind == rocm.KindRPD {
			a.Grid = d.Grid // in work-groups already
		}
		a.Stream = uint32(d.Queue)
		a.Process = profile.Process{ID: uint32(d.PID)}
		a.ThreadID = uint32(d.TID)
		r.Ranges[0].Actions = append(r.Ranges[0].Actions, a)
	}
	return r
}

// A rocmLaunch is the profile.Loader of a dispatch.
type rocmLaunch struct {
	profile.Measured
	like *shapes
}

// Metrics makes the metrics of the dispatch.
func (l rocmLaunch) Metrics() (*profile.MetricSet, error) { return l.like.set(l.Measured()), nil }

func rocmMetrics(s *rocm.Session, d *rocm.Dispatch, a *profile.Action, device int, name string, counters []int32) []profile.Metric {
	var n profile.Numbers
	n.Launch(a, device)
	n.Text("DeviceName", name)
	if d.End > d.Start {
		n.Whole("gpu__time_duration.sum", int64(d.End-d.Start))
	}
	n.Whole("LocalMemSize", d.LDS)
	n.Whole("VGPRs", d.VGPRs)
	n.Whole("AccumVGPRs", d.AGPRs)
	n.Whole("SGPRs", d.SGPRs)
	n.Whole("ScratchSize", d.Scratch)
	// Counters with an instance for each part of the GPU stand in several rows of
	// the long form; their sum is the counter.
	at := map[string]int{}
	var names []string
	var sums []float64
	for _, i := range counters {
		c := &s.Counters[i]
		k, ok := at[c.Name]
		if !ok {
			k = len(sums)
			at[c.Name] = k
			names, sums = append(names, c.Name), append(sums, 0)
		}
		sums[k] += c.Value
	}
	for k := range names {
		n.Real(names[k], sums[k])
	}
	amdgpu.Derive(&n, name, a.Block)
	return n
}
