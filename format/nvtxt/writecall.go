package nvtxt

import "strconv"

// changesBeforeInline is how often in 64 events a process or thread may change
// before it is written with every call rather than as a variable.
const changesBeforeInline = 16

// call appends a call, preceded by the variables and the definition it needs.
func (w *Writer) call(c Command, e *Event, time int64) {
	if !w.begun {
		w.begun = true
		w.line = append(w.line, "TimeBase = "...)
		w.line = append(append(w.line, w.opt.TimeBase.String()...), '\n')
	}
	if c != CmdRangePop && c != CmdRangeEnd {
		w.escape(e.Text)
	}
	w.setID(ParamProcess, e.Process)
	w.setID(ParamThread, e.Thread)
	if w.events++; w.events%64 == 0 {
		clear(w.changes[:])
	}
	w.define(c, w.argumentsOf(c, e))
	w.line = append(w.line, commands[c].name...)
	for p := range Param(numParams) {
		if w.defs[c].Has(p) {
			w.line = append(w.line, ", "...)
			w.appendArgument(p, e, time)
		}
	}
	w.line = append(w.line, '\n')
}

// setID assigns a variable if its value has changed. An id that keeps changing
// becomes an argument of all commands: of all, because for the importer of
// Nsight Systems values in calls replace variables.
func (w *Writer) setID(p Param, id uint32) {
	s := &w.static[p]
	if w.inline.Has(p) || s.set && s.value == id {
		return
	}
	if s.set {
		if w.changes[p]++; w.changes[p] >= changesBeforeInline {
			w.inline |= 1 << p
			return
		}
	}
	s.set, s.value = true, id
	w.line = append(w.line, p.String()...)
	w.line = append(w.line, " = "...)
	w.line = append(strconv.AppendUint(w.line, uint64(id), 10), '\n')
}

// argumentsOf returns the arguments that a call needs. What an event may lack
// is never a variable, since a variable cannot be taken back.
func (w *Writer) argumentsOf(c Command, e *Event) ParamSet {
	set := w.inline | paramSet(ParamTime)
	switch c {
	case CmdRangePop:
		return set
	case CmdRangeEnd:
		if e.HasID {
			set |= 1 << ParamID
		}
		return set
	case CmdRangeStartEnd:
		set = w.inline | paramSet(ParamStart, ParamEnd)
	}
	set |= 1 << ParamMessage
	if e.HasColor || w.opt.Dialect == Nsys {
		set |= 1 << ParamColor
	}
	if e.HasCategory {
		set |= 1 << ParamCategory
	}
	if e.Payload.Kind != NoPayload {
		set |= 1 << ParamPayload
	}
	if e.HasID && c == CmdRangeStart {
		set |= 1 << ParamID
	}
	return set
}

// define appends a definition unless it is in force already.
func (w *Writer) define(c Command, set ParamSet) {
	if w.defined[c] && w.defs[c] == set {
		return
	}
	w.defined[c], w.defs[c] = true, set
	w.line = append(append(w.line, '@'), commands[c].name...)
	for p := range Param(numParams) {
		if set.Has(p) {
			w.line = append(append(w.line, ", "...), p.String()...)
		}
	}
	w.line = append(w.line, '\n')
}

func (w *Writer) appendArgument(p Param, e *Event, time int64) {
	switch p {
	case ParamStart:
		w.line = strconv.AppendInt(w.line, e.Start, 10)
	case ParamEnd:
		w.line = strconv.AppendInt(w.line, e.End, 10)
	case ParamTime:
		w.line = strconv.AppendInt(w.line, time, 10)
	case ParamProcess:
		w.line = strconv.AppendUint(w.line, uint64(e.Process), 10)
	case ParamThread:
		w.line = strconv.AppendUint(w.line, uint64(e.Thread), 10)
	case ParamCategory:
		w.line = strconv.AppendUint(w.line, uint64(e.Category), 10)
	case ParamID:
		w.line = strconv.AppendInt(w.line, e.ID, 10)
	case ParamColor:
		color := e.Color
		if !e.HasColor {
			color = defaultColor
		}
		w.line = appendColor(w.line, color)
	case ParamMessage:
		w.line = appendQuoted(w.line, e.Text, w.escapes)
	case ParamPayload:
		if e.Payload.Kind == IntPayload {
			w.line = strconv.AppendInt(w.line, e.Payload.Int(), 10)
		} else {
			w.line = appendFloat(w.line, e.Payload.Float())
		}
	}
}

func appendColor(b []byte, argb uint32) []byte {
	const hex = "0123456789ABCDEF"
	b = append(b, "0x"...)
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, hex[argb>>shift&15])
	}
	return b
}

// appendFloat appends f so that it is read as a floating-point number again.
func appendFloat(b []byte, f float64) []byte {
	n := len(b)
	b = strconv.AppendFloat(b, f, 'g', -1, 64)
	for _, c := range b[n:] {
		if c == '.' || c == 'e' {
			return b
		}
	}
	return append(b, ".0"...)
}
