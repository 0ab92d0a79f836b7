package nvtxt

import "bytes"

// arguments are the values of a call, or the static ones.
type arguments struct {
	has              ParamSet
	timeBase         TimeBase
	start, end, time int64
	process, thread  uint32
	category, color  uint32
	payload          Payload
	id               int64
	message, name    []byte
}

// variable is what an assignment leaves behind.
type variable struct {
	value
	line int
}

// machine executes the lines of one file in one dialect. It holds all that
// one line can leave for the next: variables, definitions, static values.
type machine struct {
	scanner
	vars    map[string]*variable
	defs    [numCommands]definition
	foreign map[string]*definition // Nsys: of names that are no commands

	static arguments         // Guide: what variables say. Nsys: what assignments and calls left
	bad    [numParams]*fault // Guide: the static value is no value of that argument
	badSet ParamSet          // Guide: of which there is one in bad
	told   ParamSet          // Guide: the fault of that static value has been reported
	warned [numCommands]bool // Guide: the guessed default definition has been mentioned
	noBase bool              // Guide: the missing TimeBase has been mentioned

	// Of the current line.
	line       int
	vals       []value
	nvals      int // may exceed len(vals)
	rec        Record
	faults     []fault
	midComment int // Guide: where a comment begins that is not the whole line; else -1
	assigned   *variable
	// its name aliases the line
	assignedName []byte

	keepMessage, keepName []byte // Nsys: memory of sticky texts
	lastName              string // command of the last call, to spare the look-up
	lastCommand           Command
	colorName             []byte // colour looked up last
	colorValue            uint32
}

// maxValues is how many values of a call, or arguments of a definition, are
// kept. No command has a tenth of it; what is beyond is counted.
const maxValues = 256

func newMachine(d Dialect) *machine {
	m := &machine{vars: map[string]*variable{}, vals: make([]value, 0, 16)}
	m.dialect, m.cls = d, &classes[d]
	return m
}

// exec executes one line, without its line end, and returns the record it
// makes, or nil. The record and the texts in it are valid until the next call.
// m.faults tells what was wrong; after an Error there is no record in Nsys,
// and in Guide none unless the error concerns an optional argument.
func (m *machine) exec(b []byte, line int) *Record {
	m.line, m.faults, m.midComment, m.assigned = line, m.faults[:0], -1, nil
	m.scratch = m.scratch[:0]
	i := m.skip(b, 0)
	if i == len(b) {
		return nil
	}
	switch {
	case b[i] == '#':
		if m.dialect == Guide && string(bytes.TrimRight(b[i:], " \t\v\f")) == escapeLine {
			m.escapes = true
		}
		return nil
	case b[i] == '@':
		m.define(b, i)
		return nil
	case m.cls[b[i]]&wordStart != 0:
		next := m.run(b, i+1, wordByte)
		return m.statement(b, b[i:next], i, next)
	}
	return m.oddStart(b, i)
}

func (m *machine) fail(f *fault) {
	if f != nil {
		m.faults = append(m.faults, *f)
	}
}

func (m *machine) failed() bool {
	for i := range m.faults {
		if m.faults[i].severity == Error {
			return true
		}
	}
	return false
}

const wantLine = "a variable and =, a command and its values, @ and a command, or #"

// oddStart deals with a line that begins with none of a letter, @ and #.
func (m *machine) oddStart(b []byte, i int) *Record {
	if b[i] == '$' {
		var v value
		next, f := m.expand(b, i, &v)
		if f != nil {
			m.fail(f)
			return nil
		}
		if v.kind == word || v.kind == quoted && m.dialect == Guide {
			return m.statement(b, v.s, i, next)
		}
		m.fail(&fault{class: Parsing, pos: i, found: "a line cannot begin with " + v.kind.String(), want: wantLine})
		return nil
	}
	if b[i] == ',' || b[i] == '=' {
		m.fail(&fault{class: Parsing, pos: i, found: "a line cannot begin with " + describe(b, i), want: wantLine})
		return nil
	}
	var v value
	_, f := m.scan(b, i, &v)
	switch {
	case f != nil && m.dialect == Guide && b[i] >= '0' && b[i] <= '9':
		f.found = "a name cannot begin with a digit"
		f.want = wantLine
	case f != nil && f.found == describe(b, i)+cannotBegin:
		f.found, f.want = describe(b, i)+" cannot begin a line", wantLine
	case f == nil:
		f = &fault{class: Parsing, pos: i, found: "a line cannot begin with " + v.kind.String(), want: wantLine}
	}
	m.fail(f)
	return nil
}

// statement goes on after the name that a line begins with, which ends at i.
func (m *machine) statement(b, name []byte, at, i int) *Record {
	i = m.skip(b, i)
	switch {
	case m.atEnd(b, i):
		m.vals, m.nvals = m.vals[:0], 0
	case b[i] == ',':
		if f := m.list(b, i+1); f != nil {
			m.fail(f)
			return nil
		}
	case b[i] == '=':
		m.assign(b, name, at, i+1)
		return nil
	default:
		m.fail(&fault{class: Parsing, pos: i, found: describe(b, i) + " after a name", want: "= and a value, or a comma and values"})
		return nil
	}
	if m.dialect == Nsys {
		return m.callNsys(name, at)
	}
	return m.callGuide(name, at)
}

// atEnd reports whether the instruction ends at i, where there is no blank.
func (m *machine) atEnd(b []byte, i int) bool {
	if i >= len(b) {
		return true
	}
	if b[i] == '#' {
		m.midComment = i
		return true
	}
	return false
}

// list reads values with commas between up to the end of the line. One comma
// at the end is ignored; between two commas there is an empty value.
func (m *machine) list(b []byte, i int) *fault {
	m.vals, m.nvals = m.vals[:0], 0
	for {
		i = m.skip(b, i)
		if m.atEnd(b, i) {
			return nil
		}
		v := m.nextValue()
		if b[i] == ',' {
			v.setEmpty(i)
		} else {
			var f *fault
			if i, f = m.operand(b, i, v); f != nil {
				return f
			}
		}
		if i < len(b) && b[i] == ',' {
			i++
			continue
		}
		i = m.skip(b, i)
		if m.atEnd(b, i) {
			return nil
		}
		if b[i] != ',' {
			return &fault{class: Parsing, pos: i, found: describe(b, i) + " after a value", want: "a comma between values"}
		}
		i++
	}
}

// nextValue makes room for one more value. Those beyond maxValues overwrite
// each other.
func (m *machine) nextValue() *value {
	m.nvals++
	n := len(m.vals)
	switch {
	case n == maxValues:
		n--
	case n < cap(m.vals):
		m.vals = m.vals[:n+1]
	default:
		m.vals = append(m.vals, value{})
	}
	return &m.vals[n]
}

// operand reads a value or expands a variable.
func (m *machine) operand(b []byte, i int, v *value) (next int, f *fault) {
	if b[i] == '$' {
		return m.expand(b, i, v)
	}
	return m.scan(b, i, v)
}

// expand reads $Name and returns the value of the variable.
func (m *machine) expand(b []byte, i int, v *value) (next int, f *fault) {
	class := uint8(nameByte)
	if m.dialect == Nsys {
		class = wordByte
	}
	next = m.run(b, i+1, class)
	name := b[i+1 : next]
	if len(name) == 0 || m.cls[name[0]]&wordStart == 0 {
		return i, &fault{class: Lexing, pos: i, found: "$ without a variable's name", want: "a name directly after $"}
	}
	x := m.vars[string(name)]
	if x == nil {
		return i, &fault{class: Lexing, pos: i, found: "variable " + quoteName(name) + " has not been assigned",
			want: "a line '" + clipName(name) + " = value' before this one"}
	}
	*v = x.value
	v.pos = i
	return next, nil
}

// assign reads the right side of an assignment, from i.
func (m *machine) assign(b, name []byte, at, i int) {
	i = m.skip(b, i)
	if m.atEnd(b, i) || b[i] == ',' && m.dialect == Nsys {
		m.fail(&fault{class: Parsing, pos: min(i, len(b)), found: "an assignment without a value", want: "a string or an integer"})
		return
	}
	var v value
	i, f := m.operand(b, i, &v)
	if f != nil {
		m.fail(f)
		return
	}
	if i = m.skip(b, i); !m.atEnd(b, i) {
		m.fail(&fault{class: Parsing, pos: i, found: describe(b, i) + " after the value", want: "the end of the line"})
		return
	}
	if m.dialect == Guide && m.run(name, 0, nameByte) != len(name) {
		m.fail(&fault{class: Parsing, pos: at, found: quoteName(name) + " is not a variable's name", want: "letters, digits and '_'"})
		return
	}
	v.s = bytes.Clone(v.s)
	x := &variable{value: v, line: m.line}
	m.assigned, m.assignedName = x, name
	if p, ok := paramOf(name); ok && (m.dialect == Guide || p != ParamID) {
		if f := m.setStatic(p, x); f != nil {
			m.fail(f)
			return
		}
	} else if m.dialect == Nsys {
		m.fail(&fault{class: Loading, pos: at, found: quoteName(name) + " is not an argument's name", want: "one of " + nsysParams.String()})
		return
	}
	m.vars[string(name)] = x
}

// setStatic makes x the static value of p.
func (m *machine) setStatic(p Param, x *variable) *fault {
	f := m.set(&m.static, p, &x.value)
	if m.dialect == Nsys {
		return f
	}
	if f != nil && f.severity != Error { // told now; the value counts
		m.fail(f)
		f = nil
	}
	m.bad[p] = f
	m.badSet &^= 1 << p
	m.told &^= 1 << p
	if f != nil {
		m.badSet |= 1 << p
		m.static.has &^= 1 << p
	}
	return nil
}

// define reads a definition; b[i] is the @.
func (m *machine) define(b []byte, i int) {
	name, next, f := m.defined(b, i+1)
	if f != nil {
		m.fail(f)
		return
	}
	next = m.skip(b, next)
	if m.atEnd(b, next) {
		m.fail(&fault{class: Parsing, pos: min(next, len(b)), found: "a definition without arguments", want: "a comma and names of arguments"})
		return
	}
	if b[next] != ',' {
		m.fail(&fault{class: Parsing, pos: next, found: describe(b, next) + " after the command's name", want: "a comma and names of arguments"})
		return
	}
	if f := m.list(b, next+1); f != nil {
		m.fail(f)
		return
	}
	for i := range m.vals {
		if v := &m.vals[i]; v.kind != word && (v.kind != quoted || m.dialect == Nsys || b[v.pos] != '$') {
			m.fail(&fault{class: Parsing, pos: v.pos, found: v.kind.String() + " in a definition", want: "the name of an argument"})
			return
		}
	}
	if m.nvals > maxValues {
		m.fail(&fault{class: Parsing, pos: i, found: "a definition with too many arguments", want: "at most 256"})
		return
	}
	if m.dialect == Nsys {
		m.defineNsys(name)
	} else {
		m.defineGuide(name, i+1)
	}
}

// defined reads the name after the @ of a definition.
func (m *machine) defined(b []byte, i int) (name []byte, next int, f *fault) {
	switch {
	case i < len(b) && m.cls[b[i]]&wordStart != 0:
		next = m.run(b, i+1, wordByte)
		return b[i:next], next, nil
	case i < len(b) && b[i] == '$' && m.dialect == Guide:
		var v value
		next, f := m.expand(b, i, &v)
		if f == nil && !v.kind.text() {
			f = &fault{class: Parsing, pos: i, found: v.kind.String() + " after @", want: "a command's name"}
		}
		return v.s, next, f
	}
	return nil, i, &fault{class: Lexing, pos: i, found: describe(b, i) + " after @", want: "a command's name directly after @"}
}

// command looks a command up by its exact name.
func (m *machine) command(name []byte) Command {
	if string(name) == m.lastName {
		return m.lastCommand
	}
	c := commandOf(name)
	if c != NoCommand {
		m.lastName, m.lastCommand = commands[c].name, c
	}
	return c
}

// namedColor looks a colour up by its exact name.
func (m *machine) namedColor(name []byte) (argb uint32, ok bool) {
	if len(name) > 0 && string(name) == string(m.colorName) {
		return m.colorValue, true
	}
	if argb, ok = colorNames[string(name)]; ok {
		m.colorName, m.colorValue = append(m.colorName[:0], name...), argb
	}
	return argb, ok
}

// quoteName quotes a name for a message; names can be as long as lines.
func quoteName(name []byte) string { return `"` + clipName(name) + `"` }

// QuoteName puts a text of a file between quotes for a message: cut if it is
// long, and without control characters.
func QuoteName(s string) string { return quoteName([]byte(s)) }

func clipName(name []byte) string {
	s, _ := clip(name, -1)
	return s
}
