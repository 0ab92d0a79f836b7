package nvtxt

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/internal/spelling"
)

// defineGuide takes a definition whose arguments are in m.vals.
func (m *machine) defineGuide(name []byte, at int) {
	c := m.command(name)
	if c == NoCommand {
		c = m.likeCommand(name, at)
		if c == NoCommand {
			return
		}
	}
	def := definition{line: m.line, params: make([]Param, 0, len(m.vals))}
	for i := range m.vals {
		v := &m.vals[i]
		p, ok := paramOf(v.s)
		if !ok {
			if p, ok = paramLike(v.s); ok {
				m.fail(&fault{class: Parsing, severity: Warning, pos: v.pos, found: quoteName(v.s) + " is taken for " + p.String(), want: "the spelling " + p.String()})
			}
		}
		if !ok {
			m.fail(&fault{class: Parsing, pos: v.pos, found: quoteName(v.s) + " is not an argument", want: "one of " + c.uses().String() + nearest(v.s, c.uses().String())})
			return
		}
		switch {
		case def.set.Has(p):
			m.fail(&fault{class: Parsing, severity: Warning, pos: v.pos, found: p.String() + " is named twice: its last value counts"})
		case !c.uses().Has(p):
			m.fail(&fault{class: Parsing, severity: Warning, pos: v.pos, found: c.String() + " makes no use of " + p.String(), want: "one of " + c.uses().String()})
		}
		def.params = append(def.params, p)
		def.set |= 1 << p
	}
	m.defs[c] = def
}

// likeCommand finds a command in other letter case, with a warning, or reports
// that there is none.
func (m *machine) likeCommand(name []byte, at int) Command {
	c := commandLike(name)
	if c == NoCommand {
		m.fail(&fault{class: Parsing, pos: at, found: quoteName(name) + " is not a command", want: "one of " + commandList + nearest(name, commandList)})
		return c
	}
	m.fail(&fault{class: Parsing, severity: Warning, pos: at, found: quoteName(name) + " is taken for " + c.String(), want: "the spelling " + c.String()})
	return c
}

// nearest is the end of a message about a name that is none of a list.
func nearest(name []byte, list string) string {
	return spelling.Nearest(string(name[:min(len(name), 64)]), strings.Split(list, ", "))
}

const commandList = "RangeStartEnd, RangePush, RangePop, Marker, RangeStart, RangeEnd, NameProcess, NameOsThread, NameCategory, SetFileDisplayName, SetFileDisplayColor"

// definitionOf returns the definition in force for c.
func (m *machine) definitionOf(c Command, at int) *definition {
	def := &m.defs[c]
	if def.line > 0 || def.params != nil {
		return def
	}
	def.params = commands[c].def
	def.set = paramSet(def.params...)
	return def
}

// callGuide executes a call whose values are in m.vals.
func (m *machine) callGuide(name []byte, at int) *Record {
	c := m.command(name)
	if c == NoCommand {
		if c = m.likeCommand(name, at); c == NoCommand {
			return nil
		}
	}
	def := m.definitionOf(c, at)
	if m.nvals != len(def.params) {
		m.fail(m.arity(c, def, at))
		return nil
	}
	if def.line == 0 && commands[c].guess && !m.warned[c] {
		m.warned[c] = true
		m.fail(&fault{class: Parsing, severity: Warning, pos: at,
			found: "no line @" + c.String() + " before this call: the order " + def.set.String() + " is assumed"})
	}
	a := m.static
	for i, p := range def.params {
		v := &m.vals[i]
		if v.kind == empty && !commands[c].needs.Has(p) {
			continue
		}
		if f := m.set(&a, p, v); f != nil {
			m.fail(f)
			if f.severity == Error && (p != ParamColor || c == CmdSetFileDisplayColor) {
				return nil
			}
		}
	}
	if a.has&commands[c].needs != commands[c].needs || m.badSet&^def.set != 0 {
		if !m.missing(c, def, a.has, at) {
			return nil
		}
	}
	if a.has&(1<<ParamTimeBase) == 0 && c.Event() && !m.noBase {
		m.noBase = true
		m.fail(&fault{class: Parsing, severity: Warning, pos: at, found: "no TimeBase is given: times are taken as Manual"})
	}
	return m.fill(c, &a)
}

// arity describes a call with the wrong number of values.
func (m *machine) arity(c Command, def *definition, at int) *fault {
	pos := at
	if m.nvals > len(def.params) && len(def.params) < len(m.vals) {
		pos = m.vals[len(def.params)].pos
	}
	where := "the definition on line " + strconv.Itoa(def.line)
	if def.line == 0 {
		where = "the default definition"
	}
	var names bytes.Buffer
	for i, p := range def.params {
		if i > 0 {
			names.WriteString(", ")
		}
		names.WriteString(p.String())
	}
	want := fmt.Sprintf("%d for %s", len(def.params), where)
	if names.Len() > 0 {
		want += " (" + names.String() + ")"
	}
	return &fault{class: Parsing, pos: pos, found: fmt.Sprintf("%s has %d values", c, m.nvals), want: want}
}

// missing reports the arguments that c lacks and those whose static values are
// wrong. It returns true if the call can be executed without them.
func (m *machine) missing(c Command, def *definition, has ParamSet, at int) bool {
	ok := true
	for p := range Param(numParams) {
		uses, needs := c.uses().Has(p), commands[c].needs.Has(p)
		switch {
		case m.bad[p] != nil && uses && !def.set.Has(p):
			if harmless := p == ParamColor && !needs; !harmless || !m.told.Has(p) {
				m.told |= 1 << p
				f := *m.bad[p]
				f.pos, f.found = at, "the static value on line "+strconv.Itoa(m.vars[p.String()].line)+": "+f.found
				m.fail(&f)
				ok = ok && harmless
			}
		case needs && !has.Has(p):
			ok = false
			m.fail(&fault{class: Parsing, pos: at, found: c.String() + " has no " + p.String(), want: "it in the call or as a variable"})
		}
	}
	return ok
}

// set checks v and makes it the value of p.
func (m *machine) set(a *arguments, p Param, v *value) *fault {
	if m.dialect == Nsys {
		return m.setNsys(a, p, v)
	}
	return m.setGuide(a, p, v)
}

func (m *machine) setGuide(a *arguments, p Param, v *value) *fault {
	var f *fault
	switch p {
	case ParamStart:
		a.start, f = guideInt(p, v)
	case ParamEnd:
		a.end, f = guideInt(p, v)
	case ParamTime:
		a.time, f = guideInt(p, v)
	case ParamID:
		a.id, f = guideInt(p, v)
	case ParamProcess:
		a.process, f = guideID(p, v)
	case ParamThread:
		a.thread, f = guideID(p, v)
	case ParamCategory:
		a.category, f = guideID(p, v)
	case ParamTimeBase:
		a.timeBase, f = guideTimeBase(v)
	case ParamColor:
		a.color, f = m.guideColor(v)
	case ParamPayload:
		a.payload, f = guidePayload(v)
	case ParamMessage:
		a.message, f = guideText(p, v)
	case ParamName:
		a.name, f = guideText(p, v)
	}
	if f == nil || f.severity != Error {
		a.has |= 1 << p
	} else if p == ParamColor {
		a.has &^= 1 << p
	}
	return f
}

func wrongType(p Param, v *value, want string) *fault {
	return &fault{class: Parsing, pos: v.pos, found: p.String() + " is " + v.kind.String(), want: want}
}

func guideInt(p Param, v *value) (int64, *fault) {
	if v.kind != integer {
		return 0, wrongType(p, v, "an integer")
	}
	return v.i, nil
}

func guideID(p Param, v *value) (uint32, *fault) {
	if v.kind != integer {
		return 0, wrongType(p, v, "an integer")
	}
	if v.i < 0 || v.i > math.MaxUint32 {
		return 0, &fault{class: Parsing, pos: v.pos, found: p.String() + " is " + strconv.FormatInt(v.i, 10), want: "0 to 4294967295"}
	}
	return uint32(v.i), nil
}

func guideTimeBase(v *value) (TimeBase, *fault) {
	if !v.kind.text() {
		return 0, wrongType(ParamTimeBase, v, "the name of a time base")
	}
	if b := timeBaseOf(v.s); b != NoTimeBase {
		return b, nil
	}
	for b := Manual; b < numTimeBases; b++ {
		if bytes.EqualFold(v.s, []byte(b.String())) {
			return b, &fault{class: Parsing, severity: Warning, pos: v.pos, found: quoteName(v.s) + " is taken for " + b.String(), want: "the spelling " + b.String()}
		}
	}
	return 0, &fault{class: Parsing, pos: v.pos, found: "time base " + quoteName(v.s) + " is unknown", want: "Manual, Relative, ClockMonotonicRaw, CNTVCT or Qpc"}
}

func (m *machine) guideColor(v *value) (uint32, *fault) {
	switch {
	case v.kind == integer && v.i >= 0 && v.i <= math.MaxUint32:
		return uint32(v.i), nil
	case v.kind == integer:
		return uint32(v.i), &fault{class: Parsing, severity: Warning, pos: v.pos, found: "only the low 32 bits of the colour count", want: "0xAARRGGBB"}
	case !v.kind.text():
		return 0, wrongType(ParamColor, v, "a colour's name or 0xAARRGGBB")
	}
	if argb, ok := m.namedColor(v.s); ok {
		return argb, nil
	}
	if name, argb := colorLike(v.s); name != "" {
		return argb, &fault{class: Parsing, severity: Warning, pos: v.pos, found: quoteName(v.s) + " is taken for " + name, want: "the spelling " + name}
	}
	return 0, &fault{class: Parsing, pos: v.pos, found: "colour " + quoteName(v.s) + " is unknown", want: "one of the 140 names of .NET, such as Blue, or 0xAARRGGBB"}
}

func guidePayload(v *value) (Payload, *fault) {
	switch v.kind {
	case integer:
		return PayloadOfInt(v.i), nil
	case floating:
		return PayloadOfFloat(math.Float64frombits(uint64(v.i))), nil
	}
	return Payload{}, wrongType(ParamPayload, v, "an integer or a floating-point number")
}

func guideText(p Param, v *value) ([]byte, *fault) {
	if v.kind.text() {
		return v.s, nil
	}
	if p == ParamName && v.kind == integer {
		return strconv.AppendInt(nil, v.i, 10), nil
	}
	return nil, wrongType(p, v, "a string")
}
