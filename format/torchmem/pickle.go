package torchmem

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"strconv"
)

// Limits of what a pickle may hold.
const (
	mostText    = 64 << 20
	mostObjects = objRow // lists, and dicts, and texts
)

// The opcodes, by the names of Python's pickletools.
const (
	opMark           = '('
	opStop           = '.'
	opPop            = '0'
	opPopMark        = '1'
	opDup            = '2'
	opFloat          = 'F'
	opInt            = 'I'
	opBinInt         = 'J'
	opBinInt1        = 'K'
	opLong           = 'L'
	opBinInt2        = 'M'
	opNone           = 'N'
	opString         = 'S'
	opBinString      = 'T'
	opShortBinString = 'U'
	opUnicode        = 'V'
	opBinUnicode     = 'X'
	opAppend         = 'a'
	opDict           = 'd'
	opEmptyDict      = '}'
	opAppends        = 'e'
	opGet            = 'g'
	opBinGet         = 'h'
	opLongBinGet     = 'j'
	opList           = 'l'
	opEmptyList      = ']'
	opPut            = 'p'
	opBinPut         = 'q'
	opLongBinPut     = 'r'
	opSetItem        = 's'
	opTuple          = 't'
	opEmptyTuple     = ')'
	opSetItems       = 'u'
	opBinFloat       = 'G'
	opProto          = 0x80
	opTuple1         = 0x85
	opTuple2         = 0x86
	opTuple3         = 0x87
	opNewTrue        = 0x88
	opNewFalse       = 0x89
	opLong1          = 0x8a
	opLong4          = 0x8b
	opBinBytes       = 'B'
	opShortBinBytes  = 'C'
	opShortUnicode   = 0x8c
	opBinUnicode8    = 0x8d
	opBinBytes8      = 0x8e
	opMemoize        = 0x94
	opFrame          = 0x95
)

// refused are the opcodes that name, make or call objects, and those beside
// them that no snapshot needs.
var refused = map[byte]string{'c': "GLOBAL", 0x93: "STACK_GLOBAL", 'R': "REDUCE", 'b': "BUILD", 'i': "INST", 'o': "OBJ", 0x81: "NEWOBJ", 0x92: "NEWOBJ_EX",
	0x82: "EXT1", 0x83: "EXT2", 0x84: "EXT4", 'P': "PERSID", 'Q': "BINPERSID", 0x8f: "EMPTY_SET", 0x90: "ADDITEMS", 0x91: "FROZENSET",
	0x96: "BYTEARRAY8", 0x97: "NEXT_BUFFER", 0x98: "READONLY_BUFFER"}

// run reads opcodes up to STOP and returns what is then on top.
func (p *parser) run() (top value, ok bool) {
	for count := 0; p.err == nil; count++ {
		if count&0xffff == 0 && p.cancelled() {
			return 0, false
		}
		if p.n-p.i < 16 {
			p.more(16)
		}
		p.at = p.base + int64(p.i)
		if p.i >= p.n {
			what := "the end of the file"
			if p.last != nil && p.cut() {
				what = p.last.Error()
			}
			p.fail("STOP at the end of the pickle", what, ErrTruncated)
			return 0, false
		}
		op := p.b[p.i]
		p.i++
		switch op {
		case opLongBinGet: // most of a file
			p.get(p.fixed(4))
		case opMark:
			if !p.references() {
				p.marks = append(p.marks, len(p.stack))
			}
		case opStop:
			return p.pop(), p.err == nil
		default:
			p.step(op)
		}
	}
	return 0, false
}

// step does what an opcode says.
func (p *parser) step(op byte) {
	switch op {
	case opBinGet:
		p.get(uint64(p.byte()))
	case opMemoize:
		p.put(p.memoNext)
	case opAppends:
		p.appends(p.toMark())
	case opSetItems:
		p.setItems(p.toMark())
	case opEmptyDict:
		p.push(p.newDict())
	case opEmptyList:
		p.push(p.newList())
	case opBinInt1:
		p.push(pack(kindInt, uint64(p.byte())))
	case opBinInt2:
		p.push(pack(kindInt, p.fixed(2)))
	case opBinInt:
		p.push(pack(kindInt, uint64(int64(int32(p.fixed(4))))))
	case opLong1:
		p.long(uint64(p.byte()))
	case opLong4:
		p.long(p.fixed(4))
	case opShortUnicode, opShortBinString, opShortBinBytes:
		p.text(uint64(p.byte()))
	case opBinUnicode, opBinString, opBinBytes:
		p.text(p.fixed(4))
	case opBinUnicode8, opBinBytes8:
		p.text(p.fixed(8))
	case opAppend:
		v := p.pop()
		p.one[0] = v
		p.appends(p.one[:1])
	case opSetItem:
		p.one[1] = p.pop()
		p.one[0] = p.pop()
		p.setItems(p.one[:2])
	case opTuple:
		p.push(p.tuple(p.toMark()))
	case opEmptyTuple:
		p.push(p.tuple(nil))
	case opTuple1, opTuple2, opTuple3:
		n := int(op-opTuple1) + 1
		if n > p.room() {
			p.corrupt(fmt.Sprintf("%d values for a tuple", n), "%d", p.room())
			return
		}
		from := len(p.stack) - n
		v := p.tuple(p.stack[from:])
		p.stack = p.stack[:from]
		p.push(v)
	case opNone:
		p.push(pack(kindNone, 0))
	case opNewTrue:
		p.push(pack(kindBool, 1))
	case opNewFalse:
		p.push(pack(kindBool, 0))
	case opBinFloat:
		p.float(math.Float64frombits(p.big8()))
	case opProto:
		p.snap.Protocol = int(p.byte())
		if p.snap.Protocol > 5 {
			p.corrupt("protocol 0 to 5", "%d", p.snap.Protocol)
		}
	case opFrame: // a hint for readers that buffer
		p.fixed(8)
	case opBinPut:
		p.put(uint64(p.byte()))
	case opLongBinPut:
		p.put(p.fixed(4))
	default:
		p.rare(op)
	}
}

// rare does the opcodes of old protocols.
func (p *parser) rare(op byte) {
	switch op {
	case opPop:
		if p.room() == 0 && len(p.marks) > 0 {
			p.toMark()
			return
		}
		p.pop()
	case opPopMark:
		p.toMark()
	case opDup:
		if p.room() > 0 {
			p.push(p.stack[len(p.stack)-1])
		} else {
			p.corrupt("a value to repeat", "none")
		}
	case opList:
		items := p.toMark()
		v := p.newList()
		p.grow(v, items)
		p.push(v)
	case opDict:
		items := p.toMark()
		v := p.newDict()
		p.fill(v, items)
		p.push(v)
	case opGet, opPut:
		n, err := strconv.ParseUint(string(p.line()), 10, 64)
		switch {
		case err != nil:
			p.corrupt("the number of a memo", "%v", err)
		case op == opGet:
			p.get(n)
		default:
			p.put(n)
		}
	case opInt, opLong:
		p.decimal(string(bytes.TrimSuffix(p.line(), []byte("L"))))
	case opFloat:
		f, err := strconv.ParseFloat(string(p.line()), 64)
		if err != nil {
			p.corrupt("a number", "%v", err)
		}
		p.float(f)
	case opString:
		p.push(p.intern(bytes.Trim(p.line(), `'"`)))
	case opUnicode:
		p.push(p.intern(rawUnicode(p.line())))
	default:
		if name := refused[op]; name != "" {
			p.fail("opcodes that build lists, dicts, texts and numbers", fmt.Sprintf("%s: the file holds objects; nothing of it was run", name), ErrRefused)
			return
		}
		p.corrupt("an opcode of pickle", "byte 0x%02x", op)
	}
}

func (p *parser) decimal(s string) {
	if s == "00" || s == "01" { // of protocol 0
		p.push(pack(kindBool, uint64(s[1]-'0')))
		return
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		p.push(p.integer(uint64(n), n < 0))
	} else if n, err := strconv.ParseUint(s, 10, 64); err == nil {
		p.push(p.integer(n, false))
	} else if _, ok := new(big.Int).SetString(s, 10); ok && len(s) < 1000 {
		p.push(pack(kindHuge, 0))
	} else {
		p.corrupt("a number", "%.20q", s)
	}
}

// rawUnicode undoes Python's raw-unicode-escape.
func rawUnicode(b []byte) []byte {
	if bytes.IndexByte(b, '\\') < 0 {
		return b
	}
	var out []byte
	for i := 0; i < len(b); i++ {
		if b[i] == '\\' && i+6 <= len(b) && b[i+1] == 'u' {
			if n, err := strconv.ParseUint(string(b[i+2:i+6]), 16, 32); err == nil {
				out = append(out, string(rune(n))...)
				i += 5
				continue
			}
		}
		out = append(out, b[i])
	}
	return out
}

// long pushes a number of n bytes, little endian, two's complement.
func (p *parser) long(n uint64) {
	b := p.bytes(n)
	if p.err != nil {
		return
	}
	negative := len(b) > 0 && b[len(b)-1]&0x80 != 0
	sign := byte(0)
	if negative {
		sign = 0xff
	}
	var word [8]byte
	for i := range word {
		word[i] = sign
	}
	for i, c := range b {
		if i < 8 {
			word[i] = c
		} else if c != sign {
			p.push(pack(kindHuge, 0))
			return
		}
	}
	bits := binary.LittleEndian.Uint64(word[:])
	if negative && int64(bits) >= 0 { // below the least of 64 bits
		p.push(pack(kindHuge, 0))
		return
	}
	p.push(p.integer(bits, negative))
}

func (p *parser) float(f float64) {
	p.floats = append(p.floats, f)
	p.push(pack(kindFloat, uint64(len(p.floats)-1)))
}

// room is how many values lie above the last mark.
func (p *parser) room() int {
	if k := len(p.marks); k > 0 {
		return len(p.stack) - p.marks[k-1]
	}
	return len(p.stack)
}

func (p *parser) push(v value) { p.stack = append(p.stack, v) }

func (p *parser) pop() value {
	if p.room() == 0 {
		p.corrupt("a value on the stack", "none")
		return 0
	}
	v := p.stack[len(p.stack)-1]
	p.stack = p.stack[:len(p.stack)-1]
	return v
}

// toMark takes the values above the last mark.
func (p *parser) toMark() []value {
	k := len(p.marks) - 1
	if k < 0 {
		p.corrupt("a MARK", "none")
		return nil
	}
	from := p.marks[k]
	p.marks = p.marks[:k]
	items := p.stack[from:]
	p.stack = p.stack[:from]
	return items
}

// The memo keeps values of lists, dicts, tuples and texts in 32 bits, four of
// them for the kind; others, and numbers far beyond those before, in a map.
func (p *parser) put(n uint64) {
	if p.room() == 0 {
		p.corrupt("a value to memoize", "none")
		return
	}
	v := p.stack[len(p.stack)-1]
	p.memoNext++
	if n == uint64(p.memo.Len()) && v.kind() >= kindText && v.n() <= objRow {
		p.memo.Add(uint32(v.kind())<<28 | uint32(v.n()))
		return
	}
	if n == uint64(p.memo.Len()) {
		p.memo.Add(0)
	}
	if n < uint64(p.memo.Len()) {
		p.memo.Set(int(n), 0)
		clear(p.spelled) // what a number of the memo stands for has changed
	}
	p.farMemo[n] = v
}

func (p *parser) get(n uint64) {
	if n < uint64(p.memo.Len()) {
		if m := p.memo.At(int(n)); m != 0 {
			p.stack = append(p.stack, memoized(m))
			return
		}
	}
	v, ok := p.farMemo[n]
	if !ok {
		p.corrupt("a memo that was put", "GET of memo %d, which never was", n)
	}
	p.push(v)
}

// memoized is the value that put kept in 32 bits.
func memoized(m uint32) value { return value(uint64(m>>28)<<60 | uint64(m&objRow)) }
