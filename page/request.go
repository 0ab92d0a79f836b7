package page

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/view"
)

// A Request is what a face asks of a page, and what Run lays beside it for the
// page's builder.
type Request struct {
	// What a face asks.
	Page    *Page
	Args    []string            // operands
	Before  int                 // of them stand before a --, where Page.Sides says so; 0: there was none
	Values  map[string][]string // option values as given; absent: the default
	Forms   []string            // of the output: text, csv, json, md; none: text; for Page.Parts see there
	Outputs []string            // where to; none or "-": the face's own place
	Replace bool                // outputs that exist are replaced; else they are an error

	// What Run lays beside it.
	Files  []*load.File       // the operands opened, unless the page says Unopened
	Format view.Format        // the document will be rendered so
	Output string             // file or folder to write, where Page.Output says so; "" for none
	Note   func(string)       // tells the user something that is not part of the document; may be nil
	Step   func(done, of int) // reports progress of long work, of -1: not known; may be nil
	// Overlay is what the request adds to the launches of Files, such as what rules say.
	Overlay *profile.Overlay
	// MaxUnpacked is load.Options.MaxUnpacked, for pages that open files of their own.
	MaxUnpacked int64
	// Confine is the command that runs a program within bounds, for rules on the
	// user's own Python; nil if there is none.
	Confine []string

	damaged func() // the answer lacks a part of an input
	open    func(ctx context.Context, name string) (*load.File, error)
	fill    func(ctx context.Context, output string, write func(io.Writer) error) error
}

// Notef tells the user something that is not part of the document.
func (q *Request) Notef(format string, args ...any) {
	if q.Note != nil {
		q.Note(fmt.Sprintf(format, args...))
	}
}

// Whole reports whether who reads the answer takes all that there is, as programs do,
// and not what a screen has room for. Pages ask it before they make what only
// programs read: every metric of a line, every instance. How it looks they leave to package view.
func (q *Request) Whole() bool { return q.Format == view.FormatJSON }

// Saidf is Notef of what messages of the document say, where it is written in a form
// that has tables alone.
func (q *Request) Saidf(format string, args ...any) {
	if q.Format == view.FormatCSV {
		q.Notef(format, args...)
	}
}

// InText is a [Page.Streams]: the answer is a text, which is written as it is unless
// another form is asked for.
func InText(q *Request) bool { return q.Format == view.FormatText }

// Damage tells of a part of an input that cannot be read, if err is not nil: the
// answer shows what is sound, and the status says that it lacks something.
func (q *Request) Damage(err error) {
	if err == nil {
		return
	}
	q.Notef("%v", err)
	if q.damaged != nil {
		q.damaged()
	}
}

// Progress reports how far long work is; of -1: not known.
func (q *Request) Progress(done, of int) {
	if q.Step != nil {
		q.Step(done, of)
	}
}

// Open opens a profile that the request names, for pages that say Unopened and
// for options. It is closed when the request has been answered.
func (q *Request) Open(ctx context.Context, name string) (*load.File, error) {
	if q.open == nil { // no Run
		return load.Open(ctx, name)
	}
	return q.open(ctx, name)
}

// Write sends a further output, beside what the page answers and before it: name is
// that of a file, which appears only when it is whole, or "" or "-" for the place of
// the face, such as lines that a build server reads off a terminal. It is how a page
// has several outputs of several kinds in one request. Options that name files are
// not for remote faces; their sinks take none.
func (q *Request) Write(ctx context.Context, name string, write func(io.Writer) error) error {
	switch {
	case q.fill == nil: // no Run
		return Unwritten(errors.New(name + ": only a request that is run has outputs of its own"))
	case name == "-":
		name = ""
	}
	return q.fill(ctx, name, write)
}
