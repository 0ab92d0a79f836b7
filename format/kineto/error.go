package kineto

import (
	"errors"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// formatError says where a file departs from its format. Offsets count the
// bytes of the unpacked text.
type formatError = cursor.FormatError

// Causes that errors and problems wrap.
var (
	errTruncated = cursor.ErrTruncated
	errCorrupt   = cursor.ErrCorrupt
	errNotTrace  = errors.New("no trace of events") // sound JSON, or no JSON, that is something else
	errTooLarge  = errors.New("larger than the limit")
)

// mostProblems is how many problems are listed one by one.
const mostProblems = 50

// tell notes a problem at an offset of the window.
func (p *parser) tell(at int, want, found string, cause error) {
	if len(p.t.Problems) >= mostProblems {
		p.untold++
		return
	}
	p.t.Problems = append(p.t.Problems, &formatError{File: p.t.File, Offset: p.base + int64(at), Want: want, Found: found, Err: cause})
}
