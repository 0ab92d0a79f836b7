package flow

import (
	"slices"

	"github.com/gpuprof/gpuprof/format/sass"
)

// maxSources bounds what is said of one instruction.
const maxSources = 256

// A sourceSearch is what searches for sources share: they go through the same blocks
// again and again.
type sourceSearch struct {
	writes []sass.Registers // by block: what any of its instructions writes
	seen   []sass.Registers // by block: wanted at its end, in the search that round tells
	round  []int32
	now    int32
	todo   []wanted
}

// wanted are registers whose makers are looked for in a block, from the instruction
// before from on.
type wanted struct {
	block, from int
	registers   sass.Registers
}

func (p *Program) newSearch() *sourceSearch {
	s := &sourceSearch{writes: make([]sass.Registers, len(p.Blocks)), seen: make([]sass.Registers, len(p.Blocks)), round: make([]int32, len(p.Blocks))}
	for b := range p.Blocks {
		for k := p.Blocks[b].From; k < p.Blocks[b].To; k++ {
			s.writes[b].Union(&p.effects[k].Writes)
		}
	}
	return s
}

// Sources are the instructions that may have made the values that instruction i
// reads, by address. At most maxSources are looked for.
func (p *Program) Sources(i int) []int {
	if p.search == nil {
		p.search = p.newSearch()
	}
	s := p.search
	s.now++
	var found []int
	s.todo = append(s.todo[:0], wanted{p.Block(i), i, p.effects[i].Reads})
	for len(s.todo) > 0 && len(found) < maxSources {
		w := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		if s.writes[w.block].Meets(&w.registers) {
			found = p.makers(&w, found)
		}
		if w.registers == (sass.Registers{}) {
			continue
		}
		for _, prev := range p.Blocks[w.block].Previous {
			if s.round[prev] != s.now {
				s.round[prev], s.seen[prev] = s.now, sass.Registers{}
			}
			all := s.seen[prev]
			all.Union(&w.registers)
			if all != s.seen[prev] {
				s.seen[prev] = all
				s.todo = append(s.todo, wanted{prev, p.Blocks[prev].To, w.registers})
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// makers adds the instructions of a block that write what is wanted, and takes from
// that what they leave nothing of.
func (p *Program) makers(w *wanted, found []int) []int {
	for k := w.from - 1; k >= p.Blocks[w.block].From && w.registers != (sass.Registers{}); k-- {
		if e := &p.effects[k]; e.Writes.Meets(&w.registers) {
			found = append(found, k)
			if e.Kills {
				w.registers.Without(&e.Writes)
			}
		}
	}
	return found
}
