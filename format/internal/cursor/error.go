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
	Want   string // what the format asks for at this place
	Found  string // what is there instead
	Err    error  // [ErrTruncated], [ErrCorrupt] or a more special cause
}

// Error prints file, offset, expectation and finding on one line.
func (e *FormatError) Error() string {
	s := fmt.Sprintf("offset %d: expected %s, found %s", e.Offset, e.Want, e.Found)
	if e.File != "" {
		s = e.File + ": " + s
	}
	return s
}

// Unwrap makes errors.Is find the sentinel.
func (e *FormatError) Unwrap() error { return e.Err }
