package flow

import (
	"slices"

	"github.com/gpuprof/gpuprof/format/sass"
)

// Waits are the instructions that instruction i waits for, by address: those that
// may have set one of the scoreboards that it waits for since the scoreboard was
// waited for last. They are loads and other work that takes its time.
func (p *Program) Waits(i int) []int {
	if p.waits == nil {
		p.findWaits()
	}
	out := make([]int, len(p.waits[i]))
	for k, x := range p.waits[i] {
		out[k] = int(x)
	}
	return out
}

// pending are the instructions that may have set each scoreboard, by address.
type pending [sass.Scoreboards][]int32

// maxPending bounds those of a scoreboard.
const maxPending = 64

func (s *pending) add(board int, i int32) {
	if board < 0 || board >= sass.Scoreboards || len(s[board]) >= maxPending {
		return
	}
	if at, found := slices.BinarySearch(s[board], i); !found {
		s[board] = slices.Insert(slices.Clone(s[board]), at, i)
	}
}

// merge adds all of t and reports whether that changed anything.
func (s *pending) merge(t *pending) bool {
	changed := false
	for b := range s {
		for _, i := range t[b] {
			n := len(s[b])
			s.add(b, i)
			changed = changed || len(s[b]) > n
		}
	}
	return changed
}

// waitsFor is the mask of scoreboards that an instruction waits for: in its
// control bits, and those that DEPBAR names.
func waitsFor(in *sass.Instruction) uint8 {
	m := in.Control.Wait
	if in.Mnemonic != "DEPBAR" {
		return m
	}
	for i := range in.Operands {
		switch o := &in.Operands[i]; o.Kind {
		case sass.Scoreboard:
			m |= 1 << o.Register
		case sass.ScoreboardSet:
			m |= uint8(o.Value)
		}
	}
	return m & (1<<sass.Scoreboards - 1)
}

func (p *Program) findWaits() {
	p.waits = make([][]int32, len(p.Instructions))
	in := make([]pending, len(p.Blocks))
	todo := make([]int, 0, len(p.Blocks))
	queued := make([]bool, len(p.Blocks))
	for i := len(p.Blocks) - 1; i >= 0; i-- { // the entry is taken first
		todo, queued[i] = append(todo, i), true
	}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		queued[b] = false
		s := in[b]
		for i := p.Blocks[b].From; i < p.Blocks[b].To; i++ {
			p.step(i, &s)
		}
		for _, k := range p.Blocks[b].Next {
			if in[k].merge(&s) && !queued[k] {
				queued[k] = true
				todo = append(todo, k)
			}
		}
	}
	for b := range p.Blocks {
		s := in[b]
		for i := p.Blocks[b].From; i < p.Blocks[b].To; i++ {
			p.waits[i] = p.step(i, &s)
		}
	}
}

// step takes what instruction i waits for out of s and puts what it sets in.
func (p *Program) step(i int, s *pending) (waited []int32) {
	inst := &p.Instructions[i]
	for b, m := 0, waitsFor(inst); m != 0; b, m = b+1, m>>1 {
		if m&1 == 1 && b < sass.Scoreboards {
			waited = append(waited, s[b]...)
			s[b] = nil
		}
	}
	s.add(int(inst.Control.WriteBarrier), int32(i))
	s.add(int(inst.Control.ReadBarrier), int32(i))
	slices.Sort(waited)
	return slices.Compact(waited)
}
