package load

import (
	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/profile"
)

// occupancyReport makes an action of each row of o. Sizes are flat there; where
// the trace of the session is at hand, its dispatches tell the sizes and times.
func occupancyReport(f *File, o *amd.Occupancies) *Report {
	r := newAMDReport(f, o.Header)
	program, _ := o.Get("Application")
	traced := f.AMD.dispatches()
	recent := profile.NewRecent(recentLaunches)
	for i := range o.Len() {
		row := o.Row(i)
		device := r.deviceID(row.DeviceName)
		t := traced.next(turn{kernel: row.KernelName, thread: row.ThreadID})
		var a *profile.Action
		a = recent.NewAction(profile.Measured(func() []profile.Metric { return occupancyMetrics(o.Row(i), a, device, t) }))
		a.ID, a.Function, a.Demangled, a.Mangled = i, row.KernelName, row.KernelName, row.KernelName
		if a.Unsized = true; row.WorkGroupSize > 0 { // else neither is known
			a.Block = [3]uint64{uint64(row.WorkGroupSize), 1, 1}
			a.Grid = groupsOf([3]uint64{uint64(max(row.GlobalSize, 0)), 1, 1}, a.Block)
		}
		if t != nil && t.sized {
			a.Block, a.Grid = t.group, groupsOf(t.global, t.group)
		}
		a.Process = profile.Process{Name: program}
		a.ThreadID = uint32(max(row.ThreadID, 0))
		r.Ranges[0].Actions = append(r.Ranges[0].Actions, a)
	}
	return r
}

func occupancyMetrics(x amd.Occupancy, a *profile.Action, device int, t *dispatch) []profile.Metric {
	var n profile.Numbers
	n.Launch(a, device)
	n.Text("DeviceName", x.DeviceName)
	if t != nil && t.end >= t.start {
		n.Whole("gpu__time_duration.sum", int64(t.end-t.start))
	}
	n.Whole("ThreadID", x.ThreadID)
	n.Whole("LocalMemSize", x.LDS)
	n.Whole("VGPRs", x.VGPRs)
	n.Whole("SGPRs", x.SGPRs)
	addOccupancy(&n, &x)
	return n
}

// joinOccupancy finds for rows of c those of o: the nth dispatch of a kernel by
// a thread with the same flat work-group size, in both. Where the files have no
// thread in common they are of two runs, and threads do not count.
func joinOccupancy(c *amd.Counters, o *amd.Occupancies) []int32 {
	threads := map[int64]bool{}
	for i := range o.Len() {
		threads[o.Row(i).ThreadID] = true
	}
	rows := turns[int32]{any: true}
	var cells []string
	for i := range c.Rows {
		cells, _ = c.Cells(cells[:0], i)
		if threads[c.Kernel(cells).Thread] {
			rows.any = false
			break
		}
	}
	for i := range o.Len() {
		row := o.Row(i)
		rows.add(turn{row.KernelName, row.ThreadID, uint64(max(row.WorkGroupSize, 0))}, int32(i)+1)
	}
	out := make([]int32, len(c.Rows))
	for i := range c.Rows {
		cells, _ = c.Cells(cells[:0], i)
		x := c.Kernel(cells)
		if row := rows.next(turn{x.Name, x.Thread, x.Group[0] * x.Group[1] * x.Group[2]}); row != nil {
			out[i] = *row
		}
	}
	return out
}

// occupancyOf returns the row of the occupancy file that belongs to a row of the
// counter file.
func (a *AMD) occupancyOf(row int) (amd.Occupancy, bool) {
	if row >= len(a.joined) || a.joined[row] == 0 {
		return amd.Occupancy{}, false
	}
	return a.Occupancy.Row(int(a.joined[row]) - 1), true
}
