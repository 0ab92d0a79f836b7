package profile

// Code is the program of an action: what the metrics with program counters as
// ids refer to.
type Code struct {
	Functions []Function
	Files     []SourceFile // imported source files
	Binary    []byte       // ELF cubin; nil if the report has none
	Arch      int          // 10 * compute capability; 0 if unknown
	PTX       string       // intermediate code; "" if the binary carries none
	Lines     LineTable    // nil if the binary carries none
}

// A Function is a piece of device code and where it was loaded.
type Function struct {
	Name    string // mangled
	Address uint64 // of the first instruction
	Size    uint64 // bytes; 0 if unknown
}

// A SourceFile is a source file stored in the report.
type SourceFile struct {
	Path string
	Text string
}

// A LineTable maps an address of loaded code to a source line.
type LineTable interface {
	Line(pc uint64) (file string, line int, ok bool)
}

// FunctionAt returns the function that holds pc, or nil.
func (c *Code) FunctionAt(pc uint64) *Function {
	for i := range c.Functions {
		f := &c.Functions[i]
		if pc >= f.Address && (pc-f.Address < f.Size || f.Size == 0) {
			return f
		}
	}
	return nil
}
