package page

import (
	"context"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/view"
	"github.com/gpuprof/gpuprof/view/tabular"
	"github.com/gpuprof/gpuprof/view/visible"
)

// partsOf are the parts of a file that are asked for, else those of Default.
func (w *work) partsOf(f *load.File, asked []Part) []Part {
	if len(asked) > 0 {
		return asked
	}
	return w.Page.Parts.Default(f)
}

// compose makes the document of all parts of all files.
func (w *work) compose(ctx context.Context) (*view.Document, error) {
	ps := w.Page.Parts
	asked, err := ps.Parse(w.List(ps.Option))
	if err != nil {
		return nil, err
	}
	d := &view.Document{Title: w.Page.Name}
	var all [][]*Piece
	for _, f := range w.Files {
		parts := w.partsOf(f, asked)
		var pieces []*Piece
		for i, part := range parts {
			w.Progress(i, len(parts))
			piece, err := part.Build(ctx, w.Request, f)
			if err != nil {
				return nil, err
			}
			if piece != nil {
				w.tellOf(f, part, piece, w.Format == view.FormatCSV)
				pieces = append(pieces, piece)
			}
		}
		all = append(all, pieces)
		s := ps.compose(w.Request, f, pieces, len(asked) > 0)
		if len(w.Files) > 1 {
			s = []view.Section{{ID: f.Name, Title: f.Name, Sections: s}}
		}
		d.Sections = append(d.Sections, s...)
		d.Failed = w.lateProblems(f) || d.Failed
	}
	if ps.Across != nil && len(w.Files) > 1 && w.Format != view.FormatCSV { // tables of csv have a column of files
		d.Sections = append(ps.Across(w.Request, all), d.Sections...)
	}
	return d, nil
}

func (ps *Parts) compose(q *Request, f *load.File, pieces []*Piece, asked bool) []view.Section {
	if ps.Compose != nil {
		return ps.Compose(q, f, pieces, asked)
	}
	var out []view.Section
	for _, p := range pieces {
		out = append(out, p.Section)
	}
	return out
}

// tellOf notes what a piece says in words, where the form has none.
func (w *work) tellOf(f *load.File, part Part, piece *Piece, wordless bool) {
	switch {
	case !wordless:
	case piece.Lacking != "":
		w.Notef("%s: %s: %s", f.Name, part.Spec, piece.Lacking)
	case piece.Warning && piece.Table == nil:
		for _, line := range strings.Split(piece.Words, "\n") {
			w.Notef("%s: %s", f.Name, line)
		}
	}
}

// lateProblems notes what could not be read of a timeline, which is known when it
// has been read.
func (w *work) lateProblems(f *load.File) bool {
	if f.Trace == nil {
		return false
	}
	all := f.Trace.Problems()
	for _, p := range all {
		w.Notef("%v", p)
	}
	return len(all) > 0
}

// split sends each part of each file its own way.
func (w *work) split(ctx context.Context) error {
	ps := w.Page.Parts
	for _, form := range w.Forms {
		if _, _, err := (&route{form: form}).formFor(); err != nil && form != "." {
			return err
		}
	}
	asked, err := ps.Parse(w.List(ps.Option))
	if err != nil {
		return err
	}
	if err := w.openAll(ctx); err != nil {
		return err
	}
	quiet := w.Flag("quiet")
	for _, f := range w.Files {
		for i, r := range routes(w.partsOf(f, asked), w.Forms, w.Outputs) {
			s := &sender{work: w, route: r, input: f, quiet: quiet, first: i == 0}
			err := w.guard([]string{f.Name}, func() error { return s.send(ctx, len(asked) > 0) })
			if e, ok := internal(err); ok && len(w.Files) > 1 {
				w.forgo(e)
				continue
			}
			if err != nil {
				return err
			}
		}
		if w.lateProblems(f) {
			w.worsen(Finding)
		}
	}
	return nil
}

// A sender sends one part of a file to its output.
type sender struct {
	*work
	route
	input *load.File
	quiet bool // say nothing beside the answer
	first bool // of the file
}

func (s *sender) send(ctx context.Context, asked bool) error {
	form, format, err := s.formFor()
	if err != nil {
		return err
	}
	q := *s.Request
	q.Format, q.Files = format, []*load.File{s.input}
	if form != nil && form.TimeUnit != "" {
		q.Values = with(q.Values, s.Page.Parts.TimeOption, form.TimeUnit)
	}
	one := &work{Runner: s.Runner, Request: &q, to: s.to}
	if s.quiet {
		q.Note = nil
	}
	piece, err := s.Part.Build(ctx, &q, s.input)
	if err != nil || piece == nil {
		return Unread(err)
	}
	human := form != nil && form.Human()
	if s.empty(piece, form, format) {
		one.tellOf(s.input, s.Part, piece, (asked || piece.Warning) && format == view.FormatCSV)
		if format != view.FormatCSV && asked {
			one.Notef("%s: %s: nothing to report, and no file written", s.input.Name, s.Spec)
		}
		return nil
	}
	ext := extensions[format]
	if form != nil {
		ext = form.Ext()
	}
	a := &Answer{Format: format}
	switch {
	case strings.HasPrefix(s.output, "@"):
		a.Output = s.output
	case s.output != "-":
		a.Output = s.name(ext)
		if err := Overwrites(a.Output, s.Args); err != nil {
			return err
		}
	}
	a.Write = func(to io.Writer, look func(*view.Options)) error {
		if form != nil {
			o := q.ViewOptions()
			if look != nil {
				look(&o)
			}
			return writeTable(to, form, s.Spec, piece, o, a.Output == "" && human, !s.quiet)
		}
		if a.Output == "" && !s.first && format != view.FormatText {
			fmt.Fprintln(to)
		}
		doc := &view.Document{Title: s.Page.Name, Sections: []view.Section{piece.Section}}
		return one.render(ctx, to, doc, format, look)
	}
	if err := s.work.send(ctx, a); err != nil {
		return err
	}
	if a.Output != "" && a.Output[0] != '@' && !s.quiet {
		s.Note(a.Output)
	}
	return nil
}

// empty reports whether a form has nothing of a piece to show.
func (s *sender) empty(piece *Piece, form *tabular.Form, format view.Format) bool {
	switch {
	case piece.Table != nil:
		return false
	case piece.Words != "" && (form == nil || form.Human()):
		return format == view.FormatCSV && form == nil
	}
	return form != nil || format == view.FormatCSV || s.output != "-"
}

// name is that of the file for a form with an extension.
func (s *sender) name(ext string) string {
	return s.route.file(s.input.Name, len(s.Args) > 1, ext)
}

// writeTable writes a piece in a form of a table; on a terminal, for people, with
// its title.
func writeTable(w io.Writer, form *tabular.Form, spec string, piece *Piece, o view.Options, terminal, titled bool) error {
	title, words := visible.String(piece.Section.Title), visible.String(piece.Words)
	if terminal && titled {
		fmt.Fprintf(w, " ** %s (%s):\n\n", title, visible.String(spec))
	}
	if piece.Words != "" && form.Human() {
		_, err := fmt.Fprintf(w, "%s\n\n", words)
		return err
	}
	if err := form.Write(w, piece.Section.Title, piece.Table, o); err != nil {
		return err
	}
	if !terminal {
		return nil
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// with is a copy of values in which one is another.
func with(values map[string][]string, name, value string) map[string][]string {
	out := maps.Clone(values)
	if out == nil {
		out = map[string][]string{}
	}
	out[name] = []string{value}
	return out
}
