package examples

import (
	"encoding/binary"

	"github.com/gpuprof/gpuprof/format/ncurep"
)

// sourcePath is where the model's program was compiled.
const sourcePath = "/src/transpose.cu"

// sourceRef ties the results to the source entry.
const sourceRef = 0x1200000001

// source is the entry that holds the program: a cubin with a line table, where
// its functions were loaded, and the source text.
func source(ks []kernel) *ncurep.SourceData {
	table := &ncurep.FunctionTable{}
	for i, k := range ks {
		table.Functions = append(table.Functions, &ncurep.Function{MangledName: k.mangled(), Address: k.address(i)})
	}
	s := &ncurep.SourceData{Binary: cubin(ks),
		Files: &ncurep.SourceFiles{Files: []*ncurep.SourceFile{{Path: sourcePath, Text: sourceText}}}}
	s.Reference = ncurep.Some(uint64(sourceRef))
	s.SMRevision = ncurep.Some(uint32(80))
	s.Functions = table
	return s
}

// cubin makes the least ELF file in which a reader finds the functions and
// their lines: text sections of empty instructions, symbols, and a line number
// program as the CUDA compiler writes it with -lineinfo (DWARF version 2).
func cubin(ks []kernel) []byte {
	e := &elf{}
	symbols := make([]byte, 24) // the first symbol is empty
	strings := []byte{0}
	var program, relocations []byte
	for i, k := range ks {
		text := e.add(".text."+k.mangled(), 1, 6, 0, 0, make([]byte, 16*len(k.code)))
		symbols = binary.LittleEndian.AppendUint32(symbols, uint32(len(strings)))
		symbols = append(symbols, 0x12, 0) // global function
		symbols = binary.LittleEndian.AppendUint16(symbols, uint16(text))
		symbols = binary.LittleEndian.AppendUint64(symbols, 0)
		symbols = binary.LittleEndian.AppendUint64(symbols, uint64(16*len(k.code)))
		strings = append(append(strings, k.mangled()...), 0)
		var at int
		program, at = lineProgram(program, k)
		relocations = binary.LittleEndian.AppendUint64(relocations, uint64(at))
		relocations = binary.LittleEndian.AppendUint64(relocations, uint64(i+1)<<32|2) // R_CUDA_64
	}
	line, header := lineUnit(program)
	for i := 0; i < len(relocations); i += 16 {
		binary.LittleEndian.PutUint64(relocations[i:], binary.LittleEndian.Uint64(relocations[i:])+uint64(header))
	}
	lineSection := e.add(".debug_line", 1, 0, 0, 0, line)
	strtab := e.add(".strtab", 3, 0, 0, 0, strings)
	symtab := e.add(".symtab", 2, 0, uint32(strtab), 1, symbols)
	e.add(".rel.debug_line", 9, 0, uint32(symtab), uint32(lineSection), relocations)
	return e.bytes()
}

// lineProgram appends the line number program of a kernel: its address, a row
// for each instruction, the end. at is the place of the address, which the
// relocation makes relative to the kernel.
func lineProgram(b []byte, k kernel) (out []byte, at int) {
	b = append(b, 0, 9, 2) // extended opcode of 9 bytes: set address
	at = len(b)
	b = append(b, make([]byte, 8)...)
	line := 1
	for _, in := range k.code {
		b = appendSleb(append(b, 3), int64(in.line-line)) // advance line
		b = append(b, 1)                                  // copy
		b = append(b, 2, 16)                              // advance the address by an instruction
		line = in.line
	}
	return append(b, 0, 1, 1), at // end of sequence
}

// lineUnit puts the header before a program; header is its length.
func lineUnit(program []byte) (unit []byte, header int) {
	// Least instruction 1, default is_stmt 1, line base -5, line range 14, first
	// special opcode 10, operands of the standard opcodes.
	head := []byte{1, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1}
	head = append(append(head, "/src"...), 0, 0)
	head = append(append(head, "transpose.cu"...), 0, 1, 0, 0, 0) // directory 1, no time, no size
	body := binary.LittleEndian.AppendUint16(nil, 2)
	body = binary.LittleEndian.AppendUint32(body, uint32(len(head)))
	body = append(body, head...)
	header = 4 + len(body)
	body = append(body, program...)
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(body))), body...), header
}

func appendSleb(b []byte, v int64) []byte {
	for {
		x := byte(v & 0x7f)
		v >>= 7
		if v == 0 && x&0x40 == 0 || v == -1 && x&0x40 != 0 {
			return append(b, x)
		}
		b = append(b, x|0x80)
	}
}

// elf lays out sections one after the other behind the file header.
type elf struct {
	heads []byte // section headers
	names []byte
	data  []byte
}

func (e *elf) add(name string, typ uint32, flags uint64, link, info uint32, data []byte) (index int) {
	if e.names == nil {
		e.names, e.heads = []byte{0}, make([]byte, 64)
	}
	le := binary.LittleEndian
	h := le.AppendUint32(nil, uint32(len(e.names)))
	h = le.AppendUint32(h, typ)
	h = le.AppendUint64(h, flags)
	h = le.AppendUint64(h, 0)
	h = le.AppendUint64(h, uint64(64+len(e.data)))
	h = le.AppendUint64(h, uint64(len(data)))
	h = le.AppendUint32(h, link)
	h = le.AppendUint32(h, info)
	h = le.AppendUint64(h, 1)
	h = le.AppendUint64(h, map[uint32]uint64{2: 24, 9: 16}[typ])
	e.names = append(append(e.names, name...), 0)
	e.data = append(e.data, data...)
	e.heads = append(e.heads, h...)
	return len(e.heads)/64 - 1
}

func (e *elf) bytes() []byte {
	names := e.add(".shstrtab", 3, 0, 0, 0, nil)
	// The names are the last section: they are whole only now.
	binary.LittleEndian.PutUint64(e.heads[64*names+32:], uint64(len(e.names)))
	e.data = append(e.data, e.names...)
	le := binary.LittleEndian
	b := append([]byte("\x7fELF\x02\x01\x01\x33\x07"), make([]byte, 7)...) // CUDA's ABI 7
	b = le.AppendUint16(b, 2)
	b = le.AppendUint16(b, 190)
	b = le.AppendUint32(b, 124) // toolkit 12.4 where ELF has its version
	b = append(b, make([]byte, 16)...)
	b = le.AppendUint64(b, uint64(64+len(e.data)))
	b = le.AppendUint32(b, 80) // architecture 8.0
	b = le.AppendUint16(b, 64)
	b = append(b, make([]byte, 4)...)
	b = le.AppendUint16(b, 64)
	b = le.AppendUint16(b, uint16(len(e.heads)/64))
	b = le.AppendUint16(b, uint16(names))
	return append(append(b, e.data...), e.heads...)
}
