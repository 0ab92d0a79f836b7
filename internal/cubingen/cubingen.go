// Package cubingen makes small cubins and fat binaries for tests and examples.
package cubingen

import (
	"encoding/binary"
	"slices"
)

// A Function is a function of a cubin.
type Function struct {
	Name  string      // mangled
	Words [][2]uint64 // instructions: low and high half
}

// Add is a kernel for sm_80: each thread adds its number to an element.
func Add() Function {
	return Function{"_Z3addPii", [][2]uint64{
		{0x00000a0000017a02, 0x000fe40000000f00}, // MOV R1, c[0x0][0x28]
		{0x0000000000057919, 0x000e240000002100}, // S2R R5, SR_TID.X
		{0x00005a0005007a0c, 0x001fda0003f06270}, // ISETP.GE.AND P0, PT, R5, c[0x0][0x168], PT
		{0x000000000000094d, 0x000fea0003800000}, // @P0 EXIT
		{0x00000004ff027435, 0x000fe200000001ff}, // HFMA2.MMA R2, -RZ, RZ, 0, 2.384185791015625e-07
		{0x0000460000047ab9, 0x000fd20000000a00}, // ULDC.64 UR4, c[0x0][0x118]
		{0x0000580005027625, 0x000fca00078e0202}, // IMAD.WIDE R2, R5, R2, c[0x0][0x160]
		{0x0000000402007981, 0x000ea4000c1e1900}, // LDG.E R0, [R2.64]
		{0x0000000500057210, 0x004fca0007ffe0ff}, // IADD3 R5, R0, R5, RZ
		{0x0000000502007986, 0x000fe2000c101904}, // STG.E [R2.64], R5
		{0x000000000000794d, 0x000fea0003800000}, // EXIT
		{0xfffffff000007947, 0x000fc0000383ffff}, // BRA .
	}}
}

// Cubin makes the ELF file of functions for an architecture, 80 for sm_80.
func Cubin(sm int, functions ...Function) []byte {
	const header, sectionSize, symbolSize = 64, 64, 24
	type section struct {
		name       string
		typ        uint32
		link, info uint32
		entry      uint64
		data       []byte
	}
	names, strs, syms := []byte{0}, []byte{0}, make([]byte, symbolSize)
	sections := []section{{}, {name: ".shstrtab", typ: 3}, {name: ".strtab", typ: 3}, {name: ".symtab", typ: 2, link: 2, info: 1, entry: symbolSize}}
	for _, f := range functions {
		var code []byte
		for _, w := range f.Words {
			code = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(code, w[0]), w[1])
		}
		syms = binary.LittleEndian.AppendUint32(syms, uint32(len(strs)))
		syms = append(syms, 0x12, 0x10) // a global function
		syms = binary.LittleEndian.AppendUint16(syms, uint16(len(sections)))
		syms = binary.LittleEndian.AppendUint64(syms, 0)
		syms = binary.LittleEndian.AppendUint64(syms, uint64(len(code)))
		strs = append(append(strs, f.Name...), 0)
		sections = append(sections, section{name: ".text." + f.Name, typ: 1, data: code})
	}
	at := make([]uint32, len(sections))
	for i, s := range sections {
		at[i] = uint32(len(names))
		names = append(append(names, s.name...), 0)
	}
	sections[1].data, sections[2].data, sections[3].data = names, strs, syms
	body := make([]byte, header)
	offsets := make([]int, len(sections))
	for i, s := range sections {
		body = append(body, make([]byte, -len(body)&15)...)
		offsets[i] = len(body)
		body = append(body, s.data...)
	}
	body = append(body, make([]byte, -len(body)&15)...)
	table := len(body)
	for i, s := range sections {
		e := binary.LittleEndian.AppendUint32(nil, at[i])
		e = binary.LittleEndian.AppendUint32(e, s.typ)
		for _, v := range []uint64{0, 0, uint64(offsets[i]), uint64(len(s.data))} {
			e = binary.LittleEndian.AppendUint64(e, v)
		}
		e = binary.LittleEndian.AppendUint32(e, s.link)
		e = binary.LittleEndian.AppendUint32(e, s.info)
		e = binary.LittleEndian.AppendUint64(e, 16)
		body = append(body, binary.LittleEndian.AppendUint64(e, s.entry)...)
	}
	copy(body, "\x7fELF\x02\x01\x01\x33\x07")
	le := binary.LittleEndian
	le.PutUint16(body[16:], 2)
	le.PutUint16(body[18:], 190)
	le.PutUint32(body[20:], 125)
	le.PutUint64(body[40:], uint64(table))
	le.PutUint32(body[48:], uint32(sm)<<16|0x500|uint32(sm))
	le.PutUint16(body[52:], header)
	le.PutUint16(body[58:], sectionSize)
	le.PutUint16(body[60:], uint16(len(sections)))
	le.PutUint16(body[62:], 1)
	return body
}

// An Image is a program in a fat binary.
type Image struct {
	Kind   uint16 // 1 PTX, 2 ELF
	SM     int
	Data   []byte
	Flags  uint64 // 0x2000 LZ4, 0x8000 zstd: Packed is written
	Packed []byte
}

// Fatbin makes a fat binary of images.
func Fatbin(images ...Image) []byte {
	var body []byte
	le := binary.LittleEndian
	for _, im := range images {
		payload := slices.Clone(im.Data)
		if im.Packed != nil {
			payload = slices.Clone(im.Packed)
		}
		payload = append(payload, make([]byte, -len(payload)&7)...)
		h := make([]byte, 64)
		le.PutUint16(h, im.Kind)
		le.PutUint16(h[2:], 0x101)
		le.PutUint32(h[4:], 64)
		le.PutUint64(h[8:], uint64(len(payload)))
		le.PutUint32(h[28:], uint32(im.SM))
		le.PutUint64(h[40:], im.Flags|0x11)
		if im.Packed != nil {
			le.PutUint32(h[16:], uint32(len(im.Packed)))
			le.PutUint64(h[56:], uint64(len(im.Data)))
		}
		body = append(append(body, h...), payload...)
	}
	out := []byte{0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0}
	return append(le.AppendUint64(out, uint64(len(body))), body...)
}

// Executable makes an ELF file for the host with data in its section .nv_fatbin.
func Executable(data []byte) []byte {
	out := Cubin(0, Function{Name: "x"})
	le := binary.LittleEndian
	le.PutUint16(out[18:], 62) // x86-64
	table := le.Uint64(out[40:])
	last := table + 64*4
	section := append([]byte(nil), out[last:last+64]...)
	name := append([]byte(".nv_fatbin"), 0)
	// The section table moves behind the data, with a table of names of its own.
	head := append([]byte(nil), out[table:last]...)
	out = out[:table]
	nameAt := len(out)
	out = append(append(out, 0), name...)
	out = append(out, make([]byte, -len(out)&15)...)
	dataAt := len(out)
	out = append(out, data...)
	out = append(out, make([]byte, -len(out)&15)...)
	le.PutUint64(out[40:], uint64(len(out)))
	for i := range 4 {
		le.PutUint32(head[64*i:], 0)
	}
	le.PutUint64(head[64+24:], uint64(nameAt))
	le.PutUint64(head[64+32:], uint64(len(name)+1))
	le.PutUint32(section, 1)
	le.PutUint64(section[24:], uint64(dataAt))
	le.PutUint64(section[32:], uint64(len(data)))
	return append(append(out, head...), section...)
}
