package flow

import (
	"slices"

	"github.com/gpuprof/gpuprof/format/sass"
)

// Live is the number of general registers that hold a value which is still needed
// when instruction i begins or that it writes.
func (p *Program) Live(i int) int {
	if p.live == nil {
		p.findLive()
	}
	return int(p.live[i])
}

// findLive goes through the blocks backwards until nothing changes.
func (p *Program) findLive() {
	p.live = make([]uint16, len(p.Instructions))
	in := make([]sass.Registers, len(p.Blocks)) // live where the block begins
	todo := make([]int, len(p.Blocks))
	queued := make([]bool, len(p.Blocks))
	for i := range todo { // the last block is taken first
		todo[i], queued[i] = i, true
	}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		queued[b] = false
		live := p.liveOut(b, in)
		for i := p.Blocks[b].To - 1; i >= p.Blocks[b].From; i-- {
			p.before(i, &live)
		}
		if live == in[b] {
			continue
		}
		in[b] = live
		for _, k := range p.Blocks[b].Previous {
			if !queued[k] {
				queued[k] = true
				todo = append(todo, k)
			}
		}
	}
	for b := range p.Blocks {
		live := p.liveOut(b, in)
		for i := p.Blocks[b].To - 1; i >= p.Blocks[b].From; i-- {
			written := live
			written.Union(&p.effects[i].Writes)
			p.before(i, &live)
			written.Union(&live)
			p.live[i] = uint16(written.Count())
		}
	}
}

func (p *Program) liveOut(b int, in []sass.Registers) sass.Registers {
	var out sass.Registers
	for _, k := range p.Blocks[b].Next {
		out.Union(&in[k])
	}
	switch p.Instructions[p.Blocks[b].To-1].Mnemonic {
	case "EXIT", "RET": // the stack is kept to the end
		out.Add(stackPointer, 1)
	}
	return out
}

// before turns what is live behind instruction i into what is live before it.
func (p *Program) before(i int, live *sass.Registers) {
	e := &p.effects[i]
	if e.Kills {
		live.Without(&e.Writes)
	}
	live.Union(&e.Reads)
}

// Sources are the instructions that may have made the values that instruction i
// reads, by address. At most maxSources are looked for.
func (p *Program) Sources(i int) []int {
	var found []int
	seen := map[int]sass.Registers{} // block -> wanted at its end
	type search struct {
		block, from int // looked at from the instruction before from on
		want        sass.Registers
	}
	todo := []search{{p.Block(i), i, p.effects[i].Reads}}
	for len(todo) > 0 && len(found) < maxSources {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for k := s.from - 1; k >= p.Blocks[s.block].From; k-- {
			if e := &p.effects[k]; e.Writes.Meets(&s.want) {
				found = append(found, k)
				if e.Kills {
					s.want.Without(&e.Writes)
				}
			}
		}
		if s.want == (sass.Registers{}) {
			continue
		}
		for _, prev := range p.Blocks[s.block].Previous {
			had := seen[prev]
			all := had
			all.Union(&s.want)
			if all != had {
				seen[prev] = all
				todo = append(todo, search{prev, p.Blocks[prev].To, s.want})
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// maxSources bounds what is said of one instruction.
const maxSources = 256
