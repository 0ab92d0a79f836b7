package flow

import (
	"slices"

	"github.com/gpuprof/gpuprof/format/sass"
)

// A function is a part of a program that is called, or its entry.
type function struct {
	entry   int   // block
	blocks  []int // reached from the entry without a call or a return
	returns []int // of them, those that end in a return
	sites   []int // blocks that end in a call of it

	uses  sass.Registers // what it reads before it writes it
	kills sass.Registers // what it surely writes before it returns
	saves sass.Registers // what it stores on the stack first, and so gives back as it was
	may   sass.Registers // what it may write, without what it saves
}

// preserved are the registers that a function leaves as they were, and passed those
// that arguments and results are handed over in, by NVIDIA's convention for calls as
// code of its compilers shows it. Functions that no call in the program leads to,
// and calls that lead out of it, are taken to keep to it.
var preserved, passed = convention()

func convention() (kept, passed sass.Registers) {
	kept.Add(stackPointer, 2)
	kept.Add(16, 16)
	passed.Add(4, 12)
	return kept, passed
}

// findFunctions finds the functions of the program: the first instruction, and what
// calls lead to.
func (p *Program) findFunctions() {
	p.callee = make([]*function, len(p.Blocks))
	if len(p.Blocks) == 0 {
		return
	}
	entries := map[int]*function{}
	add := func(block int) *function {
		f := entries[block]
		if f == nil {
			f = &function{entry: block}
			entries[block] = f
			p.functions = append(p.functions, f)
		}
		return f
	}
	add(0)
	for b := range p.Blocks {
		if k := p.calls(p.Blocks[b].To - 1); k >= 0 {
			f := add(p.Block(k))
			f.sites = append(f.sites, b)
			p.callee[b] = f
		}
	}
	for _, f := range p.functions {
		p.findExtent(f)
	}
	p.summarize()
}

// calls is the instruction that instruction i calls, -1 if it calls none of this
// program. A call to the next instruction is one that a linker has yet to direct.
func (p *Program) calls(i int) int {
	in := &p.Instructions[i]
	if in.Mnemonic != "CALL" {
		return -1
	}
	pc, ok := in.Target(p.Address(i))
	k := p.index(pc)
	if !ok || k < 0 || k == i+1 {
		return -1
	}
	return k
}

// findExtent finds the blocks of a function.
func (p *Program) findExtent(f *function) {
	seen := map[int]bool{f.entry: true}
	todo := []int{f.entry}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		f.blocks = append(f.blocks, b)
		if p.ends(b) == "RET" {
			f.returns = append(f.returns, b)
		}
		for _, n := range p.Blocks[b].Next {
			if !seen[n] {
				seen[n] = true
				todo = append(todo, n)
			}
		}
	}
	slices.Sort(f.blocks)
	for _, b := range f.blocks {
		for i := p.Blocks[b].From; i < p.Blocks[b].To; i++ {
			if in := &p.Instructions[i]; in.Mnemonic == "STL" && p.Spill(i) && b == f.entry {
				saved := p.effects[i].Reads
				saved.Intersect(&preserved)
				f.saves.Union(&saved)
			}
		}
	}
}

// ends is the mnemonic of the last instruction of a block.
func (p *Program) ends(b int) string { return p.Instructions[p.Blocks[b].To-1].Mnemonic }

// maxRounds bounds how often functions that call each other are gone through: each
// round only adds to what is known, and most programs need three.
const maxRounds = 32

// summarize finds what each function does to registers as its callers see it.
func (p *Program) summarize() {
	if len(p.functions) == 1 {
		return
	}
	for _, f := range p.functions {
		f.kills = everything()
	}
	for range maxRounds {
		changed := false
		for _, f := range p.functions {
			changed = p.summary(f) || changed
		}
		if !changed {
			break
		}
	}
	for b, f := range p.callee {
		if f != nil { // what a call reads and writes is what the function does
			e := &p.effects[p.Blocks[b].To-1]
			e.Reads.Union(&f.uses)
			e.Writes.Union(&f.may)
			e.Kills = false
		}
	}
}

// everything are all registers.
func everything() sass.Registers {
	return sass.Registers{R: [4]uint64{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}, UR: ^uint64(0), P: 0xff, UP: 0xff}
}

// summary takes what is known of the functions that f calls into what is known of
// f, and reports whether that changed it.
func (p *Program) summary(f *function) bool {
	uses, kills := map[int]sass.Registers{}, map[int]sass.Registers{}
	for _, b := range f.blocks {
		kills[b] = everything()
	}
	before := [...]sass.Registers{f.uses, f.kills, f.may}
	for changed := true; changed; {
		changed = false
		for _, b := range slices.Backward(f.blocks) {
			var u sass.Registers
			k := everything()
			for _, n := range p.Blocks[b].Next {
				un, kn := uses[n], kills[n]
				u.Union(&un)
				k.Intersect(&kn)
			}
			if p.ends(b) == "RET" {
				k = sass.Registers{}
			}
			p.through(f, b, &u, &k)
			if u != uses[b] || k != kills[b] {
				uses[b], kills[b], changed = u, k, true
			}
		}
	}
	f.uses, f.kills = uses[f.entry], kills[f.entry]
	f.kills.Without(&f.saves)
	f.may.Without(&f.saves)
	return before != [...]sass.Registers{f.uses, f.kills, f.may}
}

// through takes a block of f backwards into what is used before it is written, and
// what is surely written, and adds what the block may write.
func (p *Program) through(f *function, b int, uses, kills *sass.Registers) {
	for i := p.Blocks[b].To - 1; i >= p.Blocks[b].From; i-- {
		e := &p.effects[i]
		f.may.Union(&e.Writes)
		if e.Kills {
			uses.Without(&e.Writes)
			kills.Union(&e.Writes)
		}
		reads := e.Reads
		if p.Instructions[i].Mnemonic == "STL" { // to give it back later is no use
			reads.Without(&f.saves)
		}
		uses.Union(&reads)
		if g := p.callee[b]; g != nil && i == p.Blocks[b].To-1 {
			f.may.Union(&g.may)
			if p.Instructions[i].Guard.Always() {
				uses.Without(&g.kills)
				kills.Union(&g.kills)
			}
			uses.Union(&g.uses)
		}
	}
}

// arguments are the registers that a call out of the program may read: of those
// that arguments are passed in, the ones that the block it ends has written since
// the call before. It is a guess.
func (p *Program) arguments(i int) sass.Registers {
	var out sass.Registers
	for k := i - 1; k >= p.Blocks[p.Block(i)].From; k-- {
		out.Union(&p.effects[k].Writes)
	}
	out.Intersect(&passed)
	return out
}

// followConvention says what calls that lead out of the program read and write, and
// what functions leave to callers that are not known: of the registers that are
// preserved those that the program uses, and the first that results are in.
func (p *Program) followConvention() {
	var used sass.Registers
	for i := range p.effects {
		used.Union(&p.effects[i].Reads)
		used.Union(&p.effects[i].Writes)
	}
	for b := range p.Blocks {
		i := p.Blocks[b].To - 1
		if p.ends(b) != "CALL" || p.callee[b] != nil {
			continue
		}
		e := &p.effects[i]
		args := p.arguments(i)
		e.Reads.Union(&args)
		e.Reads.Add(stackPointer, 1)
		e.Writes.Union(&passed)
		e.Kills = p.Instructions[i].Guard.Always()
	}
	var result sass.Registers
	result.Add(4, 1)
	p.handedBack = preserved
	p.handedBack.Union(&result)
	p.handedBack.Intersect(&used)
}
