package cursor

import (
	"errors"
	"fmt"
	"strings"
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
// file:line:column in a text and file and offset elsewhere. Of a long finding, such as
// a cell that is quoted, it prints the beginning.
func (e *FormatError) Error() string {
	found := e.Found
	if len(found) > maxFound {
		found = fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(found[:maxFound], ""), len(found))
	}
	s := fmt.Sprintf("expected %s, found %s", e.Want, found)
	switch {
	case e.Line > 0 && e.File != "" && e.Column > 0:
		return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, s)
	case e.Line > 0 && e.File != "":
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, s)
	case e.Line > 0:
		return fmt.Sprintf("line %d: %s", e.Line, s)
	case e.File != "" && e.Offset < 0: // of the file as a whole
		return fmt.Sprintf("%s: %s", e.File, s)
	case e.File != "":
		return fmt.Sprintf("%s: offset %d: %s", e.File, e.Offset, s)
	}
	return fmt.Sprintf("offset %d: %s", e.Offset, s)
}

// maxFound is how much of a finding is printed, bytes.
const maxFound = 500

// Unwrap makes errors.Is find the sentinel.
func (e *FormatError) Unwrap() error { return e.Err }
