package ncurep

import (
	"github.com/gpuprof/gpuprof/format/internal/cursor"
	"reflect"
)

// Field numbers of a source entry that are read on demand.
const (
	sourceCode         = 2
	sourceIntermediate = 3
	sourceBinary       = 4
	sourceFiles        = 8
)

// Source is the code that results refer to by Reference: a cubin, where its
// functions were loaded, and imported source files. Several entries of the file
// may share a Reference; they are merged.
type Source struct {
	Reference   uint64
	SassLevel   Opt[SassLevel]
	SMRevision  Opt[uint32]
	BinaryFlags Opt[uint32]
	Functions   []*Function // of all entries, in file order
	Symbols     []*Function // global symbols such as "$str"
	Entries     []SourceEntry

	file *File
}

// SourceEntry is one entry of the file that a Source was merged from.
type SourceEntry struct {
	SourceHead
	Block int // index of the block it stands in

	file         *File
	entry        span
	binary       span
	code         span
	intermediate span
	files        []span
}

func (f *File) addSource(b *Block, s span) {
	e := SourceEntry{Block: len(f.Blocks) - 1, file: f, entry: s}
	d := &decoder{file: f.in.name, budget: budgetFor(s.n)}
	head, to := Describe[SourceHead](), reflect.ValueOf(&e.SourceHead).Elem()
	err := f.in.scanFields(s, scan{
		skip: func(num int) bool { return num >= sourceCode && num <= sourceBinary || num == sourceFiles },
		visit: func(num int, wire cursor.Wire, v wireValue, raw []byte) bool {
			at := span{v.at, int64(v.u)}
			switch {
			case wire == cursor.Len && num == sourceBinary:
				e.binary = at
			case wire == cursor.Len && num == sourceCode:
				e.code = at
			case wire == cursor.Len && num == sourceIntermediate:
				e.intermediate = at
			case wire == cursor.Len && num == sourceFiles:
				e.files = append(e.files, at)
			default:
				head.apply(d, num, wire, v, raw, to)
			}
			return true
		},
	})
	if err != nil {
		d.problems.add(err)
	}
	f.problems.join(d.problems.err())
	b.refs = append(b.refs, e.Reference.Value)
	f.mergeSource(e)
}

func (f *File) mergeSource(e SourceEntry) {
	ref := e.Reference.Value
	src := f.sources[ref]
	if src == nil {
		src = &Source{Reference: ref, file: f}
		f.sources[ref] = src
		f.Sources = append(f.Sources, src)
	}
	if e.SassLevel.Set {
		src.SassLevel = e.SassLevel
	}
	if e.SMRevision.Set {
		src.SMRevision = e.SMRevision
	}
	if e.BinaryFlags.Set {
		src.BinaryFlags = e.BinaryFlags
	}
	if t := e.Functions; t != nil {
		src.Functions = append(src.Functions, t.Functions...)
		src.Symbols = append(src.Symbols, t.Symbols...)
	}
	src.Entries = append(src.Entries, e)
}

// SourceOf returns the source that the result's code is in, or nil.
func (r *Result) SourceOf() *Source {
	ref, ok := r.sourceRef()
	if !ok {
		return nil
	}
	return r.file.sources[ref]
}

// Binary returns the cubin, an ELF file, or nil if no entry has one.
func (s *Source) Binary() ([]byte, error) {
	for i := range s.Entries {
		if e := &s.Entries[i]; e.binary.n > 0 {
			return s.file.in.bytes(e.binary)
		}
	}
	return nil, nil
}

// BinarySize returns the size of the cubin in bytes, 0 if there is none.
func (s *Source) BinarySize() int64 {
	for i := range s.Entries {
		if n := s.Entries[i].binary.n; n > 0 {
			return n
		}
	}
	return 0
}

// Files returns the source files that were imported into the report.
func (s *Source) Files() ([]*SourceFile, error) {
	var files []*SourceFile
	var problems Problems
	for i := range s.Entries {
		list, err := s.Entries[i].Files()
		files = append(files, list...)
		problems.join(err)
	}
	return files, problems.err()
}

// binarySize returns the size of the entry's cubin in bytes, 0 if it has none.
func (e *SourceEntry) binarySize() int64 { return e.binary.n }

// Files returns the source files imported with the entry.
func (e *SourceEntry) Files() ([]*SourceFile, error) {
	var files []*SourceFile
	var problems Problems
	for _, at := range e.files {
		b, err := e.file.in.bytes(at)
		if err != nil {
			problems.add(err)
			continue
		}
		d := newDecoder(e.file.in.name, at.off, b)
		list := newMessage[SourceFiles](d, wireValue{b: b, at: at.off})
		files = append(files, list.Files...)
		problems.join(d.problems.err())
	}
	return files, problems.err()
}
