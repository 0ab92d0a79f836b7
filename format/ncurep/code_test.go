package ncurep

import (
	"cmp"
	"slices"
	"strings"
)

// code finds the place in the program that an instruction address means: it
// joins the addresses at which functions were loaded with the cubin's symbols
// and line tables.
type code struct {
	Cubin    *Cubin     // nil if the source has none
	Lines    *LineTable // CUDA source lines; empty without -lineinfo
	PTXLines *LineTable // lines of PTX
	PTX      []string   // the PTX text by line, the first at index 0

	loaded []loadedFunction // by address
}

type loadedFunction struct {
	name    string
	address uint64
	end     uint64 // address behind it
	section string
	offset  uint64 // in the section
}

// location is a place in the program.
type location struct {
	Function string // mangled name of the function loaded there
	Offset   uint64 // in the function, bytes
	PTXLine  int    // from 1; 0 if not known

	// SourceLine is the line that the vendor's tool reports: where a call was
	// inlined at the very instruction, the line of the call.
	SourceLine
	// Rows are all rows for the instruction, the innermost last; see
	// [LineTable.Find].
	Rows []LineRow

	seq *LineSequence
	tab *LineTable
}

// code joins what the report knows about the source's code. It is of little
// use, but no error, if the source has no binary.
func (s *Source) code() (*code, error) {
	cubin, err := s.Cubin()
	return newCode(s.Functions, cubin), err
}

// newCode joins functions by their load addresses with a cubin, which may be nil.
func newCode(functions []*Function, cubin *Cubin) *code {
	c := &code{Lines: new(LineTable), PTXLines: new(LineTable)}
	if cubin != nil {
		c.Cubin = cubin
		c.Lines = cubin.Lines()
		c.PTXLines = cubin.PTXLines()
		if text := cubin.PTX(); text != "" {
			c.PTX = strings.Split(text, "\n")
		}
	}
	for _, fn := range functions {
		c.add(fn.MangledName, fn.Address)
	}
	if len(functions) == 0 && cubin != nil {
		for _, fn := range cubin.Functions {
			if fn.Address > 0 && !fn.Local { // local functions lie within the kernel's
				c.add(fn.Name, fn.Address)
			}
		}
	}
	c.sort()
	return c
}

// place tells that a function is loaded at an address, for reports of tools
// before 2022.3, whose sources lack the table of load addresses.
func (c *code) place(mangledName string, address uint64) {
	c.add(mangledName, address)
	c.sort()
}

func (c *code) add(name string, address uint64) {
	l := loadedFunction{name: name, address: address}
	if c.Cubin != nil {
		if fn := c.Cubin.Function(name); fn != nil {
			l.section, l.offset = fn.Section, fn.Offset
			l.end = address + fn.Size
		}
	}
	c.loaded = append(c.loaded, l)
}

// sort orders the functions and ends those of unknown size where the next
// begins.
func (c *code) sort() {
	slices.SortStableFunc(c.loaded, func(a, b loadedFunction) int { return cmp.Compare(a.address, b.address) })
	for i := range c.loaded {
		l := &c.loaded[i]
		if l.end <= l.address {
			l.end = l.address
			if i+1 < len(c.loaded) && c.Cubin == nil {
				l.end = c.loaded[i+1].address
			}
		}
	}
}

// locate returns the place of the instruction at an address, such as the
// correlation id of a source metric; ok is false if no function is loaded there.
func (c *code) locate(pc uint64) (loc location, ok bool) {
	i, found := slices.BinarySearchFunc(c.loaded, pc, func(l loadedFunction, pc uint64) int { return cmp.Compare(l.address, pc) })
	if !found {
		i--
	}
	if i < 0 || pc >= c.loaded[i].end {
		return location{}, false
	}
	l := &c.loaded[i]
	loc = location{Function: l.name, Offset: pc - l.address, tab: c.Lines}
	at := l.offset + loc.Offset
	if loc.Rows, loc.seq = c.Lines.Find(l.section, at); loc.Rows != nil {
		loc.SourceLine = c.Lines.Line(&loc.Rows[0])
	}
	if rows, _ := c.PTXLines.Find(l.section, at); rows != nil {
		loc.PTXLine = int(rows[0].Line)
	}
	return loc, true
}

// inlined returns the lines from the innermost inlined function out to the
// function that was loaded; a single line if nothing was inlined there, none if
// no line is known.
func (l location) inlined() []SourceLine {
	if len(l.Rows) == 0 {
		return nil
	}
	r := &l.Rows[len(l.Rows)-1]
	lines := []SourceLine{l.tab.Line(r)}
	const deepest = 1000 // a broken table may loop
	for r.Call > 0 && len(lines) < deepest {
		r = &l.seq.Rows[r.Call-1]
		lines = append(lines, l.tab.Line(r))
	}
	return lines
}
