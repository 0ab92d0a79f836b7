package main

import "fmt"

// A parseError ends the parse of a module.
type parseError struct {
	offset int
	what   string
}

func (e parseError) Error() string { return fmt.Sprintf("offset %#x: %s", e.offset, e.what) }

// reader walks over a part of a module; it panics with a parseError.
type reader struct {
	b  []byte
	at int
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.b)-r.at {
		panic(parseError{r.at, fmt.Sprintf("%d bytes expected, %d left", n, len(r.b)-r.at)})
	}
	r.at += n
	return r.b[r.at-n : r.at]
}

func (r *reader) byte() byte { return r.take(1)[0] }

// uint reads an unsigned LEB128 number; it passes over signed ones as well.
func (r *reader) uint() uint64 {
	var v uint64
	for shift := 0; ; shift += 7 {
		b := r.byte()
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
}

func (r *reader) uints(n uint64) {
	for range n {
		r.uint()
	}
}

// The opcodes that have immediates, by WebAssembly's names.
const (
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opBr           = 0x0c
	opBrIf         = 0x0d
	opBrTable      = 0x0e
	opCall         = 0x10
	opCallIndirect = 0x11
	opSelectTyped  = 0x1c
	opLocalGet     = 0x20
	opTableSet     = 0x26
	opLoad         = 0x28
	opStore        = 0x3e
	opMemorySize   = 0x3f
	opMemoryGrow   = 0x40
	opI32Const     = 0x41
	opI64Const     = 0x42
	opF32Const     = 0x43
	opF64Const     = 0x44
	opLastPlain    = 0xc4
	opRefNull      = 0xd0
	opRefIsNull    = 0xd1
	opRefFunc      = 0xd2
	opPrefix       = 0xfc
)

// immediates passes over what follows an opcode.
func (r *reader) immediates(op byte) {
	switch {
	case op == opBlock || op == opLoop || op == opIf,
		op == opBr || op == opBrIf || op == opCall,
		op >= opLocalGet && op <= opTableSet,
		op == opI32Const || op == opI64Const,
		op == opMemorySize || op == opMemoryGrow,
		op == opRefNull || op == opRefFunc:
		r.uint()
	case op == opBrTable:
		r.uints(r.uint() + 1)
	case op == opCallIndirect, op >= opLoad && op <= opStore:
		r.uints(2)
	case op == opSelectTyped:
		r.uints(r.uint())
	case op == opF32Const:
		r.take(4)
	case op == opF64Const:
		r.take(8)
	case op == opPrefix:
		r.prefixed(r.uint())
	case op <= opLastPlain, op == opRefIsNull: // none
	default:
		panic(parseError{r.at - 1, fmt.Sprintf("opcode %#x is not known", op)})
	}
}

// prefixed passes over what follows an opcode after the prefix 0xfc.
func (r *reader) prefixed(op uint64) {
	switch op {
	case 0, 1, 2, 3, 4, 5, 6, 7: // conversions that saturate
	case 9, 11, 13, 15, 16, 17: // data.drop, memory.fill, elem.drop, table.grow, .size, .fill
		r.uint()
	case 8, 10, 12, 14: // memory.init, memory.copy, table.init, table.copy
		r.uints(2)
	default:
		panic(parseError{r.at - 1, fmt.Sprintf("opcode 0xfc %d is not known", op)})
	}
}
