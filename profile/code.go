package profile

// Code is the program of an action: what the metrics with program counters as
// ids refer to.
type Code struct {
	Arch      int        // 10 * compute capability; 0 if unknown
	Binary    []byte     // ELF cubin; nil if the report has none
	Functions []Function // kernels of the binary in its order, each with the device functions that stand behind it
	Files     []SourceFile
	PTX       []string  // intermediate code by line; nil if the binary carries none
	Lines     LineTable // source lines; nil if the binary carries none
	PTXLines  LineTable // lines of PTX; nil if the binary carries none

	// Metrics are what the report's sections show for each instruction, in the
	// order of the columns.
	Metrics []SourceMetric

	// Entries counts the places in the file that tell of this program, which some
	// tools show once for each.
	Entries int
}

// A Function is a piece of device code and where it was loaded.
type Function struct {
	Name      string // mangled
	Demangled string // "" if the name is not mangled
	Address   uint64 // of the first instruction; 0 if unknown
	Size      uint64 // bytes; 0 if unknown
}

// A SourceFile is a source file stored in the report.
type SourceFile struct {
	Path string
	Text string
}

// A SourceLine is a line that an instruction belongs to.
type SourceLine struct {
	File     string // "" for PTX
	Line     int    // from 1
	Function string // mangled name of the inlined function that the line is in; "" if it is not inlined
}

// A LineTable maps an address of loaded code to lines. An instruction that an
// inlined call begins with belongs to the line of the call and to those of the
// functions that were inlined, the innermost last.
type LineTable interface {
	At(pc uint64) []SourceLine
}

// A SourceMetric is a metric that a section shows for each instruction.
type SourceMetric struct {
	Name      string // a name that begins with "group:" stands for the sum of the metrics that its value lists
	Label     string
	Mean      bool // over the instructions of a line; else their sum
	NotByLine bool // has no meaning for a line
}

// FunctionAt returns the function that holds pc, or nil.
func (c *Code) FunctionAt(pc uint64) *Function {
	for i := range c.Functions {
		f := &c.Functions[i]
		if f.Address != 0 && pc >= f.Address && (pc-f.Address < f.Size || f.Size == 0) {
			return f
		}
	}
	return nil
}

// bundle is the size in bytes of a group of instructions on GPUs of compute
// capability 5.0 to 6.2: a control word, then three instructions.
const bundle = 32

// Instructions returns the addresses of the instructions of f, padding included.
// Since compute capability 7.0 an instruction takes 16 bytes; before, 8, and the
// first word of each bundle is no instruction.
func (f *Function) Instructions(arch int) []uint64 {
	var out []uint64
	if arch >= 70 || arch == 0 {
		for off := uint64(0); off+16 <= f.Size; off += 16 {
			out = append(out, f.Address+off)
		}
		return out
	}
	for off := uint64(8); off+8 <= f.Size; off += 8 {
		if off%bundle != 0 {
			out = append(out, f.Address+off)
		}
	}
	return out
}
