package lifetime

// entry is what is known of one block of one memory: 32 bytes, so that an access
// touches one cache line.
type entry struct {
	key   uint64 // block number
	start int64  // cycle in which the present data was made
	last  int64  // cycle of its last read
	meta  uint64 // see below
}

// The fields of entry.meta.
//
//	bits  0-2   reads of the present data, 7 = seven or more
//	bit   3     a hit has been seen on the present data: it has arrived
//	bit   4     the data is alive
//	bit   5     the entry is in use
//	bits  6-41  sequence number of the access that made the data
//	bits 42-63  space: level and unit
const (
	readsMask  = 7
	hitBit     = 1 << 3
	liveBit    = 1 << 4
	usedBit    = 1 << 5
	seqShift   = 6
	seqBits    = 36
	seqMask    = 1<<seqBits - 1
	spaceShift = seqShift + seqBits
	spaceMask  = 1<<64 - 1<<spaceShift
)

// space numbers a memory: the level in the low 6 bits, the unit above.
func (e *entry) space() uint64 { return e.meta >> spaceShift }
func (e *entry) seq() uint64   { return e.meta >> seqShift & seqMask }

// A table is an extendible hash table: a directory of segments of equal size,
// each of them open addressing with linear probing. A segment that is full is
// split in two, so growing never copies more than 32 KB, leaves no garbage, and
// memory follows the number of blocks closely.
type table struct {
	dir     []*segment // 1<<depth of them; several may be the same
	depth   uint8
	free    []*segment
	used    int // segments in use
	entries int64
}

const (
	segSize = 1024
	segFull = 720 // more than this splits: probes stay short
)

type segment struct {
	entry [segSize]entry
	n     int
	depth uint8 // bits of the hash that all its entries share
	mark  bool  // for walking the directory, where a segment stands several times
	next  *segment
}

const segBytes = segSize * 32

// hash mixes a block number and its space. The four blocks of an aligned group
// have the same hash: they lie side by side in the table, as neighbours in
// address tend to be accessed together.
func hash(key, space uint64) uint64 {
	h := (key>>2 ^ space<<40) * 0x9e3779b97f4a7c15
	return h ^ h>>32
}

// The uses of the hash: bits 0-3 choose the shard, 4-11 the place within the
// segment, 12-43 the directory entry, 58-63 the part of a spilled table.
const (
	slotShift = 4
	dirShift  = 12
	partShift = 58
)

func slotOf(h, key uint64) int { return int(h>>slotShift&(segSize/4-1))<<2 | int(key&3) }

func (t *table) segment(h uint64) *segment {
	return t.dir[h>>dirShift&(1<<t.depth-1)]
}

func (t *table) newSegment() *segment {
	t.used++
	if n := len(t.free); n > 0 {
		s := t.free[n-1]
		t.free = t.free[:n-1]
		*s = segment{}
		return s
	}
	return new(segment)
}

// lookup returns the entry of a block, making one if need be: then its meta has
// the space but not usedBit. It is valid until the next lookup.
func (t *table) lookup(key, space, h uint64) *entry {
	s := t.segment(h)
	for {
		for i := slotOf(h, key); ; i++ {
			e := &s.entry[i&(segSize-1)]
			if e.meta == 0 {
				if s.n >= segFull {
					break
				}
				s.n++
				t.entries++
				e.key, e.meta = key, space<<spaceShift
				return e
			}
			if e.key == key && e.meta>>spaceShift == space {
				return e
			}
		}
		s = t.widen(s, h)
	}
}

// widen makes room where a segment is full and returns the segment to go on with.
// The directory must not grow far beyond the number of segments: addresses made
// to have the same hash get a chain of segments instead.
func (t *table) widen(s *segment, h uint64) *segment {
	if s.next != nil {
		return s.next
	}
	inChain := s != t.segment(h)
	if inChain || s.depth == t.depth && len(t.dir) >= 32*(t.used+8) {
		s.next = t.newSegment()
		s.next.depth = s.depth
		return s.next
	}
	t.split(s, h)
	return t.segment(h)
}

// split halves a segment by one more bit of the hash.
func (t *table) split(s *segment, h uint64) {
	if s.depth == t.depth {
		t.dir = append(t.dir, t.dir...)
		t.depth++
	}
	low := h >> dirShift & (1<<s.depth - 1) // what the entries of s share
	bit := uint64(1) << s.depth
	a, b := t.newSegment(), t.newSegment()
	a.depth, b.depth = s.depth+1, s.depth+1
	for i := range s.entry {
		e := &s.entry[i]
		if e.meta == 0 {
			continue
		}
		eh := hash(e.key, e.space())
		to := a
		if eh>>dirShift&bit != 0 {
			to = b
		}
		to.insert(e, eh)
	}
	for i := low; i < uint64(len(t.dir)); i += bit {
		if i&bit != 0 {
			t.dir[i] = b
		} else {
			t.dir[i] = a
		}
	}
	t.release(s)
}

func (s *segment) insert(e *entry, h uint64) {
	i := slotOf(h, e.key)
	for s.entry[i&(segSize-1)].meta != 0 {
		i++
	}
	s.entry[i&(segSize-1)] = *e
	s.n++
}

func (t *table) release(s *segment) {
	t.used--
	t.free = append(t.free, s)
}

// reset empties the table and keeps its memory.
func (t *table) reset() {
	t.each(func(s *segment) { t.release(s) })
	t.dir = append(t.dir[:0], t.newSegment())
	t.depth, t.entries = 0, 0
}

// each calls f once for every segment in use; f may release it.
func (t *table) each(f func(*segment)) {
	for _, s := range t.dir {
		s.mark = true
	}
	for _, s := range t.dir {
		if !s.mark {
			continue
		}
		s.mark = false
		for s != nil {
			next := s.next
			f(s)
			s = next
		}
	}
}
