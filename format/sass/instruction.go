package sass

import (
	"strings"

	"github.com/gpuprof/gpuprof/format/sass/table"
)

// A Guard is the predicate that an instruction is executed under.
type Guard struct {
	Predicate int  // 0 to 6; True: always
	Not       bool // executed if the predicate is false
	Uniform   bool // a uniform predicate
}

// Always reports whether the guard lets every thread pass.
func (g Guard) Always() bool { return g.Predicate == True && !g.Not }

// String is "@!P0", "" for always.
func (g Guard) String() string { return string(g.append(nil)) }

func (g Guard) append(b []byte) []byte {
	if g.Always() {
		return b
	}
	b = append(b, '@')
	if g.Not {
		b = append(b, '!')
	}
	if g.Uniform {
		b = append(b, 'U')
	}
	return appendRegister(b, "P", int64(g.Predicate), g.Predicate == True, 'T')
}

func guardOf(w Word, g table.Guard) Guard {
	if g == table.NoGuard {
		return Guard{Predicate: True}
	}
	return Guard{Predicate: int(w.Field(12, 3)), Not: w.Bit(15) == 1, Uniform: g == table.UniformGuard}
}

// An Instruction is a word taken apart.
type Instruction struct {
	Word      Word
	Control   Control
	Guard     Guard
	Mnemonic  string   // "IMAD"
	Modifiers []string // "MOV", "U32"
	Operands  []Operand
}

// Known reports whether the word was decided. If it was not, only Word, Control
// and what ControlOf says are there.
func (in *Instruction) Known() bool { return in.Mnemonic != "" }

// Has reports whether the instruction has a modifier.
func (in *Instruction) Has(modifier string) bool {
	for _, m := range in.Modifiers {
		if m == modifier {
			return true
		}
	}
	return false
}

// Target is where a branch at address pc goes.
func (in *Instruction) Target(pc uint64) (uint64, bool) {
	for i := range in.Operands {
		if o := &in.Operands[i]; o.Kind == Target {
			return pc + Size + uint64(o.Value), true
		}
	}
	return 0, false
}

// instruction builds an instruction of its pieces.
func instruction(w Word, pieces []table.Piece, guard table.Guard) Instruction {
	in := Instruction{Word: w, Control: controlOf(w), Guard: guardOf(w, guard)}
	for i := 0; i < len(pieces); {
		n := i + 1
		for n < len(pieces) && pieces[n].Slot == pieces[i].Slot {
			n++
		}
		switch s := pieces[i].Slot; {
		case s == table.Mnemonic:
			in.Mnemonic = pieces[i].Text
		case s == table.Modifier:
			for _, p := range pieces[i:n] {
				in.Modifiers = append(in.Modifiers, strings.TrimPrefix(p.Text, "."))
			}
		case s >= table.FirstOperand:
			in.Operands = append(in.Operands, operand(pieces[i:n], w))
		}
		i = n
	}
	return in
}
