package table

// A Word is an instruction of Volta to Hopper: 128 bits, bit 0 the lowest bit of
// the first byte in memory.
type Word struct{ Lo, Hi uint64 }

// Bit is bit i, 0 or 1.
func (w Word) Bit(i int) uint64 {
	if i < 64 {
		return w.Lo >> (i & 63) & 1
	}
	return w.Hi >> (i & 63) & 1
}

// Field is the n bits from bit lo on, n at most 64.
func (w Word) Field(lo, n int) uint64 {
	var v uint64
	switch {
	case lo >= 64:
		v = w.Hi >> (lo - 64)
	case lo == 0:
		v = w.Lo
	default:
		v = w.Lo>>lo | w.Hi<<(64-lo)
	}
	if n >= 64 {
		return v
	}
	return v & (1<<n - 1)
}

// Flip is the word with bit i inverted.
func (w Word) Flip(i int) Word {
	if i < 64 {
		w.Lo ^= 1 << i
	} else {
		w.Hi ^= 1 << (i - 64)
	}
	return w
}

// With is the word with the n bits from bit lo on set to v.
func (w Word) With(lo, n int, v uint64) Word {
	m := mask(lo, n)
	var s Word
	if lo < 64 {
		s.Lo = v << lo
		if lo > 0 {
			s.Hi = v >> (64 - lo)
		}
	} else {
		s.Hi = v << (lo - 64)
	}
	return Word{w.Lo&^m.Lo | s.Lo&m.Lo, w.Hi&^m.Hi | s.Hi&m.Hi}
}

// And is the bitwise and of two words.
func (w Word) And(m Word) Word { return Word{w.Lo & m.Lo, w.Hi & m.Hi} }

// Or is the bitwise or of two words.
func (w Word) Or(m Word) Word { return Word{w.Lo | m.Lo, w.Hi | m.Hi} }

// Op is the lowest 12 bits: the operation and the form of its operands. Tables
// are keyed by it.
func (w Word) Op() int { return int(w.Lo & 0xfff) }

// mask has the n bits from bit lo on set.
func mask(lo, n int) Word {
	var m Word
	for i := lo; i < lo+n && i < 128; i++ {
		m = m.Flip(i)
	}
	return m
}

// Mask has the n bits from bit lo on set.
func Mask(lo, n int) Word { return mask(lo, n) }
