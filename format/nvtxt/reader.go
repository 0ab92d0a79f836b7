package nvtxt

import (
	"bytes"
	"fmt"
	"io"
)

// Options say how a file is read.
type Options struct {
	Dialect Dialect
	// Notes asks, in the Guide dialect, for a note on every line that the
	// importer of Nsight Systems would refuse or read otherwise.
	Notes bool
}

// Counts are what a [Reader] has passed over.
type Counts struct {
	Bytes       int64
	Lines       int
	Comments    int
	Assignments int
	Definitions int
	Calls       [numCommands]int // records made, by Command
	TimeBases   [numTimeBases]int
}

// Events returns how many calls of event commands there were. A push and its
// pop are two.
func (c *Counts) Events() int {
	n := 0
	for cmd := CmdRangeStartEnd; cmd <= CmdRangeEnd; cmd++ {
		n += c.Calls[cmd]
	}
	return n
}

// Reader reads the calls of a file one after the other, with the values that
// variables and definitions give them. It neither pairs pushes with pops nor
// converts times.
type Reader struct {
	name   string
	opt    Options
	lines  *Lines
	m      *machine
	shadow *machine // reads every line as Nsys does, for notes
	lost   bool     // shadow: the loss of categories and payloads has been noted
	begun  bool
	utf16  bool

	rec   *Record
	diags Diagnostics
	count Counts
	err   error
	late  *Diagnostic // Nsys: the first error that is reported only at the end

	line    []byte
	lineOff int64
}

// NewReader returns a Reader of src, which messages call name.
func NewReader(src io.Reader, name string, opt Options) *Reader {
	r := &Reader{name: name, opt: opt, lines: NewLines(src), m: newMachine(opt.Dialect)}
	if opt.Notes && opt.Dialect == Guide {
		r.shadow = newMachine(Nsys)
	}
	return r
}

// Next goes to the next record. It returns false at the end, when the input
// cannot be read, and in the Nsys dialect after the first error of the file.
func (r *Reader) Next() bool {
	r.rec = nil
	if r.err != nil {
		return false
	}
	if !r.begun {
		r.begun = true
		if r.utf16 = r.lines.Begin(); r.utf16 && r.opt.Dialect == Guide {
			r.refuseUTF16()
		}
	}
	for r.err == nil {
		line, off, long, ok := r.lines.Next()
		if !ok {
			r.finish()
			return false
		}
		r.line, r.lineOff = line, off
		r.count.Lines++
		if long {
			r.longLine()
			continue
		}
		if r.exec(line) {
			return true
		}
	}
	return false
}

// exec executes a line and reports whether it made a record.
func (r *Reader) exec(line []byte) bool {
	rec := r.m.exec(line, r.lines.number)
	if r.shadow != nil {
		r.compare(line, rec)
	}
	if len(r.m.faults) > 0 {
		for i := range r.m.faults {
			r.report(&r.m.faults[i])
		}
	}
	if r.err != nil || r.late != nil {
		return false
	}
	if rec == nil {
		r.countOther(line)
		return false
	}
	r.count.Calls[rec.Command]++
	if rec.Command.Event() {
		r.count.TimeBases[rec.TimeBase]++
	}
	r.rec = rec
	return true
}

func (r *Reader) countOther(line []byte) {
	i := r.m.skip(line, 0)
	switch {
	case i == len(line):
	case line[i] == '#':
		r.count.Comments++
	case r.m.assigned != nil:
		r.count.Assignments++
	case line[i] == '@':
		r.count.Definitions++
	}
}

// Record returns the record that Next went to. It is valid until the next
// call of Next; so is its Text.
func (r *Reader) Record() *Record { return r.rec }

// Err returns what stopped Next before the end: an error of the input or, in
// the Nsys dialect, the first [Diagnostic] of severity Error.
func (r *Reader) Err() error { return r.err }

// Diagnostics returns the messages so far.
func (r *Reader) Diagnostics() *Diagnostics { return &r.diags }

// Counts returns what has been read so far.
func (r *Reader) Counts() Counts {
	c := r.count
	c.Bytes = r.lines.base + int64(r.lines.start)
	return c
}

// place returns where in the current line the call c has its argument p, or
// where the call begins if p is not an argument of its own.
func (r *Reader) place(c Command, p Param) int {
	def := &r.m.defs[c]
	for i, q := range def.params {
		if q == p && i < len(r.m.vals) {
			return r.m.vals[i].pos
		}
	}
	return r.m.skip(r.line, 0)
}

func (r *Reader) report(f *fault) {
	d := Diagnostic{File: r.name, Line: r.lines.number, Offset: r.lineOff, Class: f.class, Severity: f.severity, Found: f.found, Want: f.want}
	if f.pos >= 0 {
		d.Col = f.pos + 1
		d.Offset += int64(f.pos)
	}
	if r.opt.Dialect == Nsys && f.severity == Error {
		if r.utf16 {
			d.Found += " (the file is UTF-16, not UTF-8)"
		}
		d.Source, d.caret = clip(r.line, f.pos)
		if f.late {
			if r.late == nil {
				r.late = &d
			}
			return
		}
		r.err = &d
	}
	r.diags.Add(d, r.line)
}

// A Complaint is what a later stage finds wrong with the current record.
type Complaint struct {
	Severity    Severity
	At          Param // the argument; the call itself where it does not give it
	Found, Want string
	// Late is found only when the whole file has been read: in the Nsys dialect
	// an error of the file that comes after it goes before it.
	Late bool
}

// Complain adds a message of the class Loading about the current record. In the
// Nsys dialect an error ends the file.
func (r *Reader) Complain(c Complaint) {
	r.report(&fault{class: Loading, severity: c.Severity, pos: r.place(r.rec.Command, c.At), found: c.Found, want: c.Want, late: c.Late})
}

// finish ends the file: late errors come up now.
func (r *Reader) finish() {
	if r.lines.err != nil {
		r.err = fmt.Errorf("%s: line %d: %w", r.name, r.lines.number+1, r.lines.err)
		return
	}
	if r.late != nil {
		r.err = r.late
		r.diags.Add(*r.late, nil)
	}
}

func (r *Reader) longLine() {
	if i := r.m.skip(r.line, 0); i < len(r.line) && r.line[i] == '#' {
		r.count.Comments++
		return
	}
	r.report(&fault{class: Lexing, pos: 0, found: fmt.Sprintf("the line is longer than %d bytes", MaxLine), want: "a shorter one"})
}

// refuseUTF16 ends the file with one message instead of one a line.
func (r *Reader) refuseUTF16() {
	l := r.lines
	r.line, r.lineOff = bytes.Clone(l.buf[l.start:min(l.end, l.start+80)]), 0
	l.number = 1
	r.report(&fault{class: Lexing, pos: 0, found: "the file is UTF-16", want: "UTF-8"})
	l.start, l.seen, l.cr, l.eof = l.end, l.end, l.end, true
}
