package ncurep

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// LineTable maps instructions to source lines. It is a DWARF line number
// program (versions 2 to 4) with two additions of NVIDIA's: sequences are
// relocated against the symbol of a function, and an extended opcode says which
// call a run of rows was inlined at.
type LineTable struct {
	Files     []string // paths
	Sequences []LineSequence
	Problems  Problems // what was found broken; the rest is usable

	str       string             // .debug_str, for the names of inlined functions
	bySection map[string][]int32 // indices into Sequences
}

// LineSequence holds the rows of one function in the order of their offsets.
type LineSequence struct {
	Section string // ".text.NAME"
	Rows    []LineRow
}

// LineRow tells that the instructions from Offset up to the next row's belong
// to a line.
type LineRow struct {
	Offset uint64 // in the section, bytes
	File   int32  // index into LineTable.Files, -1 if the table names none
	Line   int32  // from 1; 0 if no line
	Column int32  // 0 if not known
	// Call is 1 + the index of the row of the call that this row was inlined at,
	// 0 if it was not inlined. The row is in the same sequence.
	Call int32
	// End marks the first offset behind the sequence.
	End bool

	function uint32 // offset of the inlined function's name in .debug_str
}

// Lines decodes the table of CUDA source lines (.debug_line), which builds with
// -lineinfo carry. It is empty if there is none.
func (c *Cubin) Lines() *LineTable { return c.lines(".debug_line") }

// PTXLines decodes the table of lines in the text that [Cubin.PTX] returns
// (.nv_debug_line_sass). It is empty if there is none.
func (c *Cubin) PTXLines() *LineTable { return c.lines(".nv_debug_line_sass") }

func (c *Cubin) lines(section string) *LineTable {
	t := &LineTable{bySection: make(map[string][]int32)}
	i, b := c.find(section)
	if b == nil {
		return t
	}
	_, str := c.find(".debug_str")
	t.str = string(str)
	p := &lineParser{table: t, file: c.name, base: int64(c.sections[i].offset), b: b, rel: c.relocations(i), cubin: c}
	p.parse()
	for i := range t.Sequences {
		s := &t.Sequences[i]
		s.sort()
		t.bySection[s.Section] = append(t.bySection[s.Section], int32(i))
	}
	return t
}

// sort orders the rows by offset; rows of the same offset keep their order, so
// that the last of them holds.
func (s *LineSequence) sort() {
	if slices.IsSortedFunc(s.Rows, compareRows) {
		return
	}
	order := make([]int32, len(s.Rows))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return compareRows(s.Rows[a], s.Rows[b]) })
	rows := make([]LineRow, len(order))
	moved := make([]int32, len(order))
	for i, from := range order {
		rows[i], moved[from] = s.Rows[from], int32(i)
	}
	for i := range rows {
		if c := rows[i].Call; c > 0 {
			rows[i].Call = moved[c-1] + 1
		}
	}
	s.Rows = rows
}

func compareRows(a, b LineRow) int { return cmp.Compare(a.Offset, b.Offset) }

// Find returns the rows that cover an offset of a text section, and the
// sequence they are in; none if no row does. Rows of one offset are alternatives:
// an inlined call leaves a row for the call and rows for what was inlined.
func (t *LineTable) Find(section string, offset uint64) ([]LineRow, *LineSequence) {
	for _, i := range t.bySection[section] {
		s := &t.Sequences[i]
		if offset < s.Rows[0].Offset {
			continue
		}
		end, _ := slices.BinarySearchFunc(s.Rows, offset, func(r LineRow, off uint64) int {
			if r.Offset <= off {
				return -1
			}
			return 1
		})
		start := end - 1
		for start > 0 && s.Rows[start-1].Offset == s.Rows[end-1].Offset && !s.Rows[start-1].End {
			start--
		}
		if !s.Rows[end-1].End {
			return s.Rows[start:end:end], s
		}
	}
	return nil, nil
}

// SourceLine is a line of a source file.
type SourceLine struct {
	File string // "" if not known
	Line int    // from 1; 0 if not known
	// Function is the mangled name of the inlined function that the line is in,
	// "" if it is not inlined.
	Function string
}

// Line returns what a row says.
func (t *LineTable) Line(r *LineRow) SourceLine {
	l := SourceLine{File: t.file(r), Line: int(r.Line)}
	if r.Call > 0 {
		l.Function = cString(t.str, r.function)
	}
	return l
}

// file returns the path of a row's file, "" if the table names none.
func (t *LineTable) file(r *LineRow) string {
	if r.File < 0 || int(r.File) >= len(t.Files) {
		return ""
	}
	return t.Files[r.File]
}

// lineParser decodes the units of a line section.
type lineParser struct {
	table *LineTable
	file  string
	base  int64 // offset of b in the cubin
	b     []byte
	rel   map[uint64]*elfSymbol
	cubin *Cubin
}

func (p *lineParser) parse() {
	for at := 0; at < len(p.b); {
		c := cursor.New(p.file, p.base+int64(at), p.b[at:])
		n := c.U32()
		body := c.Bytes(int(min(int64(n), 1<<31-1)))
		if err := c.Err(); err != nil {
			p.table.Problems.add(err)
			return
		}
		if err := p.unit(at+4, body); err != nil {
			p.table.Problems.add(err)
		}
		at += c.Pos()
	}
}

// lineHeader is the head of a line number program.
type lineHeader struct {
	minInst    uint64
	lineBase   int64
	lineRange  uint64
	opcodeBase uint8
	lengths    []byte // operands of standard opcodes
	files      []int32
}

// unit decodes one line number program; b is what follows its length.
func (p *lineParser) unit(at int, b []byte) error {
	c := cursor.New(p.file, p.base+int64(at), b)
	version := c.U16()
	if c.Err() == nil && (version < 2 || version > 4) {
		c.Failf("a line table of DWARF version 2 to 4", "version %d", version)
	}
	headerLen := c.U32()
	start := c.Pos() + int(min(int64(headerLen), 1<<31-1))
	if c.Err() == nil && start > len(b) {
		c.Failf("a header within the unit", "one of %d bytes", headerLen)
	}
	h := lineHeader{minInst: uint64(c.U8())}
	if version == 4 {
		c.Skip(1) // maximum operations per instruction; 1 but for VLIW machines
	}
	c.Skip(1) // default_is_stmt
	h.lineBase = int64(int8(c.U8()))
	h.lineRange = uint64(c.U8())
	h.opcodeBase = c.U8()
	if c.Err() == nil && (h.lineRange == 0 || h.opcodeBase == 0) {
		c.Failf("a line range and opcode base above 0", "%d and %d", h.lineRange, h.opcodeBase)
	}
	h.lengths = c.Bytes(int(max(h.opcodeBase, 1)) - 1)
	p.fileTable(&c, &h)
	if err := c.Err(); err != nil {
		return err
	}
	k := cursor.New(p.file, p.base+int64(at+start), b[start:])
	m := &lineMachine{lineParser: p, h: h, at: at + start}
	m.reset()
	m.run(&k)
	return k.Err()
}

// fileTable reads directories and files. Rows count files from 1.
func (p *lineParser) fileTable(c *cursor.Cursor, h *lineHeader) {
	dirs := []string{""}
	for c.More() {
		s := cstr(c)
		if s == "" {
			break
		}
		dirs = append(dirs, s)
	}
	for c.More() {
		name := cstr(c)
		if name == "" {
			break
		}
		dir := c.Uvarint()
		c.Uvarint() // modification time
		c.Uvarint() // length
		h.files = append(h.files, int32(len(p.table.Files)))
		p.table.Files = append(p.table.Files, joinPath(dirs, dir, name))
	}
}

// joinPath puts a directory before a relative name and removes "." and ".."
// from the path, as the names of imported files and of the vendor's viewer are.
// Windows paths count as absolute by their drive letter.
func joinPath(dirs []string, dir uint64, name string) string {
	if dir < uint64(len(dirs)) && dirs[dir] != "" && !path.IsAbs(name) && !(len(name) > 1 && name[1] == ':') {
		name = strings.TrimSuffix(dirs[dir], "/") + "/" + name
	}
	return path.Clean(name)
}

// cstr reads a NUL-terminated string.
func cstr(c *cursor.Cursor) string {
	k := *c
	b := k.Rest()
	for i, x := range b {
		if x == 0 {
			c.Skip(i + 1)
			return string(b[:i])
		}
	}
	c.Failf("a string that ends in a NUL byte", "%d bytes without one", len(b))
	return ""
}

// place is the text section and the offset there that an address stands for. What
// the place of a relocation holds is added to its symbol, but in a binary that
// was taken from the device it is the sum already.
func (p *lineParser) place(at int, address uint64) (section string, offset uint64) {
	s := p.rel[uint64(at)]
	if s == nil {
		return "", address
	}
	if s.address > 0 && address >= s.address {
		address -= s.address
	}
	if s.section > 0 && s.section < len(p.cubin.sections) {
		section = p.cubin.sections[s.section].name
	}
	return section, s.value + address
}
