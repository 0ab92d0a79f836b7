package load

import (
	"cmp"
	"math"
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
	c := &k.Calls
	if c.Rows() == 0 || k.Flows.ID.Len() == 0 {
		return
	}
	calls := newNumbers(&c.Correlation)
	ends := map[spot]int64{} // where work began that has no call, and the arrow that ends there
	works := []*kineto.Work{&k.Kernels.Work, &k.Copies.Work, &k.Sets.Work}
	for _, w := range works {
		for i := range w.Rows() {
			if n := w.Correlation.At(i); n == kineto.None || !calls.has(n) {
				ends[spot{w.Track.At(i), w.Start.At(i)}] = kineto.None
			}
		}
	}
	free := calls.free(works)
	from := launchArrows(k, ends)
	if len(from) == 0 {
		return
	}
	at := newCallIndex(c)
	for _, w := range works {
		for i := range w.Rows() {
			if n := w.Correlation.At(i); n != kineto.None && calls.has(n) {
				continue
			}
			begin, ok := from[ends[spot{w.Track.At(i), w.Start.At(i)}]]
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

// launchArrows sets the numbers of the arrows that end at some spots, and returns where
// those arrows begin.
func launchArrows(k *kineto.Trace, ends map[spot]int64) map[int64]spot {
	from := map[int64]spot{}
	if len(ends) == 0 {
		return from
	}
	f := &k.Flows
	launch := map[kineto.Text]bool{}
	each := func(phase byte, use func(id int64, x spot)) {
		for i := range f.ID.Len() {
			cat := f.Cat.At(i)
			is, known := launch[cat]
			if !known {
				is = isLaunchArrow(k.Text(cat))
				launch[cat] = is
			}
			if id := f.ID.At(i); is && id != kineto.None && f.Phase.At(i) == phase {
				use(id, spot{f.Track.At(i), f.Time.At(i)})
			}
		}
	}
	wanted := map[int64]bool{}
	each('f', func(id int64, x spot) {
		if _, ok := ends[x]; ok {
			ends[x], wanted[id] = id, true
		}
	})
	each('s', func(id int64, x spot) {
		if wanted[id] {
			from[id] = x
		}
	})
	return from
}

// numbers are the numbers of a column, as bits where they lie close together.
type numbers struct {
	first, last int64
	bits        []uint64
	far         map[int64]bool
	repeated    map[int64]bool // those that stand in more than one row
}

func newNumbers(c *kineto.Integers[int64]) *numbers {
	n := &numbers{first: math.MaxInt64}
	for i := range c.Len() {
		if v := c.At(i); v != kineto.None {
			n.first, n.last = min(n.first, v), max(n.last, v)
		}
	}
	if n.first > n.last {
		return n
	}
	if span := uint64(n.last - n.first); span < 64*uint64(c.Len())+1<<16 {
		n.bits = make([]uint64, span/64+1)
	} else {
		n.far = map[int64]bool{}
	}
	for i := range c.Len() {
		v := c.At(i)
		switch {
		case v == kineto.None:
		case n.has(v):
			if n.repeated == nil {
				n.repeated = map[int64]bool{}
			}
			n.repeated[v] = true
		case n.far != nil:
			n.far[v] = true
		default:
			n.bits[(v-n.first)/64] |= 1 << ((v - n.first) % 64)
		}
	}
	return n
}

// free is the first of the numbers that neither the column nor work has.
func (n *numbers) free(works []*kineto.Work) int64 {
	last := max(n.last, 0)
	for _, w := range works {
		for i := range w.Rows() {
			if v := w.Correlation.At(i); v != kineto.None {
				last = max(last, v)
			}
		}
	}
	return last + 1
}

func (n *numbers) has(v int64) bool {
	if n.far != nil {
		return n.far[v]
	}
	return v >= n.first && v <= n.last && len(n.bits) > 0 && n.bits[(v-n.first)/64]>>((v-n.first)%64)&1 != 0
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
