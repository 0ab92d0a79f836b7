package nvtxt

import (
	"bytes"
	"fmt"
)

// compare reads the line as the importer of Nsight Systems would and adds a
// note wherever it would refuse the line or take something else from it. The
// importer stops at its first error; each line is judged as if those before it
// had been mended.
func (r *Reader) compare(line []byte, rec *Record) {
	s := r.shadow
	theirs := s.exec(line, r.lines.number)
	if r.m.failed() {
		return // the line is wrong for everyone
	}
	if s.failed() {
		s.adopt(r.m, rec)
	}
	if r.m.midComment >= 0 && theirs != nil {
		r.m.fail(&fault{severity: Note, class: Lexing, pos: r.m.midComment,
			found: "a comment behind an instruction is not documented; the importer of Nsight Systems takes it as one, too"})
	}
	for i := range s.faults {
		f := s.faults[i]
		if f.severity == Error {
			f.found = "the importer of Nsight Systems refuses this line: " + f.found
		} else {
			f.found = "the importer of Nsight Systems: " + f.found
		}
		f.severity = Note
		r.m.fail(&f)
	}
	switch {
	case s.assigned != nil && r.m.assigned != nil:
		r.compareValues(&r.m.assigned.value, &s.assigned.value)
	case rec != nil && theirs != nil && !theirs.Skipped && rec.Command == theirs.Command:
		r.compareRecords(line, rec, theirs)
	}
}

// adopt lets a line that s refuses, but guide does not, leave behind what it
// would if it were mended: the values of arguments. What guide calls a variable
// beyond these cannot be mended in its own line.
func (s *machine) adopt(guide *machine, rec *Record) {
	if x := guide.assigned; x != nil {
		if p, ok := paramOf(guide.assignedName); ok && nsysParams.Has(p) {
			s.vars[p.String()] = x
			s.setNsys(&s.static, p, &x.value)
		}
		return
	}
	if rec == nil || !rec.Command.Event() {
		return
	}
	for i, p := range guide.defs[rec.Command].params {
		if i < len(guide.vals) && nsysParams.Has(p) {
			s.setNsys(&s.static, p, &guide.vals[i])
		}
	}
	s.keepTexts()
}

func (r *Reader) compareValues(ours, theirs *value) {
	switch {
	case ours.kind != theirs.kind:
	case ours.i != theirs.i:
		r.differ(ours.pos, fmt.Sprint(ours.i), fmt.Sprint(theirs.i), octalReason(ours))
	case !bytes.Equal(ours.s, theirs.s):
		r.differ(ours.pos, quoteName(ours.s), quoteName(theirs.s), wordReason(ours.s))
	}
}

func octalReason(v *value) string {
	if v.octal {
		return "a leading 0 means octal to it"
	}
	return ""
}

func wordReason(ours []byte) string {
	if bytes.IndexByte(ours, '#') >= 0 {
		return "# begins a comment for it"
	}
	return ""
}

// differ adds a note that the importer takes theirs where the line says ours.
func (r *Reader) differ(pos int, ours, theirs, reason string) {
	found := "the importer of Nsight Systems reads " + theirs + " here, not " + ours
	if reason != "" {
		found += ": " + reason
	}
	r.m.fail(&fault{severity: Note, class: Loading, pos: pos, found: found})
}

// compareRecords adds a note for each argument of the call that the importer
// takes otherwise.
func (r *Reader) compareRecords(line []byte, ours, theirs *Record) {
	c := ours.Command
	start := timeParam(c)
	number := func(p Param, a, b int64) {
		if a != b && !r.diags.Full(Note) {
			r.differArgument(c, p, fmt.Sprint(a), fmt.Sprint(b), nil)
		}
	}
	if c.Event() {
		number(start, ours.Start, theirs.Start)
		if c == CmdRangeStartEnd {
			number(ParamEnd, ours.End, theirs.End)
		}
		if ours.TimeBase != theirs.TimeBase && ours.TimeBase != NoTimeBase && !r.diags.Full(Note) {
			r.differArgument(c, ParamTimeBase, ours.TimeBase.String(), theirs.TimeBase.String(), nil)
		}
	}
	if c != CmdSetFileDisplayName {
		number(ParamProcess, int64(ours.Process), int64(theirs.Process))
	}
	if c.Event() || c == CmdNameOsThread {
		number(ParamThread, int64(ours.Thread), int64(theirs.Thread))
	}
	if c == CmdRangePop {
		return // it looks at nothing else
	}
	text := ParamMessage
	if !c.Event() {
		text = ParamName
	}
	if !bytes.Equal(ours.Text, theirs.Text) && !r.diags.Full(Note) {
		r.differArgument(c, text, quoteName(ours.Text), quoteName(theirs.Text), ours.Text)
	}
	if c.Event() {
		color := ours.Color
		if !ours.Has.Has(ParamColor) {
			color = defaultColor
		}
		if color != theirs.Color && !r.diags.Full(Note) {
			r.differArgument(c, ParamColor, fmt.Sprintf("#%08X", color), fmt.Sprintf("#%08X", theirs.Color), nil)
		}
		if lost := ours.Has & paramSet(ParamCategory, ParamPayload); lost != 0 && !r.lost {
			r.lost = true
			r.m.fail(&fault{severity: Note, class: Loading, pos: r.place(c, lost.first()), found: "the importer of Nsight Systems drops " + lost.String() + ", here and in all later calls"})
		}
	}
}

// differArgument adds a note about an argument of the current call, with the
// reason for the difference as far as it shows.
func (r *Reader) differArgument(c Command, p Param, ours, theirs string, text []byte) {
	def := &r.m.defs[c]
	for i, q := range def.params {
		if q == p && i < len(r.m.vals) {
			v := &r.m.vals[i]
			reason := octalReason(v)
			if v.kind == word {
				reason = wordReason(text)
			}
			r.differ(v.pos, p.String()+" "+ours, p.String()+" "+theirs, reason)
			return
		}
	}
	reason := "a value in an earlier call stays for later calls"
	if fixed := c == CmdNameProcess || c == CmdNameOsThread || c == CmdSetFileDisplayName; fixed {
		reason = "values of " + c.String() + " have fixed places for it"
	}
	r.differ(r.place(c, p), p.String()+" "+ours, p.String()+" "+theirs, reason)
}
