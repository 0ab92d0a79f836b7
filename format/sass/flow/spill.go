package flow

import "github.com/gpuprof/gpuprof/format/sass"

// stackPointer is the register that compilers keep the stack in.
const stackPointer = 1

// Spill reports whether instruction i looks like one that a register was spilled
// by, or filled again: it stores to or loads from local memory at a fixed distance
// from the stack pointer. Arrays with fixed indices that did not fit into
// registers look the same.
func (p *Program) Spill(i int) bool {
	in := &p.Instructions[i]
	if in.Mnemonic != "LDL" && in.Mnemonic != "STL" {
		return false
	}
	for k := range in.Operands {
		if o := &in.Operands[k]; o.Kind == sass.Memory {
			return o.Register == stackPointer && o.Uniform == sass.None
		}
	}
	return false
}
