package torchmem

// A value is what an opcode makes: its kind in the upper four bits, and below
// them the value itself or its place in a table.
type value uint64

type kind uint8

const (
	kindNone kind = iota
	kindBool
	kindInt  // 60 bits, signed
	kindWide // place of an integer that needs 64 bits
	kindHuge // an integer beyond 64 bits
	kindFloat
	kindText
	kindTuple
	kindList
	kindDict
)

const payload = 1<<60 - 1

func make(k kind, n uint64) value { return value(uint64(k)<<60 | n&payload) }
func (v value) kind() kind        { return kind(v >> 60) }
func (v value) n() uint64         { return uint64(v) & payload }

func (k kind) String() string {
	return [...]string{"None", "a bool", "a number", "a number", "a number beyond 64 bits", "a float", "a text", "a tuple", "a list", "a dict"}[min(int(k), 9)]
}

// integer makes a value of a number of 64 bits; negative ones are signed.
func (p *parser) integer(bits uint64, negative bool) value {
	if s := int64(bits); (negative == (s < 0)) && s<<4>>4 == s {
		return make(kindInt, bits)
	}
	p.wide = append(p.wide, wide{bits, negative})
	return make(kindWide, uint64(len(p.wide)-1))
}

type wide struct {
	bits     uint64
	negative bool
}

// bits are the 64 bits of a whole number, as of an address.
func (p *parser) bits(v value) (n uint64, ok bool) {
	switch v.kind() {
	case kindInt:
		return uint64(int64(v<<4) >> 4), true
	case kindWide:
		return p.wide[v.n()].bits, true
	case kindBool:
		return v.n(), true
	}
	return 0, false
}

// signed is a whole number that fits an int64.
func (p *parser) signed(v value) (n int64, ok bool) {
	bits, ok := p.bits(v)
	if v.kind() == kindWide && p.wide[v.n()].negative != (int64(bits) < 0) {
		return 0, false
	}
	return int64(bits), ok
}

// A list is one of: empty, a stack of frames, or a run of values.
type list struct {
	frames bool
	stack  uint32
	runs   []run
	length int
}

// A run is n values that follow each other, as rows of events do.
type run struct {
	first value
	n     int
}

func (l *list) add(v value) {
	l.length++
	if k := len(l.runs); k > 0 && l.runs[k-1].first+value(l.runs[k-1].n) == v {
		l.runs[k-1].n++
		return
	}
	l.runs = append(l.runs, run{v, 1})
}

// at calls f for the values of a list until it is false.
func (l *list) each(f func(v value) bool) {
	for _, r := range l.runs {
		for k := range r.n {
			if !f(r.first + value(k)) {
				return
			}
		}
	}
}
