package ncurep

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// The part of ELF that cubins need. The standard library's debug/elf refuses
// them: CUDA writes its own version where ELF wants a 1. See the ELF
// specification for the layouts, and elf(5) for the names of the fields.

const (
	elfHeaderSize  = 64
	elfSectionSize = 64
	elfSymbolSize  = 24

	elfMachineCUDA = 190

	shtSymtab = 2
	shtRela   = 4
	shtNobits = 8
	shtRel    = 9

	shfCompressed = 1 << 11

	sttSection = 3
	sttFunc    = 2
	stbLocal   = 0
)

type elfSection struct {
	name   string
	typ    uint32
	flags  uint64
	offset uint64
	size   uint64
	link   uint32
	info   uint32
}

type elfSymbol struct {
	name    string
	kind    uint8 // STT_
	bind    uint8 // STB_
	section int
	value   uint64 // offset in the section
	size    uint64
	address uint64 // where the symbol was loaded, 0 if not known
}

// readELF reads the file header and the section headers.
func (c *Cubin) readELF() error {
	k := cursor.New(c.name, 0, c.b)
	ident := k.Bytes(16)
	if k.Err() != nil || !bytes.HasPrefix(ident, []byte("\x7fELF\x02\x01")) {
		return &formatError{File: c.name, Want: "a cubin, a 64-bit little-endian ELF file",
			Found: fmt.Sprintf("%q", c.b[:min(6, len(c.b))]), Err: cursor.ErrCorrupt}
	}
	k.Skip(2) // type
	machine := k.U16()
	version := k.U32()
	k.Skip(16) // entry point, program headers
	at := k.U64()
	flags := k.U32()
	k.Skip(6) // sizes of this header and of a program header, number of those
	entry, count, names := k.U16(), k.U16(), k.U16()
	if err := k.Err(); err != nil {
		return err
	}
	if machine != elfMachineCUDA {
		return &formatError{File: c.name, Offset: 18, Want: "ELF machine 190 (CUDA)", Found: fmt.Sprint(machine), Err: cursor.ErrCorrupt}
	}
	if n := uint64(len(c.b)); at > n || uint64(count)*elfSectionSize > n-at || count > 0 && entry != elfSectionSize {
		return &formatError{File: c.name, Offset: 40, Want: fmt.Sprintf("%d section headers of 64 bytes", count),
			Found: fmt.Sprintf("%d bytes each at offset %d of %d", entry, at, n), Err: cursor.ErrCorrupt}
	}
	c.setVersion(ident[8], version, flags)
	c.readSections(at, int(count), int(names))
	return nil
}

// setVersion takes architecture and toolkit from the file header. Up to ABI
// version 7 the architecture is the lowest byte of the flags and the ELF version
// field holds the toolkit's; ABI version 8 (seen for compute capability
// 12.0) moved the former by a byte and writes the 1 that ELF asks for. Both were
// read off real reports.
func (c *Cubin) setVersion(abi uint8, version, flags uint32) {
	if abi >= 8 {
		c.SM = int(flags >> 8 & 0xff)
		return
	}
	c.SM = int(flags & 0xff)
	c.Toolkit = int(version)
}

func (c *Cubin) readSections(at uint64, count, names int) {
	k := cursor.New(c.name, int64(at), c.b[at:])
	nameAt := make([]uint32, count)
	c.sections = make([]elfSection, count)
	for i := range c.sections {
		s := &c.sections[i]
		nameAt[i] = k.U32()
		s.typ = k.U32()
		s.flags = k.U64()
		k.Skip(8) // address
		s.offset, s.size = k.U64(), k.U64()
		s.link, s.info = k.U32(), k.U32()
		k.Skip(16) // alignment, entry size
	}
	if names < count {
		b := string(c.data(names))
		for i := range c.sections {
			c.sections[i].name = cString(b, nameAt[i])
		}
	}
}

// data returns the bytes of section i, nil if it has none.
func (c *Cubin) data(i int) []byte {
	if i <= 0 || i >= len(c.sections) {
		return nil
	}
	s := &c.sections[i]
	n := uint64(len(c.b))
	switch {
	case s.typ == shtNobits:
		return nil
	case s.offset > n || s.size > n-s.offset:
		c.Problems.addf(c.name, int64(min(s.offset, n)), fmt.Sprintf("section %d (%s) of %d bytes", i, s.name, s.size), "%d bytes of ELF file", n)
		return nil
	case s.flags&shfCompressed != 0: // never seen
		c.Problems.addf(c.name, int64(s.offset), "a plain section "+s.name, "a compressed one")
		return nil
	}
	return c.b[s.offset:][:s.size:s.size]
}

// find returns the index and bytes of the section with the given name, 0 if
// there is none.
func (c *Cubin) find(name string) (int, []byte) {
	for i := range c.sections {
		if c.sections[i].name == name {
			return i, c.data(i)
		}
	}
	return 0, nil
}

// readSymbols reads the symbol table.
func (c *Cubin) readSymbols() {
	for i := range c.sections {
		if c.sections[i].typ != shtSymtab {
			continue
		}
		names := string(c.data(int(c.sections[i].link)))
		k := cursor.New(c.name, int64(c.sections[i].offset), c.data(i))
		c.symbols = make([]elfSymbol, 0, k.Len()/elfSymbolSize)
		for k.Len() >= elfSymbolSize {
			name := k.U32()
			info := k.U8()
			k.Skip(1) // visibility
			s := elfSymbol{name: cString(names, name), kind: info & 15, bind: info >> 4}
			s.section, s.value, s.size = int(k.U16()), k.U64(), k.U64()
			c.symbols = append(c.symbols, s)
		}
		c.unload()
		return
	}
}

// unload makes the values of symbols offsets in their sections. In a binary that
// was taken from the device after loading, as those of just-in-time compilers
// are, they are addresses, and so is that of the section's own symbol.
func (c *Cubin) unload() {
	base := map[int]uint64{}
	for i := range c.symbols {
		if s := &c.symbols[i]; s.kind == sttSection && s.value > 0 {
			base[s.section] = s.value
		}
	}
	for i := range c.symbols {
		s := &c.symbols[i]
		if b := base[s.section]; b > 0 && s.value >= b {
			s.address = s.value
			s.value -= b
		}
	}
}

// maxName bounds the names in a cubin; mangled names of template kernels reach
// a few thousand bytes. Entries of a hostile string table may overlap, so that
// looking for ends without a bound would take quadratic time.
const maxName = 32 << 10

// cString returns the NUL-terminated string at offset off of table, "" if there
// is none. It copies nothing.
func cString(table string, off uint32) string {
	if uint64(off) >= uint64(len(table)) {
		return ""
	}
	s := table[off:]
	end := strings.IndexByte(s[:min(len(s), maxName)], 0)
	if end < 0 {
		return ""
	}
	return s[:end]
}

// relocations returns, by offset in the given section, the symbol that a value
// there is relative to.
func (c *Cubin) relocations(section int) map[uint64]*elfSymbol {
	rel := make(map[uint64]*elfSymbol)
	for i := range c.sections {
		s := &c.sections[i]
		if int(s.info) != section || s.typ != shtRel && s.typ != shtRela {
			continue
		}
		k := cursor.New(c.name, int64(s.offset), c.data(i))
		for k.Len() >= 16 {
			off, info := k.U64(), k.U64()
			if s.typ == shtRela {
				k.Skip(8) // addend; the place holds it as well
			}
			if j := info >> 32; j < uint64(len(c.symbols)) {
				rel[off] = &c.symbols[j]
			}
		}
	}
	return rel
}
