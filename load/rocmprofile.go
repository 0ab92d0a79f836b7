package load

import (
	"cmp"
	"fmt"

	"github.com/gpuprof/gpuprof/format/rocm"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/section/amdgpu"
)

// rocmReport makes an action of each dispatch of s, with its counters.
func rocmReport(f *File, s *rocm.Session) *Report {
	r := &Report{Report: &profile.Report{File: f.Name, Format: f.Format, Tool: string(s.Kind), Ranges: []profile.Range{{}}}}
	type gpu struct {
		process int
		agent   uint64
	}
	type dispatch struct {
		process int
		id      uint64
	}
	device := map[namedGPU]int{}
	agents := map[gpu]rocm.Agent{}
	for _, a := range s.Agents {
		agents[gpu{a.Process, a.ID}] = a
	}
	systems := systemGPUs(s)
	counters := map[dispatch][]int32{} // of each dispatch
	for i := range s.Counters {
		key := dispatch{s.Counters[i].Process, s.Counters[i].Dispatch}
		counters[key] = append(counters[key], int32(i))
	}
	recent, like := profile.NewRecent(recentOf(len(s.Counters)/max(1, len(s.Dispatches)))), &shapes{}
	for i := range s.Dispatches {
		d := &s.Dispatches[i]
		host := s.Processes[d.Process].Host
		name := cmp.Or(agents[gpu{d.Process, d.Agent}].Name, systems[d.Process], fmt.Sprint("Agent ", d.Agent))
		key := namedGPU{rocmGPU{host, d.Agent}, name}
		id, ok := device[key]
		if !ok {
			id = len(r.Devices)
			device[key] = id
			r.Devices = append(r.Devices, profile.Device{ID: id, Name: name})
		}
		var a *profile.Action
		a = recent.NewAction(rocmLaunch{like: like, Measured: func() []profile.Metric {
			return rocmMetrics(s, d, a, id, name, counters[dispatch{d.Process, d.ID}])
		}})
		a.ID, a.Function, a.Demangled, a.Mangled = i, d.Kernel, d.Kernel, d.Kernel
		a.Unsized = true
		a.Grid, a.Block = groups(s, d)
		a.Stream = uint32(d.Queue)
		pid := d.PID
		if pid == 0 {
			pid = s.Processes[d.Process].PID
		}
		a.Process = profile.Process{ID: uint32(pid)}
		a.ThreadID = uint32(d.TID)
		r.Ranges[0].Actions = append(r.Ranges[0].Actions, a)
	}
	return r
}

// A namedGPU is a GPU of a host; workloads that lie in one folder may be of several.
type namedGPU struct {
	rocmGPU
	name string
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
	if !a.Knows(a.Grid) && d.Grid[0] > 0 { // of work-items; into how many groups is not known
		all := dimensions(d.Grid)
		n.Real("launch__thread_count", float64(all[0])*float64(all[1])*float64(all[2]))
	}
	n.Text("DeviceName", name)
	if d.Time != 0 {
		n.Real("gpu__time_duration.sum", d.Time)
	} else if d.End > d.Start {
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
		full := c.Name
		if c.File != "" {
			full = c.File + "." + c.Name // which means another thing in each file
		}
		k, ok := at[full]
		if !ok {
			k = len(sums)
			at[full] = k
			names, sums = append(names, full), append(sums, 0)
		}
		sums[k] += c.Value
	}
	for k := range names {
		n.Real(names[k], sums[k])
	}
	amdgpu.Derive(&n, name, a.Block)
	return n
}

// groups is the grid of a dispatch in work-groups and a group in work-items; 0 where the
// file does not tell them.
func groups(s *rocm.Session, d *rocm.Dispatch) (grid, group [3]uint64) {
	if group = dimensions(d.Group); s.Kind == rocm.KindRPD {
		return dimensions(d.Grid), group // in work-groups already
	}
	if d.Grid[0] > 0 && group[0] > 0 {
		grid = groupsOf(dimensions(d.Grid), group)
	}
	return grid, group
}

// dimensions fills up a size of which the file tells fewer than three dimensions.
func dimensions(d [3]uint64) [3]uint64 {
	if d[0] == 0 {
		return [3]uint64{}
	}
	return [3]uint64{d[0], max(d[1], 1), max(d[2], 1)}
}
