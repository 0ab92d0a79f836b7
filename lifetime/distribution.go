package lifetime

import (
	"math"
	"math/bits"
	"slices"
)

// Distribution counts lifetimes by their length in cycles. It is exact: every
// quantile, and the number of refreshes at any retention time, can be had from it
// without the lifetimes themselves.
//
// Lengths below 2^23 cycles are counted one by one in pages made when needed,
// longer ones in a map; a map that would hold more than 2^18 different lengths
// rounds them to 12 significant bits, and Exact turns false.
type Distribution struct {
	pages  []*page
	spare  []*page
	long   map[int64]uint64
	coarse bool

	n        uint64
	max      int64
	sumHi    uint64
	sumLo    uint64
	overflow map[int64]uint64 // what the 32-bit counters lost, in units of 2^32
}

const (
	pageBits  = 12
	pagesMax  = 1 << (23 - pageBits)
	longMax   = 1 << 18
	coarseLen = 12
)

type page [1 << pageBits]uint32

// Add counts a lifetime of so many cycles, which must not be negative.
func (d *Distribution) Add(cycles int64) { d.AddN(cycles, 1) }

// AddN counts n lifetimes of the same length.
func (d *Distribution) AddN(cycles int64, n uint64) {
	d.n += n
	d.max = max(d.max, cycles)
	hi, lo := bits.Mul64(uint64(cycles), n)
	var carry uint64
	d.sumLo, carry = bits.Add64(d.sumLo, lo, 0)
	d.sumHi += hi + carry
	p := int(min(cycles>>pageBits, pagesMax))
	if p == pagesMax {
		d.addLong(cycles, n)
		return
	}
	if p >= len(d.pages) || d.pages[p] == nil {
		d.grow(p)
	}
	c := &d.pages[p][cycles&(1<<pageBits-1)]
	sum := uint64(*c) + n
	*c = uint32(sum)
	if sum>>32 != 0 {
		if d.overflow == nil {
			d.overflow = map[int64]uint64{}
		}
		d.overflow[cycles] += sum >> 32
	}
}

func (d *Distribution) grow(p int) {
	for len(d.pages) <= p {
		d.pages = append(d.pages, nil)
	}
	if n := len(d.spare); n > 0 {
		d.pages[p], d.spare = d.spare[n-1], d.spare[:n-1]
		return
	}
	d.pages[p] = new(page)
}

func (d *Distribution) addLong(cycles int64, n uint64) {
	if d.long == nil {
		d.long = map[int64]uint64{}
	}
	if d.coarse {
		cycles = coarsen(cycles)
	}
	d.long[cycles] += n
	if len(d.long) > longMax && !d.coarse {
		d.coarse = true
		rounded := map[int64]uint64{}
		for c, k := range d.long {
			rounded[coarsen(c)] += k
		}
		d.long = rounded
	}
}

// coarsen keeps the leading bits.
func coarsen(cycles int64) int64 {
	drop := max(bits.Len64(uint64(cycles))-coarseLen, 0)
	return cycles >> drop << drop
}

// Reset empties d and keeps its pages.
func (d *Distribution) Reset() {
	spare := d.spare
	for i, p := range d.pages {
		if p != nil {
			clear(p[:])
			spare = append(spare, p)
			d.pages[i] = nil
		}
	}
	*d = Distribution{pages: d.pages[:0], spare: spare}
}

// Merge adds the counts of o to d.
func (d *Distribution) Merge(o *Distribution) {
	hi, lo := d.sumHi, d.sumLo
	o.each(d.AddN)
	// Rounded lengths would give another sum than the lifetimes had.
	var carry uint64
	d.sumLo, carry = bits.Add64(lo, o.sumLo, 0)
	d.sumHi = hi + o.sumHi + carry
	d.max = max(d.max, o.max)
	d.coarse = d.coarse || o.coarse
}

// each calls f for every length that occurs, in ascending order.
func (d *Distribution) each(f func(cycles int64, n uint64)) {
	d.until(func(cycles int64, n uint64) bool {
		f(cycles, n)
		return false
	})
}

// until is Each that ends when f returns true.
func (d *Distribution) until(f func(cycles int64, n uint64) bool) {
	for p, page := range d.pages {
		if page == nil {
			continue
		}
		for i, c := range page {
			cycles, n := int64(p)<<pageBits|int64(i), uint64(c)
			if d.overflow != nil {
				n += d.overflow[cycles] << 32
			}
			if n > 0 && f(cycles, n) {
				return
			}
		}
	}
	if len(d.long) == 0 {
		return
	}
	lengths := make([]int64, 0, len(d.long))
	for c := range d.long {
		lengths = append(lengths, c)
	}
	slices.Sort(lengths)
	for _, c := range lengths {
		if f(c, d.long[c]) {
			return
		}
	}
}

// N is the number of lifetimes.
func (d *Distribution) N() uint64 { return d.n }

// Max is the longest lifetime in cycles, 0 where there is none.
func (d *Distribution) Max() int64 { return d.max }

// Exact reports whether every length is counted as it is.
func (d *Distribution) Exact() bool { return !d.coarse }

// Sum is the sum of all lifetimes in cycles.
func (d *Distribution) Sum() float64 { return math.Ldexp(float64(d.sumHi), 64) + float64(d.sumLo) }

// Mean is the average in cycles, NaN where there is no lifetime.
func (d *Distribution) Mean() float64 { return d.Sum() / float64(d.n) }

// Quantile returns the q-quantile in cycles with linear interpolation between the
// two nearest lifetimes, as numpy and pandas do by default: for q = 0.5 the mean
// of the middle pair. NaN where there is no lifetime.
func (d *Distribution) Quantile(q float64) float64 {
	if d.n == 0 {
		return math.NaN()
	}
	at := q * float64(d.n-1)
	rank := uint64(at)
	lo, hi := d.neighbours(rank)
	// Interpolated as pandas does, so that the last digits agree.
	return float64(lo) + float64(hi-lo)*(at-float64(rank))
}

// neighbours returns the lengths at positions r and r+1 of the sorted lifetimes.
func (d *Distribution) neighbours(r uint64) (lo, hi int64) {
	var seen uint64
	found := false
	d.until(func(cycles int64, n uint64) bool {
		seen += n
		if !found && seen > r {
			lo, found = cycles, true
		}
		hi = cycles
		return seen > r+1
	})
	return lo, hi
}

// Within counts the lifetimes of at most so many cycles, and the sum of their
// lengths.
func (d *Distribution) Within(cycles int64) (n uint64, sum float64) {
	d.each(func(c int64, k uint64) {
		if c <= cycles {
			n += k
			sum += float64(c) * float64(k)
		}
	})
	return n, sum
}
