package lifetime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/gpuprof/gpuprof/format/simlog"
)

// Summary is what [Run] tells about the input as a whole.
type Summary struct {
	Used   Options // the options with defaults filled in
	Config simlog.Config
	Levels []string
	Tally  simlog.Tally
	Notes  []simlog.Note
}

// Run reads a source to its end, computes the lifetimes of every kernel and passes
// them to sink. Memory does not grow with the input.
//
// An input that breaks off is no reason to lose what came before: its kernels have
// been passed on, and the summary is returned with the error.
func Run(ctx context.Context, src simlog.Source, opts Options, sink Sink) (*Summary, error) {
	_, elements := src.(*simlog.ScaleSim)
	opts, err := opts.withDefaults(elements)
	if err != nil {
		return nil, err
	}
	e := newEngine(opts, src, sink)
	defer e.stop()
	for err == nil {
		if err = ctx.Err(); err != nil {
			break
		}
		var b *simlog.Batch
		if b, err = src.Next(); err == nil {
			err = e.add(b)
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	e.wait()
	sum := &Summary{Used: opts, Config: src.Config(), Levels: src.Levels(), Tally: src.Tally()}
	sum.Notes = append(src.Notes(), e.notes...)
	return sum, errors.Join(err, e.col.err)
}

// engine cuts batches at kernel borders, deals the accesses out to shards and
// follows the kernels.
type engine struct {
	opts   Options
	shift  uint
	shards []*shard
	col    *collector
	lanes  *lanes // nil with one job: everything happens on the caller's goroutine
	inline []*packet

	n         *counted // nil between kernels
	hint      simlog.Clock
	prevTotal int64 // cycles of all kernels before, on the global clock
	notes     []simlog.Note
}

func newEngine(o Options, src simlog.Source, sink Sink) *engine {
	e := &engine{opts: o, shift: uint(bits.TrailingZeros64(o.Block)), col: &collector{sink: sink, names: src.Levels}}
	for range o.Shards {
		e.shards = append(e.shards, newShard(o, e.shift))
	}
	if o.Shards > 1 || o.Jobs > 1 {
		e.lanes = startLanes(e.shards, e.col)
	} else {
		e.inline = []*packet{new(packet)}
	}
	return e
}

// add takes a batch.
func (e *engine) add(b *simlog.Batch) error {
	pos := 0
	for _, ev := range b.Events {
		e.accesses(b, pos, ev.At)
		pos = ev.At
		if ev.Kind == simlog.KernelStart {
			e.begin(ev.Kernel)
		} else {
			e.end(ev.Kernel)
		}
	}
	e.accesses(b, pos, b.Len())
	if e.lanes != nil {
		return e.lanes.failed()
	}
	return e.col.err
}

func (e *engine) begin(k *simlog.Kernel) {
	e.n = newCounted()
	if e.lanes != nil {
		e.lanes.begin(k)
		return
	}
	e.col.begin(k)
}

// accesses deals out accesses lo to hi of a batch.
func (e *engine) accesses(b *simlog.Batch, lo, hi int) {
	if lo == hi {
		return
	}
	e.n.add(b.Cycle[lo:hi], b.Info[lo:hi])
	p := e.packets()
	for _, q := range p {
		q.base = e.n.blocks
	}
	var sizes []uint32
	if len(b.Size) > 0 {
		sizes = b.Size[lo:hi]
	}
	if sizes == nil && len(p) == 1 {
		e.n.blocks += p[0].take(b, lo, hi, e.shift)
	} else {
		e.n.blocks += e.scatter(p, b, lo, hi)
	}
	e.send(p)
}

// take copies the accesses that are no retries into the only packet.
func (p *packet) take(b *simlog.Batch, lo, hi int, shift uint) uint64 {
	for i := lo; i < hi; i++ {
		if info := b.Info[i]; info.Status() != simlog.ReservationFail {
			p.cycle, p.key, p.info = append(p.cycle, b.Cycle[i]), append(p.key, b.Addr[i]>>shift), append(p.info, info)
		}
	}
	return uint64(len(p.key))
}

// scatter deals accesses out by the hash of their blocks; an access that is larger
// than a block is one for each block.
func (e *engine) scatter(p []*packet, b *simlog.Batch, lo, hi int) uint64 {
	mask := uint64(len(p) - 1)
	seq := uint32(0)
	for i := lo; i < hi; i++ {
		info := b.Info[i]
		if info.Status() == simlog.ReservationFail {
			continue
		}
		key := b.Addr[i] >> e.shift
		last := key
		if len(b.Size) > 0 && b.Size[i] > 1 {
			last = (b.Addr[i] + uint64(b.Size[i]) - 1) >> e.shift
		}
		space := spaceOf(info)
		for {
			q := p[hash(key, space)&mask]
			q.cycle, q.key, q.info, q.seq = append(q.cycle, b.Cycle[i]), append(q.key, key), append(q.info, info), append(q.seq, seq)
			seq++
			if key >= last {
				break
			}
			key++
		}
	}
	return uint64(seq)
}

// farFrom reports whether the accesses of a kernel are so far behind its beginning, if
// their cycles count from there, that they cannot: a kernel makes its first access some
// thousands of cycles after its start.
func farFrom(first, last int64) bool { return first > 1<<20 && first/10 > last-first }

// end closes the running kernel.
func (e *engine) end(k *simlog.Kernel) {
	n := e.n
	r := &KernelResult{Kernel: k, First: n.first, Last: n.last}
	r.EndAt, r.Clock = k.End(n.first, n.last, e.hint)
	switch {
	case k.Cycles > 0:
		r.Cycles = k.Cycles
	case r.Clock == simlog.Global:
		r.Cycles = r.EndAt - e.prevTotal
	case farFrom(n.first, n.last):
		r.Cycles = r.EndAt - n.first
		e.notes = append(e.notes, simlog.Note{Line: k.HeaderLine, Count: 1,
			Text: fmt.Sprintf("kernel %d: cycles that begin at %d do not count from the kernel's start; it is taken to begin with its first access", k.ID, n.first)})
	default:
		r.Cycles = r.EndAt - min(n.first, 0)
	}
	if n.any && k.Cycles > 0 && !k.EndKnown {
		e.hint = r.Clock
		if r.Clock == simlog.ClockUnfit {
			e.hint = simlog.PerKernel
			e.notes = append(e.notes, simlog.Note{Line: k.TrailerLine, Count: 1,
				Text: fmt.Sprintf("kernel %d: accesses after the kernel's end by either way of counting cycles; it is taken to end with its last access", k.ID)})
		}
	}
	e.prevTotal = max(e.prevTotal, k.TotalCycles)
	p := e.packets()
	for _, q := range p {
		q.base, q.end, q.endCycle = n.blocks, true, r.EndAt
	}
	e.n = nil
	if e.lanes != nil {
		e.lanes.end(p, r, n)
		return
	}
	e.send(p)
	s := e.shards[0]
	e.col.end(r, n, []*shardEnd{s.takeEnd()})
}

func (e *engine) packets() []*packet {
	if e.lanes != nil {
		return e.lanes.packets()
	}
	e.inline[0].reset()
	return e.inline
}

func (e *engine) send(p []*packet) {
	if e.lanes != nil {
		e.lanes.send(p)
		return
	}
	e.shards[0].handle(p[0], e.col.rows)
}

// wait returns when all that was sent has been worked off.
func (e *engine) wait() {
	if e.lanes != nil {
		e.lanes.wait()
	}
}

// stop gives back what the shards hold.
func (e *engine) stop() {
	e.wait()
	for _, s := range e.shards {
		s.closeSpill()
	}
}
