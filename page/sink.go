package page

import (
	"context"
	"io"

	"github.com/gpuprof/gpuprof/view"
)

// A Sink is where the answer to a request goes: a terminal and files, a response,
// the answer of a tool. Run uses it from one goroutine, but for Progress.
type Sink interface {
	Note(text string)      // tells the user something that is no part of the answer
	Progress(done, of int) // of long work; of -1: not known
	// Put takes an answer: one for most requests, several where parts go each its
	// own way. It calls Answer.Write and returns its error, or its own.
	Put(context.Context, *Answer) error
}

// An Answer goes to one place.
type Answer struct {
	Output string      // a file, or @COMMAND to pipe to a command; "": the sink's own place
	Format view.Format // of a document; "": something else
	// Write writes the answer. Look sets how the place wants documents to look, such
	// as the width of a terminal; it may be nil.
	Write func(w io.Writer, look func(*view.Options)) error
}

// A writer remembers the error of another, to tell it from those of what is
// written.
type writer struct {
	to  io.Writer
	err error
}

func (w *writer) Write(b []byte) (int, error) {
	n, err := w.to.Write(b)
	if err != nil {
		w.err = err
	}
	return n, err
}
