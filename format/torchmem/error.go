package torchmem

import (
	"errors"
	"fmt"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// FormatError says where a file departs from its format. Offsets count the
// bytes of the unpacked pickle.
type FormatError = cursor.FormatError

// Causes that errors and problems wrap.
var (
	ErrTruncated   = cursor.ErrTruncated
	ErrCorrupt     = cursor.ErrCorrupt
	ErrRefused     = errors.New("refused: it would make or call an object")
	ErrNotSnapshot = errors.New("no memory snapshot")
	ErrTooLarge    = errors.New("larger than the limit")
)

// fail ends the reading with an error at the opcode at hand.
func (p *parser) fail(want, found string, cause error) {
	if p.err == nil {
		p.err = &FormatError{File: p.name, Offset: p.at, Want: want, Found: found, Err: cause}
	}
}

func (p *parser) corrupt(want, found string, args ...any) {
	p.fail(want, fmt.Sprintf(found, args...), ErrCorrupt)
}
