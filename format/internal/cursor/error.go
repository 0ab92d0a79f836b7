package cursor

import (
	"errors"
	"fmt"
)

// ErrTruncated is wrapped by every [FormatError] whose cause is that the bytes
// ended before the value did.
var ErrTruncated = errors.New("input ends too early")

// ErrCorrupt is wrapped by every [FormatError] whose cause is a value that no
// sound file can hold.
var ErrCorrupt = errors.New("malformed input")

// FormatError says where a file departs from its format. Format packages export
// it under their own name as an alias.
type FormatError struct {
	File   string // name of the input as the caller gave it; may be empty
	Offset int64  // byte offset in the (decompressed) input
	Line   int    // line of a text format, from 1; 0 where the format is binary
	Column int    // byte in the line, from 1; 0: the whole line
	Want   string // what the format asks for at this place
	Found  string // what is there instead
	Err    error  // [ErrTruncated], [ErrCorrupt] or a more special cause
}

// Error prints place, expectation and finding on one line. The place is
// file:line:column in a text and file and offset elsewhere.
func (e *FormatError) Error() string {
	s := fmt.Sprintf("expected %s, found %s", e.Want, e.Found)
	switch {
	case e.Line > 0 && e.File != "" && e.Column > 0:
		return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, s)
	case e.Line > 0 && e.File != "":
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, s)
	case e.Line > 0:
		return fmt.Sprintf("line %d: %s", e.Line, s)
	case e.File != "":
		return fmt.Sprintf("%s: offset %d: %s", e.File, e.Offset, s)
	}
	return fmt.Sprintf("offset %d: %s", e.Offset, s)
}

// Unwrap makes errors.Is find the sentinel.
func (e *FormatError) Unwrap() error { return e.Err }
