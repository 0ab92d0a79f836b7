package profile

import (
	"cmp"
	"slices"
)

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

	byAddress []int32 // indices into Functions; nil: not indexed
}

// A Function is a piece of device code and where it was loaded.
type Function struct {
	Name      string // mangled
	Demangled string // "" if the name is not mangled
	Address   uint64 // of the first instruction; 0 if unknown
	Size      uint64 // bytes; 0 if unknown
	Text      []byte // instructions; nil if unknown
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

// Index makes FunctionAt quick. It is called when Functions are complete.
func (c *Code) Index() {
	c.byAddress = make([]int32, 0, len(c.Functions))
	for i := range c.Functions {
		if c.Functions[i].Address != 0 {
			c.byAddress = append(c.byAddress, int32(i))
		}
	}
	slices.SortStableFunc(c.byAddress, func(i, k int32) int {
		return cmp.Compare(c.Functions[i].Address, c.Functions[k].Address)
	})
}

// FunctionAt returns the function that holds pc, or nil.
func (c *Code) FunctionAt(pc uint64) *Function {
	if c.byAddress == nil {
		for i := range c.Functions {
			if f := &c.Functions[i]; f.holds(pc) {
				return f
			}
		}
		return nil
	}
	i, found := slices.BinarySearchFunc(c.byAddress, pc, func(i int32, pc uint64) int {
		return cmp.Compare(c.Functions[i].Address, pc)
	})
	if !found {
		i--
	}
	if i >= 0 {
		if f := &c.Functions[c.byAddress[i]]; f.holds(pc) {
			return f
		}
	}
	return nil
}

func (f *Function) holds(pc uint64) bool {
	return f.Address != 0 && pc >= f.Address && (pc-f.Address < f.Size || f.Size == 0)
}

// Instructions returns the addresses of the instructions of f, padding included.
// Since compute capability 7.0 an instruction takes 16 bytes. Before, it took 8,
// and the first word of each bundle is no instruction: of 32 bytes from 5.0 on,
// of 64 before.
func (f *Function) Instructions(arch int) []uint64 {
	var out []uint64
	step, bundle := uint64(8), uint64(32)
	switch {
	case arch >= 70 || arch == 0:
		step, bundle = 16, 0
	case arch < 50:
		bundle = 64
	}
	for off := uint64(0); off <= f.Size && step <= f.Size-off; off += step {
		if bundle == 0 || off%bundle != 0 {
			out = append(out, f.Address+off)
		}
	}
	return out
}
