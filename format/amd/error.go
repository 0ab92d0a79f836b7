package amd

import (
	"errors"
	"fmt"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// A FormatError says on which line a file departs from its format.
type FormatError = cursor.FormatError

// ErrTruncated is wrapped by problems whose cause is that the file ends early.
var ErrTruncated = cursor.ErrTruncated

// ErrCorrupt is wrapped by problems whose cause is a line that no sound file
// can hold.
var ErrCorrupt = cursor.ErrCorrupt

// ErrFrameAnalysis is wrapped by the error for a trace of CodeXL's frame
// analysis of DirectX 12 and Vulkan, another format of the same name.
var ErrFrameAnalysis = errors.New("frame analysis traces are not read")

// maxProblems bounds the list of problems of a file; a last entry says how many
// more there are.
const maxProblems = 1000

// problems collects what is wrong with a file.
type problems struct {
	file string
	list []*FormatError
	more int
	last int // line of the last one that did not fit
}

func (p *problems) add(cause error, line int, off int64, want, found string, args ...any) {
	if len(p.list) >= maxProblems {
		p.more++
		p.last = line
		return
	}
	if len(args) > 0 {
		found = fmt.Sprintf(found, args...)
	}
	p.list = append(p.list, &FormatError{File: p.file, Offset: off, Line: line, Want: want, Found: found, Err: cause})
}

// tell adds a problem that is listed however many there are.
func (p *problems) tell(cause error, line int, want, found string, args ...any) {
	p.list = append(p.list, &FormatError{File: p.file, Line: line, Want: want, Found: fmt.Sprintf(found, args...), Err: cause})
}

// done returns the list.
func (p *problems) done() []*FormatError {
	if p.more > 0 {
		p.list = append(p.list, &FormatError{File: p.file, Line: p.last, Want: "a sound file",
			Found: fmt.Sprintf("%d problems more than the %d listed, the last here", p.more, maxProblems), Err: ErrCorrupt})
	}
	return p.list
}

// quote shortens a line for a message.
func quote(s string) string {
	if len(s) > 60 {
		return fmt.Sprintf("%q…", s[:60])
	}
	return fmt.Sprintf("%q", s)
}
