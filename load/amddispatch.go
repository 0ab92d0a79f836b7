package load

import "github.com/gpuprof/gpuprof/format/amd"

// turns hands out what a file of a session tells of dispatches, one after the
// other: the nth dispatch of a kernel by a thread in one file is the nth in
// another, and nothing else ties them together.
type turns[T any] struct {
	rows    map[turn][]T
	threads map[int64]bool
	any     bool // the files have no thread in common, they are of two runs: threads do not count
}

// A turn is what dispatches have in common.
type turn struct {
	kernel string
	thread int64  // -1: any, as of HSA
	group  uint64 // work-items, where both files tell
}

func (t *turns[T]) add(k turn, row T) {
	if t.rows == nil {
		t.rows, t.threads = map[turn][]T{}, map[int64]bool{}
	}
	if t.any {
		k.thread = -1
	}
	t.rows[k] = append(t.rows[k], row)
	t.threads[k.thread] = true
}

// next takes the next row of a kernel and a thread, or nil.
func (t *turns[T]) next(k turn) *T {
	if !t.threads[k.thread] {
		k.thread = -1
	}
	q := t.rows[k]
	if len(q) == 0 {
		return nil
	}
	t.rows[k] = q[1:]
	return &q[0]
}

// A dispatch is what a trace tells of a launch.
type dispatch struct {
	start, end    uint64 // ns
	global, group [3]uint64
	sized         bool // has global and group
}

// dispatches lists those of the trace of a session; none without one.
func (a *AMD) dispatches() *turns[dispatch] {
	d := &turns[dispatch]{}
	t, err := a.Trace()
	if t == nil || err != nil {
		return d
	}
	threads := t.Threads(amd.OpenCL)
	for p := range amd.Walk(threads...) {
		th := threads[p.Thread]
		if e := th.Enqueue(int(p.Call)); e != nil && e.Shape == amd.Dispatch {
			x := dispatch{start: e.Start, end: e.End}
			var local, global bool
			x.global, _, global = amd.ParseDims(e.Global)
			x.group, _, local = amd.ParseDims(e.Local)
			x.sized = global && local
			d.add(turn{kernel: e.Name(), thread: int64(th.ID)}, x)
		}
	}
	for _, s := range t.Sections {
		for p := range s.Dispatches() {
			d.add(turn{kernel: p.Name(), thread: -1}, dispatch{start: p.Start, end: p.End})
		}
	}
	return d
}
