package page

import (
	"context"
	"errors"
	"fmt"
)

// Errors of Run match one of these, or are those of a context that ended.
var (
	ErrUsage  = errors.New("usage")  // a mistake in the request, not in a file
	ErrInput  = errors.New("input")  // an input that cannot be read or shown
	ErrOutput = errors.New("output") // an output that could not be written
)

// Errors with which a Stream says how its whole output is to be taken.
var (
	ErrFinding    = errors.New("finding")    // it found what it was asked to look for
	ErrIncomplete = errors.New("incomplete") // but for parts that it told of in notes
)

// Usagef returns an error that wraps ErrUsage.
func Usagef(format string, args ...any) error {
	return &kindError{fmt.Errorf(format, args...), ErrUsage}
}

// kindError is an error of a kind that it does not name.
type kindError struct {
	error
	kind error
}

func (e *kindError) Unwrap() []error { return []error{e.error, e.kind} }

func marked(err error) bool {
	return errors.Is(err, ErrUsage) || errors.Is(err, ErrInput) || errors.Is(err, ErrOutput)
}

// Status is what a request found, beside its answer. The graver is the greater.
type Status uint8

// The statuses.
const (
	Fine       Status = iota
	Finding           // what it was asked to look for, or parts of an input that cannot be read
	Incomplete        // the answer lacks parts
	Undecided         // a check that cannot tell
)

// Unread marks an error of an input.
func Unread(err error) error {
	if err == nil || marked(err) || errors.Is(err, context.Canceled) {
		return err
	}
	return &kindError{err, ErrInput}
}

// Unwritten marks an error of an output, such as a file that a page writes itself.
func Unwritten(err error) error {
	if err == nil || marked(err) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrOutput, err)
}
