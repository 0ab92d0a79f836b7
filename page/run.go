package page

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/view"
)

// A Runner answers requests: the one road from a request to its answer. The zero
// Runner opens files by their names.
type Runner struct {
	// Open opens the profile of an operand and tells what releases it, which may be
	// nil. Its face has told of what in the file cannot be read. Nil: load.Open, and
	// Run tells.
	Open func(ctx context.Context, name string) (*load.File, func() error, error)
	// MaxUnpacked is load.Options.MaxUnpacked of what is opened by name.
	MaxUnpacked int64
	// Alone is load.Options.Alone of them.
	Alone bool
	// Confine is Request.Confine.
	Confine []string
	// Debug notes the stacks of internal errors where others go on.
	Debug bool
}

// Run answers a request with the zero Runner.
func Run(ctx context.Context, q Request, to Sink) (Status, error) {
	return new(Runner).Run(ctx, q, to)
}

// Run answers a request: it checks it, opens and joins the files, tells of what is
// wrong with them, has the page's builder make the document, and hands that, or
// what else the page makes, to the sink. An error matches one of ErrUsage,
// ErrInput and ErrOutput, is an *InternalError, or that of a context that ended.
//
// Whatever a page does, it does below this call: here is the place for what
// concerns all of them.
func (r *Runner) Run(ctx context.Context, q Request, to Sink) (Status, error) {
	w := &work{Runner: r, Request: &q, to: to}
	defer w.release()
	err := w.guard(q.Args, func() error { return w.answer(ctx) })
	if err == nil {
		err = w.unread
	}
	return w.status, err
}

// work is the state of answering a request.
type work struct {
	*Runner
	*Request
	to       Sink
	status   Status
	unread   error // of a file of which the answer could show little
	releases []func() error
}

func (w *work) worsen(s Status) { w.status = max(w.status, s) }

func (w *work) answer(ctx context.Context) error {
	p := w.Page
	w.Overlay = &profile.Overlay{}
	told := &notes{to: w.to.Note}
	defer told.end()
	w.Note, w.Step, w.Request.Confine, w.Request.open, w.Request.fill = told.add, w.to.Progress, w.Runner.Confine, w.openOne, w.fill
	w.damaged = func() { w.worsen(Finding) }
	w.Request.MaxUnpacked = w.Runner.MaxUnpacked
	if err := p.check(w.Request); err != nil {
		return err
	}
	if p.Parts != nil {
		form, output, ok := whole(w.Forms, w.Outputs)
		if !ok {
			return w.split(ctx)
		}
		w.Forms, w.Outputs = []string{form}, []string{output}
	}
	output, err := w.one()
	if err != nil {
		return err
	}
	if err := Overwrites(output, w.Args); err != nil {
		return err
	}
	if err := w.Fresh(output); err != nil {
		return err
	}
	if p.Output == OwnFile || p.Output == OwnFolder {
		w.Request.Output, output = output, ""
	}
	if err := w.openAll(ctx); err != nil {
		return err
	}
	switch {
	case isReport(output):
		return w.report(ctx, output)
	case p.Stream != nil && p.Streams(w.Request):
		return w.stream(ctx, output)
	}
	doc, err := w.make(ctx)
	if err != nil {
		return Unread(err)
	}
	return w.put(ctx, output, doc)
}

// one takes the one form and the one output of a request.
func (w *work) one() (output string, err error) {
	w.Format = view.FormatText
	if len(w.Forms) > 0 && w.Forms[0] != "" {
		w.Format = view.Format(w.Forms[0])
	}
	if formats := view.Formats(); !slices.Contains(formats, string(w.Format)) {
		return "", Usagef("--format: %q is not one of %s", w.Format, strings.Join(formats, ", "))
	}
	if len(w.Outputs) > 0 && w.Outputs[0] != "-" {
		output = w.Outputs[0]
	}
	return output, nil
}

// openAll opens the operands, if they are to be opened, and tells of what in them
// cannot be read.
func (w *work) openAll(ctx context.Context) error {
	if w.Page.Unopened {
		return nil
	}
	var fault error
	for _, name := range w.Args {
		var f *load.File
		err := w.guard([]string{name}, func() (err error) {
			f, err = w.openOne(ctx, name)
			return err
		})
		if e, ok := internal(err); ok && len(w.Args) > 1 {
			w.forgo(e)
			fault = e
			continue
		}
		if err != nil {
			inside, bad := w.profilesIn(name, err)
			if bad != nil {
				return bad
			}
			if len(inside) == 0 {
				return Unread(err)
			}
			if err := w.openFolder(ctx, name, inside); err != nil {
				return err
			}
			continue
		}
		if err := w.tell(f); err != nil {
			return err
		}
		w.Files = append(w.Files, f)
	}
	if fault != nil && len(w.Files) == 0 {
		return fault
	}
	w.Files = load.JoinSessions(w.Files)
	return nil
}

// tell tells of what in a file cannot be read. A broken report of which no launch
// is left is an error: at once for pages of launches, and for others when they have
// shown what is sound.
func (w *work) tell(f *load.File) error {
	problems := f.Problems()
	if w.Runner.Open == nil {
		for _, text := range problems {
			w.Note(text)
			w.worsen(Finding)
		}
		for _, text := range f.Notes() {
			w.Note(text)
		}
	}
	if f.Report == nil || len(problems) == 0 || len(f.Report.Actions()) > 0 {
		return nil
	}
	err := Unread(fmt.Errorf("%s: expected kernel launches, found none that can be read", f.Name))
	if w.Page.Needs&f.Holds() == load.Launches {
		return err
	}
	w.unread = err
	return nil
}

func (w *work) openOne(ctx context.Context, name string) (*load.File, error) {
	if w.Runner.Open == nil {
		f, err := load.Options{MaxUnpacked: w.Runner.MaxUnpacked, Alone: w.Alone, Outline: w.Page.Outline}.Open(ctx, name)
		if err == nil {
			w.releases = append(w.releases, f.Close)
		}
		return f, err
	}
	f, release, err := w.Runner.Open(ctx, name)
	if release != nil {
		w.releases = append(w.releases, release)
	}
	return f, err
}

func (w *work) release() {
	for _, f := range slices.Backward(w.releases) {
		f() // of files that were read: there is nothing to lose
	}
}

// Do checks the options of a request whose Files are opened already, and builds
// the document.
func (p *Page) Do(ctx context.Context, q *Request) (*view.Document, error) {
	q.Page, q.Overlay = p, &profile.Overlay{}
	if err := p.checkOptions(q); err != nil {
		return nil, err
	}
	return (&work{Runner: new(Runner), Request: q}).build(ctx)
}

// build makes the document in the form that was asked for.
func (w *work) build(ctx context.Context) (*view.Document, error) {
	switch p := w.Page; {
	case p.Parts != nil:
		return w.compose(ctx)
	case p.CSV != nil && w.Format == view.FormatCSV:
		return p.CSV(ctx, w.Request)
	default:
		return p.Build(ctx, w.Request)
	}
}

// put hands a document to the sink.
func (w *work) put(ctx context.Context, output string, doc *view.Document) error {
	err := w.send(ctx, &Answer{Output: output, Format: w.Format, Write: func(to io.Writer, look func(*view.Options)) error {
		return w.render(ctx, to, doc, w.Format, look)
	}})
	switch { // of large documents it is known only now
	case doc.Undecided:
		w.worsen(Undecided)
	case doc.Failed:
		w.worsen(Finding)
	}
	return err
}

// render renders a document. Rows of large ones are made meanwhile, so an
// interruption may come here.
func (w *work) render(ctx context.Context, to io.Writer, doc *view.Document, f view.Format, look func(*view.Options)) error {
	o := w.ViewOptions()
	if look != nil {
		look(&o)
	}
	if err := view.Render(to, doc, f, o); err != nil {
		return err
	}
	return ctx.Err()
}

// send hands an answer to the sink; what then fails is the writing.
func (w *work) send(ctx context.Context, a *Answer) error {
	if err := w.Fresh(a.Output); err != nil {
		return err
	}
	err := w.to.Put(ctx, a)
	if err != nil && ctx.Err() == nil {
		err = Unwritten(err)
	}
	return err
}

// fill sends an answer that is no document. Errors of write are those of the input,
// unless what it writes to fails.
func (w *work) fill(ctx context.Context, output string, write func(io.Writer) error) error {
	return w.send(ctx, &Answer{Output: output, Write: func(to io.Writer, _ func(*view.Options)) error {
		out := &writer{to: to}
		err := write(out)
		if out.err != nil {
			return out.err
		}
		return Unread(err)
	}})
}

// stream lets the page write its answer itself.
func (w *work) stream(ctx context.Context, output string) error {
	return w.fill(ctx, output, func(to io.Writer) error {
		err := w.Page.Stream(ctx, w.Request, to)
		switch {
		case errors.Is(err, ErrFinding):
			w.worsen(Finding)
		case errors.Is(err, ErrIncomplete):
			w.worsen(Incomplete)
		default:
			return err
		}
		return nil
	})
}

// isReport reports whether the name of an output ends as those of reports do.
func isReport(output string) bool {
	return strings.HasSuffix(output, ".ncu-rep") || strings.HasSuffix(output, ".nsight-cuprof-report")
}

// report writes a report in place of a document.
func (w *work) report(ctx context.Context, output string) error {
	p := w.Page
	if p.Report == nil {
		return Usagef("%s: the page makes no reports; --output %s would be one", p.Name, output)
	}
	report, err := p.Report(ctx, w.Request)
	if err != nil {
		return Unread(err)
	}
	return w.fill(ctx, output, func(to io.Writer) error {
		_, err := report.WriteTo(to)
		return err
	})
}
