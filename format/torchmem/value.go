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

func pack(k kind, n uint64) value { return value(uint64(k)<<60 | n&payload) }
func (v value) kind() kind        { return kind(v >> 60) }
func (v value) n() uint64         { return uint64(v) & payload }

func (k kind) String() string {
	return [...]string{"None", "a bool", "a number", "a number", "a number beyond 64 bits", "a float", "a text", "a tuple", "a list", "a dict"}[min(int(k), 9)]
}

// A wide is an integer that needs 64 bits.
type wide struct {
	bits     uint64
	negative bool
}

// integer makes a value of a number of 64 bits; negative ones are signed.
func (p *parser) integer(bits uint64, negative bool) value {
	if s := int64(bits); negative == (s < 0) && s<<4>>4 == s {
		return pack(kindInt, bits)
	}
	p.wide = append(p.wide, wide{bits, negative})
	return pack(kindWide, uint64(len(p.wide)-1))
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

// A run is n values that follow each other, as the dicts of events do.
type run struct {
	first value
	n     int
}

// A list holds values that are no stack of frames.
type list []run

func (l *list) add(v value) {
	if k := len(*l) - 1; k >= 0 && (*l)[k].first+value((*l)[k].n) == v {
		(*l)[k].n++
		return
	}
	*l = append(*l, run{v, 1})
}

// all yields the values of a list.
func (l list) all(yield func(v value) bool) {
	for _, r := range l {
		for k := range r.n {
			if !yield(r.first + value(k)) {
				return
			}
		}
	}
}

func (l list) length() (n int) {
	for _, r := range l {
		n += r.n
	}
	return n
}

// What a list or dict turned out to be: a tag in the upper four bits and a row.
type object uint32

const (
	objEmpty   object = iota << 28
	objGeneric        // in parser.lists or parser.pairs
	objStack          // of lists: a stack of frames
	objFrame          // of dicts, and all below
	objEvent
	objBlock
	objSegment
	objHistory
	objAnnotation

	objRow = 1<<28 - 1
)

func (o object) tag() object { return o &^ objRow }
func (o object) row() int    { return int(o & objRow) }
