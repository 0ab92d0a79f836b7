package projection

import (
	"cmp"
	"slices"

	"github.com/gpuprof/gpuprof/trace"
)

// Sweep calls visit for every call for which use holds and every range around
// it, or with -1 where there is none. Calls come by thread: push/pop ranges, which
// nest, and start/end ranges, which need not, are held in a list of those that are
// open. The table of calls needs start, end and globalTid.
func Sweep(calls *trace.Table, r *trace.Ranges, use func(row int) bool, visit func(rng, row int32)) {
	tid, cstart, cend := calls.Ints("globalTid"), calls.Ints("start"), calls.Ints("end")
	order := make([]int32, 0, r.Len())
	for i := range r.Start {
		if r.EndThread[i] == 0 || r.PushPop[i] { // a range that another thread ended encloses nothing
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(uint64(r.Thread[a]), uint64(r.Thread[b])), cmp.Compare(r.Start[a], r.Start[b]), cmp.Compare(r.End[b], r.End[a]), cmp.Compare(a, b))
	})
	var open []int32
	next := 0
	for _, row := range byThread(tid, cstart, use) {
		t, s, e := uint64(tid[row]), cstart[row], cend[row]
		for next < len(order) && uint64(r.Thread[order[next]]) < t {
			next++
			open = open[:0]
		}
		if len(open) > 0 && uint64(r.Thread[open[0]]) != t {
			open = open[:0]
		}
		for next < len(order) && uint64(r.Thread[order[next]]) == t && r.Start[order[next]] <= s {
			open = append(open, order[next])
			next++
		}
		kept, found := open[:0], false
		for _, i := range open {
			if r.End[i] >= s { // calls come by start, so the others are over
				kept = append(kept, i)
				if r.End[i] >= e {
					visit(i, row)
					found = true
				}
			}
		}
		open = kept
		if !found {
			visit(-1, row)
		}
	}
}

// byThread returns the rows for which use holds, by thread and start. Rows of a
// thread mostly come sorted, so they are sorted only where they do not.
func byThread(thread, start []int64, use func(row int) bool) []int32 {
	of := map[int64]*[]int32{}
	var threads []int64
	var last *[]int32
	for i, t := range thread {
		if !use(i) {
			continue
		}
		if last == nil || thread[(*last)[0]] != t {
			if last = of[t]; last == nil {
				last = new([]int32)
				of[t] = last
				threads = append(threads, t)
			}
		}
		*last = append(*last, int32(i))
	}
	slices.SortFunc(threads, func(a, b int64) int { return cmp.Compare(uint64(a), uint64(b)) })
	byStart := func(a, b int32) int { return cmp.Or(cmp.Compare(start[a], start[b]), cmp.Compare(a, b)) }
	var out []int32
	for _, t := range threads {
		part := *of[t]
		if !slices.IsSortedFunc(part, byStart) {
			slices.SortFunc(part, byStart)
		}
		if len(threads) == 1 {
			return part
		}
		out = append(out, part...)
		delete(of, t)
	}
	return out
}
