package nsysdb

import (
	"errors"
	"fmt"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// formatError says where a file departs from its format.
type formatError = cursor.FormatError

// errUnsupported is wrapped by the errors about sound databases that this
// package does not read: text in UTF-16, tables WITHOUT ROWID, open journals.
var errUnsupported = errors.New("not supported")

// Errors of the causes that FormatError wraps.
var (
	errTruncated = cursor.ErrTruncated // the file ends before the page does
	errCorrupt   = cursor.ErrCorrupt   // no sound database says that
)

// corrupt returns an error about the bytes at an offset of the file.
func (f *File) corrupt(offset int64, want, found string, args ...any) *formatError {
	return &formatError{File: f.Name, Offset: offset, Want: want, Found: fmt.Sprintf(found, args...), Err: errCorrupt}
}
