package ncurep

import (
	"bytes"
	"strings"
)

// Cubin is a GPU binary: an ELF file with a text section per kernel. It refers
// to the bytes that it was parsed from.
type Cubin struct {
	SM        int // compute capability times ten, 86 for 8.6
	Toolkit   int // CUDA version times ten, 123 for 12.3; 0 if the file does not tell
	Functions []cubinFunction
	Problems  Problems // what was found broken; the rest is usable

	name     string
	b        []byte
	sections []elfSection
	symbols  []elfSymbol
	byName   map[string]int // index into Functions
}

// cubinFunction is a function symbol of a cubin.
type cubinFunction struct {
	Name    string // mangled
	Section string // ".text.NAME" of the kernel that the function is part of
	Offset  uint64 // in the section, bytes
	Size    uint64 // bytes; instructions take 16 since Volta, 8 before
	Local   bool   // not visible outside: a device function, never a kernel
	Address uint64 // where it was loaded, if the binary was taken from the device; 0 if not known
}

// Cubin parses the source's binary. It returns nil without error if the source
// has none.
func (s *Source) Cubin() (*Cubin, error) {
	b, err := s.Binary()
	if b == nil || err != nil {
		return nil, err
	}
	return ParseCubin(b, s.file.Name+": cubin")
}

// ParseCubin parses a cubin. Offsets in messages are those in b.
func ParseCubin(b []byte, name string) (*Cubin, error) {
	c := &Cubin{name: name, b: b, byName: make(map[string]int)}
	if err := c.readELF(); err != nil {
		return nil, err
	}
	c.readSymbols()
	for _, s := range c.symbols {
		if s.kind != sttFunc || s.section >= len(c.sections) {
			continue
		}
		if name := c.sections[s.section].name; strings.HasPrefix(name, ".text") {
			c.byName[s.name] = len(c.Functions)
			c.Functions = append(c.Functions, cubinFunction{Name: s.name, Section: name, Offset: s.value, Size: s.size,
				Local: s.bind == stbLocal, Address: s.address})
		}
	}
	return c, nil
}

// text returns the machine code of a function.
func (c *Cubin) text(fn *cubinFunction) []byte {
	_, b := c.find(fn.Section)
	if n := uint64(len(b)); fn.Offset > n || fn.Size > n-fn.Offset {
		return nil
	}
	return b[fn.Offset:][:fn.Size]
}

// Function returns the function with the given mangled name, or nil.
func (c *Cubin) Function(name string) *cubinFunction {
	if i, ok := c.byName[name]; ok {
		return &c.Functions[i]
	}
	return nil
}

// PTX returns the PTX text that a build with -lineinfo leaves in the cubin, ""
// if there is none. The format separates the lines by NUL bytes and keeps
// comment lines as empty ones, so that line numbers hold.
func (c *Cubin) PTX() string {
	_, b := c.find(".nv_debug_ptx_txt")
	return string(bytes.ReplaceAll(b, []byte{0}, []byte{'\n'}))
}
