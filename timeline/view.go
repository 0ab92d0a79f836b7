package timeline

import (
	"math"
	"math/bits"
	"sort"
)

// fan is how many slices a block has, and how many blocks a block above.
const fan = 16

// A winner is the name of a block that is busy longest, as far as it is known,
// and for how long.
type winner struct {
	name NameID
	busy int64
}

// An item is what a row shows at a place: a slice, or several that are too
// short to be told apart.
type item struct {
	Start, End int64 // of the first and of the last slice, not cut to the window
	Count      int
	Busy       int64   // ns of the slices within the window
	Slice      SliceID // of a single slice, else None
	First      SliceID // the first slice
	Name       NameID
}

// A window cuts time into pixels.
type window struct {
	t0, t1 int64
	pixels uint64
}

func newWindow(t0, t1 int64, pixels int) window {
	return window{t0, max(t1, t0+1), uint64(max(pixels, 1))}
}

func (w window) span() uint64 { return uint64(w.t1) - uint64(w.t0) }

// short reports whether a length is less than a pixel.
func (w window) short(length int64) bool {
	hi, lo := bits.Mul64(uint64(length), w.pixels)
	return hi == 0 && lo < w.span()
}

// after is where the pixel that a time lies in ends.
func (w window) after(t int64) int64 {
	d := uint64(0)
	if t > w.t0 {
		d = uint64(t) - uint64(w.t0)
	}
	hi, lo := bits.Mul64(d, w.pixels)
	pixel, _ := bits.Div64(min(hi, w.span()-1), lo, w.span())
	hi, lo = bits.Mul64(pixel+1, w.span())
	if hi >= w.pixels {
		return math.MaxInt64
	}
	q, r := bits.Div64(hi, lo, w.pixels)
	if r > 0 {
		q++
	}
	return int64(uint64(w.t0) + q)
}

// gallop is the first place from i to end whose time is not before t, found by
// doubling steps, the first of which may be guessed.
func gallop(times []int64, i, end int, t int64, step int) int {
	step = max(step, 1)
	for i+step < end && times[i+step-1] < t {
		i, step = i+step, step*2
	}
	n := min(step, end-i)
	return i + sort.Search(n, func(k int) bool { return times[i+k] >= t })
}

// span returns the slices of a row that touch the window: those that begin in
// it, and those that begin before and end in it.
func (x *Index) span(r *row, t0, t1 int64) (from, to int) {
	first, end := int(r.First), int(r.First+r.Len)
	from = first + sort.Search(int(r.Len), func(k int) bool { return x.end[first+k] > t0 || x.start[first+k] >= t0 })
	to = from + sort.Search(end-from, func(k int) bool { return x.start[from+k] >= t1 })
	return from, to
}

// view appends what a row shows of the window from t0 to t1, which is so many
// pixels wide: at most two items for each pixel. Each slice that touches the
// window is in exactly one item.
func (x *Index) view(items []item, r *row, t0, t1 int64, pixels int) []item {
	w := newWindow(t0, t1, pixels)
	i, end := x.span(r, w.t0, w.t1)
	sum := sums{at: -1}
	for run := 1; i < end; {
		j := i + 1
		if w.short(x.end[i] - x.start[i]) {
			j = gallop(x.start, j, end, w.after(x.start[i]), run-run/4) // pixels beside each other often have about as many
			if j > i+1 && !w.short(x.end[j-1]-x.start[j-1]) {           // only the last can be long
				j--
			}
			run = j - i
		}
		items = append(items, x.item(r, i, j, w, &sum))
		i = j
	}
	return items
}

// sums keeps the sum before a slice: a run begins where the one before ends.
type sums struct {
	at   int
	busy int64
}

func (x *Index) item(r *row, i, j int, w window, sum *sums) item {
	it := item{Start: x.start[i], End: x.end[j-1], Count: j - i, Slice: None, First: SliceID(i)}
	if j == i+1 {
		it.Slice, it.Name = SliceID(i), x.name[i]
		it.Busy = max(0, min(it.End, w.t1)-max(it.Start, w.t0))
		return it
	}
	if sum.at != i {
		sum.busy = x.before(r, i)
	}
	before := sum.busy
	*sum = sums{j, x.before(r, j)}
	it.Busy = sum.busy - before - max(0, x.end[j-1]-max(w.t1, x.start[j-1])) - max(0, min(w.t0, x.end[i])-x.start[i])
	it.Name = x.winner(r, i, j)
	return it
}

// summarize makes the sums and winners of a row.
func (x *Index) summarize(r *row) {
	n := int(r.Len)
	blocks := (n + fan - 1) / fan
	r.busy = make([]int64, blocks+1)
	level := make([]winner, blocks)
	var t tally
	for b := range blocks {
		t.reset()
		sum := int64(0)
		for k := b * fan; k < min(n, b*fan+fan); k++ {
			i := int(r.First) + k
			d := x.end[i] - x.start[i]
			t.add(x.name[i], d)
			sum += d
		}
		r.busy[b+1], level[b] = r.busy[b]+sum, t.best()
	}
	for len(level) > 1 {
		r.winners = append(r.winners, level)
		up := make([]winner, (len(level)+fan-1)/fan)
		for b := range up {
			t.reset()
			for _, v := range level[b*fan : min(len(level), b*fan+fan)] {
				t.add(v.name, v.busy)
			}
			up[b] = t.best()
		}
		level = up
	}
}

// before is the length of the slices of a row before i.
func (x *Index) before(r *row, i int) int64 {
	k := i - int(r.First)
	sum := r.busy[k/fan]
	for m := i - k%fan; m < i; m++ {
		sum += x.end[m] - x.start[m]
	}
	return sum
}

// winner is the name of slices i to j that is busy longest, as far as blocks
// tell. Of many slices only whole blocks are asked: those before the first and
// after the last are few, and looking at them takes longer than at all blocks.
func (x *Index) winner(r *row, i, j int) NameID {
	var t tally
	first := int(r.First)
	k, n := i-first, j-first
	if n-k >= 8*fan && len(r.winners) > 0 {
		k, n = (k+fan-1)/fan*fan, n/fan*fan
	}
	for k < n {
		if k%fan != 0 || n-k < fan || len(r.winners) == 0 {
			t.add(x.name[first+k], x.end[first+k]-x.start[first+k])
			k++
			continue
		}
		l, step := 0, fan
		for l+1 < len(r.winners) && k%(step*fan) == 0 && n-k >= step*fan {
			l, step = l+1, step*fan
		}
		v := r.winners[l][k/step]
		t.add(v.name, v.busy)
		k += step
	}
	return t.best().name
}

// A tally adds up busy time by name. It remembers some names and lets the least
// busy one go for a further one.
type tally struct {
	n     int
	names [32]winner
}

func (t *tally) reset() { t.n = 0 }

func (t *tally) add(name NameID, busy int64) {
	for i := range t.n {
		if t.names[i].name == name {
			t.names[i].busy += busy
			return
		}
	}
	if t.n < len(t.names) {
		t.names[t.n] = winner{name, busy}
		t.n++
		return
	}
	least := 0
	for i := range t.names {
		if t.names[i].busy < t.names[least].busy {
			least = i
		}
	}
	if t.names[least].busy < busy {
		t.names[least] = winner{name, busy}
	}
}

func (t *tally) best() winner {
	var out winner
	for i, v := range t.names[:t.n] {
		if i == 0 || v.busy > out.busy {
			out = v
		}
	}
	return out
}
