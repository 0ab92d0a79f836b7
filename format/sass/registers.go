package sass

import (
	"math/bits"
	"strconv"
)

// Registers is a set of registers of a thread and of its warp.
type Registers struct {
	R  [4]uint64 // general registers, RZ excluded
	UR uint64    // uniform registers, URZ excluded
	P  uint8     // predicates, PT excluded
	UP uint8     // uniform predicates, UPT excluded
}

// Add adds n general registers from r on.
func (s *Registers) Add(r, n int) {
	for i := r; i < r+n && i < zeroRegister; i++ {
		if i >= 0 {
			s.R[i/64] |= 1 << (i % 64)
		}
	}
}

// addUniform adds n uniform registers from r on.
func (s *Registers) addUniform(r, n int) {
	for i := r; i < r+n && i < uniformZero; i++ {
		if i >= 0 {
			s.UR |= 1 << i
		}
	}
}

// Union adds all of t.
func (s *Registers) Union(t *Registers) {
	for i := range s.R {
		s.R[i] |= t.R[i]
	}
	s.UR |= t.UR
	s.P |= t.P
	s.UP |= t.UP
}

// Without takes all of t out.
func (s *Registers) Without(t *Registers) {
	for i := range s.R {
		s.R[i] &^= t.R[i]
	}
	s.UR &^= t.UR
	s.P &^= t.P
	s.UP &^= t.UP
}

// Intersect keeps what is in t too.
func (s *Registers) Intersect(t *Registers) {
	for i := range s.R {
		s.R[i] &= t.R[i]
	}
	s.UR &= t.UR
	s.P &= t.P
	s.UP &= t.UP
}

// Meets reports whether the sets have a register in common.
func (s *Registers) Meets(t *Registers) bool {
	return s.R[0]&t.R[0]|s.R[1]&t.R[1]|s.R[2]&t.R[2]|s.R[3]&t.R[3]|s.UR&t.UR != 0 || s.P&t.P|s.UP&t.UP != 0
}

// Count is the number of general registers.
func (s *Registers) Count() int {
	n := 0
	for _, w := range s.R {
		n += bits.OnesCount64(w)
	}
	return n
}

// list are the numbers of the general registers, rising.
func (s *Registers) list() []int {
	var out []int
	for i, w := range s.R {
		for ; w != 0; w &= w - 1 {
			out = append(out, 64*i+bits.TrailingZeros64(w))
		}
	}
	return out
}

// Effects are the registers that an instruction reads and writes. A guarded
// instruction may write and need not: Kills says that it surely does.
type Effects struct {
	Reads, Writes Registers
	Kills         bool
}

// Effects tells which registers an instruction reads and writes. How many
// registers an operand stands for is in the modifiers; those of textures and of
// graphics are not known in full.
func (in *Instruction) Effects() Effects {
	e := Effects{Kills: in.Guard.Always()}
	if g := in.Guard; g.Predicate != True {
		if g.Uniform {
			e.Reads.UP |= 1 << g.Predicate
		} else {
			e.Reads.P |= 1 << g.Predicate
		}
	}
	outputs := in.outputs()
	for i := range in.Operands {
		o := &in.Operands[i]
		set := &e.Reads
		if i < outputs {
			set = &e.Writes
		}
		in.effect(o, i, i < outputs, set, &e.Reads)
	}
	switch in.Mnemonic {
	case "R2P":
		e.Writes.P = 1<<True - 1
	case "P2R":
		e.Reads.P = 1<<True - 1
	case "UR2UP":
		e.Writes.UP = 1<<True - 1
	case "UP2UR":
		e.Reads.UP = 1<<True - 1
	}
	return e
}

// effect adds an operand to the set of those like it; what an address is made of
// is always read.
func (in *Instruction) effect(o *Operand, i int, output bool, set, reads *Registers) {
	switch o.Kind {
	case Register:
		set.Add(o.Register, in.width(i, output))
	case UniformRegister:
		set.addUniform(o.Register, in.uniformWidth(output))
	case Predicate:
		if o.Register < True {
			set.P |= 1 << o.Register
		}
	case UniformPredicate:
		if o.Register < True {
			set.UP |= 1 << o.Register
		}
	case Target: // behind the register that it counts from
		if o.Register != None {
			reads.Add(o.Register, 2)
		}
	case Memory, Constant:
		if o.Register != None {
			reads.Add(o.Register, addressWidth(in, o))
		}
		if o.Uniform != None {
			n := 1
			if o.Kind == Memory && o.Register == None && (in.Class() == Load || in.Class() == Store || in.Class() == Atomic) && wide(in) || o.Kind == Constant && o.Bank == 0 && o.Text[1] == 'x' {
				n = 2
			}
			reads.addUniform(o.Uniform, n)
		}
		if o.Descriptor != None {
			reads.addUniform(o.Descriptor, descriptorWidth(in, o))
		}
	}
}

func descriptorWidth(in *Instruction, o *Operand) int {
	if o.Text[0] == 'g' { // gdesc: of both factors
		return 4
	}
	return 2
}

// wide reports whether addresses are of 64 bits.
func wide(in *Instruction) bool {
	switch operations[in.Mnemonic].Space {
	case generic, global:
		return in.Has("E") || in.Mnemonic == "CCTL"
	}
	return false
}

// addressWidth is the number of registers of an address' base.
func addressWidth(in *Instruction, o *Operand) int {
	if o.Kind == Constant {
		return 1
	}
	for _, s := range o.Suffixes {
		switch s {
		case ".64":
			return 2
		case ".U32", ".X4", ".X8", ".X16":
			return 1
		}
	}
	if operations[in.Mnemonic].Space == surfaces {
		return in.coordinates()
	}
	if in.Mnemonic == "LDGSTS" && len(in.Operands) > 0 && o == &in.Operands[0] {
		return 1 // in shared memory
	}
	if wide(in) && o.Uniform == None {
		return 2
	}
	return 1
}

// outputs is the number of leading operands that are written.
func (in *Instruction) outputs() int {
	switch in.Mnemonic {
	case "ST", "STG", "STS", "STL", "STSM", "STAS", "AST", "RED", "REDG", "REDAS", "SUST", "SURED", "LDGSTS", "CCTL", "CCTLL", "CCTLT",
		"BAR", "NANOSLEEP", "WARPSYNC", "BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU", "CALL", "RET", "EXIT", "KILL", "BSSY", "BSYNC", "BREAK", "YIELD",
		"DEPBAR", "MEMBAR", "ARRIVES", "R2B", "SETLMEMBASE", "SETCTAID", "ISBEWR", "PMTRIG", "BPT", "NOP", "RTT", "WARPGROUP", "WARPGROUPSET",
		"UBLKCP", "UBLKPF", "UBLKRED", "UTMALDG", "UTMASTG", "UTMAREDG", "UTMAPF", "UTMACCTL", "USETMAXREG", "USETSHMSZ", "LDGDEPBAR", "ELECT2":
		return 0
	case "R2P":
		return 0
	case "BMOV":
		if len(in.Operands) > 0 && in.Operands[0].Kind == Register {
			return 1
		}
		return 0
	case "PLOP3", "UPLOP3":
		return min(2, len(in.Operands))
	}
	// Leading predicates, the first register, and the predicates behind it, which are
	// carries: a source that is a predicate stands at the end.
	n := 0
	for n < len(in.Operands) && isPredicate(&in.Operands[n]) {
		n++
	}
	if in.setsPredicates() {
		return min(n, 2)
	}
	if n < len(in.Operands) && (in.Operands[n].Kind == Register || in.Operands[n].Kind == UniformRegister) {
		n++
	}
	if in.Class() == Texture && n < len(in.Operands)-1 && in.Operands[n].Kind == Register && in.Mnemonic[0] == 'T' {
		return n + 1 // the second half of the result
	}
	most := n + 2
	if in.Mnemonic == "VOTE" || in.Mnemonic == "VOTEU" {
		most = n + 1
	}
	for n < most && n < len(in.Operands)-1 && isPredicate(&in.Operands[n]) && !in.Operands[n].Inverted {
		n++
	}
	return n
}

func isPredicate(o *Operand) bool { return o.Kind == Predicate || o.Kind == UniformPredicate }

// setsPredicates reports whether the results of an instruction are predicates.
func (in *Instruction) setsPredicates() bool {
	switch in.Mnemonic {
	case "FSETP", "DSETP", "ISETP", "HSETP2", "UISETP", "FCHK", "CSMTEST":
		return true
	}
	return false
}

// String lists the registers: "R2 R3 P0 UR4".
func (s *Registers) String() string {
	var b []byte
	add := func(name string, i int) {
		if len(b) > 0 {
			b = append(b, ' ')
		}
		b = append(b, name...)
		b = strconv.AppendInt(b, int64(i), 10)
	}
	for _, r := range s.list() {
		add("R", r)
	}
	for i := range uniformZero {
		if s.UR>>i&1 == 1 {
			add("UR", i)
		}
	}
	for i := range True {
		if s.P>>i&1 == 1 {
			add("P", i)
		}
	}
	for i := range True {
		if s.UP>>i&1 == 1 {
			add("UP", i)
		}
	}
	return string(b)
}
