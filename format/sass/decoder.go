package sass

import (
	"encoding/binary"
	"strconv"

	"github.com/gpuprof/gpuprof/format/sass/table"
)

// Size is the size of an instruction in bytes, since Volta.
const Size = 16

// WordAt reads the word at the start of b, which holds Size bytes at least.
func WordAt(b []byte) Word {
	return Word{Lo: binary.LittleEndian.Uint64(b), Hi: binary.LittleEndian.Uint64(b[8:])}
}

// A Style is whose text is written.
type Style uint8

const (
	// Nvdisasm: "@!P0 IADD3 R0, R2.reuse, R4, RZ ", targets as addresses.
	Nvdisasm Style = iota
	// NsightCompute gives the guard a column of its own and shows no reuse: "@!P0  IADD3 R0, R2, R4, RZ ".
	NsightCompute
	styles
)

// A Decoder turns the words of one architecture into instructions and text. It
// remembers the shapes of instructions that it has seen, and is for one goroutine
// at a time.
type Decoder struct {
	sm      int
	table   *table.Table // nil: an architecture that nothing is known of
	planned [1 << 12]*plan
}

// NewDecoder makes a decoder for words of an architecture: 10 times the compute
// capability. One that there is no table for decodes nothing: all its words are
// unknown.
func NewDecoder(sm int) *Decoder {
	return &Decoder{sm: sm, table: tableOf(sm)}
}

// NewDecoderFor makes a decoder with a table of the caller's, such as one just
// learned.
func NewDecoderFor(sm int, t *table.Table) *Decoder { return &Decoder{sm: sm, table: t} }

// Known reports whether there is a table for the architecture.
func (d *Decoder) Known() bool { return d.table != nil }

// Decode takes a word apart. An instruction that is not Known has its word and
// its control bits only.
func (d *Decoder) Decode(w Word) Instruction {
	p := d.plan(w)
	if p == nil {
		return Instruction{Word: w, Control: controlOf(w)}
	}
	s := p.shape(w)
	if s == nil {
		return Instruction{Word: w, Control: controlOf(w)}
	}
	in := instruction(w, s.pieces, p.op.Guard)
	if d.sm/10 == 8 {
		p.hiddenDescriptor(&in)
	}
	return in
}

// AppendText writes the text of the instruction w at address pc, without the
// semicolon. A word that is not known is written as hex, and ok is false.
func (d *Decoder) AppendText(b []byte, w Word, pc uint64, style Style) (text []byte, ok bool) {
	if p := d.plan(w); p != nil {
		if s := p.shape(w); s != nil {
			next := pc + Size
			if pc == Unplaced {
				next = Unplaced
			}
			return s.append(b, w, next, style, guardColumn(d.sm)), true
		}
	}
	return AppendHex(b, w), false
}

// Text is the text of an instruction; see AppendText.
func (d *Decoder) Text(w Word, pc uint64, style Style) string {
	b, _ := d.AppendText(nil, w, pc, style)
	return string(b)
}

// Why says why a word is not known, for those who make tables.
func (d *Decoder) Why(w Word) string {
	p := d.plan(w)
	if p == nil {
		return "no such operation"
	}
	return p.op.Why(w)
}

// AppendHex writes a word as 32 hex digits, highest bits first, behind "0x".
func AppendHex(b []byte, w Word) []byte {
	b = append(b, '0', 'x')
	for _, v := range [...]uint64{w.Hi, w.Lo} {
		d := strconv.AppendUint(nil, v, 16)
		for range 16 - len(d) {
			b = append(b, '0')
		}
		b = append(b, d...)
	}
	return b
}

func (d *Decoder) plan(w Word) *plan {
	if d.table == nil {
		return nil
	}
	p := d.planned[w.Op()]
	if p == nil {
		p = newPlan(d.table.Op(w.Op()))
		d.planned[w.Op()] = p
	}
	if p.op == nil {
		return nil
	}
	return p
}
