package lifetime

import (
	"encoding/binary"
	"fmt"
	"os"

	"github.com/gpuprof/gpuprof/format/simlog"
)

// spill holds on disk what a shard's table has no room for: a kernel that touches
// more blocks than TableBytes can hold. The blocks are split into parts by hash;
// each part is a list of extents of one temporary file. The first record of a
// block may be its state when the spilling began, all others are accesses, in
// their order. At the kernel's end the parts are worked off one by one.
type spill struct {
	f     *os.File
	size  int64
	parts [spillParts]spillPart
	read  []byte
}

const (
	spillParts  = 64
	spillRecord = 40
	spillBuffer = 400 * spillRecord // for each part
)

type spillPart struct {
	buf     []byte
	extents []extent
}

type extent struct {
	off int64
	n   int
}

// startSpill moves the table to disk.
func (s *shard) startSpill() error {
	f, err := os.CreateTemp(s.opts.TempDir, "gpuprof-lifetimes-*")
	if err != nil {
		return fmt.Errorf("more blocks than memory is allowed for, and no temporary file: %w", err)
	}
	s.spill, s.spilled = &spill{f: f}, true
	s.table.each(func(g *segment) {
		for i := range g.entry {
			if e := &g.entry[i]; e.meta != 0 && err == nil {
				err = s.spill.put(hash(e.key, e.space()), stateRecord, e.key, e.start, uint64(e.last), e.meta)
			}
		}
	})
	s.table.reset()
	return err
}

// The kinds of record.
const (
	stateRecord  = 0
	accessRecord = 1
)

func (sp *spill) put(h uint64, kind uint64, key uint64, cycle int64, a, b uint64) error {
	p := &sp.parts[h>>partShift]
	le := binary.LittleEndian
	p.buf = le.AppendUint64(p.buf, kind)
	p.buf = le.AppendUint64(p.buf, key)
	p.buf = le.AppendUint64(p.buf, uint64(cycle))
	p.buf = le.AppendUint64(p.buf, a)
	p.buf = le.AppendUint64(p.buf, b)
	if len(p.buf) < spillBuffer {
		return nil
	}
	return sp.flush(p)
}

func (sp *spill) flush(p *spillPart) error {
	if _, err := sp.f.WriteAt(p.buf, sp.size); err != nil {
		return fmt.Errorf("writing a temporary file: %w", err)
	}
	p.extents = append(p.extents, extent{sp.size, len(p.buf)})
	sp.size += int64(len(p.buf))
	p.buf = p.buf[:0]
	return nil
}

// accesses writes a packet's accesses down.
func (sp *spill) accesses(p *packet) error {
	for i, key := range p.key {
		seq := p.base + uint64(i)
		if len(p.seq) > 0 {
			seq = p.base + uint64(p.seq[i])
		}
		if err := sp.put(hash(key, spaceOf(p.info[i])), accessRecord, key, p.cycle[i], uint64(p.info[i]), seq); err != nil {
			return err
		}
	}
	return nil
}

// finishSpill works the parts off; what is left in the table of the last part is
// drained by the caller.
func (s *shard) finishSpill(end int64, emit func([]Row)) {
	for i := range s.spill.parts {
		if s.err == nil {
			s.err = s.replay(&s.spill.parts[i], emit)
		}
		if i < spillParts-1 {
			s.drain(end, emit)
			s.table.reset()
		}
	}
	s.closeSpill()
}

func (s *shard) replay(p *spillPart, emit func([]Row)) error {
	s.rows = s.rows[:0]
	for _, x := range p.extents {
		if cap(s.spill.read) < x.n {
			s.spill.read = make([]byte, x.n)
		}
		b := s.spill.read[:x.n]
		if _, err := s.spill.f.ReadAt(b, x.off); err != nil {
			return fmt.Errorf("reading a temporary file back: %w", err)
		}
		s.replayRecords(b, emit)
	}
	s.replayRecords(p.buf, emit)
	if len(s.rows) > 0 {
		emit(s.rows)
	}
	return nil
}

func (s *shard) replayRecords(b []byte, emit func([]Row)) {
	le := binary.LittleEndian
	for ; len(b) >= spillRecord; b = b[spillRecord:] {
		key, cycle := le.Uint64(b[8:]), int64(le.Uint64(b[16:]))
		v, w := le.Uint64(b[24:]), le.Uint64(b[32:])
		if le.Uint64(b) == stateRecord {
			space := w >> spaceShift
			e := s.table.lookup(key, space, hash(key, space))
			e.start, e.last, e.meta = cycle, int64(v), w
			continue
		}
		s.access(key, cycle, simlog.Info(v), w)
		if len(s.rows) == rowsAtOnce {
			emit(s.rows)
			s.rows = s.rows[:0]
		}
	}
}

// closeSpill removes the temporary file.
func (s *shard) closeSpill() {
	if s.spill == nil {
		return
	}
	name := s.spill.f.Name()
	s.spill.f.Close()
	os.Remove(name)
	s.spill = nil
}
