package load

import "github.com/gpuprof/gpuprof/format/amd"

// A dispatch is what a trace tells of a launch.
type dispatch struct {
	start, end    uint64 // ns
	global, group [3]uint64
	sized         bool // has global and group
}

// dispatches are those of a trace by thread and kernel, each to be taken once.
type dispatches struct {
	rows    map[dispatchKey][]dispatch
	threads map[int64]bool
}

type dispatchKey struct {
	thread int64 // -1: any, as of HSA
	kernel string
}

// dispatches lists those of the trace of a session; nil without one.
func (a *AMD) dispatches() *dispatches {
	if a.Trace == nil {
		return nil
	}
	d := &dispatches{rows: map[dispatchKey][]dispatch{}, threads: map[int64]bool{}}
	for _, th := range a.Trace.Threads(amd.OpenCL) {
		for i := range th.Len() {
			if e := th.Enqueue(i); e != nil && e.Shape == amd.Dispatch {
				x := dispatch{start: e.Start, end: e.End}
				var local, global bool
				x.global, _, global = amd.ParseDims(e.Global)
				x.group, _, local = amd.ParseDims(e.Local)
				x.sized = global && local
				k := dispatchKey{int64(th.ID), e.KernelName}
				d.rows[k] = append(d.rows[k], x)
				d.threads[k.thread] = true
			}
		}
	}
	for _, s := range a.Trace.Sections {
		for i := range s.Packets {
			if p := &s.Packets[i]; p.Dispatch {
				k := dispatchKey{-1, amd.Unescape(p.Kernel)}
				d.rows[k] = append(d.rows[k], dispatch{start: p.Start, end: p.End})
			}
		}
	}
	return d
}

// next takes the next dispatch of a kernel by a thread, or nil.
func (d *dispatches) next(thread int64, kernel string) *dispatch {
	if d == nil {
		return nil
	}
	k := dispatchKey{thread, kernel}
	if !d.threads[thread] {
		k.thread = -1
	}
	q := d.rows[k]
	if len(q) == 0 {
		return nil
	}
	d.rows[k] = q[1:]
	return &q[0]
}
