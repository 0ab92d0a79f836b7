package lifetime

import (
	"slices"

	"github.com/gpuprof/gpuprof/format/simlog"
)

// packet is a run of accesses of one kernel for one shard, column by column.
type packet struct {
	cycle []int64
	key   []uint64 // block numbers
	info  []simlog.Info
	seq   []uint32 // added to base; nil: 0, 1, 2, ...
	base  uint64   // accesses of the kernel before this packet

	end      bool // the kernel is over after these accesses
	endCycle int64
}

func (p *packet) reset() {
	p.cycle, p.key, p.info, p.seq, p.end = p.cycle[:0], p.key[:0], p.info[:0], p.seq[:0], false
}

// tallies are what a shard counts of one level in one kernel.
type tallies struct {
	unique    int64
	reuse     [readsMask + 1]int64 // lifetimes by number of reads after the first access, 7 and more together
	inherited int64                // first access was a hit: the data is older than the kernel
	merged    int64                // misses taken to wait for an earlier one
	rewritten int64                // lifetimes ended by a store
	refilled  int64                // lifetimes ended by a fill
	open      int64                // lifetimes open at the kernel's end
	backward  int64                // lifetimes that would have been negative
}

// shard computes the lifetimes of its share of the addresses, one kernel after
// the other.
type shard struct {
	opts      Options
	shift     uint // log2 of the block size
	table     table
	maxSegs   int
	levels    [simlog.MaxLevels]*tallies
	rows      []Row
	keys, aux []uint64 // for sorting
	spill     *spill
	spilled   bool // in this kernel
	err       error
}

// rowsAtOnce bounds the rows handed on at a time.
const rowsAtOnce = 8192

func newShard(o Options, shift uint) *shard {
	s := &shard{opts: o, shift: shift}
	s.maxSegs = max(int(o.TableBytes/segBytes)/o.Shards, 4)
	s.table.reset()
	return s
}

func (s *shard) level(space uint64) *tallies {
	l := s.levels[space&63]
	if l == nil {
		l = new(tallies)
		s.levels[space&63] = l
	}
	return l
}

// handle processes a packet and passes the lifetimes that it ends to emit, in
// slices that are valid during the call.
func (s *shard) handle(p *packet, emit func([]Row)) {
	s.rows = s.rows[:0]
	switch {
	case s.spill != nil:
		s.err = s.spill.accesses(p)
	default:
		s.process(p)
		if s.table.used > s.maxSegs && s.err == nil {
			s.err = s.startSpill()
		}
	}
	if len(s.rows) > 0 {
		emit(s.rows)
	}
	if p.end {
		if s.spill != nil {
			s.finishSpill(p.endCycle, emit)
		}
		s.drain(p.endCycle, emit)
		s.table.reset()
	}
}

// ahead is how many accesses are looked up together, so that the waits for their
// cache lines overlap.
const ahead = 32

// process applies accesses to the table.
func (s *shard) process(p *packet) {
	n := len(p.key)
	var touch uint64
	for i := 0; i < n; i += ahead {
		m := min(i+ahead, n)
		for j := i; j < m; j++ {
			h := hash(p.key[j], spaceOf(p.info[j]))
			touch += s.table.segment(h).entry[slotOf(h, p.key[j])].meta
		}
		for j := i; j < m; j++ {
			seq := p.base + uint64(j)
			if len(p.seq) > 0 {
				seq = p.base + uint64(p.seq[j])
			}
			s.access(p.key[j], p.cycle[j], p.info[j], seq)
		}
	}
	if touch == 1 { // never: it keeps the loads above from being optimised away
		s.rows = s.rows[:len(s.rows):len(s.rows)]
	}
}

// access applies one access, which is no retry.
func (s *shard) access(key uint64, cycle int64, info simlog.Info, seq uint64) {
	space := spaceOf(info)
	e := s.table.lookup(key, space, hash(key, space))
	status, store := info.Status(), info.Op() == simlog.OpStore
	hit := status == simlog.Hit
	miss := status == simlog.Miss || status == simlog.SectorMiss
	switch {
	case e.meta&usedBit == 0:
		l := s.level(space)
		l.unique++
		if hit || status == simlog.HitReserved {
			l.inherited++
		}
		e.meta |= usedBit
		if !(store && miss && s.opts.NoWriteAllocate) {
			e.open(cycle, seq, hit)
		}
	case e.meta&liveBit == 0:
		if !(store && miss) { // only a policy without write allocation gets here
			e.open(cycle, seq, hit)
		}
	case store:
		l := s.level(space)
		l.rewritten++
		s.closeAt(e, cycle, seq, l)
		if miss && s.opts.NoWriteAllocate {
			e.meta &^= liveBit
			break
		}
		e.open(cycle, seq, hit)
	case miss && (e.meta&hitBit != 0 || cycle-e.start > s.opts.MergeWindow):
		l := s.level(space)
		l.refilled++
		s.closeAt(e, cycle, seq, l)
		e.open(cycle, seq, false)
	default:
		if miss {
			s.level(space).merged++
		}
		e.last = max(cycle, e.last)
		if hit {
			e.meta |= hitBit
		}
		if e.meta&readsMask != readsMask {
			e.meta++
		}
	}
}

// open starts a lifetime.
func (e *entry) open(cycle int64, seq uint64, hit bool) {
	e.start, e.last = cycle, cycle
	e.meta = e.meta&spaceMask | usedBit | liveBit | min(seq, seqMask)<<seqShift
	if hit {
		e.meta |= hitBit
	}
}

// closeAt ends the lifetime of e and adds its row, sorted by order.
func (s *shard) closeAt(e *entry, cycle int64, order uint64, l *tallies) {
	l.reuse[e.meta&readsMask]++
	if s.opts.End == AtLastRead {
		cycle = e.last
	}
	life := cycle - e.start
	if life < 0 {
		l.backward++
		life = 0
	}
	s.rows = append(s.rows, Row{Addr: e.key << s.shift, Cycles: life, order: min(order, seqMask) | e.space()<<seqBits})
}

// drain ends what is alive at the kernel's end, in the order in which it began.
func (s *shard) drain(end int64, emit func([]Row)) {
	s.keys = s.keys[:0]
	var segs []*segment
	s.table.each(func(g *segment) {
		at := uint64(len(segs)) * segSize
		segs = append(segs, g)
		for i := range g.entry {
			if e := &g.entry[i]; e.meta&liveBit != 0 {
				s.keys = append(s.keys, e.seq()<<(64-seqBits)|(at+uint64(i)))
			}
		}
	})
	s.sortKeys()
	s.rows = s.rows[:0]
	for _, k := range s.keys {
		k &= 1<<(64-seqBits) - 1
		e := &segs[k/segSize].entry[k%segSize]
		l := s.level(e.space())
		l.open++
		s.closeAt(e, end, e.seq(), l)
		if len(s.rows) == rowsAtOnce {
			emit(s.rows)
			s.rows = s.rows[:0]
		}
	}
	if len(s.rows) > 0 {
		emit(s.rows)
	}
}

// sortKeys sorts keys by their upper part, the sequence number, by radix.
func (s *shard) sortKeys() {
	const digit = 11
	n := len(s.keys)
	if n < 256 {
		slices.Sort(s.keys)
		return
	}
	var top uint64
	for _, k := range s.keys {
		top |= k
	}
	s.aux = append(s.aux[:0], s.keys...)
	from, to := s.keys, s.aux
	for shift := uint(64 - seqBits); shift < 64 && top>>shift != 0; shift += digit {
		var at [1 << digit]int
		for _, k := range from {
			at[k>>shift&(1<<digit-1)]++
		}
		sum := 0
		for i, c := range at {
			at[i] = sum
			sum += c
		}
		for _, k := range from {
			d := k >> shift & (1<<digit - 1)
			to[at[d]] = k
			at[d]++
		}
		from, to = to, from
	}
	s.keys, s.aux = from, to
}
