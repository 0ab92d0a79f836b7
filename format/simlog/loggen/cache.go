package loggen

// cache is a direct-mapped array of sectors with the time each will be filled.
type cache struct {
	tag   []uint64 // address + 1; 0 is empty
	ready []int64  // when the data arrives
	mask  uint64
}

func newCache(sectors int) *cache {
	return &cache{tag: make([]uint64, sectors), ready: make([]int64, sectors), mask: uint64(sectors - 1)}
}

func (c *cache) clear() { clear(c.tag) }

type outcome uint8

const (
	hit outcome = iota
	pending
	miss
)

// probe looks an address up; a miss brings it in, to arrive latency cycles later.
func (c *cache) probe(addr uint64, now, latency int64) outcome {
	blk := addr >> 5
	slot := (blk ^ blk>>13) & c.mask
	switch {
	case c.tag[slot] != addr+1:
		c.tag[slot], c.ready[slot] = addr+1, now+latency
		return miss
	case c.ready[slot] > now:
		return pending
	}
	return hit
}

// rng is splitmix64: small, fast, the same everywhere.
type rng uint64

func (r *rng) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number in [0, n).
func (r *rng) below(n uint64) uint64 { return r.next() % n }

// percent is true p times in a hundred.
func (r *rng) percent(p uint64) bool { return r.below(100) < p }
