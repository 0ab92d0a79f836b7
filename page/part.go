package page

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/view"
	"github.com/gpuprof/gpuprof/view/tabular"
)

// Parts are the reports of a page that one request may ask for, for each file.
// They make one document, or go each its own way: Request.Forms and
// Request.Outputs are then lists, of which each report takes what stands at its
// place, and the forms are also those of package tabular.
type Parts struct {
	Option     string // names the parts that are wanted
	TimeOption string // is set by forms with a unit of time

	Parse   func(specs []string) ([]Part, error) // finds the parts that are asked for by name or pattern
	Default func(*load.File) []Part              // what is shown of a file where nothing is asked for
	// Compose puts what the parts of a file say together; asked is false for those of
	// Default. Nil: one after the other.
	Compose func(q *Request, f *load.File, pieces []*Piece, asked bool) []view.Section
	// Across says what the files of a document have in common, before what each says
	// alone: pieces has those of each of q.Files. May be nil.
	Across func(q *Request, pieces [][]*Piece) []view.Section
	Help   func(names []string) (string, error) // tells of these parts; of none: lists all
}

// A Part is a report that is asked for.
type Part struct {
	Spec string // the name, with its arguments
	// Build makes what the part says of a file; nil: nothing.
	Build func(context.Context, *Request, *load.File) (*Piece, error)
}

// A Piece is what a part says of a file.
type Piece struct {
	Section view.Section // of the document
	Table   *view.Table  // for forms of a table; nil: there is none
	Words   string       // for people in place of the table, which they do not see
	Lacking string       // why there is no table; told in a note where the form has no messages
	Warning bool         // Words are told in a note where the form shows them nowhere
}

// A route is a part on its way to an output.
type route struct {
	Part
	form, output string
}

// routes puts parts, forms and outputs together by their place; the last of a
// shorter list is repeated.
func routes(parts []Part, forms, outputs []string) []route {
	if len(parts) == 0 {
		return nil
	}
	at := func(list []string, i int, none string) string {
		if len(list) == 0 {
			return none
		}
		return list[min(i, len(list)-1)]
	}
	var out []route
	for i := range max(len(parts), len(forms), len(outputs)) {
		out = append(out, route{parts[min(i, len(parts)-1)], at(forms, i, "."), at(outputs, i, "-")})
	}
	return out
}

// whole reports whether all parts go to one output as one document, and in which
// form and where.
func whole(forms, outputs []string) (form, output string, ok bool) {
	if len(forms) > 1 || len(outputs) > 1 {
		return "", "", false
	}
	if len(forms) == 1 && forms[0] != "." {
		form = forms[0]
		if !slices.Contains(view.Formats(), form) {
			return "", "", false
		}
	}
	if len(outputs) == 1 && outputs[0] != "-" {
		output = outputs[0]
		byName := formOf(output)
		if byName == "" {
			return "", "", false
		}
		if form == "" {
			form = byName
		}
	}
	return form, output, true
}

// formOf is the form of a document by the extension of its name, or "". A base
// of names has none of them.
func formOf(name string) string {
	ext := strings.ToLower(filepath.Ext(name))
	for f, e := range extensions {
		if ext == "."+e {
			return string(f)
		}
	}
	return ""
}

var extensions = map[view.Format]string{view.FormatText: "txt", view.FormatCSV: "csv", view.FormatJSON: "json", view.FormatMarkdown: "md"}

// formFor finds the form of a table, or else the format of a document, that a
// part shall have.
func (r *route) formFor() (*tabular.Form, view.Format, error) {
	name := r.form
	if name == "." {
		name = "csv"
		if r.output == "-" {
			name = "text"
		}
	}
	if slices.Contains(view.Formats(), name) {
		return nil, view.Format(name), nil
	}
	form, err := tabular.Parse(name)
	if err != nil {
		return nil, "", Usagef("--format: %v; --help-formats lists them", err)
	}
	return form, view.FormatCSV, nil
}

// file is the name of a part's file: the base, what is reported, and the
// extension of the form.
func (r *route) file(input string, several bool, ext string) string {
	own := strings.TrimSuffix(input, filepath.Ext(input))
	base := r.output
	switch {
	case base == ".":
		base = own
	case strings.HasSuffix(base, "/"):
		base += filepath.Base(own)
	case several:
		base += "_" + filepath.Base(own)
	}
	clean := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`:/\*?"<>|`, r) {
			return '_'
		}
		return r
	}, r.Spec)
	return base + "_" + clean + "." + ext
}
