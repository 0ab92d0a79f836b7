package sass

import (
	"math/bits"

	"github.com/gpuprof/gpuprof/format/sass/table"
)

// reuseHint is printed behind a register that stays in the cache of operands.
const reuseHint = ".reuse"

// A plan decodes the words of an operation. What a word looks like, but for the
// numbers in it, depends on few bits of it: words that have them in common share
// a shape, which is made once.
type plan struct {
	op         *table.Op // nil: unknown
	bits       Word      // asked one by one, or fixed
	tests      []table.Feature
	descriptor *table.Field         // of a register that the text may not show
	reuse      bool                 // reuse bits may change the name of the operation
	shapes     map[signature]*shape // nil shapes are words that are unknown
}

// A signature is what the shape of a word depends on.
type signature struct {
	bits  Word
	tests uint64
}

// maxShapes bounds the shapes kept of an operation: words of a broken file have
// many.
const maxShapes = 1 << 12

func newPlan(op *table.Op) *plan {
	p := &plan{op: op, shapes: map[signature]*shape{}}
	if op == nil {
		return p
	}
	p.bits = op.Fixed
	p.descriptor = descriptorField(op)
	for i := range op.Tokens {
		p.reuse = p.reuse || op.Tokens[i].Text == table.MoveAlias
	}
	for _, f := range op.Features {
		if f.Test == table.Bit || len(p.tests) == 64 {
			p.bits = p.bits.Or(f.Mask())
		} else {
			p.tests = append(p.tests, f)
		}
	}
	return p
}

// shape is the shape of a word, nil if the word is unknown.
func (p *plan) shape(w Word) *shape {
	if !p.op.Control.Allows(w) {
		return nil
	}
	sig := signature{bits: w.And(p.bits)}
	for i, f := range p.tests {
		if f.Holds(w) {
			sig.tests |= 1 << i
		}
	}
	s, ok := p.shapes[sig]
	if ok && s != nil && !p.reuseFits(w, s) {
		return nil
	}
	if !ok {
		if pieces, known := p.op.Pieces(w); known {
			s = newShape(pieces, p.op.Guard)
		}
		if len(p.shapes) >= maxShapes {
			clear(p.shapes)
		}
		p.shapes[sig] = s
		if s != nil && !p.reuseFits(w, s) {
			return nil
		}
	}
	return s
}

// reuseFits reports whether each reuse bit of a word that counts is a hint of its
// text. An IMAD of RZ with a bit that is none is not called MOV; compilers make none. Nor
// is one with the two lowest bits where they are no hints of registers.
func (p *plan) reuseFits(w Word, s *shape) bool {
	if p.reuse && !table.ReuseCounts(w) {
		return w.Field(122, 3) != 3
	}
	return !p.reuse || bits.OnesCount64(w.Field(122, 3)) == s.reuse
}

// A shape is the text of instructions but for their numbers.
type shape struct {
	pieces []table.Piece
	guard  table.Guard
	reuse  int // hints in the text
	steps  [styles][]step
}

// A step writes text and then a number.
type step struct {
	text  string
	kind  table.Kind
	field *table.Field // nil: no number
}

func newShape(pieces []table.Piece, guard table.Guard) *shape {
	s := &shape{pieces: pieces, guard: guard}
	for i := range pieces {
		if pieces[i].Text == reuseHint {
			s.reuse++
		}
	}
	for style := range styles {
		s.steps[style] = steps(pieces, style)
	}
	return s
}

// steps puts the pieces of a style together, with what stands between them.
func steps(pieces []table.Piece, style Style) []step {
	var out []step
	text := ""
	last := table.Mnemonic
	for i := range pieces {
		p := &pieces[i]
		if p.Slot != last && p.Slot >= table.FirstOperand {
			if last < table.FirstOperand {
				text += " "
			} else {
				text += ", "
			}
		}
		last = p.Slot
		if style == NsightCompute && p.Text == reuseHint {
			continue
		}
		text += p.Text
		if p.Field != nil {
			out = append(out, step{text, p.Kind, p.Field})
			text = ""
		}
	}
	if text != "" {
		out = append(out, step{text: text})
	}
	return out
}

// guardColumn is the width of the column of guards in Nsight Compute: the GPUs
// before Ampere need none for @!UP0.
func guardColumn(sm int) int {
	if sm < 80 {
		return 5
	}
	return 6
}

func (s *shape) append(b []byte, w Word, next uint64, style Style, column int) []byte {
	from := len(b)
	if s.guard != table.NoGuard && w.Field(12, 4) != True {
		b = append(guardOf(w, s.guard).append(b), ' ')
	}
	if style == NsightCompute {
		for len(b)-from < column {
			b = append(b, ' ')
		}
	}
	for i := range s.steps[style] {
		st := &s.steps[style][i]
		b = append(b, st.text...)
		if st.field != nil {
			b = appendNumber(b, st.kind, st.field, w, next)
		}
	}
	return b
}
