package load

import (
	"math"
	"slices"
	"sync"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/section/amdgpu"
)

// groupsOf counts work-groups, as grids of CUDA count blocks.
func groupsOf(global, group [3]uint64) [3]uint64 {
	var out [3]uint64
	for i := range out {
		g := max(group[i], 1)
		if out[i] = global[i] / g; global[i]%g > 0 {
			out[i]++
		}
	}
	return out
}

// devices numbers GPUs by name.
func (r *Report) deviceID(name string) int {
	for _, d := range r.Devices {
		if d.Name == name {
			return d.ID
		}
	}
	r.Devices = append(r.Devices, profile.Device{ID: len(r.Devices), Name: name})
	return len(r.Devices) - 1
}

func newAMDReport(f *File, header []amd.Entry) *Report {
	r := &profile.Report{File: f.Name, Format: f.Format, Ranges: []profile.Range{{}}}
	for _, e := range header {
		if e.Key == "ProfilerVersion" {
			r.Tool = e.Value
		}
		r.Session.Info = append(r.Session.Info, profile.Attribute{Name: e.Key, Value: e.Value})
	}
	return &Report{Report: r}
}

// counters are the launches of a counter file. There may be a million, each with
// thirty metrics that are made when asked for, and forgotten.
type counters struct {
	f            *File
	table        *amd.Counters
	names        []string // of the metrics of table.Counter
	fetch, write int      // columns of the traffic to memory; -1: none
	like         shapes
	derived      amdgpu.Deriver
}

// shapes are the sets of names that metrics of launches have; a file has few.
type shapes struct {
	mu   sync.Mutex
	list []*profile.MetricSet
	next int
}

// maxShapes is how many are remembered.
const maxShapes = 64

// set makes a set of ms that shares its names with another, if one has the same.
func (h *shapes) set(ms []profile.Metric) *profile.MetricSet {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.list {
		if s.Fits(ms) {
			return s.Like(ms)
		}
	}
	s := profile.NewMetricSet(ms)
	if len(h.list) < maxShapes {
		h.list = append(h.list, s)
	} else {
		h.list[h.next%maxShapes] = s
		h.next++
	}
	return s
}

// At most recentLaunches of a file keep their metrics, and recentMetrics of them all.
const (
	recentLaunches = 4096
	recentMetrics  = 200_000
)

// recentOf is how many launches with so many metrics keep them.
func recentOf(metrics int) int { return min(max(recentMetrics/max(metrics, 1), 16), recentLaunches) }

// A counterLaunch is the profile.Loader of a row.
type counterLaunch struct {
	profile.Measured
	of     *counters
	action *profile.Action
	time   float64 // ms
	row    int32
	device int32
}

// Metrics makes the metrics of the row.
func (l *counterLaunch) Metrics() (*profile.MetricSet, error) {
	return l.of.like.set(l.of.metrics(l)), nil
}

// Metric makes one metric of the row: pages ask for the device of every launch
// and, to choose a unit, for the time of all.
func (l *counterLaunch) Metric(name string) *profile.Metric {
	switch name {
	case "launch__device_id", "launch__grid_size", "launch__block_size", "launch__thread_count":
		n := make(profile.Numbers, 0, 4)
		n.Launch(l.action, int(l.device))
		for i := range n {
			if n[i].Name == name {
				return &n[i]
			}
		}
		return nil
	case "device__attribute_compute_capability_major", "device__attribute_compute_capability_minor":
		return nil // GPUs of AMD have none
	case "gpu__time_duration.sum":
		var n profile.Numbers
		if n.Real(name, l.time*1e6); len(n) == 0 {
			return nil
		}
		return &n[0]
	}
	set, _ := l.action.Metrics()
	return set.Lookup(name)
}

// counterReport makes an action of each row of c that is a kernel.
func counterReport(f *File, c *amd.Counters) *Report {
	r := newAMDReport(f, c.Header)
	program, _ := c.Get("Application")
	of := &counters{f: f, table: c}
	of.nameCounters()
	of.findTraffic()
	names := &counterNames{of: of, left: slices.Clone(c.Counter)}
	traced := f.AMD.dispatches()
	recent := profile.NewRecent(recentOf(len(c.Counter)))
	loaders := make([]counterLaunch, len(c.Rows))
	actions := make([]*profile.Action, 0, len(c.Rows))
	var cells []string
	for i := range c.Rows {
		cells, _ = c.Cells(cells[:0], i)
		k := c.Kernel(cells)
		if k.Name == "" {
			continue // a transfer
		}
		if t := traced.next(turn{kernel: k.Name, thread: k.Thread}); t != nil && math.IsNaN(k.Time) && t.end >= t.start {
			k.Time = float64(t.end-t.start) / 1e6 // HSA's counter files have no times
		}
		l := &loaders[i]
		a := recent.NewAction(l)
		*l = counterLaunch{of: of, action: a, time: k.Time, row: int32(i), device: int32(r.deviceID(k.Device))}
		of.derived.Devices(r.Devices)
		a.ID = len(actions)
		a.Function, a.Demangled, a.Mangled = k.Name, k.Name, k.Name
		if a.Unsized = true; k.HasGroup { // else neither is known
			a.Block, a.Grid = k.Group, groupsOf(k.Global, k.Group)
		}
		a.Process = profile.Process{Name: program}
		a.ThreadID = uint32(max(k.Thread, 0))
		actions = append(actions, a)
		names.look(l, &k, cells)
	}
	r.Ranges[0].Actions, r.names = actions, names.list
	return r
}

// counterNames finds out which metrics the launches of a file have, by making
// those of the launches that have one that none before had.
type counterNames struct {
	of   *counters
	list []string
	base uint                // columns that are no counters and were not empty
	left []amd.CounterColumn // counters that were always empty so far
}

func (n *counterNames) look(l *counterLaunch, k *amd.Kernel, cells []string) {
	base, left := n.base, len(n.left)
	for i, has := range []bool{k.Device != "", !math.IsNaN(k.Time), k.Order >= 0, k.Thread >= 0, k.CallIndex >= 0, k.LDS >= 0,
		k.VGPRs >= 0, k.SGPRs >= 0, k.Scratch >= 0, k.Stacks >= 0} {
		if has {
			n.base |= 1 << i
		}
	}
	if left > 0 {
		n.left = slices.DeleteFunc(n.left, func(c amd.CounterColumn) bool {
			return c.Column < len(cells) && !math.IsNaN(amd.Float(cells[c.Column]))
		})
	}
	if n.list != nil && n.base == base && len(n.left) == left && !n.mayDerive(l, k, cells) {
		return
	}
	for _, m := range n.of.metrics(l) {
		if !slices.Contains(n.list, m.Name) {
			n.list = append(n.list, m.Name)
		}
	}
}

// mayDerive reports whether a metric may be derived from a row that has no name
// yet.
func (n *counterNames) mayDerive(l *counterLaunch, k *amd.Kernel, cells []string) bool {
	u := n.of.use(l, k)
	if fetch, write := n.of.traffic(cells); fetch != "" && write != "" {
		u.Traffic = 0 // or any: that there is some is enough
	}
	return n.of.derived.Adds(&u, n.list)
}

// nameCounters names the metrics of counters: of those that several passes
// counted, the first has the plain name.
func (of *counters) nameCounters() {
	seen := map[string]bool{}
	for _, col := range of.table.Counter {
		name := col.Name
		if seen[name] && col.Pass >= 0 {
			name = of.table.Columns[col.Column]
		}
		seen[name] = true
		of.names = append(of.names, name)
	}
}

func (of *counters) metrics(l *counterLaunch) []profile.Metric {
	c := of.table
	cells, _ := c.Cells(make([]string, 0, len(c.Columns)+1), int(l.row))
	k := c.Kernel(cells)
	n := make(profile.Numbers, 0, 15+len(c.Counter)+15)
	n.Launch(l.action, int(l.device))
	n.Text("DeviceName", k.Device)
	n.Real("gpu__time_duration.sum", l.time*1e6) // ns
	n.Whole("ExecutionOrder", k.Order)
	n.Whole("ThreadID", k.Thread)
	n.Whole("CallIndex", k.CallIndex)
	n.Whole("LocalMemSize", k.LDS)
	n.Whole("VGPRs", k.VGPRs)
	n.Whole("SGPRs", k.SGPRs)
	n.Whole("ScratchRegs", k.Scratch)
	n.Whole("FCStacks", k.Stacks)
	for i, col := range c.Counter {
		if col.Column < len(cells) {
			n.Real(of.names[i], amd.Float(cells[col.Column]))
		}
	}
	o, occupied := of.f.AMD.occupancyOf(int(l.row))
	if occupied {
		addOccupancy(&n, &o)
	}
	k.Time = l.time
	u := of.use(l, &k)
	fetch, write := of.traffic(cells)
	u.Traffic, u.Measured = amd.Float(fetch)+amd.Float(write), occupied
	of.derived.Add(&n, &u)
	return n
}

// findTraffic finds the columns of the traffic to memory.
func (of *counters) findTraffic() {
	of.fetch, of.write = -1, -1
	for i, col := range of.table.Counter {
		switch of.names[i] {
		case "FetchSize":
			of.fetch = col.Column
		case "WriteSize":
			of.write = col.Column
		}
	}
}

// use is what metrics of a row are derived from, but for the traffic.
func (of *counters) use(l *counterLaunch, k *amd.Kernel) amdgpu.Use {
	return amdgpu.Use{Device: int(l.device), VGPRs: k.VGPRs, SGPRs: k.SGPRs, LDS: k.LDS, Block: l.action.Block, Traffic: math.NaN(), Time: k.Time * 1e6}
}

// traffic returns the cells with the traffic to memory.
func (of *counters) traffic(cells []string) (fetch, write string) {
	if of.fetch < 0 || of.write < 0 || max(of.fetch, of.write) >= len(cells) {
		return "", ""
	}
	return cells[of.fetch], cells[of.write]
}

// addOccupancy adds a row of an .occupancy file, less what counter files tell too.
func addOccupancy(n *profile.Numbers, o *amd.Occupancy) {
	if o.Percent >= 0 {
		n.Real("KernelOccupancy", o.Percent)
	}
	n.Whole("ComputeUnits", o.ComputeUnits)
	n.Whole("MaxWavesPerComputeUnit", o.MaxWavesPerCU)
	n.Whole("MaxWorkGroupPerComputeUnit", o.MaxGroupsPerCU)
	n.Whole("WavefrontSize", o.WavefrontSize)
	n.Whole("WavesPerWorkGroup", o.WavesPerGroup)
	n.Whole("MaxVGPRs", o.MaxVGPRs)
	n.Whole("MaxSGPRs", o.MaxSGPRs)
	n.Whole("MaxLDS", o.MaxLDS)
	n.Whole("WavesLimitedByVGPR", o.WavesByVGPR)
	n.Whole("WavesLimitedBySGPR", o.WavesBySGPR)
	n.Whole("WavesLimitedByLDS", o.WavesByLDS)
	n.Whole("WavesLimitedByWorkgroup", o.WavesByGroup)
	n.Whole("DeviceGfxIpVer", o.GraphicsIP)
	n.Whole("SimdsPerCU", o.SIMDsPerCU)
}
