package tabular

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gpuprof/gpuprof/view"
)

// A Form is a way to print a table.
type Form struct {
	Name     string
	NoHeader bool   // without the names of the columns
	NoLimit  bool   // columns are as wide as their cells, not at most 100
	NoFormat bool   // numbers as csv has them, without separators of thousands
	Escape   bool   // tabs become \t, not blanks
	Widths   []int  // of the columns: 0 leaves one out, Auto finds it; the rest are Auto
	Title    string // of a document
	CSS      string // address of a style sheet
	TimeUnit string // unit of times; "": as the table has them

	kind *kind
}

// Auto is the width of a column that is as wide as its cells.
const Auto = -1

// A kind declares a form.
type kind struct {
	name, ext string
	args      string // in help
	flags     []string
	widths    bool
	short     string
	print     func(*Form, *bufio.Writer, *view.Table, view.Options) error
}

var kinds = []*kind{
	{name: "column", ext: "txt", args: "[:nohdr][:nolimit][:nofmt][:WIDTH...]", flags: []string{"nohdr", "nolimit", "nofmt"}, widths: true,
		short: "columns of text for people: numbers right, words left, thousands set apart; cells wider than the column end in …; a WIDTH of . fits the cells, 0 leaves the column out",
		print: (*Form).columns},
	{name: "table", ext: "txt", args: "[:nohdr][:nolimit][:nofmt][:WIDTH...]", flags: []string{"nohdr", "nolimit", "nofmt"}, widths: true,
		short: "the same with lines around the cells", print: (*Form).columns},
	{name: "csv", ext: "csv", args: "[:nohdr]", flags: []string{"nohdr"},
		short: "comma-separated values; what holds a comma, a quote or a line break is quoted", print: (*Form).csv},
	{name: "tsv", ext: "tsv", args: "[:nohdr][:esc]", flags: []string{"nohdr", "esc"},
		short: `values between tabs; a tab within a value becomes a blank, with esc the letters \t`, print: (*Form).tsv},
	{name: "json", ext: "json", args: ":objects", flags: []string{"objects"},
		short: "an array with an object for each row, whose members are named as the columns; json alone is the document of gpuprof", print: (*Form).json},
	{name: "hdoc", ext: "html", args: "[:title=TEXT][:css=ADDRESS]", flags: []string{"title=", "css="},
		short: "an HTML document with the table", print: (*Form).html},
	{name: "htable", ext: "html", short: "the HTML table alone, for a document of your own", print: (*Form).html},
}

// A FormInfo tells of a form in help.
type FormInfo struct{ Name, Usage, Short, Ext string }

// Forms lists the forms.
func Forms() []FormInfo {
	var out []FormInfo
	for _, k := range kinds {
		out = append(out, FormInfo{Name: k.name, Usage: k.name + k.args, Short: k.short, Ext: k.ext})
	}
	return out
}

// Is reports whether the name of a spec is that of a form.
func Is(spec string) bool {
	name, _, _ := strings.Cut(spec, ":")
	for _, k := range kinds {
		if k.name == name {
			return true
		}
	}
	return false
}

// Parse reads NAME:ARG:ARG.
func Parse(spec string) (*Form, error) {
	name, rest, more := strings.Cut(spec, ":")
	f := &Form{Name: name}
	for _, k := range kinds {
		if k.name == name {
			f.kind = k
		}
	}
	if f.kind == nil {
		return nil, fmt.Errorf("there is no form %q", name)
	}
	if strings.HasPrefix(rest, "title=") || strings.HasPrefix(rest, "css=") {
		return f, f.document(rest)
	}
	for more {
		var arg string
		arg, rest, more = strings.Cut(rest, ":")
		if err := f.arg(arg); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// document reads the arguments of hdoc, whose values may hold colons: addresses
// do.
func (f *Form) document(rest string) error {
	if f.Name != "hdoc" {
		return fmt.Errorf("form %s takes no %q", f.Name, rest)
	}
	for rest != "" {
		key, value, _ := strings.Cut(rest, "=")
		rest = ""
		end := len(value)
		for _, next := range []string{":title=", ":css="} {
			if at := strings.Index(value, next); at >= 0 {
				end = min(end, at)
			}
		}
		if end < len(value) {
			value, rest = value[:end], value[end+1:]
		}
		switch key {
		case "title":
			f.Title = value
		case "css":
			f.CSS = value
		default:
			return fmt.Errorf("form hdoc takes title=TEXT and css=ADDRESS, not %q", key)
		}
	}
	return nil
}

func (f *Form) arg(arg string) error {
	takes := func(name string) bool {
		for _, a := range f.kind.flags {
			if a == name {
				return true
			}
		}
		return false
	}
	switch {
	case arg == "nohdr" && takes(arg):
		f.NoHeader = true
	case arg == "nolimit" && takes(arg):
		f.NoLimit = true
	case arg == "nofmt" && takes(arg):
		f.NoFormat = true
	case arg == "esc" && takes(arg):
		f.Escape = true
	case arg == "objects" && takes(arg):
	case strings.HasPrefix(arg, "time="):
		f.TimeUnit = arg[len("time="):]
	case f.kind.widths && arg == ".":
		f.Widths = append(f.Widths, Auto)
	case f.kind.widths:
		n, err := strconv.Atoi(arg)
		if err != nil || n < 0 || n > 10_000 {
			return fmt.Errorf("form %s: %q is no width of a column and no argument; it takes %s", f.Name, arg, f.Name+f.kind.args)
		}
		f.Widths = append(f.Widths, n)
	default:
		return fmt.Errorf("form %s has no argument %q; it takes %s", f.Name, arg, f.Name+f.kind.args)
	}
	return nil
}

// Ext is the extension of files in this form, without a dot.
func (f *Form) Ext() string { return f.kind.ext }

// Human reports whether the form is for people to read on a terminal.
func (f *Form) Human() bool { return f.kind.widths }

// Write prints the table. The title is that of a document that has no other.
func (f *Form) Write(w io.Writer, title string, t *view.Table, o view.Options) error {
	g, t := *f, t.In(view.FormatCSV)
	if g.Title == "" {
		g.Title = title
	}
	b := bufio.NewWriterSize(w, 1<<16)
	if err := f.kind.print(&g, b, t, o); err != nil {
		return err
	}
	return b.Flush()
}

// shown are the columns that are not hidden.
func shown(t *view.Table) []view.Column {
	var out []view.Column
	for _, c := range t.Columns {
		if c.For != view.Programs {
			out = append(out, c)
		}
	}
	return out
}
