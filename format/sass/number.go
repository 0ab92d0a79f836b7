package sass

import (
	"math"
	"strconv"

	"github.com/gpuprof/gpuprof/format/sass/table"
)

// appendNumber writes a number as the disassemblers do; next is the address of
// the next instruction, for branches.
func appendNumber(b []byte, kind table.Kind, f *table.Field, w Word, next uint64) []byte {
	if kind == table.Float {
		return appendFloat(b, f.Float(w))
	}
	v := f.Value(w)
	switch kind {
	case table.Reg:
		return appendRegister(b, "R", v, v == 255, 'Z')
	case table.UReg:
		return appendRegister(b, "UR", v, v == 1<<f.Bits()-1, 'Z')
	case table.Pred:
		return appendRegister(b, "P", v, v == 7, 'T')
	case table.UPred:
		return appendRegister(b, "UP", v, v == 7, 'T')
	case table.Barrier:
		return appendRegister(b, "B", v, false, 0)
	case table.Scoreboard:
		return appendRegister(b, "SB", v, false, 0)
	case table.Set:
		return appendSet(b, v)
	case table.Relative:
		if next == Unplaced {
			return appendRelative(b, v)
		}
		return appendHex(b, int64(next+uint64(v)))
	}
	return appendHex(b, v)
}

// Unplaced as an address says that it is not known: targets are then written as
// the distance from the next instruction, "rel+0x40".
const Unplaced = 1

// appendRelative writes the distance of a branch from the next instruction.
func appendRelative(b []byte, v int64) []byte {
	b = append(b, "rel"...)
	if v >= 0 {
		b = append(b, '+')
	}
	return appendHex(b, v)
}

func appendRegister(b []byte, name string, v int64, last bool, special byte) []byte {
	b = append(b, name...)
	if last {
		return append(b, special)
	}
	return strconv.AppendInt(b, v, 10)
}

func appendHex(b []byte, v int64) []byte {
	u := uint64(v)
	if v < 0 {
		b = append(b, '-')
		u = -u
	}
	b = append(b, '0', 'x')
	return strconv.AppendUint(b, u, 16)
}

// appendSet writes the numbers of the bits set, highest first.
func appendSet(b []byte, v int64) []byte {
	b = append(b, '{')
	first := true
	for i := 63; i >= 0; i-- {
		if v>>i&1 == 0 {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = strconv.AppendInt(b, int64(i), 10)
	}
	return append(b, '}')
}

// exponentFrom is where numbers begin to be written with an exponent and all of
// 21 digits.
const exponentFrom = 1e9

// appendFloat writes a floating point number: what is special has a blank behind
// it, the rest is as %.20g of C, from 1e9 on as %.20e.
func appendFloat(b []byte, f float64) []byte {
	switch {
	case f != f:
		return appendNaN(b, math.Float64bits(f))
	case math.IsInf(f, 1):
		return append(b, "+INF "...)
	case math.IsInf(f, -1):
		return append(b, "-INF "...)
	case f == 0 && math.Signbit(f):
		return append(b, "-0.0 "...)
	case f == 0:
		return append(b, '0')
	case math.Abs(f) >= exponentFrom:
		return strconv.AppendFloat(b, f, 'e', 20, 64)
	case f == math.Trunc(f):
		return strconv.AppendInt(b, int64(f), 10)
	}
	from := len(b)
	a := math.Abs(f)
	if a < 1e-4 {
		b = strconv.AppendFloat(b, f, 'e', 19, 64)
		return trimExponent(b, from)
	}
	digits := 19 // behind the point: 20 that count
	for p := 10.0; p <= a; p *= 10 {
		digits--
	}
	for p := 1.0; p > a; p /= 10 {
		digits++
	}
	b = strconv.AppendFloat(b, f, 'f', digits, 64)
	return trimZeros(b, from)
}

// appendNaN writes a number that is none. Only those of 64 bits can be signalling:
// others were made quiet when they were widened.
func appendNaN(b []byte, bits uint64) []byte {
	const sign, quiet = 1 << 63, 1 << 51
	if bits&sign != 0 {
		b = append(b, '-')
	} else {
		b = append(b, '+')
	}
	if bits&quiet != 0 {
		b = append(b, 'Q')
	} else {
		b = append(b, 'S')
	}
	return append(b, "NAN "...)
}

// trimZeros drops zeros at the end of the fraction that begins behind from.
func trimZeros(b []byte, from int) []byte {
	n := len(b)
	for n > from && b[n-1] == '0' {
		n--
	}
	if n > from && b[n-1] == '.' {
		n--
	}
	return b[:n]
}

func trimExponent(b []byte, from int) []byte {
	for i := from; i < len(b); i++ {
		if b[i] == 'e' {
			var e [8]byte
			tail := append(e[:0], b[i:]...)
			return append(trimZeros(b[:i], from), tail...)
		}
	}
	return b
}
