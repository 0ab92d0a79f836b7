package ncurep

import (
	"errors"
	"fmt"

	"github.com/gpuprof/gpuprof/format/internal/cursor"
)

// Problems lists the defects met while decoding. Everything sound beside them
// is kept, so a function may return both data and Problems. It holds at most
// maxProblems entries.
type Problems []*formatError

// maxProblems bounds the length of a Problems list: a report that is broken in
// more places is not worth a longer list.
const maxProblems = 100

// Error prints the first defect and how many more there are.
func (p Problems) Error() string {
	switch len(p) {
	case 0:
		return "no problems"
	case 1:
		return p[0].Error()
	}
	return fmt.Sprintf("%v (and %d more)", p[0], len(p)-1)
}

// Unwrap gives errors.Is and errors.As every defect.
func (p Problems) Unwrap() []error {
	errs := make([]error, len(p))
	for i, e := range p {
		errs[i] = e
	}
	return errs
}

// add appends err; what is not a FormatError (a failed read) is wrapped in one.
func (p *Problems) add(err error) {
	if len(*p) >= maxProblems {
		return
	}
	var fe *formatError
	if !errors.As(err, &fe) {
		fe = &formatError{Want: "readable input", Found: err.Error(), Err: err}
	}
	*p = append(*p, fe)
}

// join appends the defects in err, which may be nil, a Problems or any error.
func (p *Problems) join(err error) {
	var list Problems
	switch {
	case err == nil:
	case errors.As(err, &list):
		for _, e := range list {
			p.add(e)
		}
	default:
		p.add(err)
	}
}

func (p *Problems) addf(file string, off int64, want, found string, args ...any) {
	if len(*p) >= maxProblems {
		return
	}
	p.add(&formatError{File: file, Offset: off, Want: want, Found: fmt.Sprintf(found, args...), Err: cursor.ErrCorrupt})
}

// err returns p as an error: nil if there is nothing in it.
func (p Problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return p
}
