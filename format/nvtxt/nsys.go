package nvtxt

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
)

// What the importer of Nsight Systems does here was learned by giving it
// files, see docs/formats/nvtxt.md.

const (
	maxNsysID   = 1<<24 - 1 // process and thread ids go into 24 bits of a global id
	maxNsysText = 65534     // bytes of a text
)

var nsysParams = paramSet(ParamStart, ParamEnd, ParamTime, ParamTimeBase, ParamProcess, ParamThread,
	ParamCategory, ParamColor, ParamMessage, ParamPayload, ParamName)

// defineNsys takes a definition whose arguments are in m.vals. Neither the
// command nor the arguments need be known.
func (m *machine) defineNsys(name []byte) {
	def := definition{line: m.line, names: make([][]byte, len(m.vals))}
	for i := range m.vals {
		def.names[i] = bytes.Clone(m.vals[i].s)
		if p, ok := paramOf(def.names[i]); ok && nsysParams.Has(p) {
			def.params = append(def.params, p)
		} else {
			def.params = append(def.params, numParams)
		}
	}
	if c := m.command(name); c != NoCommand {
		m.defs[c] = def
		return
	}
	if m.foreign == nil {
		m.foreign = map[string]*definition{}
	}
	m.foreign[string(name)] = &def
}

// callNsys executes a call whose values are in m.vals.
func (m *machine) callNsys(name []byte, at int) *Record {
	c := m.command(name)
	switch c {
	case CmdNameProcess, CmdNameOsThread, CmdSetFileDisplayName:
		return m.nameNsys(c, at)
	}
	def := &m.defs[c]
	if c == NoCommand {
		if def = m.foreign[string(name)]; def == nil {
			def = &definition{}
		}
	}
	if m.nvals != len(def.params) {
		m.fail(&fault{class: Loading, pos: at, found: fmt.Sprintf("%s is called with %d values", quoteName(name), m.nvals),
			want: m.wantNsys(def)})
		return nil
	}
	for i, p := range def.params {
		if p == numParams {
			m.fail(&fault{class: Loading, pos: m.vals[i].pos, found: fmt.Sprintf("argument %s on line %d is unknown", quoteName(def.names[i]), def.line),
				want: "one of " + nsysParams.String()})
			return nil
		}
		if f := m.setNsys(&m.static, p, &m.vals[i]); f != nil {
			m.fail(f)
			if f.severity == Error {
				return nil
			}
		}
	}
	m.keepTexts()
	if c < CmdRangeStartEnd || c > CmdMarker {
		m.fail(&fault{class: Loading, severity: Warning, pos: at, found: quoteName(name) + " is no kind of event: the call is skipped",
			want: "RangeStartEnd, RangePush, RangePop, Marker, NameProcess, NameOsThread or SetFileDisplayName"})
		return nil
	}
	return m.eventNsys(c, at)
}

func (m *machine) wantNsys(def *definition) string {
	if def.line == 0 {
		return "a definition, a line beginning with @, before the call"
	}
	return fmt.Sprintf("%d as in the definition on line %d", len(def.params), def.line)
}

// keepTexts moves texts that a call has set out of the line, since later calls
// that leave the argument out use them.
func (m *machine) keepTexts() {
	if m.static.has.Has(ParamMessage) {
		m.keepMessage = append(m.keepMessage[:0], m.static.message...)
		m.static.message = m.keepMessage
	}
	if m.static.has.Has(ParamName) {
		m.keepName = append(m.keepName[:0], m.static.name...)
		m.static.name = m.keepName
	}
}

// eventNsys makes the record of an event from all that has been set so far.
func (m *machine) eventNsys(c Command, at int) *Record {
	a := &m.static
	if a.timeBase == NoTimeBase {
		m.fail(&fault{class: Loading, pos: at, found: c.String() + " has no TimeBase", want: "it in the call or as a variable before"})
		return nil
	}
	r := m.fill(c, a)
	if !a.has.Has(ParamColor) {
		r.Color = defaultColor
	}
	switch {
	case a.process > maxNsysID:
		m.fail(&fault{class: Loading, pos: at, found: "ProcessId is " + strconv.FormatUint(uint64(a.process), 10), want: "0 to 16777215", late: true})
	case len(r.Text) > maxNsysText && c != CmdRangePop:
		m.fail(&fault{class: Loading, pos: at, found: "Message has " + strconv.Itoa(len(r.Text)) + " bytes", want: "at most 65534", late: true})
	case c == CmdRangeStartEnd && r.Start >= r.End:
		r.Skipped = true
		m.fail(&fault{class: Loading, severity: Warning, pos: at, found: fmt.Sprintf("the range from %d to %d is skipped", r.Start, r.End), want: "an End after the Start"})
	}
	return r
}

// setNsys checks v and makes it the value of p.
func (m *machine) setNsys(a *arguments, p Param, v *value) *fault {
	switch p {
	case ParamStart, ParamEnd, ParamTime, ParamProcess, ParamThread, ParamCategory, ParamPayload:
		if v.kind != integer {
			return wrongNsysType(p, v, "an integer")
		}
	case ParamTimeBase, ParamMessage, ParamName:
		if v.kind == integer {
			return wrongNsysType(p, v, "a string")
		}
	}
	var f *fault
	switch p {
	case ParamStart:
		a.start, f = v.i, nsysRange(p, v, math.MaxInt64)
	case ParamEnd:
		a.end, f = v.i, nsysRange(p, v, math.MaxInt64)
	case ParamTime:
		a.time, f = v.i, nsysRange(p, v, math.MaxInt64)
	case ParamProcess:
		a.process, f = uint32(v.i), nsysRange(p, v, math.MaxUint32)
	case ParamThread:
		a.thread, f = uint32(v.i), nsysRange(p, v, maxNsysID)
	case ParamCategory:
		a.category, f = uint32(v.i), nsysRange(p, v, math.MaxUint32)
	case ParamPayload:
		a.payload = PayloadOfInt(v.i)
	case ParamMessage:
		a.message = v.s
	case ParamName:
		a.name = v.s
	case ParamColor:
		a.color, f = m.nsysColor(v)
	case ParamTimeBase:
		a.timeBase = timeBaseOf(v.s)
		if a.timeBase == NoTimeBase || a.timeBase == Qpc {
			f = &fault{class: Loading, pos: v.pos, found: "time base " + quoteName(v.s) + " is not supported", want: "Manual, Relative, ClockMonotonicRaw or CNTVCT"}
		}
	}
	a.has |= 1 << p
	return f
}

func wrongNsysType(p Param, v *value, want string) *fault {
	f := wrongType(p, v, want)
	f.class = Loading
	return f
}

func nsysRange(p Param, v *value, limit int64) *fault {
	if v.i >= 0 && v.i <= limit {
		return nil
	}
	return &fault{class: Loading, pos: v.pos, found: fmt.Sprintf("%s is %d", p, v.i), want: fmt.Sprintf("0 to %d", limit)}
}

// nsysColor never fails: a wrong name gives black.
func (m *machine) nsysColor(v *value) (uint32, *fault) {
	if v.kind == integer {
		return uint32(v.i), nil
	}
	if argb, ok := m.namedColor(v.s); ok {
		return argb, nil
	}
	return defaultColor, &fault{class: Loading, severity: Warning, pos: v.pos,
		found: "colour " + quoteName(v.s) + " is unknown: it becomes black", want: "one of the 140 names of .NET, such as Blue"}
}

// nameNsys executes the commands whose values have fixed places, whatever a
// definition says. More values than needed are ignored.
func (m *machine) nameNsys(c Command, at int) *Record {
	least := 1
	if c == CmdNameOsThread {
		least = 2
	}
	if m.nvals < least {
		m.fail(&fault{class: Loading, pos: at, found: fmt.Sprintf("%s is called with %d values, on which the importer crashes", c, m.nvals),
			want: fmt.Sprintf("at least %d", least)})
		return nil
	}
	var a arguments
	next := 0
	for _, p := range commands[c].def {
		switch p {
		case ParamProcess, ParamThread:
			id, f := nsysNumber(p, &m.vals[next])
			if f != nil {
				m.fail(f)
				return nil
			}
			if p == ParamProcess {
				a.process = id
			} else {
				a.thread = id
			}
		case ParamName:
			if next < len(m.vals) {
				a.name = nsysText(&m.vals[next])
			}
		}
		a.has |= 1 << p
		next++
	}
	if len(a.name) > maxNsysText {
		m.fail(&fault{class: Loading, pos: at, found: "Name has " + strconv.Itoa(len(a.name)) + " bytes", want: "at most 65534", late: true})
	}
	return m.fill(c, &a)
}

func nsysText(v *value) []byte {
	if v.kind == integer {
		return strconv.AppendInt(nil, v.i, 10)
	}
	return v.s
}

// nsysNumber takes an id from an integer, or from a string that begins with one.
func nsysNumber(p Param, v *value) (uint32, *fault) {
	n := v.i
	if v.kind != integer {
		t := bytes.TrimLeft(v.s, " \t\n\v\f\r")
		sign := len(t) > 0 && (t[0] == '+' || t[0] == '-')
		neg := sign && t[0] == '-'
		if sign {
			t = t[1:]
		}
		var x value
		if len(t) > 0 && t[0]-'0' <= 9 {
			scanNsysInteger(t, 0, &x)
		}
		if x.kind != integer {
			return 0, &fault{class: Loading, pos: v.pos, found: p.String() + " " + quoteName(v.s) + " is not a number", want: "0 to 16777215"}
		}
		if n = x.i; neg {
			n = -n
		}
	}
	if n < 0 || n > maxNsysID {
		return 0, &fault{class: Loading, pos: v.pos, found: fmt.Sprintf("%s is %d", p, n), want: "0 to 16777215"}
	}
	return uint32(n), nil
}
