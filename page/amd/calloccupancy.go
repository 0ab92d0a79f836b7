package amd

import (
	"maps"
	"math"

	"github.com/gpuprof/gpuprof/format/amd"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/view"
)

// occupancies gives the rows of an .occupancy file in the order of dispatches,
// which is the only thing that ties them to the calls of a trace.
type occupancies struct {
	byThread  map[int64]map[string][]float64 // thread, kernel
	anyThread bool
	used      map[string]int // of anyThread: dispatches of the threads so far
}

// occupanciesOf sorts the rows of the session's .occupancy file, if there is one.
// Where trace and file have no thread in common they are of two runs, and threads
// do not count.
func occupanciesOf(a *load.AMD, tr *amd.Trace) *occupancies {
	o := &occupancies{byThread: map[int64]map[string][]float64{}, used: map[string]int{}}
	if a.Occupancy == nil {
		return o
	}
	threads := map[int64]bool{}
	for _, module := range tr.Modules() {
		for _, th := range tr.Threads(module) {
			threads[int64(th.ID)] = true
		}
	}
	common := false
	for i := range a.Occupancy.Len() {
		common = common || threads[a.Occupancy.Row(i).ThreadID]
	}
	o.anyThread = !common
	for i := range a.Occupancy.Len() {
		r := a.Occupancy.Row(i)
		thread := o.key(r.ThreadID)
		if o.byThread[thread] == nil {
			o.byThread[thread] = map[string][]float64{}
		}
		o.byThread[thread][r.KernelName] = append(o.byThread[thread][r.KernelName], r.Percent)
	}
	return o
}

func (o *occupancies) key(thread int64) int64 {
	if o.anyThread {
		return -1
	}
	return thread
}

// thread is the occupancies of a thread's dispatches: each call begins anew and returns
// a function that gives one after the other. Nil where there are none.
func (o *occupancies) thread(th *amd.Thread) func() func(kernel string) view.Value {
	if len(o.byThread) == 0 {
		return nil
	}
	rows, before := o.byThread[o.key(int64(th.ID))], maps.Clone(o.used)
	if o.anyThread { // the threads after this one go on where it ends
		for i := range th.Len() {
			if e := th.Enqueue(i); e != nil && e.Shape == amd.Dispatch {
				o.used[e.KernelName]++
			}
		}
	}
	return func() func(kernel string) view.Value {
		used := maps.Clone(before)
		return func(kernel string) view.Value {
			n := used[kernel]
			used[kernel]++
			if n >= len(rows[kernel]) {
				return view.Null
			}
			if v := rows[kernel][n]; v >= 0 && !math.IsNaN(v) {
				return view.Float(v, "")
			}
			return view.Missing("NA")
		}
	}
}
