package page

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/view"
)

// A Page is a page or report of gpuprof.
type Page struct {
	Name    string // of the command and of the page's address; a blank sets it below another command
	Aliases []string
	Short   string // one line of help
	Long    string // more help, or ""
	Example string // command lines, one a line
	Group   string // heading in the list of commands: one of the Group constants
	Args    string // operands in help, such as "FILE..."
	MinArgs int
	MaxArgs int  // -1: any number
	Load    bool // operands are profiles: Request.Files holds them opened
	Output  bool // the page writes the file of --output, or the folder of that name, itself: Request.Output
	Options []Option
	Build   func(context.Context, *Request) (*view.Document, error)

	// Export makes a report in place of a document, for outputs whose name ends
	// as reports do; nil: the page has none.
	Export func(context.Context, *Request) (io.WriterTo, error)

	// Parts, where set, tells of the reports that one request may ask for, each of
	// which can go to an output of its own and in a form of its own.
	Parts *Parts

	// Stream, where set, may write the output itself rather than build a
	// document: a table in, the same table out, whatever its length. It reports
	// whether the request was one of this kind.
	Stream func(context.Context, *Request, io.Writer) (bool, error)
}

// The groups of pages in help.
const (
	GroupRead     = "Pages of a profile"
	GroupNvtxt    = "Text annotations"
	GroupSim      = "Simulated memories"
	GroupInfo     = "About files and gpuprof"
	GroupSections = "Sections and metrics"
	GroupTool     = "Tools"
)

// A Request is what a face asks of a page.
type Request struct {
	Args   []string
	Files  []*load.File       // the operands opened, where Page.Load says so
	Format view.Format        // the document will be rendered so; csv may want another layout
	Note   func(string)       // tells the user something that is not part of the document; may be nil
	Step   func(done, of int) // reports progress of long work, of -1: not known; may be nil
	// Confine is the command that runs a program within bounds, for rules on the
	// user's own Python; nil if there is none.
	Confine []string

	Values map[string][]string // option values as given; absent: the default
	Output string              // file or folder to write, where Page.Output says so; "" for none
	page   *Page
}

// ErrUsage marks an error as a mistake in the request, not in a file.
var ErrUsage = errors.New("usage")

// ErrIncomplete marks an output that a page wrote whole but for parts that it
// told of in notes.
var ErrIncomplete = errors.New("incomplete")

// Usagef returns an error that wraps ErrUsage.
func Usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }
func (e *usageError) Unwrap() error { return ErrUsage }

func (q *Request) Notef(format string, args ...any) {
	if q.Note != nil {
		q.Note(fmt.Sprintf(format, args...))
	}
}

func (q *Request) Progress(done, of int) {
	if q.Step != nil {
		q.Step(done, of)
	}
}

// Write streams the output of a request to w where the page does so; done is
// false where Do shall build a document.
func (p *Page) Write(ctx context.Context, q *Request, w io.Writer) (done bool, err error) {
	if p.Stream == nil {
		return false, nil
	}
	if err := p.check(q); err != nil {
		return false, err
	}
	return p.Stream(ctx, q, w)
}

// Do checks the request against the options of p and builds the document.
func (p *Page) Do(ctx context.Context, q *Request) (*view.Document, error) {
	if err := p.check(q); err != nil {
		return nil, err
	}
	return p.Build(ctx, q)
}

// DoExport is Do for [Page.Export].
func (p *Page) DoExport(ctx context.Context, q *Request) (io.WriterTo, error) {
	if err := p.check(q); err != nil {
		return nil, err
	}
	return p.Export(ctx, q)
}

func (p *Page) check(q *Request) error {
	q.page = p
	for i := range p.Options {
		if err := p.Options[i].check(q.Values[p.Options[i].Name]); err != nil {
			return err
		}
	}
	return nil
}
