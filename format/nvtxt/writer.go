package nvtxt

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// WriterOptions say what a Writer writes.
type WriterOptions struct {
	// Dialect is that of the reader the file is meant for. With Nsys whatever
	// the importer of Nsight Systems cannot read is refused, and events without
	// a colour are given black, since colours stay in force for it.
	Dialect  Dialect
	TimeBase TimeBase // of all times; NoTimeBase is Manual
}

// Writer writes annotations as text, each as soon as it comes. Values that
// seldom change are written once, as variables: time base, process, thread. A
// Writer is not safe for use by several goroutines.
//
// The language has no escapes. Texts that cannot stand between quotes (with a
// line break, with both kinds of quotes, or a backslash at the end) are
// escaped after a comment that tells [Guide] so; other readers show the
// escapes.
type Writer struct {
	w    *bufio.Writer
	opt  WriterOptions
	line []byte
	err  error

	begun   bool
	escapes bool
	static  [numParams]struct {
		set   bool
		value uint32
	}
	inline  ParamSet // of ProcessId and ThreadId: written with every call
	events  int
	changes [numParams]int // of the static value
	defs    [numCommands]ParamSet
	defined [numCommands]bool
}

// NewWriter returns a Writer to w. Call [Writer.Flush] at the end.
func NewWriter(w io.Writer, opt WriterOptions) *Writer {
	if opt.TimeBase == NoTimeBase {
		opt.TimeBase = Manual
	}
	return &Writer{w: bufio.NewWriterSize(w, 64<<10), opt: opt}
}

// Flush writes what is buffered and returns the first error of the writer
// below, if any.
func (w *Writer) Flush() error {
	if w.err == nil {
		w.err = w.w.Flush()
	}
	return w.err
}

// Err returns the first error of the writer below, if any.
func (w *Writer) Err() error { return w.err }

// Comment writes a comment line for each line of text.
func (w *Writer) Comment(text string) error {
	for l := range strings.SplitSeq(strings.ReplaceAll(text, "\r", "\n"), "\n") {
		w.line = append(w.line, "# "...)
		w.line = append(w.line, l...)
		w.line = append(w.line, '\n')
	}
	return w.emit()
}

// SetFileDisplayName names the file on the timeline.
func (w *Writer) SetFileDisplayName(name string) error {
	return w.named(CmdSetFileDisplayName, name)
}

// SetFileDisplayColor colours the file's rows; ARGB.
func (w *Writer) SetFileDisplayColor(argb uint32) error {
	if w.opt.Dialect == Nsys {
		return errors.New("SetFileDisplayColor is unknown to the importer of Nsight Systems")
	}
	w.line = append(w.line, "@SetFileDisplayColor, Color\nSetFileDisplayColor, "...)
	w.line = append(appendColor(w.line, argb), '\n')
	return w.emit()
}

// NameProcess names a process.
func (w *Writer) NameProcess(process uint32, name string) error {
	return w.named(CmdNameProcess, name, process)
}

// NameOsThread names a thread.
func (w *Writer) NameOsThread(process, thread uint32, name string) error {
	return w.named(CmdNameOsThread, name, process, thread)
}

// NameCategory names a category of a process.
func (w *Writer) NameCategory(process, category uint32, name string) error {
	if w.opt.Dialect == Nsys {
		return errors.New("NameCategory is unknown to the importer of Nsight Systems")
	}
	if !w.defined[CmdNameCategory] {
		w.defined[CmdNameCategory] = true
		w.line = append(w.line, "@NameCategory, ProcessId, CategoryId, Name\n"...)
	}
	return w.named(CmdNameCategory, name, process, category)
}

func (w *Writer) named(c Command, name string, ids ...uint32) error {
	if err := w.check(name, ids...); err != nil {
		w.line = w.line[:0]
		return err
	}
	w.escape(name)
	w.line = append(w.line, commands[c].name...)
	for _, id := range ids {
		w.line = append(w.line, ", "...)
		w.line = strconv.AppendUint(w.line, uint64(id), 10)
	}
	w.line = append(w.line, ", "...)
	w.line = append(appendQuoted(w.line, name, w.escapes), '\n')
	return w.emit()
}

// Event writes a marker, or a whole range: an open one as its beginning only,
// a push/pop range as a push and its pop, which need no nesting since pairs
// are made in file order.
func (w *Writer) Event(e *Event) error {
	if w.err != nil {
		return w.err
	}
	if err := w.checkEvent(e); err != nil {
		return err
	}
	switch e.Type {
	case TypeMarker:
		w.call(CmdMarker, e, e.Start)
	case TypePushPopRange:
		w.call(CmdRangePush, e, e.Start)
		if !e.Open {
			w.call(CmdRangePop, e, e.End)
		}
	case TypeStartEndRange:
		if !e.HasID && !e.Open {
			w.call(CmdRangeStartEnd, e, e.Start)
			break
		}
		w.call(CmdRangeStart, e, e.Start)
		if !e.Open {
			w.call(CmdRangeEnd, e, e.End)
		}
	}
	return w.emit()
}

// Marker writes an instant.
func (w *Writer) Marker(time int64, process, thread uint32, text string) error {
	return w.Event(&Event{Type: TypeMarker, Start: time, End: time, Process: process, Thread: thread, Text: text})
}

// Range writes a range that may overlap others.
func (w *Writer) Range(start, end int64, process, thread uint32, text string) error {
	return w.Event(&Event{Type: TypeStartEndRange, Start: start, End: end, Process: process, Thread: thread, Text: text})
}

// Push begins a range that the next matching [Writer.Pop] of the thread ends.
func (w *Writer) Push(time int64, process, thread uint32, text string) error {
	return w.Event(&Event{Type: TypePushPopRange, Start: time, End: time, Process: process, Thread: thread, Text: text, Open: true})
}

// Pop ends the range that the thread pushed last.
func (w *Writer) Pop(time int64, process, thread uint32) error {
	if w.err != nil {
		return w.err
	}
	e := &Event{Type: TypePushPopRange, Start: time, End: time, Process: process, Thread: thread}
	if err := w.checkEvent(e); err != nil {
		return err
	}
	w.call(CmdRangePop, e, time)
	return w.emit()
}

// checkEvent refuses what no reader, or not the reader meant, would take.
func (w *Writer) checkEvent(e *Event) error {
	if !e.writable() {
		return fmt.Errorf("%v cannot be written as an event", e.Type)
	}
	if e.Type != TypeMarker && !e.Open && e.End < e.Start {
		return fmt.Errorf("the range %q ends at %d, before its start at %d", e.Text, e.End, e.Start)
	}
	if e.Payload.Kind == FloatPayload && (math.IsNaN(e.Payload.Float()) || math.IsInf(e.Payload.Float(), 0)) {
		return fmt.Errorf("the payload %v has no literal", e.Payload.Float())
	}
	if w.opt.Dialect == Nsys {
		switch {
		case e.Start < 0:
			return fmt.Errorf("the time %d is below 0", e.Start)
		case e.Type == TypeStartEndRange && e.Open || e.HasID:
			return errors.New("RangeStart and RangeEnd are unknown to the importer of Nsight Systems")
		case e.Type == TypeStartEndRange && e.Start == e.End:
			return fmt.Errorf("the importer of Nsight Systems skips a start/end range without length, such as %q", e.Text)
		case e.Payload.Kind == FloatPayload:
			return fmt.Errorf("the importer of Nsight Systems takes no floating-point payload, got %v", e.Payload.Float())
		}
	}
	return w.check(e.Text, e.Process, e.Thread)
}

// check looks at a text and at ids as Nsys has them.
func (w *Writer) check(text string, ids ...uint32) error {
	if w.opt.Dialect == Nsys {
		if n := len(appendQuoted(nil, text, w.escapes || mustEscape(text))) - 2; n > maxNsysText {
			return fmt.Errorf("the text %s has %d bytes: expected at most %d", QuoteName(text), n, maxNsysText)
		}
		for i, id := range ids {
			if id > maxNsysID && i < 2 {
				return fmt.Errorf("the id %d needs more than 24 bits", id)
			}
		}
	}
	if len(text) > MaxLine/8 {
		return fmt.Errorf("the text %s has %d bytes: expected at most %d", QuoteName(text), len(text), MaxLine/8)
	}
	return nil
}

func mustEscape(text string) bool {
	e, _ := needsEscape(text)
	return e
}

// emit passes on what is in w.line.
func (w *Writer) emit() error {
	if w.err == nil {
		_, w.err = w.w.Write(w.line)
	}
	w.line = w.line[:0]
	return w.err
}

// escape writes the comment that announces escapes when text is the first to
// need them. From then on backslashes are always escaped.
func (w *Writer) escape(text string) {
	if !w.escapes && mustEscape(text) {
		w.escapes = true
		w.line = append(append(w.line, escapeLine...), '\n')
	}
}
