package lifetime

import (
	"sync"
	"sync/atomic"

	"github.com/gpuprof/gpuprof/format/simlog"
	"github.com/gpuprof/gpuprof/internal/carry"
)

// lanes run the shards on goroutines of their own, and a collector on another
// that puts their lifetimes back into one order.
//
// A round is one packet for each shard. The dispatcher sends the packets first and
// announces the round afterwards, so that the collector, when it waits for a
// shard, waits for work that is already there.
type lanes struct {
	in     []chan *packet
	out    []chan lifetimes
	rounds chan round
	free   chan []*packet
	spare  sync.Pool // of []Row
	bad    atomic.Pointer[error]
	done   sync.WaitGroup
	once   sync.Once
}

type round struct {
	begin  *simlog.Kernel
	result *KernelResult // at a kernel's end
	n      *counted
	p      []*packet // given back when the round is over
}

// lifetimes is what a shard sends for a packet: any number of times rows, the last
// time with last set.
type lifetimes struct {
	rows *[]Row
	last bool
	end  *shardEnd // with last, at a kernel's end
}

// inWork is how many rounds may be under way.
const inWork = 4

func startLanes(shards []*shard, col *collector) *lanes {
	l := &lanes{rounds: make(chan round, inWork), free: make(chan []*packet, inWork+1)}
	l.spare.New = func() any { return new([]Row) }
	for range inWork + 1 {
		p := make([]*packet, len(shards))
		for i := range p {
			p[i] = new(packet)
		}
		l.free <- p
	}
	for _, s := range shards {
		in, out := make(chan *packet, inWork), make(chan lifetimes, inWork)
		l.in, l.out = append(l.in, in), append(l.out, out)
		go l.work(s, in, out)
	}
	l.done.Add(1)
	go func() {
		defer l.done.Done()
		l.collect(col)
	}()
	return l
}

// work is a shard's goroutine.
func (l *lanes) work(s *shard, in chan *packet, out chan lifetimes) {
	emit := func(rows []Row) {
		buf := l.spare.Get().(*[]Row)
		*buf = append((*buf)[:0], rows...)
		out <- lifetimes{rows: buf}
	}
	for p := range in {
		end := p.end
		if fault := carry.Catch(func() { s.handle(p, emit) }); fault != nil {
			s.err = fault
		}
		m := lifetimes{last: true}
		if end {
			m.end = s.takeEnd()
		}
		out <- m
	}
}

// takeEnd returns what the shard counted in the kernel that has just ended.
func (s *shard) takeEnd() *shardEnd {
	e := &shardEnd{levels: s.levels, spilled: s.spilled, err: s.err}
	s.levels, s.spilled = [simlog.MaxLevels]*tallies{}, false
	return e
}

// collect is the collector's goroutine.
func (l *lanes) collect(col *collector) {
	heads := make([]head, len(l.out))
	_, unordered := col.sink.(Discard)
	unordered = unordered || len(heads) == 1 // in order as it comes
	buf := make([]Row, 0, rowsAtOnce)
	fresh := func() {
		for i := range heads {
			heads[i] = head{out: l.out[i]}
		}
	}
	one := func(r round) {
		if r.begin != nil {
			col.begin(r.begin)
			return
		}
		fresh()
		if unordered {
			l.drainRound(heads, col)
		} else {
			l.mergeRound(heads, col, buf)
		}
		if r.result != nil {
			ends := make([]*shardEnd, len(heads))
			for i := range heads {
				ends[i] = heads[i].end
			}
			col.end(r.result, r.n, ends)
		}
	}
	broken := false
	for r := range l.rounds {
		switch fault := carry.Catch(func() {
			if !broken {
				one(r)
			}
		}); {
		case fault != nil:
			broken, col.err = true, fault
		case broken:
			fresh()
		}
		if r.begin != nil {
			continue
		}
		for i := 0; broken && i < len(heads); i++ { // nobody must wait for who takes no more
			for h := &heads[i]; !h.done; h.rows = nil {
				h.fill(&l.spare)
			}
		}
		l.free <- r.p
		if err := col.err; err != nil && l.bad.Load() == nil {
			l.bad.Store(&err)
		}
	}
}

// head is the next row of one shard's stream.
type head struct {
	out  chan lifetimes
	buf  *[]Row
	rows []Row // not yet taken
	done bool
	end  *shardEnd
}

// fill makes rows non-empty unless the shard's part of the round is over.
func (h *head) fill(spare *sync.Pool) {
	for len(h.rows) == 0 && !h.done {
		if h.buf != nil {
			spare.Put(h.buf)
			h.buf = nil
		}
		m := <-h.out
		if m.last {
			h.done, h.end = true, m.end
			return
		}
		h.buf, h.rows = m.rows, *m.rows
	}
}

// mergeRound passes the rows of one round on in the order of their sequence.
func (l *lanes) mergeRound(heads []head, col *collector, buf []Row) {
	for {
		best := -1
		var low uint64
		for i := range heads {
			h := &heads[i]
			if h.fill(&l.spare); h.done {
				continue
			}
			if o := h.rows[0].order & seqMask; best < 0 || o < low {
				best, low = i, o
			}
		}
		if best < 0 {
			break
		}
		h := &heads[best]
		buf = append(buf, h.rows[0])
		h.rows = h.rows[1:]
		if len(buf) == cap(buf) {
			col.rows(buf)
			buf = buf[:0]
		}
	}
	if len(buf) > 0 {
		col.rows(buf)
	}
}

// drainRound passes the rows of one round on in any order.
func (l *lanes) drainRound(heads []head, col *collector) {
	for i := range heads {
		h := &heads[i]
		for h.fill(&l.spare); !h.done; h.fill(&l.spare) {
			col.rows(h.rows)
			h.rows = nil
		}
	}
}

func (l *lanes) begin(k *simlog.Kernel) { l.rounds <- round{begin: k} }

func (l *lanes) packets() []*packet {
	p := <-l.free
	for _, q := range p {
		q.reset()
	}
	return p
}

func (l *lanes) send(p []*packet) { l.announce(p, round{p: p}) }

func (l *lanes) end(p []*packet, r *KernelResult, n *counted) {
	l.announce(p, round{p: p, result: r, n: n})
}

func (l *lanes) announce(p []*packet, r round) {
	for i, q := range p {
		l.in[i] <- q
	}
	l.rounds <- r
}

// failed returns the first error of the sink or a shard.
func (l *lanes) failed() error {
	if err := l.bad.Load(); err != nil {
		return *err
	}
	return nil
}

// wait ends the goroutines when they have worked everything off.
func (l *lanes) wait() {
	l.once.Do(func() {
		for _, in := range l.in {
			close(in)
		}
		close(l.rounds)
		l.done.Wait()
	})
}
