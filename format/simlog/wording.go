package simlog

import (
	"bytes"
	"math"
)

// This file holds the rare wordings of an access line: correct, not fast.

// nextWord returns the letters, digits and underscores at b[i:end].
func nextWord(b []byte, i, end int) []byte {
	j := i
	for j < end && j-i < 32 && (b[j] == '_' || '0' <= b[j] && b[j] <= '9' || 'a' <= b[j]|0x20 && b[j]|0x20 <= 'z') {
		j++
	}
	return b[i:j]
}

// parseOtherOp takes an access whose verb is neither Load nor Store: i is at the
// colon behind the cycle. A trace line of another kind is isOther.
func parseOtherOp(b []byte, i, end int, levels *levelTable, a *access) (int, verdict) {
	if !bytes.HasPrefix(b[i:end], []byte(": ")) {
		return i, isOther
	}
	verb := nextWord(b, i+2, end)
	rest := i + 2 + len(verb)
	if len(verb) == 0 || !bytes.HasPrefix(b[rest:end], []byte(" instr ")) {
		return i, isOther
	}
	op := OpUnknown
	switch string(bytes.ToLower(verb)) {
	case "load", "read", "ld":
		op = OpLoad
	case "store", "write", "st", "atomic", "atom", "red":
		// An atomic reads as well; what counts here is that it makes new data.
		op = OpStore
	}
	return parseLocators(b, rest+7, end, op, levels, a)
}

// otherLocator takes " WORD N" where WORD is none of the usual ones. A core or
// cluster is a unit, anything else a place within one.
func otherLocator(b []byte, i, end int) (v uint64, isUnit bool, next int, ok bool) {
	if i+2 >= end || b[i] != ' ' {
		return 0, false, i, false
	}
	w := nextWord(b, i+1, end)
	j := i + 1 + len(w)
	if len(w) == 0 || j >= end || b[j] != ' ' {
		return 0, false, i, false
	}
	v, next, ok = decimal(b, j+1)
	switch string(bytes.ToLower(w)) {
	case "sm", "core", "cluster", "cu", "shader":
		isUnit = true
	}
	return v, isUnit, next, ok
}

// longDecimal reads all digits at b[i] and reports whether their number is a cycle: times
// since 1970 in nanoseconds have 19.
func longDecimal(b []byte, i, end int) (v uint64, next int, fits bool) {
	fits = true
	for ; i < end && b[i]-'0' <= 9; i++ {
		d := uint64(b[i] - '0')
		if v > (math.MaxInt64-d)/10 {
			fits = false
			continue
		}
		v = v*10 + d
	}
	return v, i, fits
}

// beyondCycles is the verdict on a line whose cycle is too large: an access among others
// is not understood. i is behind the cycle.
func beyondCycles(b []byte, i, end int, levels *levelTable, a *access) verdict {
	rest := append([]byte("GPGPU-Sim Cycle 0"), b[i:min(end, i+maxBeyond)]...)
	if eol := bytes.IndexByte(rest, '\n'); eol >= 0 {
		rest = rest[:eol]
	}
	n := len(rest)
	if _, v := parseAccess(append(rest, make([]byte, padding)...), 0, n, levels, a); v == isOther {
		return isOther
	}
	return isMalformed
}

// maxBeyond bounds how much of a line is looked at behind a cycle that is too large, in
// bytes.
const maxBeyond = 256
