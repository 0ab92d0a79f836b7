package flow

import (
	"slices"

	"github.com/gpuprof/gpuprof/format/sass"
)

// A Program is the instructions of a function.
type Program struct {
	Base         uint64 // address of the first instruction
	Instructions []sass.Instruction
	Blocks       []Block // by address; block 0 is the entry

	decoder *sass.Decoder
	effects []sass.Effects
	blockOf []int32
	live    []uint16 // by instruction, when known
	waits   [][]int32
	search  *sourceSearch

	functions  []*function
	callee     []*function    // by block: what the call at its end leads to
	handedBack sass.Registers // what a function that no known call leads to leaves to its caller
}

// A Block is a run of instructions that are executed together: only the first is
// branched to, only the last branches.
type Block struct {
	From, To int   // indices of instructions, To excluded
	Next     []int // blocks that may follow
	Previous []int
}

// Of takes a function apart: its code, and the address of it.
func Of(d *sass.Decoder, code []byte, base uint64) *Program {
	n := len(code) / sass.Size
	p := &Program{Base: base, decoder: d, Instructions: make([]sass.Instruction, n), effects: make([]sass.Effects, n)}
	for i := range p.Instructions {
		p.Instructions[i] = d.Decode(sass.WordAt(code[i*sass.Size:]))
		p.effects[i] = p.Instructions[i].Effects()
	}
	p.findBlocks()
	p.findFunctions()
	p.followConvention()
	return p
}

// Address is the address of instruction i.
func (p *Program) Address(i int) uint64 { return p.Base + uint64(i)*sass.Size }

// Text is the text of instruction i.
func (p *Program) Text(i int, style sass.Style) string {
	return p.decoder.Text(p.Instructions[i].Word, p.Address(i), style)
}

// Effects are the registers that instruction i reads and writes.
func (p *Program) Effects(i int) *sass.Effects { return &p.effects[i] }

// index is the instruction at an address, -1 if there is none.
func (p *Program) index(pc uint64) int {
	i := (pc - p.Base) / sass.Size
	if pc < p.Base || i >= uint64(len(p.Instructions)) || (pc-p.Base)%sass.Size != 0 {
		return -1
	}
	return int(i)
}

// An exit is how an instruction passes control on.
type exit struct {
	ends    bool // of a block
	falls   bool // the next instruction may follow
	targets []int
}

// conditional reports whether an instruction may be passed over by some threads.
func conditional(in *sass.Instruction) bool {
	if !in.Guard.Always() {
		return true
	}
	for i := range in.Operands {
		o := &in.Operands[i]
		if o.Kind == sass.Predicate || o.Kind == sass.UniformPredicate {
			return true
		}
	}
	return in.Has("DIV") || in.Has("CONV")
}

func (p *Program) exit(i int) exit {
	in := &p.Instructions[i]
	e := exit{falls: true}
	target := func() {
		if pc, ok := in.Target(p.Address(i)); ok {
			if k := p.index(pc); k >= 0 {
				e.targets = append(e.targets, k)
			}
		}
	}
	switch in.Mnemonic {
	case "BRA":
		e.ends, e.falls = true, conditional(in)
		target()
	case "BRX", "BRXU", "JMP", "JMX", "JMXU":
		e.ends, e.falls = true, conditional(in)
	case "EXIT", "RET", "RTT", "KILL":
		e.ends, e.falls = true, conditional(in)
	case "BSYNC":
		e.ends, e.falls = true, false // see linkBarriers
	case "WARPSYNC":
		e.ends = true
		target()
	case "CALL", "BREAK":
		e.ends = true
	}
	return e
}

// findBlocks finds the blocks and what follows them.
func (p *Program) findBlocks() {
	n := len(p.Instructions)
	if n == 0 {
		return
	}
	starts := make([]bool, n+1)
	starts[0], starts[n] = true, true
	for i := range p.Instructions {
		switch p.Instructions[i].Mnemonic {
		case "BSSY":
			if k := p.rejoins(i); k >= 0 {
				starts[k] = true
			}
		case "CALL":
			if k := p.calls(i); k >= 0 {
				starts[k] = true
			}
		}
	}
	exits := make([]exit, n)
	for i := range exits {
		exits[i] = p.exit(i)
		if exits[i].ends {
			starts[i+1] = true
		}
		for _, k := range exits[i].targets {
			starts[k] = true
		}
	}
	p.blockOf = make([]int32, n)
	for i := 0; i < n; {
		to := i + 1
		for !starts[to] {
			to++
		}
		for k := i; k < to; k++ {
			p.blockOf[k] = int32(len(p.Blocks))
		}
		p.Blocks = append(p.Blocks, Block{From: i, To: to})
		i = to
	}
	for b := range p.Blocks {
		e := &exits[p.Blocks[b].To-1]
		if e.falls && p.Blocks[b].To < n {
			p.link(b, p.Blocks[b].To)
		}
		for _, k := range e.targets {
			p.link(b, k)
		}
	}
	p.linkIndirect()
	p.linkBarriers()
}

func (p *Program) link(b, to int) {
	t := int(p.blockOf[to])
	if !slices.Contains(p.Blocks[b].Next, t) {
		p.Blocks[b].Next = append(p.Blocks[b].Next, t)
		p.Blocks[t].Previous = append(p.Blocks[t].Previous, b)
	}
}

// Targets are the instructions that control may go on with after instruction i, other
// than the next one: where a branch leads. Of a branch through a register they are
// those that were found, which may be none.
func (p *Program) Targets(i int) []int {
	b := &p.Blocks[p.blockOf[i]]
	if i != b.To-1 {
		return nil
	}
	var out []int
	for _, n := range b.Next {
		if to := p.Blocks[n].From; to != i+1 {
			out = append(out, to)
		}
	}
	return out
}

// Block is the number of the block that instruction i is in.
func (p *Program) Block(i int) int { return int(p.blockOf[i]) }
