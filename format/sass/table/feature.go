package table

// Test is the kind of question that a tree asks of a word.
type Test uint8

const (
	Bit   Test = iota // the bit is set
	Zero              // the field is 0
	Ones              // the field has all bits set: RZ, URZ, PT
	One               // the field is 1
	Pow2              // the field has exactly one bit set
	Reuse             // a reuse bit that counts: see ReuseCounts
	Shift             // the 32-bit field is a factor for which a multiplication is called a shift
	tests
)

// A Feature is a question about a word.
type Feature struct {
	Test  Test
	Lo, N uint8 // the field: first bit and length
}

// Holds answers the question.
func (f Feature) Holds(w Word) bool {
	switch f.Test {
	case Bit:
		return w.Bit(int(f.Lo)) == 1
	case Reuse:
		return w.Bit(int(f.Lo)) == 1 && ReuseCounts(w)
	}
	v := w.Field(int(f.Lo), int(f.N))
	switch f.Test {
	case Zero:
		return v == 0
	case Ones:
		return v == 1<<f.N-1
	case One:
		return v == 1
	case Pow2:
		return v != 0 && v&(v-1) == 0
	case Shift: // IMAD.SHL: a power of two, but for 1, half a word and the sign
		return v&(v-1) == 0 && v > 1 && v != 1<<16 && v != 1<<31
	}
	return false
}

// Mask has the bits set that the answer depends on.
func (f Feature) Mask() Word {
	if f.Test == Reuse {
		return mask(int(f.Lo), 1).Or(mask(105, 5))
	}
	return mask(int(f.Lo), int(f.N))
}

// ReuseCounts reports whether the reuse bits (122 to 124) of a word mean
// something. They do where bits 105 to 109, stall and yield as one number, are
// 17 to 27.
func ReuseCounts(w Word) bool {
	c := w.Field(105, 5)
	return c >= 17 && c <= 27
}
