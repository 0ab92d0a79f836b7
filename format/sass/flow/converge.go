package flow

import (
	"slices"

	"github.com/gpuprof/gpuprof/format/sass"
)

// barriers is the number of convergence barriers of a warp.
const barriers = 16

// armed are, for each convergence barrier, the instructions where its threads may
// come together: those that BSSY named on the way.
type armed [barriers][]int32

// maxRejoin bounds those of a barrier.
const maxRejoin = 64

func (a *armed) add(barrier int, at int32) bool {
	if barrier < 0 || barrier >= barriers || len(a[barrier]) >= maxRejoin {
		return false
	}
	k, found := slices.BinarySearch(a[barrier], at)
	if !found {
		a[barrier] = slices.Insert(slices.Clone(a[barrier]), k, at)
	}
	return !found
}

func (a *armed) merge(b *armed) bool {
	changed := false
	for i := range b {
		for _, at := range b[i] {
			changed = a.add(i, at) || changed
		}
	}
	return changed
}

// barrierOf is the convergence barrier that an instruction names, -1 if none.
func barrierOf(in *sass.Instruction) int {
	for i := range in.Operands {
		if o := &in.Operands[i]; o.Kind == sass.Barrier && o.Register < barriers {
			return o.Register
		}
	}
	return -1
}

// rejoins is where the threads of a BSSY come together, -1 if that is not in the
// program.
func (p *Program) rejoins(i int) int {
	pc, ok := p.Instructions[i].Target(p.Address(i))
	if !ok {
		return -1
	}
	return p.index(pc)
}

// linkBarriers lets each BSYNC lead to where the threads that it waits for come
// together: what a BSSY on the way to it named. A barrier that was kept in a
// register meanwhile, or that no BSSY on the way named, leads to all that any names.
func (p *Program) linkBarriers() {
	var all armed
	for i := range p.Instructions {
		if in := &p.Instructions[i]; in.Mnemonic == "BSSY" {
			if k := p.rejoins(i); k >= 0 {
				all.add(barrierOf(in), int32(k))
			}
		}
	}
	at := make([]armed, len(p.Blocks)) // where each block begins
	var todo []int
	queued := make([]bool, len(p.Blocks))
	for b := len(p.Blocks) - 1; b >= 0; b-- { // the entry is taken first
		todo, queued[b] = append(todo, b), true
	}
	for lost := false; ; lost = true {
		for len(todo) > 0 {
			b := todo[len(todo)-1]
			todo, queued[b] = todo[:len(todo)-1], false
			p.converge(b, at[b], &all, lost)
			s := p.arm(b, p.Blocks[b].To, at[b], &all)
			for _, n := range p.Blocks[b].Next {
				if at[n].merge(&s) && !queued[n] {
					queued[n], todo = true, append(todo, n)
				}
			}
		}
		if lost {
			return
		}
		for b := range p.Blocks {
			if p.ends(b) == "BSYNC" && len(p.Blocks[b].Next) == 0 {
				queued[b], todo = true, append(todo, b)
			}
		}
	}
}

// arm takes the barriers through the instructions of a block before to.
func (p *Program) arm(b, to int, s armed, all *armed) armed {
	for i := p.Blocks[b].From; i < to; i++ {
		in := &p.Instructions[i]
		k := barrierOf(in)
		if k < 0 {
			continue
		}
		switch in.Mnemonic {
		case "BSSY":
			s[k] = nil
			if to := p.rejoins(i); to >= 0 {
				s.add(k, int32(to))
			}
		case "BMOV":
			if in.Operands[0].Kind == sass.Barrier {
				s[k] = all[k]
			}
		case "BSYNC":
			s[k] = nil
		}
	}
	return s
}

// converge links a block that ends in BSYNC to where its threads come together.
func (p *Program) converge(b int, s armed, all *armed, lost bool) {
	last := p.Blocks[b].To - 1
	k := barrierOf(&p.Instructions[last])
	if k < 0 || p.ends(b) != "BSYNC" {
		return
	}
	s = p.arm(b, last, s, all)
	to := s[k]
	if lost && len(p.Blocks[b].Next) == 0 {
		to = all[k]
	}
	for _, i := range to {
		p.link(b, int(i))
	}
}
