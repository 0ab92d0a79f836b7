package ncurep

import "strings"

// cubinText is a section of machine code. It is named after its kernel and holds
// also the device functions that were not inlined there.
type cubinText struct {
	Section string // ".text.NAME"
	Kernel  string // mangled name
	Size    uint64 // bytes, with the padding behind the last instruction
	Code    []byte // instructions as loaded, but for relocations
}

// Texts returns the sections of machine code in the order of the file.
func (c *Cubin) Texts() []cubinText {
	var out []cubinText
	for i, s := range c.sections {
		if kernel, ok := strings.CutPrefix(s.name, ".text."); ok {
			out = append(out, cubinText{Section: s.name, Kernel: kernel, Size: s.size, Code: c.data(i)})
		}
	}
	return out
}
