package load

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/format/kineto"
)

// untangle sees to it that a correlation number is that of one call. Profilers write 0
// for none, and a trace that a tool put together of those of several processes has each
// number once a process: such calls get numbers of their own, and so does their work.
func untangle(k *kineto.Trace) {
	c := &k.Calls
	calls := newNumbers(&c.Correlation)
	if len(calls.repeated) == 0 {
		return
	}
	works := []*kineto.Work{&k.Kernels.Work, &k.Copies.Work, &k.Sets.Work, &k.Syncs.Work}
	next := calls.free(works)
	if next < 0 || next > math.MaxInt64-int64(c.Rows()) {
		return
	}
	t := &tangle{k: k, repeated: calls.repeated, calls: map[knot][]int{}}
	t.pair(works)
	own := map[int]int64{} // by call
	for i := range c.Rows() {
		n := c.Correlation.At(i)
		if !t.repeated[n] {
			continue
		}
		if own[i] = kineto.None; n <= 0 {
			continue // no number at all
		}
		own[i] = next
		next++
		on := &k.Tracks[c.Track.At(i)]
		t.calls[knot{n, ""}] = append(t.calls[knot{n, ""}], i)
		t.calls[knot{n, part(on)}] = append(t.calls[knot{n, part(on)}], i)
	}
	for _, list := range t.calls {
		slices.SortFunc(list, func(a, b int) int { return cmp.Or(cmp.Compare(c.Start.At(a), c.Start.At(b)), cmp.Compare(a, b)) })
	}
	for _, w := range works {
		for i := range w.Rows() {
			if n := w.Correlation.At(i); n != kineto.None && t.repeated[n] {
				w.Correlation.Set(i, kineto.None)
				if n > 0 {
					w.Correlation.Set(i, own[t.launched(w, i, n)])
				}
			}
		}
	}
	for call, n := range own {
		c.Correlation.Set(call, n)
	}
}

// A tangle is what is known of calls with the same number.
type tangle struct {
	k        *kineto.Trace
	repeated map[int64]bool
	calls    map[knot][]int   // in the order of time
	process  map[int64]string // by the process that a tool made of a GPU, the part of its calls
}

// A knot is a number and a part of the trace; "" is all of it.
type knot struct {
	number int64
	part   string
}

// launched is the call of a number that launched a piece of work: one of its own part of
// the trace, and of these the last that began before it.
func (t *tangle) launched(w *kineto.Work, i int, number int64) int {
	on := &t.k.Tracks[w.Track.At(i)]
	of := part(on)
	if on.PIDText == "" {
		of = t.process[on.PID]
	}
	list := t.calls[knot{number, of}]
	if len(list) == 0 {
		list = t.calls[knot{number, ""}]
	}
	later := sort.Search(len(list), func(k int) bool { return t.k.Calls.Start.At(list[k]) > w.Start.At(i) })
	return list[max(later-1, 0)]
}

// part is what a tool put before the number of a process, as in "[TP00] 1234", to tell
// whose it is; the number where that is all there is.
func part(t *kineto.Track) string {
	if t.PIDText == "" {
		return strconv.FormatInt(t.PID, 10)
	}
	return strings.TrimRight(t.PIDText, "0123456789")
}

// pair finds which process each of several GPUs works for where both are numbers: parts
// lie in the trace in the same order, that of their files.
func (t *tangle) pair(works []*kineto.Work) {
	order := func(s *kineto.Slices, number *kineto.Integers[int64]) (list []int64) {
		seen := map[int64]bool{}
		for i := range s.Rows() {
			p := t.k.Tracks[s.Track.At(i)].PID
			if n := number.At(i); n != kineto.None && !seen[p] && t.repeated[n] {
				seen[p] = true
				list = append(list, p)
			}
		}
		return list
	}
	processes := order(&t.k.Calls.Slices, &t.k.Calls.Correlation)
	t.process = map[int64]string{}
	for _, w := range works {
		gpus := order(&w.Slices, &w.Correlation)
		if len(gpus) == 0 {
			continue
		}
		if len(gpus) == len(processes) {
			for i, g := range gpus {
				t.process[g] = strconv.FormatInt(processes[i], 10)
			}
		}
		return // the order of one table is that of the file
	}
}
