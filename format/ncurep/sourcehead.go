package ncurep

// SourceHead is one source entry without its large fields.
type SourceHead struct {
	Reference   Opt[uint64]
	SassLevel   Opt[SassLevel]
	SMRevision  Opt[uint32]
	BinaryFlags Opt[uint32]
	Functions   *FunctionTable // since 2022.3
	Unknown     Unknown
}

var sourceHeadTable = newTable(func(m *SourceHead) *Unknown { return &m.Unknown },
	optInt(1, func(m *SourceHead) *Opt[uint64] { return &m.Reference }),
	optInt(5, func(m *SourceHead) *Opt[SassLevel] { return &m.SassLevel }),
	optInt(6, func(m *SourceHead) *Opt[uint32] { return &m.SMRevision }),
	optInt(7, func(m *SourceHead) *Opt[uint32] { return &m.BinaryFlags }),
	optMessage(9, func(m *SourceHead) **FunctionTable { return &m.Functions }),
)

func (*SourceHead) table() *table[SourceHead] { return sourceHeadTable }

// SourceFiles holds the imported source files.
type SourceFiles struct {
	Files   []*SourceFile
	Unknown Unknown
}

var sourceFilesTable = newTable(func(m *SourceFiles) *Unknown { return &m.Unknown },
	repMessage(1, func(m *SourceFiles) *[]*SourceFile { return &m.Files }),
)

func (*SourceFiles) table() *table[SourceFiles] { return sourceFilesTable }

// SourceFile is an imported source file with its text.
type SourceFile struct {
	Path    string
	Text    string
	Unknown Unknown
}

var sourceFileTable = newTable(func(m *SourceFile) *Unknown { return &m.Unknown },
	reqString(1, func(m *SourceFile) *string { return &m.Path }),
	reqString(2, func(m *SourceFile) *string { return &m.Text }),
)

func (*SourceFile) table() *table[SourceFile] { return sourceFileTable }

// FunctionTable tells where the functions of a cubin were loaded.
type FunctionTable struct {
	Functions []*Function
	Symbols   []*Function // global symbols such as "$str"
	Unknown   Unknown
}

var functionTableTable = newTable(func(m *FunctionTable) *Unknown { return &m.Unknown },
	repMessage(1, func(m *FunctionTable) *[]*Function { return &m.Functions }),
	repMessage(2, func(m *FunctionTable) *[]*Function { return &m.Symbols }),
)

func (*FunctionTable) table() *table[FunctionTable] { return functionTableTable }

// Function is a symbol of a cubin with its load address.
type Function struct {
	MangledName string
	Address     uint64      // of its first instruction, as in the correlation ids of source metrics
	Index       Opt[uint32] // of a section or symbol in the ELF file
	Unknown     Unknown
}

var functionTable = newTable(func(m *Function) *Unknown { return &m.Unknown },
	reqString(1, func(m *Function) *string { return &m.MangledName }),
	reqInt(2, func(m *Function) *uint64 { return &m.Address }),
	optInt(3, func(m *Function) *Opt[uint32] { return &m.Index }),
)

func (*Function) table() *table[Function] { return functionTable }

// SassLevel is the instruction set level of a cubin.
type SassLevel int32
