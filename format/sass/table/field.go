package table

import "math"

// A Kind says what a number of the text is, and so how it is written.
type Kind uint8

const (
	Literal    Kind = iota // no number: the token is its text
	Reg                    // R4, RZ
	UReg                   // UR4, URZ
	Pred                   // P0, PT
	UPred                  // UP0, UPT
	Barrier                // B0: a convergence barrier
	Scoreboard             // SB0
	Hex                    // 0x10, -0x10
	Float                  // 1.5, +INF
	Set                    // {3,2}
	Relative               // a branch: bytes from the next instruction
	kinds
)

// Form is how the bits of a number are read.
type Form uint8

const (
	Integer Form = iota // a whole number of the runs
	Single              // float32
	Double              // the high word of a float64
	Half                // float16
	BFloat              // the upper half of a float32
	Next                // the register behind the one of the runs; behind the last but one, and the last, comes RZ
)

// A Run copies Len bits of the word, from bit Word on, to the bits of the value
// from Value on.
type Run struct{ Value, Word, Len uint8 }

// A Field says where the bits of a number stand in the word.
type Field struct {
	Form   Form
	Signed bool  // the highest bit of the last run is the sign
	Invert bool  // stored inverted, as some predicates are
	Runs   []Run // for floats one: where the bits begin
}

// Bits is the number of bits of the value.
func (f *Field) Bits() int {
	n := 0
	for _, r := range f.Runs {
		n = max(n, int(r.Value)+int(r.Len))
	}
	return n
}

// Value reads an integer field.
func (f *Field) Value(w Word) int64 {
	var v uint64
	top := 0
	for _, r := range f.Runs {
		x := w.Field(int(r.Word), int(r.Len))
		v |= x << r.Value
		top = int(r.Value) + int(r.Len)
	}
	if f.Invert {
		v ^= 1<<top - 1
	}
	if f.Form == Next {
		v = min(v+1, 1<<top-1)
	}
	if f.Signed && top < 64 && top > 0 {
		return int64(v<<(64-top)) >> (64 - top)
	}
	return int64(v)
}

// Mask has the bits set that the number is made of.
func (f *Field) Mask() Word {
	var m Word
	for _, r := range f.Runs {
		m = m.Or(mask(int(r.Word), int(r.Len)))
	}
	return m
}

// Float reads a floating point field, widened.
func (f *Field) Float(w Word) float64 {
	lo := int(f.Runs[0].Word)
	switch f.Form {
	case Single:
		return widen(math.Float32frombits(uint32(w.Field(lo, 32))))
	case Double:
		return math.Float64frombits(w.Field(lo, 32) << 32)
	case Half:
		return half(w.Field(lo, 16))
	case BFloat:
		return widen(math.Float32frombits(uint32(w.Field(lo, 16) << 16)))
	}
	return 0
}

// widen keeps the sign of a NaN.
func widen(f float32) float64 {
	if f != f {
		return math.Copysign(math.NaN(), float64(math.Float32frombits(math.Float32bits(f)&(1<<31)|0x3f800000)))
	}
	return float64(f)
}

// half widens a float16.
func half(h uint64) float64 {
	e, m := int(h>>10&31), float64(h&0x3ff)
	var f float64
	switch e {
	case 0:
		f = math.Ldexp(m, -24)
	case 31:
		f = math.Inf(1)
		if m != 0 {
			f = math.NaN()
		}
	default:
		f = math.Ldexp(1024+m, e-25)
	}
	if h>>15&1 == 1 {
		return math.Copysign(f, -1)
	}
	return f
}
