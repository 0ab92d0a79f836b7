package amd

import "fmt"

// missing notes calls without times, times without calls, and names that differ
// at one position.
func (r *traceReader) missing() {
	for _, m := range r.trace.Modules() {
		for _, t := range r.trace.Threads(m) {
			r.checkThread(t)
		}
	}
}

func (r *traceReader) checkThread(t *Thread) {
	calls, stamps := t.calls, t.stamps
	switch {
	case t.n == 0:
		return
	case stamps == nil:
		r.add(ErrCorrupt, calls.Line, 0, fmt.Sprintf("times of the %d calls of thread %d", t.n, t.ID), "none in the file")
		return
	case calls == nil:
		r.add(ErrCorrupt, stamps.Line, 0, fmt.Sprintf("calls of thread %d to which these times belong", t.ID), "none in the file")
		return
	}
	used := make([]bool, stamps.len())
	lost, firstLost := 0, 0
	for i := range calls.API {
		k := t.stamp(i)
		if k < 0 {
			if lost++; lost == 1 {
				firstLost = i
			}
			continue
		}
		used[k] = true
		if stamps.API[k] != calls.API[i] && stamps.timed(k) && stamps.damaged[k] == "" {
			r.add(ErrCorrupt, stamps.Line+k, 0, fmt.Sprintf("times of %s, as on line %d", r.trace.APIs[calls.API[i]], calls.Line+i),
				"those of "+r.trace.APIs[stamps.API[k]])
		}
	}
	if lost > 0 {
		r.add(ErrCorrupt, calls.Line+firstLost, 0, "times of every call", "%d calls of thread %d without, this the first", lost, t.ID)
	}
	if n, first := count(used, false); n > 0 {
		r.add(ErrCorrupt, stamps.Line+first, 0, "a call for all times", "%d of thread %d without, this the first", n, t.ID)
	}
}

// count tells how many elements equal v and which is the first.
func count(s []bool, v bool) (n, first int) {
	for i, b := range s {
		if b == v {
			if n++; n == 1 {
				first = i
			}
		}
	}
	return n, first
}
