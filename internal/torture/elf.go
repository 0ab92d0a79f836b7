package torture

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
)

// elfs finds ELF files within data: reports hold the code of their kernels.
func elfs(b []byte) (at []int) {
	for i := 0; len(at) < 50; {
		k := bytes.Index(b[i:], []byte("\x7fELF\x02"))
		if k < 0 || i+k+64 > len(b) {
			return at
		}
		at = append(at, i+k)
		i += k + 1
	}
	return at
}

// elf changes the header of an ELF file, one of a section, or what is in a section;
// a section of DWARF is one in eight.
func elf(r *rand.Rand, b []byte) []byte {
	b = slices.Clone(b)
	e := b[pick(r, elfs(b)):]
	put := func(at, size int) {
		var w [8]byte
		binary.LittleEndian.PutUint64(w[:], pick(r, words))
		if r.IntN(2) == 0 && at+8 <= len(e) { // near what it was
			binary.LittleEndian.PutUint64(w[:], binary.LittleEndian.Uint64(e[at:])+uint64(r.IntN(65))-32)
		}
		if at >= 0 && at+size <= len(e) {
			copy(e[at:at+size], w[:])
		}
	}
	off, n := binary.LittleEndian.Uint64(e[40:]), int(binary.LittleEndian.Uint16(e[60:]))
	if off > uint64(len(e)) || n == 0 || r.IntN(5) == 0 {
		put(16+r.IntN(6)*8, 1<<r.IntN(4))
		return b
	}
	header := int(off) + r.IntN(n)*64
	if header+64 > len(e) {
		return b
	}
	if r.IntN(2) == 0 {
		put(header+r.IntN(8)*8, 4+4*r.IntN(2))
		return b
	}
	at, size := binary.LittleEndian.Uint64(e[header+24:]), binary.LittleEndian.Uint64(e[header+32:])
	if at < uint64(len(e)) && size > 0 && size <= uint64(len(e))-at {
		for range 1 + r.IntN(4) {
			put(int(at)+r.IntN(int(size)), 1<<r.IntN(4))
		}
	}
	return b
}
