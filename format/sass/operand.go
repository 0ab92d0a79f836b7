package sass

import (
	"strings"

	"github.com/gpuprof/gpuprof/format/sass/table"
)

// OperandKind says what an operand is.
type OperandKind uint8

const (
	Name             OperandKind = iota // a word: SR_TID.X, 2D, PR
	Register                            // R4
	UniformRegister                     // UR4
	Predicate                           // P0
	UniformPredicate                    // UP0
	Immediate                           // 0x10
	FloatImmediate                      // 1.5
	Constant                            // c[0x0][0x160], cx[UR4][0x10]
	Memory                              // [R2.64+UR4+0x10], desc[UR4][R2.64]
	Target                              // where a branch goes
	Barrier                             // B0
	Scoreboard                          // SB0
	ScoreboardSet                       // {3,2}
)

// zeroRegister is the register that reads as 0, RZ; URZ is UniformZero. PT, the
// predicate that is always true, is True.
const (
	zeroRegister = 255
	uniformZero  = 63
	True         = 7
	None         = -1 // where there is no register
)

// An Operand is an operand of an instruction.
type Operand struct {
	Kind     OperandKind
	Text     string // as nvdisasm prints it, a target as a distance from the next instruction
	Negated  bool
	Absolute bool
	Inverted bool // ~ and !
	Reuse    bool
	Suffixes []string // ".H0_H0", ".64"

	Register   int     // of a register, predicate or barrier; the base of an address; None
	Uniform    int     // the uniform register of an address, a bank or a descriptor; None
	Descriptor int     // the uniform register of desc[]; None
	Bank       int     // of a constant
	Value      int64   // immediate; offset of an address; distance of a target
	Float      float64 // of a FloatImmediate
}

// operand builds the operand of the pieces of one slot.
func operand(pieces []table.Piece, w Word) Operand {
	o := Operand{Register: None, Uniform: None, Descriptor: None}
	var text []byte
	bracket := ""
	for i := range pieces {
		p := &pieces[i]
		text = append(text, p.Text...)
		if p.Field != nil {
			text = appendNumber(text, p.Kind, p.Field, w, Unplaced)
			o.number(p, w, bracket)
			continue
		}
		switch t := p.Text; {
		case t == "-":
			o.Negated = true
		case t == "|":
			o.Absolute = true
		case t == "~" || t == "!":
			o.Inverted = true
		case t == ".reuse":
			o.Reuse = true
		case strings.HasSuffix(t, "["):
			bracket += t
			switch bracket {
			case "c[", "cx[":
				o.Kind = Constant
			case "[", "a[", "desc[", "gdesc[":
				o.Kind = Memory
			}
		case strings.HasPrefix(t, "."):
			o.Suffixes = append(o.Suffixes, t)
		}
	}
	o.Text = string(text)
	return o
}

// number takes a number of the operand in, behind the brackets opened so far.
func (o *Operand) number(p *table.Piece, w Word, bracket string) {
	if p.Kind == table.Float {
		o.Kind, o.Float = FloatImmediate, p.Field.Float(w)
		return
	}
	v := p.Field.Value(w)
	kind := Immediate
	switch p.Kind {
	case table.Reg:
		kind, o.Register = Register, int(v)
	case table.UReg:
		kind = UniformRegister
		switch {
		case bracket == "desc[" || bracket == "gdesc[":
			o.Descriptor = int(v)
		case bracket == "":
			o.Register = int(v)
		default:
			o.Uniform = int(v)
		}
	case table.Pred:
		kind, o.Register = Predicate, int(v)
	case table.UPred:
		kind, o.Register = UniformPredicate, int(v)
	case table.Barrier:
		kind, o.Register = Barrier, int(v)
	case table.Scoreboard:
		kind, o.Register = Scoreboard, int(v)
	case table.Set:
		kind, o.Value = ScoreboardSet, v
	case table.Relative:
		kind, o.Value = Target, v
	case table.Hex:
		if bracket == "c[" {
			o.Bank = int(v)
		} else {
			o.Value = v
		}
	}
	if bracket == "" && (o.Kind == Name || kind == Target) {
		o.Kind = kind
	}
}
