package simlog

import (
	"encoding/binary"
	"math/bits"
)

// The lines of interest all begin with the simulator's trace prefix,
// "GPGPU-Sim Cycle N: ". Two grammars follow it:
//
//	(Load|Store) instr (from|to) LEVEL cache at LOCATOR... addr HEX status DIGIT
//	MEMORY_SUBPARTITION_UNIT -  N - Probing L2 cache Address=HEX, status=DIGIT
//
// where LOCATOR is "SM N", "bank N", "partition N" or "sub partition N", in any
// order and number. Only the first grammar's L1D line is documented; the others
// are accepted because backends write them.

// verdict is what a line turned out to be.
type verdict uint8

const (
	isOther     verdict = iota // not an access
	isAccess                   // an access, understood
	isMalformed                // begins like an access but is not one
)

// padding is how many readable bytes must follow the text being parsed, so that
// eight bytes can be loaded anywhere within it.
const padding = 32

func load64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }

// word turns up to eight bytes into the value that load64 gives for them.
func word(s string) uint64 {
	var v uint64
	for i := 0; i < len(s); i++ {
		v |= uint64(s[i]) << (8 * i)
	}
	return v
}

var (
	wGPGPUSi = word("GPGPU-Si")
	wmCycle  = word("m Cycle ")
	wLoad    = word(": Load i")
	wStore   = word(": Store ")
	wnstr    = word("nstr ")
	winstr   = word("instr ")
	wfrom    = word("from ")
	wto      = word("to ")
	wfromL1D = word("from L1D")
	wfromL2  = word("from L2 ")
	wcachea  = word(" cache a")
	wtSM     = word("t SM ")
	wL1D     = word("L1D ")
	wL2      = word("L2 ")
	wcacheat = word("cache at")
	wSM      = word(" SM ")
	wbank    = word(" bank ")
	waddr    = word(" addr ")
	wstatus  = word(" status ")
	wpartit  = word(" partiti")
	won      = word("on ")
	wsub     = word(" sub")
	wMEMORY  = word(": MEMORY")
	wSUBPART = word("_SUBPART")
	wITION   = word("ITION_UN")
	wIT      = word("IT - ")
	wdash    = word(" - Probi")
	wngL2    = word("ng L2 ca")
	wcheAd   = word("che Addr")
	wess     = word("ess=")
	wcstatus = word(", status")
)

const (
	mask3 = 1<<24 - 1
	mask4 = 1<<32 - 1
	mask5 = 1<<40 - 1
	mask6 = 1<<48 - 1
)

// access is one parsed line.
type access struct {
	cycle int64
	addr  uint64
	info  Info
}

// parseAccess reads the access line that begins at b[i], where b[:end] is text
// and at least padding bytes follow end. It returns the position behind the last
// character of the access. The caller checks that the line ends there, and for
// isMalformed and isOther looks for the end of the line itself.
func parseAccess(b []byte, i, end int, levels *levelTable, a *access) (int, verdict) {
	if load64(b, i) != wGPGPUSi || load64(b, i+8) != wmCycle {
		return i, isOther
	}
	i += 16
	digits := i
	cycle, i, ok := decimal(b, i)
	if !ok {
		return i, isOther
	}
	if b[i]-'0' <= 9 {
		var fits bool
		if cycle, i, fits = longDecimal(b, digits, end); !fits {
			return i, beyondCycles(b, i, end, levels, a)
		}
	}
	a.cycle = int64(cycle)
	var op Op
	w := load64(b, i)
	switch {
	case w == wLoad && load64(b, i+8)&mask5 == wnstr:
		op, i = OpLoad, i+13
	case w == wStore && load64(b, i+8)&mask6 == winstr:
		op, i = OpStore, i+14
	case w == wMEMORY:
		return parseProbe(b, i, end, a)
	default:
		return parseOtherOp(b, i, end, levels, a)
	}
	return parseLocators(b, i, end, op, levels, a)
}

// parseLocators goes on behind "instr ". The two wordings that make up nearly every
// log are taken in as few steps as possible.
func parseLocators(b []byte, i, end int, op Op, levels *levelTable, a *access) (int, verdict) {
	if i+24 > end {
		return i, isMalformed
	}
	switch w := load64(b, i); {
	case w == wfromL1D && load64(b, i+8) == wcachea && load64(b, i+16)&mask5 == wtSM:
		sm, j, ok := decimal(b, i+21)
		if !ok || load64(b, j)&mask6 != wbank {
			break
		}
		bank, j, ok := decimal(b, j+6)
		if ok && load64(b, j)&mask6 == waddr {
			return parseTail(b, j+6, end, MakeInfo(L1, op, 0, clip16(sm), clip16(bank)), a)
		}
	case w == wfromL2 && load64(b, i+8) == wcacheat && load64(b, i+16) == wpartit && load64(b, i+24)&mask3 == won:
		part, j, ok := decimal(b, i+27)
		if ok && load64(b, j)&mask6 == waddr {
			return parseTail(b, j+6, end, MakeInfo(L2, op, 0, 0, clip16(part)), a)
		}
	}
	return parseAnyLocators(b, i, end, op, levels, a)
}

// parseAnyLocators takes the words in any order.
func parseAnyLocators(b []byte, i, end int, op Op, levels *levelTable, a *access) (int, verdict) {
	switch w := load64(b, i); {
	case w&mask5 == wfrom:
		i += 5
	case w&mask3 == wto:
		i += 3
	default:
		return i, isMalformed
	}
	var level LevelID
	switch w := load64(b, i); {
	case w&mask4 == wL1D:
		level, i = L1, i+4
	case w&mask3 == wL2:
		level, i = L2, i+3
	default:
		var ok bool
		if level, i, ok = levels.named(b, i, end); !ok {
			return i, isMalformed
		}
	}
	if load64(b, i) != wcacheat {
		return i, isMalformed
	}
	i += 8
	var unit, bank uint64
	for ok := true; ; {
		w := load64(b, i)
		switch {
		case w&mask4 == wSM:
			unit, i, ok = decimal(b, i+4)
		case w&mask6 == wbank:
			bank, i, ok = decimal(b, i+6)
		case w&mask6 == waddr:
			return parseTail(b, i+6, end, MakeInfo(level, op, 0, clip16(unit), clip16(bank)), a)
		case w == wpartit && load64(b, i+8)&mask3 == won:
			bank, i, ok = decimal(b, i+11)
		case w&mask4 == wsub && (b[i+4] == ' ' || b[i+4] == '_') && load64(b, i+4)>>8 == wpartit>>8 && load64(b, i+12)&mask3 == won:
			bank, i, ok = decimal(b, i+15)
		default:
			var isUnit bool
			var v uint64
			if v, isUnit, i, ok = otherLocator(b, i, end); isUnit {
				unit = v
			} else {
				bank = v
			}
		}
		if !ok || i > end {
			return min(i, end), isMalformed
		}
	}
}

// clip16 keeps a locator number within its 16 bits: larger ones share the last.
func clip16(v uint64) uint16 { return uint16(min(v, 0xffff)) }

// parseTail reads "HEX status DIGIT".
func parseTail(b []byte, i, end int, info Info, a *access) (int, verdict) {
	addr, i, ok := hexadecimal(b, i)
	if !ok || i+9 > end || load64(b, i) != wstatus {
		return min(i, end), isMalformed
	}
	s := b[i+8] - '0'
	if s > uint8(MSHRHit) {
		return i + 8, isMalformed
	}
	a.addr, a.info = addr, info|Info(s)
	return i + 9, isAccess
}

// parseProbe reads the stock line behind its cycle; all other trace lines of
// that unit are none of our business.
func parseProbe(b []byte, i, end int, a *access) (int, verdict) {
	if load64(b, i+8) != wSUBPART || i+40 > end || load64(b, i+16) != wITION || load64(b, i+24)&mask5 != wIT {
		return i, isOther
	}
	i += 29
	for i < end && b[i] == ' ' {
		i++
	}
	slice, i, ok := decimal(b, i)
	if !ok || i+32 > end || load64(b, i) != wdash || load64(b, i+8) != wngL2 || load64(b, i+16) != wcheAd || load64(b, i+24)&mask4 != wess {
		return min(i, end), isOther
	}
	addr, i, ok := hexadecimal(b, i+28)
	if !ok || i+10 > end || load64(b, i) != wcstatus || b[i+8] != '=' {
		return min(i, end), isMalformed
	}
	s := b[i+9] - '0'
	if s > uint8(MSHRHit) {
		return i + 9, isMalformed
	}
	a.addr, a.info = addr, MakeInfo(L2, OpUnknown, Status(s), 0, clip16(slice))
	return i + 10, isAccess
}

// decimal reads digits at b[i]. At least one and at most 18 are taken. Something
// that is no digit must follow within b, which padding provides for.
func decimal(b []byte, i int) (v uint64, next int, ok bool) {
	d := uint64(b[i] - '0')
	if d > 9 {
		return 0, i, false
	}
	v = d
	for k := 1; k < 18; k++ {
		if d = uint64(b[i+k] - '0'); d > 9 {
			return v, i + k, true
		}
		v = v*10 + d
	}
	return v, i + 18, true
}

// hexadecimal reads 1 to 16 hexadecimal digits at b[i], with or without a
// leading 0x, eight at a time.
func hexadecimal(b []byte, i int) (v uint64, next int, ok bool) {
	w := load64(b, i)
	if bad := notHex(w); bad != 0 {
		if w&0xffff == '0'|'x'<<8 {
			return hexadecimal0x(b, i+2)
		}
		n := bits.TrailingZeros64(bad) / 8
		return hexHead(w, n), i + n, n > 0
	}
	v = hexValue(w)
	w = load64(b, i+8)
	n := 8
	if bad := notHex(w); bad != 0 {
		n = bits.TrailingZeros64(bad) / 8
	}
	return v<<(4*n&63) | hexHead(w, n), i + 8 + n, true
}

// hexadecimal0x goes on behind "0x", where a second one does not count.
func hexadecimal0x(b []byte, i int) (uint64, int, bool) {
	if b[i] == '0' && b[i+1] == 'x' {
		return 0, i + 1, true
	}
	return hexadecimal(b, i)
}

const (
	lo7  = 0x7f7f7f7f7f7f7f7f
	high = 0x8080808080808080
	ones = 0x0101010101010101
)

// notHex sets the high bit of every byte of w that is no hexadecimal digit.
func notHex(w uint64) uint64 {
	t := w&lo7 | 0x20*ones // letters to lower case; digits keep their value
	// In each byte the high bit of a sum says whether t is at least some character.
	digit := (t + (0x80-'0')*ones) &^ (t + (0x80-'9'-1)*ones)
	alpha := (t + (0x80-'a')*ones) &^ (t + (0x80-'f'-1)*ones)
	// 0x10 to 0x19 became digits too: a true digit has the bit 0x20 of its own.
	return (^(digit&(w<<2) | alpha) | w) & high
}

// hexHead is the value of the first n digits of w.
func hexHead(w uint64, n int) uint64 {
	if n == 0 {
		return 0
	}
	return hexValue(w << ((64 - 8*n) & 63))
}

// hexValue turns eight hexadecimal digits, the first in the lowest byte and
// missing ones zero bytes below it, into their value.
func hexValue(w uint64) uint64 {
	n := w&(0x0f*ones) + 9*(w>>6&ones) // nibbles, one a byte
	n = (n<<4 | n>>8) & 0x00ff00ff00ff00ff
	n = (n<<8 | n>>16) & 0x0000ffff0000ffff
	return (n<<16 | n>>32) & 0xffffffff
}
