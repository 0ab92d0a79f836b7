package ncurep

// SourceHead is one source entry without its large fields.
type SourceHead struct {
	Reference   Opt[uint64]    `ncu:"1"`
	SassLevel   Opt[SassLevel] `ncu:"5"`
	SMRevision  Opt[uint32]    `ncu:"6"`
	BinaryFlags Opt[uint32]    `ncu:"7"`
	Functions   *FunctionTable `ncu:"9"` // since 2022.3
	Unknown     Unknown
}

// SourceFiles holds the imported source files.
type SourceFiles struct {
	Files   []*SourceFile `ncu:"1"`
	Unknown Unknown
}

// SourceFile is an imported source file with its text.
type SourceFile struct {
	Path    string `ncu:"1"`
	Text    string `ncu:"2"`
	Unknown Unknown
}

// FunctionTable tells where the functions of a cubin were loaded.
type FunctionTable struct {
	Functions []*Function `ncu:"1"`
	Symbols   []*Function `ncu:"2"` // global symbols such as "$str"
	Unknown   Unknown
}

// Function is a symbol of a cubin with its load address.
type Function struct {
	MangledName string      `ncu:"1"`
	Address     uint64      `ncu:"2"` // of its first instruction, as in the correlation ids of source metrics
	Index       Opt[uint32] `ncu:"3"` // of a section or symbol in the ELF file
	Unknown     Unknown
}

// SassLevel is the instruction set level of a cubin.
type SassLevel int32
