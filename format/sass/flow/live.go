package flow

import "github.com/gpuprof/gpuprof/format/sass"

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
	queue := func(list []int) {
		for _, k := range list {
			if !queued[k] {
				queued[k] = true
				todo = append(todo, k)
			}
		}
	}
	for i := range todo { // the last block is taken first
		todo[i], queued[i] = i, true
	}
	back := p.returnsTo()
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		queued[b] = false
		live := p.liveOut(b, in, back)
		for i := p.Blocks[b].To - 1; i >= p.Blocks[b].From; i-- {
			p.before(i, &live)
		}
		if live == in[b] {
			continue
		}
		in[b] = live
		for _, k := range p.Blocks[b].Previous {
			queue([]int{k})
			if f := p.callee[k]; f != nil { // what is needed behind a call is kept by what it calls
				queue(f.returns)
			}
		}
	}
	for b := range p.Blocks {
		live := p.liveOut(b, in, back)
		for i := p.Blocks[b].To - 1; i >= p.Blocks[b].From; i-- {
			written := live
			if p.Instructions[i].Mnemonic != "CALL" { // what the function called writes is counted there
				written.Union(&p.effects[i].Writes)
			}
			p.before(i, &live)
			written.Union(&live)
			p.live[i] = uint16(written.Count())
		}
	}
}

// returnsTo are the functions that each block that ends in a return is of.
func (p *Program) returnsTo() map[int][]*function {
	back := map[int][]*function{}
	for _, f := range p.functions {
		for _, b := range f.returns {
			back[b] = append(back[b], f)
		}
	}
	return back
}

// liveOut is what is live behind a block. Behind a return it is what the callers
// need; where no caller is known, what the convention says.
func (p *Program) liveOut(b int, in []sass.Registers, back map[int][]*function) sass.Registers {
	var out sass.Registers
	for _, k := range p.Blocks[b].Next {
		out.Union(&in[k])
	}
	switch p.ends(b) {
	case "EXIT":
		out.Add(stackPointer, 1) // the stack is kept to the end
	case "RET":
		out.Add(stackPointer, 1)
		for _, f := range back[b] {
			for _, site := range f.sites {
				for _, k := range p.Blocks[site].Next {
					out.Union(&in[k])
				}
			}
			if len(f.sites) == 0 {
				out.Union(&p.handedBack)
			}
		}
	}
	return out
}

// before turns what is live behind instruction i into what is live before it.
func (p *Program) before(i int, live *sass.Registers) {
	e := &p.effects[i]
	if e.Kills {
		live.Without(&e.Writes)
	}
	if f := p.callee[p.Block(i)]; f != nil && i == p.Blocks[p.Block(i)].To-1 && p.Instructions[i].Guard.Always() {
		live.Without(&f.kills)
	}
	live.Union(&e.Reads)
}
