package loggen

import (
	"bytes"
	"io"
)

const (
	latency   = 400  // cycles until a miss is served
	ring      = 512  // cycles that the queue towards L2 looks ahead
	inFlight  = 400  // L1 misses under way before the next must retry
	slices    = 160  // L2 slices
	neighbour = 55   // percent of cycles in which another SM accesses eight sectors of the L2
	launch    = 5000 // cycles before a kernel's first instruction
)

// generator is the state of one run.
type generator struct {
	Options
	w       io.Writer
	err     error
	buf     []byte
	written int64
	lines   int64

	r            rng
	l1           []*cache
	l2           *cache
	total        int64 // cycles of all kernels so far
	sumL1, sumL2 CacheTruth
}

// queued is an access on its way to the L2.
type queued struct {
	addr  uint64
	store bool
}

// Write writes a log and tells what is in it.
func Write(w io.Writer, o Options) (Truth, error) {
	o = o.withDefaults()
	g := &generator{Options: o, w: w, r: rng(o.Seed), l2: newCache(1 << 20)}
	for range o.SMs {
		g.l1 = append(g.l1, newCache(1<<12))
	}
	g.text("GPGPU-Sim: Configuration options:")
	g.text("-gpgpu_clock_domains 1132.0:1132.0:1132.0:850.0 # Clock Domain Frequencies in MhZ")
	g.text("-gpgpu_cache:dl2     S:64:128:40,L:B:m:L:P,A:192:4,32:0,32 # unified banked L2 data cache config")
	g.text("-gpgpu_n_mem                           80 # number of memory modules")
	g.text("-gpgpu_n_sub_partition_per_mchannel                    2 # number of memory subpartition in each memory module")
	var t Truth
	for k := range o.Kernels {
		until := o.Bytes * int64(k+1) / int64(o.Kernels)
		t.Kernels = append(t.Kernels, g.kernel(int64(k)+1, until, o.Cut && k == o.Kernels-1))
	}
	g.emit()
	t.Bytes, t.Lines = g.written, g.lines
	return t, g.err
}

// kernel writes one kernel; it ends when the log has reached size until.
func (g *generator) kernel(id, until int64, cut bool) KernelTruth {
	p := &patterns[(id-1)%int64(len(patterns))]
	k := KernelTruth{ID: id, Name: p.name}
	g.header(id, p)
	for _, c := range g.l1 {
		c.clear() // flushed at each kernel's start
	}
	streams := make([]stream, g.SMs+1) // the last stands for all other SMs
	for i := range streams {
		streams[i] = stream{base: 0x7f5800000000 + uint64(id)<<32 + uint64(i)<<27, size: 1 << 24}
	}
	sms := make([]sm, g.SMs)
	var queue [ring][]queued
	base := int64(0)
	if g.Global {
		base = g.total
	}
	now := launch + int64(g.r.below(400))
	for ; g.written+int64(len(g.buf)) < until; now++ {
		for i := range sms {
			g.step(&sms[i], i, now, base, p, &streams[i], &queue, &k.L1)
		}
		if g.r.percent(neighbour) {
			g.others(&streams[g.SMs], p, now, &queue)
		}
		due := queue[now%ring]
		for _, q := range due {
			if g.r.percent(9) {
				g.l2Line(now+base, q.store, slice(q.addr), q.addr, 3)
				k.L2.ReservationFails++
				queue[(now+1)%ring] = append(queue[(now+1)%ring], q)
				continue
			}
			status := g.count(g.l2.probe(q.addr, now, latency), q.store, &k.L2)
			g.l2Line(now+base, q.store, slice(q.addr), q.addr, status.print())
		}
		queue[now%ring] = due[:0]
	}
	k.Cycles = now + int64(g.r.below(200))
	if cut {
		g.buf = append(g.buf, "GPGPU-Sim Cycle 370"...)
		return k
	}
	g.trailer(k)
	return k
}

// sm is one SM's load and store unit.
type sm struct {
	todo  []queued // what the current warp still has to access
	under []int64  // arrival times of its outstanding misses, oldest first
}

// step lets an SM do one cycle's work: up to eight sectors, one for each bank.
func (g *generator) step(s *sm, id int, now, base int64, p *pattern, st *stream, queue *[ring][]queued, t *CacheTruth) {
	for len(s.under) > 0 && s.under[0] <= now {
		s.under = s.under[1:]
	}
	if len(s.todo) == 0 {
		if g.r.percent(83) {
			return
		}
		addr, store := p.next(st, &g.r), g.r.percent(p.stores)
		if store {
			addr += 1 << 26 // results lie elsewhere
		}
		for i := range uint64(8) {
			s.todo = append(s.todo, queued{addr + i*32, store})
		}
	}
	left := s.todo[:0]
	for _, q := range s.todo {
		bank := int(q.addr >> 5 & 7)
		if len(s.under) >= inFlight {
			g.l1Line(now+base, q.store, id, bank, q.addr, 3)
			t.ReservationFails++
			left = append(left, q)
			continue
		}
		status := g.count(g.l1[id].probe(q.addr, now, latency), q.store, t)
		g.l1Line(now+base, q.store, id, bank, q.addr, status.print())
		if status == miss {
			s.under = append(s.under, now+latency)
			at := (now + 110 + int64(g.r.below(56))) % ring
			queue[at] = append(queue[at], q)
		}
	}
	s.todo = left
}

// others queues one access of the SMs whose L1 is not printed: eight sectors,
// downwards.
func (g *generator) others(st *stream, p *pattern, now int64, queue *[ring][]queued) {
	addr, store := p.next(st, &g.r)&^255, g.r.percent(p.stores)
	if store {
		addr += 1 << 26
	}
	at := (now + 1 + int64(g.r.below(64))) % ring
	for i := range uint64(8) {
		queue[at] = append(queue[at], queued{addr + 224 - i*32, store})
	}
}

func slice(addr uint64) int { return int((addr>>8 ^ addr>>15) % slices) }

func (g *generator) count(o outcome, store bool, t *CacheTruth) outcome {
	t.Accesses++
	if store {
		t.Stores++
	} else {
		t.Loads++
	}
	switch o {
	case hit:
		t.Hits++
	case pending:
		t.PendingHits++
	case miss:
		t.Misses++
	}
	return o
}

// print gives the status that a simulator prints: a miss that joins another is
// printed as a miss.
func (o outcome) print() byte {
	if o == hit {
		return 0
	}
	return 2
}

func (g *generator) flush() {
	if len(g.buf) >= 1<<16 {
		g.emit()
	}
}

func (g *generator) emit() {
	if g.err == nil {
		_, g.err = g.w.Write(g.buf)
	}
	g.written += int64(len(g.buf))
	g.lines += int64(bytes.Count(g.buf, []byte{'\n'}))
	g.buf = g.buf[:0]
}
