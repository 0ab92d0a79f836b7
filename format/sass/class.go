package sass

import "strings"

// Class is what kind of work an operation is.
type Class uint8

const (
	Other       Class = iota
	Float16           // half precision, two at a time
	Float32           // single precision
	Float64           // double precision
	Integer           // integer and logic
	Conversion        // between number formats
	Special           // multi-function unit: reciprocal, sine, …
	Tensor            // matrix units
	Move              // between registers of any kind, selection, shuffles
	Compare           // predicates: comparisons and logic of them
	Uniform           // one value for the warp, on the uniform datapath
	Load              // from memory
	Store             // to memory
	Atomic            // read, modify, write
	Copy              // between memories, without registers
	Texture           // textures and surfaces
	ControlFlow       // branches, calls, convergence
	Synchronize       // barriers and fences
	classes
)

var classNames = [classes]string{"other", "fp16", "fp32", "fp64", "integer", "conversion", "special", "tensor", "move",
	"compare", "uniform", "load", "store", "atomic", "copy", "texture", "control", "synchronize"}

// String is the name of the class, one word.
func (c Class) String() string {
	if c < classes {
		return classNames[c]
	}
	return classNames[Other]
}

// Classes are all classes.
func Classes() []Class {
	out := make([]Class, classes)
	for i := range out {
		out[i] = Class(i)
	}
	return out
}

// An Operation tells what a mnemonic stands for.
type Operation struct {
	Class   Class
	Meaning string // in a few words
	Space   space  // of memory operations
}

// Lookup tells what a mnemonic stands for; ok is false if it is not known.
func Lookup(mnemonic string) (op Operation, ok bool) {
	op, ok = operations[mnemonic]
	return op, ok
}

// Class is the kind of work of the instruction; Other if the word is unknown.
func (in *Instruction) Class() Class { return operations[in.Mnemonic].Class }

// OnUniformPath reports whether the instruction runs once for the warp, on the
// uniform datapath.
func (in *Instruction) OnUniformPath() bool {
	return in.Class() == Uniform || in.Guard.Uniform && !in.Guard.Always()
}

// space is a kind of memory.
type space uint8

const (
	noSpace space = iota
	generic
	global
	shared
	local
	constants
	textures
	surfaces
	distributed // shared memory of other blocks of the cluster
)

var spaceNames = [...]string{"", "generic", "global", "shared", "local", "constant", "texture", "surface", "distributed shared"}

func (s space) String() string { return spaceNames[s] }

// access is what a memory instruction asks for.
type access struct {
	Space  space
	Bits   int      // of a thread; 0 if the instruction does not say
	Signed bool     // extended by its sign
	Hints  []string // the modifiers about caches and order: "STRONG", "GPU", "LTC128B", "EF"
}

// access is what a memory instruction asks for; ok is false for others.
func (in *Instruction) access() (a access, ok bool) {
	op := operations[in.Mnemonic]
	if op.Space == noSpace {
		return a, false
	}
	a = access{Space: op.Space, Bits: 32}
	switch op.Class {
	case Texture, Synchronize, Other, ControlFlow:
		a.Bits = 0
	}
	for _, m := range in.Modifiers {
		switch m {
		case "U8", "S8", "8":
			a.Bits = 8
		case "U16", "S16", "16":
			a.Bits = 16
		case "64", "U64", "S64", "F64":
			a.Bits = 64
		case "128":
			a.Bits = 128
		case "E":
		default:
			a.Hints = append(a.Hints, m)
		}
		a.Signed = a.Signed || strings.HasPrefix(m, "S") && (m == "S8" || m == "S16")
	}
	return a, true
}

// A tensorShape is what one matrix instruction multiplies: M×K by K×N, of numbers
// of a type.
type tensorShape struct {
	M, N, K int
	Type    string // of the factors: "F16", "TF32", "S8"
	Result  string // of the sum: "F32"
	Sparse  bool
}

// tensor is the shape of a matrix instruction; ok is false for others, and for
// those whose shape is not known.
func (in *Instruction) tensor() (s tensorShape, ok bool) {
	if in.Class() != Tensor {
		return s, false
	}
	shape := ""
	var types []string
	for _, m := range in.Modifiers {
		switch {
		case m == "SP":
			s.Sparse = true
		case m != "" && m[0] >= '1' && m[0] <= '9':
			shape = m
		case strings.HasPrefix(m, "F") || strings.HasPrefix(m, "BF") || strings.HasPrefix(m, "TF") || strings.HasPrefix(m, "E") ||
			strings.HasPrefix(m, "S8") || strings.HasPrefix(m, "S4") || strings.HasPrefix(m, "U8") || strings.HasPrefix(m, "U4"):
			types = append(types, m)
		}
	}
	if s.M, s.N, s.K, ok = shapeOf(shape); !ok {
		return s, false
	}
	s.Type, s.Result = "F16", "F32"
	switch in.Mnemonic {
	case "HMMA", "HGMMA":
		if len(types) > 0 {
			s.Result = types[0]
		}
		if len(types) > 1 {
			s.Type = types[1]
		}
	case "DMMA":
		s.Type, s.Result = "F64", "F64"
	default:
		s.Type, s.Result = "S8", "S32"
		if strings.HasPrefix(in.Mnemonic, "B") {
			s.Type = "B1"
		} else if len(types) > 0 {
			s.Type = types[0]
		}
	}
	return s, true
}

// shapeOf reads "16816", "1688", "884" and "64x256x16".
func shapeOf(s string) (m, n, k int, ok bool) {
	if s == "" {
		return 0, 0, 0, false
	}
	if a, rest, cut := strings.Cut(s, "x"); cut {
		b, c, cut := strings.Cut(rest, "x")
		m, n, k = number(a), number(b), number(c)
		return m, n, k, cut && m > 0 && n > 0 && k > 0
	}
	for _, m := range [...]int{8, 16} {
		for _, k := range [...]int{4, 8, 16, 32, 64, 128, 256} {
			if s == digits(m)+"8"+digits(k) {
				return m, 8, k, true
			}
		}
	}
	return 0, 0, 0, false
}
