package fatbin

import (
	"bytes"
	"fmt"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// machineCUDA is the e_machine of cubins.
const machineCUDA = 190

type section struct {
	name   string
	offset int64
	data   []byte
}

// sections reads the section table of a 64-bit ELF file. The standard library's
// debug/elf refuses cubins, which have a version of their own.
func sections(b []byte, name string) ([]section, uint16, error) {
	k := cursor.New(name, 0, b)
	ident := k.Bytes(16)
	if k.Err() != nil || !bytes.HasPrefix(ident, []byte("\x7fELF\x02\x01")) {
		return nil, 0, fmt.Errorf("%s: found %q, expected a 64-bit little-endian ELF file or a fat binary", name, b[:min(6, len(b))])
	}
	k.Skip(2)
	machine := k.U16()
	k.Skip(4 + 8 + 8)
	table := k.U64()
	k.Skip(4 + 2 + 2 + 2)
	size, count, names := uint64(k.U16()), uint64(k.U16()), uint64(k.U16())
	if err := k.Err(); err != nil {
		return nil, 0, err
	}
	if machine == machineCUDA || count == 0 {
		return nil, machine, nil
	}
	if size < 64 || table > uint64(len(b)) || count*size > uint64(len(b))-table {
		return nil, 0, fmt.Errorf("%s: %d sections of %d bytes at %#x, expected them within %d bytes", name, count, size, table, len(b))
	}
	out := make([]section, count)
	at := make([]uint32, count)
	for i := range out {
		k := cursor.New(name, int64(table), b[table+uint64(i)*size:][:size])
		at[i] = k.U32()
		typ := k.U32()
		k.Skip(8 + 8)
		offset, n := k.U64(), k.U64()
		const nobits = 8
		if typ != nobits && offset <= uint64(len(b)) && n <= uint64(len(b))-offset {
			out[i].offset, out[i].data = int64(offset), b[offset:][:n]
		}
	}
	if names < count {
		for i := range out {
			if t := out[names].data; uint64(at[i]) < uint64(len(t)) {
				s, _, _ := bytes.Cut(t[at[i]:], []byte{0})
				out[i].name = string(s[:min(len(s), 64)])
			}
		}
	}
	return out, machine, nil
}
