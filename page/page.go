package page

import (
	"context"
	"io"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/view"
)

// A Page is a page or report of gpuprof: the one row from which the command line
// has its command, the shell its completion, the viewer its entry and docs/json.md
// its line.
type Page struct {
	Name    string // of the command and of the page's address; a blank sets it below another command
	Aliases []string
	Title   string // in the viewer's list; "": Name with a capital letter
	Short   string // one line of help
	Long    string // more help, or ""
	Example string // command lines, one a line
	Group   string // heading in the list of commands: one of the Group constants
	Options []Option

	// Operands: how many there are, and what they are called in help.
	Args    string // such as "FILE..."
	MinArgs int
	MaxArgs int // -1: any number
	// Sides says that operands before and behind a -- are two sides, which
	// Request.Before divides.
	Sides bool

	// Needs is what a file must hold, any one of it, for the page to be of use:
	// the viewer offers the page for such files. Nothing: the page is about no file.
	Needs load.Kinds
	// Unopened says that operands are more than profiles to open: names, SQL, logs
	// of any size, folders or patterns of files. The page finds them in Request.Args,
	// and opens profiles among them by Request.Open. For other pages Run opens all
	// operands, and they are in Request.Files.
	Unopened bool
	// Outline says that the page asks how much files hold and little else: see
	// load.Options.
	Outline bool

	// Build makes the document.
	Build Builder
	// CSV makes the document that is rendered as csv, where that is another one by
	// the contract of the vendor's tool whose csv it is, or has a row for each of what others
	// gather; nil: there is one document.
	CSV Builder
	// Parts, where set, are reports of which the document is composed, each of which
	// can also go to an output of its own and in a form of its own. Build is nil.
	Parts *Parts
	// Report makes a report in place of a document, for outputs whose names end as
	// reports do; nil: the page makes none.
	Report func(context.Context, *Request) (io.WriterTo, error)
	// Stream writes an answer that is no document, for requests for which Streams
	// holds: a picture, a text of any length.
	Stream  func(context.Context, *Request, io.Writer) error
	Streams func(*Request) bool
	// Output says what the output of a request is to the page.
	Output Output

	// First are option values with which a viewer first asks for the page, and an
	// exported file holds it, where they differ from the defaults.
	First map[string][]string
	// Console says that the page shows nothing until it is asked something: a file
	// that a viewer exports has no such page.
	Console bool
}

// A Builder makes the document of a page.
type Builder = func(context.Context, *Request) (*view.Document, error)

// Output is what the output of a request is to a page.
type Output uint8

// The kinds of outputs.
const (
	Rendered  Output = iota // the document goes there
	OwnFile                 // the page writes the file itself: Request.Output
	OwnFolder               // the page writes files into the folder itself: Request.Output
	OneText                 // what Stream writes goes there; the page has no other forms
)

// The groups of pages in help.
const (
	GroupRead     = "Pages of a profile"
	GroupNvtxt    = "Text annotations"
	GroupSim      = "Simulated memories"
	GroupInfo     = "About files and gpuprof"
	GroupSections = "Sections and metrics"
	GroupTool     = "Tools"
	GroupFleet    = "Many inputs, many machines"
)

// Heading is the title of the page.
func (p *Page) Heading() string {
	if p.Title != "" || p.Name == "" {
		return p.Title
	}
	return strings.ToUpper(p.Name[:1]) + p.Name[1:]
}

// Remote reports whether a face that names no files but opened ones, such as the
// viewer, can show the page.
func (p *Page) Remote() bool {
	return (p.Output == Rendered || p.Output == OwnFolder) && (p.Needs != load.Nothing || p.MinArgs == 0)
}

// Option is the option of a name, or nil.
func (p *Page) Option(name string) *Option {
	for i := range p.Options {
		if p.Options[i].Name == name {
			return &p.Options[i]
		}
	}
	return nil
}

// check finds mistakes in a request.
func (p *Page) check(q *Request) error {
	switch {
	case len(q.Args) < p.MinArgs:
		if len(q.Args) > 0 {
			return Usagef("%s: expected %s, found %d alone", p.Name, p.Args, len(q.Args))
		}
		return Usagef("%s: expected %s, found nothing", p.Name, p.Args)
	case p.MaxArgs >= 0 && len(q.Args) > p.MaxArgs:
		return Usagef("%s: %d operands, at most %d expected", p.Name, len(q.Args), p.MaxArgs)
	}
	return p.checkOptions(q)
}

func (p *Page) checkOptions(q *Request) error {
	for i := range p.Options {
		if err := p.Options[i].check(q.Values[p.Options[i].Name]); err != nil {
			return err
		}
	}
	return nil
}
