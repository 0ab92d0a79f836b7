package nvtxfilter

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
)

// ErrInvalid is wrapped by every [SyntaxError] about an expression that Nsight
// Compute rejects as well.
var ErrInvalid = errors.New("invalid NVTX filter")

// ErrUnsupported is wrapped by every [SyntaxError] about a regular expression
// that is beyond Go's linear-time dialect (look-around, back-references,
// possessive repeats, repeats over 1000); Nsight Compute may accept it.
var ErrUnsupported = errors.New("unsupported regular expression")

// A SyntaxError says where an expression departs from the grammar.
type SyntaxError struct {
	Expr   string // the whole expression
	Offset int    // in bytes, into Expr
	Want   string // what the grammar asks for there
	Found  string // what is there instead
	Err    error  // [ErrInvalid] or [ErrUnsupported]
}

// Error prints the expression, the offset, the expectation and the finding on
// one line.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("NVTX filter %q: offset %d: expected %s, found %s", e.Expr, e.Offset, e.Want, e.Found)
}

// Unwrap makes errors.Is find the sentinel.
func (e *SyntaxError) Unwrap() error { return e.Err }

// Vendor is the first line in which Nsight Compute rejects the expression, less
// its "==ERROR== "; option is the flag without dashes: nvtx-include or
// nvtx-exclude. It is empty where Nsight Compute may not reject it.
func (e *SyntaxError) Vendor(option string) string {
	if !errors.Is(e.Err, ErrInvalid) {
		return ""
	}
	return "Invalid configuration for " + option + " : " + e.Expr
}

// regexpError is an error of package regexp about p as one about the expression.
func regexpError(p piece, err error) *SyntaxError {
	e := &SyntaxError{Offset: p.off, Want: "a regular expression", Found: fmt.Sprintf("%q: %v", p.text, err), Err: ErrInvalid}
	var s *syntax.Error
	if !errors.As(err, &s) {
		return e
	}
	e.Found = fmt.Sprintf("%q: %s", s.Expr, s.Code)
	e.Offset += max(0, strings.Index(p.text, s.Expr))
	switch s.Code {
	case syntax.ErrInvalidRepeatOp:
		if !strings.HasSuffix(s.Expr, "+") { // "a*+" is a possessive repeat, "a**" nonsense
			return e
		}
		fallthrough
	case syntax.ErrInvalidPerlOp, syntax.ErrInvalidEscape, syntax.ErrInvalidNamedCapture, syntax.ErrInvalidRepeatSize,
		syntax.ErrNestingDepth, syntax.ErrLarge, syntax.ErrInvalidUTF8:
		e.Want, e.Err = "a regular expression in RE2 syntax", ErrUnsupported
	}
	return e
}
