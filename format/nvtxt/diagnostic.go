package nvtxt

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// FormatError says where a file departs from its format by byte offset. Every
// [Diagnostic] unwraps to one.
type FormatError = cursor.FormatError

// Class tells at which stage a message arose.
type Class uint8

// The stages of reading, in their order.
const (
	Lexing  Class = iota // characters do not form words, strings, integers; an undefined variable
	Parsing              // words do not form an instruction; wrong names, types, number of values
	Loading              // the instruction is well formed but its event cannot be placed
)

// String returns "lexing", "parsing" or "loading".
func (c Class) String() string {
	switch c {
	case Lexing:
		return "lexing"
	case Parsing:
		return "parsing"
	case Loading:
		return "loading"
	}
	return fmt.Sprintf("Class(%d)", uint8(c))
}

// Severity ranks messages.
type Severity uint8

const (
	// Error: what the line says is lost, or a part of it.
	Error Severity = iota
	// Warning: the line is read, but perhaps not as it was meant.
	Warning
	// Note: the line is sound in the documented language; the importer of
	// Nsight Systems would refuse it or read it otherwise.
	Note
	numSeverities = iota
)

// String returns "error", "warning" or "note".
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	case Note:
		return "note"
	}
	return fmt.Sprintf("Severity(%d)", uint8(s))
}

// Diagnostic is one message about one line of a file.
type Diagnostic struct {
	File     string
	Line     int   // from 1; 0 for a message about the whole file
	Col      int   // byte of the line, from 1; 0 when it is about the whole line
	Offset   int64 // of the place in the file
	Class    Class
	Severity Severity
	Found    string // what is wrong
	Want     string // what was expected; may be empty
	Source   string // the line, or the part of it around Col
	Repeats  int    // of a note: further lines of which it is said
	caret    int    // byte in Source that Col names, plus one; 0 for none
}

// Error prints place, class, severity, finding and expectation on one line.
func (d *Diagnostic) Error() string {
	var sb strings.Builder
	if d.File != "" {
		sb.WriteString(d.File)
		sb.WriteByte(':')
	}
	if d.Line > 0 {
		fmt.Fprintf(&sb, "%d:", d.Line)
		if d.Col > 0 {
			fmt.Fprintf(&sb, "%d:", d.Col)
		}
	}
	if sb.Len() > 0 {
		sb.WriteByte(' ')
	}
	if d.Severity == Note {
		sb.WriteString("note: ")
	} else {
		fmt.Fprintf(&sb, "%s %s: ", d.Class, d.Severity)
	}
	sb.WriteString(d.Found)
	if d.Want != "" {
		sb.WriteString("; expected ")
		sb.WriteString(d.Want)
	}
	if d.Repeats > 0 {
		fmt.Fprintf(&sb, " (and %d more lines like it)", d.Repeats)
	}
	return sb.String()
}

// Unwrap gives the same place as a byte offset.
func (d *Diagnostic) Unwrap() error {
	return &FormatError{File: d.File, Offset: d.Offset, Want: d.Want, Found: d.Found, Err: cursor.ErrCorrupt}
}

// Caret returns the source line and below it a line with a caret under the
// place; "" if there is no place.
func (d *Diagnostic) Caret() string {
	if d.Source == "" {
		return ""
	}
	if d.caret == 0 {
		return d.Source + "\n"
	}
	var pad strings.Builder
	for _, r := range d.Source[:min(d.caret-1, len(d.Source))] {
		if r == '\t' {
			pad.WriteByte('\t')
		} else {
			pad.WriteByte(' ')
		}
	}
	return d.Source + "\n" + pad.String() + "^\n"
}

// sourceWindow is how much of a long line a message shows.
const sourceWindow = 120

// clip cuts line to about sourceWindow bytes around pos, makes it printable
// and returns where pos is in the result, plus one; 0 where pos is -1.
func clip(line []byte, pos int) (src string, caret int) {
	lo, hi := 0, len(line)
	if hi > sourceWindow {
		lo = max(0, min(pos-sourceWindow/2, hi-sourceWindow))
		hi = lo + sourceWindow
	}
	for lo > 0 && lo < len(line) && !utf8.RuneStart(line[lo]) {
		lo++
	}
	var sb strings.Builder
	caret = -1
	if lo > 0 {
		sb.WriteString("…")
	}
	for i := lo; i < hi; {
		if i >= pos && caret < 0 && pos >= 0 {
			caret = sb.Len()
		}
		r, n := utf8.DecodeRune(line[i:])
		switch {
		case r == utf8.RuneError && n == 1, r < ' ' && r != '\t', r == 0x7f:
			sb.WriteRune('�')
		default:
			sb.WriteRune(r)
		}
		i += n
	}
	if caret < 0 && pos >= 0 {
		caret = sb.Len()
	}
	if hi < len(line) {
		sb.WriteString("…")
	}
	return sb.String(), caret + 1
}

// MaxMessages is how many messages of a file are kept and printed; the others
// are counted.
const MaxMessages = 1000

// Diagnostics collects the messages of one file.
type Diagnostics struct {
	kept  [numSeverities][]Diagnostic // at most MaxMessages each, in file order
	count [numSeverities]int
	alike map[string]int // place in kept of a note, by what it says
}

// Count returns how many messages of a severity there were, kept or not.
func (ds *Diagnostics) Count(s Severity) int { return ds.count[s] }

// Total returns how many messages there were.
func (ds *Diagnostics) Total() int { return ds.count[Error] + ds.count[Warning] + ds.count[Note] }

// Err returns the first error, or nil if the file has none.
func (ds *Diagnostics) Err() error {
	if len(ds.kept[Error]) == 0 {
		return nil
	}
	return &ds.kept[Error][0]
}

// Failed reports whether the file is in error; with werror warnings are errors.
func (ds *Diagnostics) Failed(werror bool) bool {
	return ds.count[Error] > 0 || werror && ds.count[Warning] > 0
}

// Messages returns at most [MaxMessages] messages in file order. Where there
// are more, errors have precedence over warnings and these over notes.
func (ds *Diagnostics) Messages() []Diagnostic {
	var all []Diagnostic
	for _, kept := range ds.kept {
		all = append(all, kept[:min(len(kept), MaxMessages-len(all))]...)
	}
	slices.SortStableFunc(all, func(a, b Diagnostic) int { return a.Line - b.Line })
	return all
}

// Dropped returns how many messages [Diagnostics.Messages] leaves out.
func (ds *Diagnostics) Dropped() int {
	repeated := 0
	for i := range ds.kept[Note] {
		repeated += ds.kept[Note][i].Repeats
	}
	return max(0, ds.Total()-repeated-MaxMessages)
}

// WriteText prints the messages with their source lines and carets, and how
// many there were of each severity.
func (ds *Diagnostics) WriteText(w io.Writer) error {
	for _, d := range ds.Messages() {
		if _, err := fmt.Fprintf(w, "%s\n%s", d.Error(), indent(d.Caret())); err != nil {
			return err
		}
	}
	if n := ds.Dropped(); n > 0 {
		_, err := fmt.Fprintf(w, "%d more messages not shown (%d errors, %d warnings, %d notes in all)\n",
			n, ds.count[Error], ds.count[Warning], ds.count[Note])
		return err
	}
	return nil
}

func indent(s string) string {
	if s == "" {
		return ""
	}
	return "    " + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n    ") + "\n"
}

// room reports whether a message of this severity would be kept.
func (ds *Diagnostics) room(s Severity) bool { return len(ds.kept[s]) < MaxMessages }

// Full counts a message that would not be kept and so need not be made, and
// reports whether that is so.
func (ds *Diagnostics) Full(s Severity) bool {
	if ds.room(s) {
		return false
	}
	ds.count[s]++
	return true
}

// Add counts a message, and keeps it if there is room. line is the one it is
// about, nil where it is not at hand; see [Diagnostics.Quote].
func (ds *Diagnostics) Add(d Diagnostic, line []byte) {
	if d.Severity == Note { // said once, with the number of lines that it is said of
		key := d.Found + "\x00" + d.Want
		if k, ok := ds.alike[key]; ok {
			ds.kept[Note][k].Repeats++
			ds.count[Note]++
			return
		}
		if ds.alike == nil {
			ds.alike = map[string]int{}
		}
		if ds.room(Note) {
			ds.alike[key] = len(ds.kept[Note])
		}
	}
	if ds.room(d.Severity) {
		if line != nil {
			d.Source, d.caret = clip(line, d.Col-1)
		}
		ds.kept[d.Severity] = append(ds.kept[d.Severity], d)
	}
	ds.count[d.Severity]++
}

// fault is a message before file, line and source are known.
type fault struct {
	class    Class
	severity Severity
	pos      int // byte in the line; -1 when it is about the whole line
	found    string
	want     string
	late     bool // Nsys: found only after the whole file has been read once
}
