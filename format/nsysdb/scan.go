package nsysdb

import (
	"context"
	"runtime"
	"sync/atomic"

	"github.com/gpuprof/gpuprof/internal/carry"
)

// chunkBytes is how much of a table one step of a worker decodes: enough to make
// the hand-over cheap, little enough to share among cores.
const chunkBytes = 1 << 18

// Read reads the columns asked for of all rows, in the order of rowids. An
// error is a mistake in what is asked, or ctx's; defects of the file are listed
// in Block.Problems.
func (t *Table) Read(ctx context.Context, asks ...Ask) (*Block, error) {
	var out *Block
	err := t.scan(ctx, asks, func(b *Block, of int) error {
		if out == nil {
			out = emptyBlock(asks, nil)
		}
		out.add(b, of)
		return nil
	})
	return out, err
}

// Scan calls yield with block after block of rows, in the order of rowids. At
// most a few blocks are in memory at a time; a block is valid until yield
// returns, as others are decoded into its memory. It stops at the first error
// that yield returns and returns it.
func (t *Table) Scan(ctx context.Context, yield func(*Block) error, asks ...Ask) error {
	return t.scan(ctx, asks, func(b *Block, _ int) error { return yield(b) })
}

// scan decodes chunks of leaves in parallel and yields them in order, each with
// the number of chunks that there are.
func (t *Table) scan(ctx context.Context, asks []Ask, yield func(b *Block, of int) error) error {
	wants, err := t.wants(asks)
	if err != nil {
		return err
	}
	w, err := t.file.walkLeaves(ctx, t.Root)
	if err != nil {
		return err
	}
	if len(w.problems.list) > 0 {
		if err := yield(emptyBlock(asks, w.problems.errors()), 0); err != nil {
			return err
		}
	}
	per := max(1, min(chunkBytes/t.file.PageSize, len(w.leaves)))
	chunks := (len(w.leaves) + per - 1) / per
	if chunks == 0 {
		return yield(emptyBlock(asks, nil), 0)
	}
	window := 2 * runtime.GOMAXPROCS(0) // chunks decoded and not yet yielded
	s := &scanState{t: t, asks: asks, wants: wants, leaves: w.leaves, per: per, free: make(chan *Block, window+1),
		done: make([]chan *Block, chunks), room: make(chan struct{}, window)}
	for i := range s.done {
		s.done[i] = make(chan *Block, 1)
	}
	ctx, cancel := context.WithCancel(ctx)
	wg := carry.Group{Stop: cancel}
	for range min(runtime.GOMAXPROCS(0), chunks) {
		wg.Go(func() { s.work(ctx) })
	}
	defer wg.Wait()
	defer cancel()
	for _, c := range s.done {
		select {
		case b := <-c:
			if err := yield(b, chunks); err != nil {
				return err
			}
			s.free <- b // has room for all that there can be
			<-s.room
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func emptyBlock(asks []Ask, ps []error) *Block {
	b := &Block{Columns: make([]Vector, len(asks)), Problems: ps}
	for i, a := range asks {
		b.Columns[i].Form = a.Form
	}
	return b
}

// scanState is shared by the workers of a scan.
type scanState struct {
	t      *Table
	asks   []Ask
	wants  []want
	free   chan *Block // blocks to be used again
	leaves []uint32
	per    int
	next   atomic.Int64
	done   []chan *Block
	room   chan struct{}

	// overflow counts the overflow pages that were followed. In a sound table
	// each belongs to one row, so there cannot be more than the file has.
	overflow atomic.Int64
}

func (s *scanState) work(ctx context.Context) {
	d := newDecoder(s)
	for {
		select {
		case s.room <- struct{}{}:
		case <-ctx.Done():
			return
		}
		i := int(s.next.Add(1)) - 1
		if i >= len(s.done) {
			<-s.room
			return
		}
		s.done[i] <- d.chunk(s.leaves[i*s.per : min((i+1)*s.per, len(s.leaves))])
	}
}

// chunk decodes some leaves. Neighbours in the file are read at once.
func (d *decoder) chunk(leaves []uint32) *Block {
	select {
	case d.block = <-d.state.free:
		d.block.reset()
	default:
		d.block = emptyBlock(d.state.asks, nil)
	}
	d.bad = problems{}
	size := d.file.PageSize
	for len(leaves) > 0 {
		n := 1
		for n < len(leaves) && leaves[n] == leaves[0]+uint32(n) {
			n++
		}
		b := d.buf[:n*size]
		if err := d.file.readPages(b, leaves[0]); err != nil {
			if n > 1 { // find the pages that can be read
				for _, p := range leaves[:n] {
					if err := d.file.readPages(b[:size], p); err != nil {
						d.bad.add(err)
					} else {
						d.leaf(b[:size], d.buf, p)
					}
				}
			} else {
				d.bad.add(err)
			}
		} else {
			for i := range n {
				d.leaf(b[i*size:(i+1)*size], d.buf[i*size:], leaves[i])
			}
		}
		leaves = leaves[n:]
	}
	d.block.Problems = d.bad.errors()
	return d.block
}
