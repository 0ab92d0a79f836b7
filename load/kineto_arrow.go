package load

import (
	"cmp"
	"slices"
	"sort"

	"github.com/gpuprof/gpuprof/format/kineto"
)

// isLaunchArrow reports whether arrows of a category lead from calls to the work that
// they launched. Its name changed over the years.
func isLaunchArrow(category string) bool {
	return category == "ac2g" || category == "async_cpu_to_gpu" || category == "async"
}

// A spot is a moment on a track.
type spot struct {
	track uint32
	at    int64 // ns, as in the file
}

// tieByArrows gives work of the GPU whose correlation number no call has, as where a
// tool dropped it on one side, the number of the call that an arrow leads from. Arrows
// are worse than numbers where there are both: most begin at calls that launched
// nothing, and many end where nothing began. An arrow that ends at no piece of work, or
// begins in no call, ties nothing.
func tieByArrows(k *kineto.Trace) {
	calls := map[int64]bool{}
	c := &k.Calls
	for i := range c.Rows() {
		if n := c.Correlation.At(i); n != kineto.None {
			calls[n] = true
		}
	}
	works := []*kineto.Work{&k.Kernels.Work, &k.Copies.Work, &k.Sets.Work}
	lost := func(w *kineto.Work, i int) bool { return !calls[w.Correlation.At(i)] }
	if c.Rows() == 0 || !slices.ContainsFunc(works, func(w *kineto.Work) bool {
		for i := range w.Rows() {
			if lost(w, i) {
				return true
			}
		}
		return false
	}) {
		return
	}
	from, to := launchArrows(k)
	if len(from) == 0 || len(to) == 0 {
		return
	}
	at := newCallIndex(c)
	free := int64(1) // numbers that nothing has
	for n := range calls {
		free = max(free, n+1)
	}
	for _, w := range works {
		for i := range w.Rows() {
			if n := w.Correlation.At(i); n != kineto.None {
				free = max(free, n+1)
			}
		}
	}
	for _, w := range works {
		for i := range w.Rows() {
			if !lost(w, i) {
				continue
			}
			id, ok := to[spot{w.Track.At(i), w.Start.At(i)}]
			if !ok {
				continue
			}
			begin, ok := from[id]
			if !ok {
				continue
			}
			call := at.find(begin)
			if call < 0 {
				continue
			}
			n := c.Correlation.At(call)
			if n == kineto.None {
				n = free
				free++
				c.Correlation.Set(call, n)
			}
			w.Correlation.Set(i, n)
		}
	}
}

// launchArrows are the beginnings of arrows by number, and their numbers by where they end.
func launchArrows(k *kineto.Trace) (from map[int64]spot, to map[spot]int64) {
	from, to = map[int64]spot{}, map[spot]int64{}
	f := &k.Flows
	launch := map[kineto.Text]bool{}
	for i := range f.ID.Len() {
		cat := f.Cat.At(i)
		is, known := launch[cat]
		if !known {
			is = isLaunchArrow(k.Text(cat))
			launch[cat] = is
		}
		if id := f.ID.At(i); is && id != kineto.None {
			switch x := (spot{f.Track.At(i), f.Time.At(i)}); f.Phase.At(i) {
			case 's':
				from[id] = x
			case 'f':
				to[x] = id
			}
		}
	}
	return from, to
}

// A callIndex finds calls by where they ran.
type callIndex struct {
	calls *kineto.Calls
	rows  []int // by track and start; what encloses comes first
}

func newCallIndex(c *kineto.Calls) *callIndex {
	x := &callIndex{calls: c, rows: make([]int, c.Rows())}
	for i := range x.rows {
		x.rows[i] = i
	}
	slices.SortFunc(x.rows, func(a, b int) int {
		return cmp.Or(cmp.Compare(c.Track.At(a), c.Track.At(b)), cmp.Compare(c.Start.At(a), c.Start.At(b)), cmp.Compare(c.Dur.At(b), c.Dur.At(a)), cmp.Compare(a, b))
	})
	return x
}

// mostNested is how many calls are looked at that began before a moment: calls of the
// driver lie in those of the runtime, and those in those of libraries.
const mostNested = 8

// find is the innermost call that ran at a moment; -1 if none did.
func (x *callIndex) find(s spot) int {
	c := x.calls
	next := sort.Search(len(x.rows), func(k int) bool {
		r := x.rows[k]
		return c.Track.At(r) > s.track || c.Track.At(r) == s.track && c.Start.At(r) > s.at
	})
	for k := next - 1; k >= max(0, next-mostNested); k-- {
		r := x.rows[k]
		if c.Track.At(r) != s.track {
			break
		}
		if c.Start.At(r)+c.Dur.At(r) >= s.at {
			return r
		}
	}
	return -1
}
