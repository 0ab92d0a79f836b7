package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
	"github.com/gpuprof/gpuprof/view/tabular"
)

// partsFlags are the flags of a page of several reports: forms and outputs are
// lists, and each report goes to the output and in the form at its place.
type partsFlags struct {
	formats, outputs []string
	helpParts, forms string
	names            string // of the flag that tells of the reports
}

// listHelp is the value of a help flag that has none.
const listHelp = "NAME"

func declareParts(fs *pflag.FlagSet, p *page.Page) *partsFlags {
	f := &partsFlags{names: "help-" + p.Parts.Option + "s"}
	var forms []string
	for _, t := range tabular.Forms() {
		forms = append(forms, t.Name)
	}
	for _, name := range view.Formats() {
		if !slices.Contains(forms, name) {
			forms = append([]string{name}, forms...)
		}
	}
	fs.StringArrayVarP(&f.formats, "format", "f", nil, "forms of the output: "+strings.Join(forms, ", ")+
		"; . is text on the terminal and csv elsewhere (default text)")
	fs.StringArrayVarP(&f.outputs, "output", "o", nil, "write to a file, if the name has the extension of one; a base, for files BASE_"+
		strings.ToUpper(p.Parts.Option)+".EXT; . for the input's name as base; - for the terminal; @COMMAND to pipe to a command")
	fs.StringVar(&f.helpParts, f.names, "", "list the "+p.Parts.Option+"s, or tell of those that are named, or of ALL")
	fs.StringVar(&f.forms, "help-formats", "", "list the forms of the output")
	for _, name := range []string{f.names, "help-formats"} {
		fs.Lookup(name).NoOptDefVal = listHelp
		fs.Lookup(name).Value = named{fs.Lookup(name).Value, ""}
	}
	for name, arg := range map[string]string{"format": "FORM,...", "output": "OUT,..."} {
		fs.Lookup(name).Value = named{fs.Lookup(name).Value, arg}
		fs.Lookup(name).DefValue = ""
	}
	return f
}

// partsCommand lets the command of a page send each report its own way.
func (a *app) partsCommand(c *cobra.Command, p *page.Page, values func() map[string][]string, out *output, f *partsFlags) {
	check := c.Args
	c.Args = func(c *cobra.Command, args []string) error {
		if f.helpParts != "" || f.forms != "" {
			return nil // operands are names
		}
		return check(c, args)
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if f.helpParts != "" {
			return a.helpParts(p, f.helpParts, args)
		}
		if f.forms != "" {
			return a.helpForms(f.forms, args)
		}
		formats, outputs := splitList(f.formats), splitList(f.outputs)
		if *out.csv {
			formats = []string{"csv"}
		}
		if whole(formats, outputs) {
			if len(formats) == 1 && formats[0] != "." {
				*out.format = formats[0]
			}
			if len(outputs) == 1 && outputs[0] != "-" {
				*out.file = outputs[0]
				if len(formats) == 0 || formats[0] == "." {
					*out.format = formatOf(outputs[0])
				}
			}
			return a.do(c.Context(), p, args, values(), out)
		}
		return a.parts(c.Context(), p, args, values(), out, formats, outputs)
	}
}

// splitList splits values at commas.
func splitList(values []string) []string {
	var out []string
	for _, v := range values {
		for _, s := range strings.Split(v, ",") {
			if s = strings.TrimSpace(s); s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

// whole reports whether all reports go to one output as one document.
func whole(formats, outputs []string) bool {
	if len(formats) > 1 || len(outputs) > 1 {
		return false
	}
	if len(formats) == 1 && formats[0] != "." && !slices.Contains(view.Formats(), formats[0]) {
		return false
	}
	return len(outputs) == 0 || outputs[0] == "-" || formatOf(outputs[0]) != ""
}

// formatOf is the form of a document by the extension of its name, or "". A
// base of names has none of them.
func formatOf(name string) string {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".txt":
		return "text"
	case ".csv":
		return "csv"
	case ".json":
		return "json"
	case ".md":
		return "md"
	}
	return ""
}

func (a *app) helpParts(p *page.Page, name string, more []string) error {
	names := append(splitList([]string{name}), more...)
	names = slices.DeleteFunc(names, func(s string) bool { return s == listHelp })
	text, err := p.Parts.Help(names)
	if err != nil {
		return err
	}
	_, err = io.WriteString(a.stdout, text)
	return err
}

func (a *app) helpForms(name string, more []string) error {
	names := append(splitList([]string{name}), more...)
	names = slices.DeleteFunc(names, func(s string) bool { return s == listHelp || strings.EqualFold(s, "all") })
	known := 0
	var b strings.Builder
	for _, f := range tabular.Forms() {
		if len(names) == 0 || slices.Contains(names, f.Name) {
			known++
			fmt.Fprintf(&b, "  %s  (.%s)\n      %s\n", f.Usage, f.Ext, f.Short)
		}
	}
	if known < len(names) {
		return misuse("--help-formats: %s: not all of these are forms", strings.Join(names, ", "))
	}
	if len(names) == 0 {
		b.WriteString("  text, csv, json, md\n      the forms of every page: all reports in one document\n" +
			"  every form of a table also takes :time=UNIT\n")
	}
	_, err := io.WriteString(a.stdout, b.String())
	return err
}

// A part is a report on its way to an output.
type part struct {
	spec, format, output string
}

// pair puts reports, forms and outputs together by their place; the last of a
// shorter list is repeated.
func pair(specs, formats, outputs []string) []part {
	if len(specs) == 0 {
		return nil
	}
	at := func(list []string, i int, none string) string {
		if len(list) == 0 {
			return none
		}
		return list[min(i, len(list)-1)]
	}
	var out []part
	for i := range max(len(specs), len(formats), len(outputs)) {
		out = append(out, part{at(specs, i, ""), at(formats, i, "."), at(outputs, i, "-")})
	}
	return out
}

// parts sends each report of each file its own way.
func (a *app) parts(ctx context.Context, p *page.Page, args []string, values map[string][]string, out *output, formats, outputs []string) error {
	for _, f := range formats {
		if f != "." && !slices.Contains(view.Formats(), f) {
			if _, err := tabular.Parse(f); err != nil {
				return misuse("--format: %v; --help-formats lists them", err)
			}
		}
	}
	quiet := slices.Equal(values["quiet"], []string{"true"})
	tuneGC(args)
	for _, name := range args {
		f, err := load.Open(ctx, name)
		if err != nil {
			return &inputError{err}
		}
		defer f.Close()
		for _, note := range f.Problems() {
			fmt.Fprintf(a.stderr, "gpuprof: %s\n", note)
			a.status = exitFinding
		}
		specs, err := p.PartsOf(&page.Request{Values: values})
		if err != nil {
			return err
		}
		asked := len(specs) > 0
		if !asked {
			specs = p.Parts.Default(f)
		}
		for i, t := range pair(specs, formats, outputs) {
			s := &sender{app: a, page: p, file: f, out: out, quiet: quiet || !asked, several: len(args) > 1, first: i == 0, heading: !quiet}
			if err := s.send(ctx, t, values); err != nil {
				return err
			}
		}
	}
	return nil
}

// A sender sends one report to its output.
type sender struct {
	*app
	page    *page.Page
	file    *load.File
	out     *output
	quiet   bool // say nothing of what the file does not have
	heading bool // a terminal shows the title before the table
	several bool // there are several inputs
	first   bool
}

func (s *sender) send(ctx context.Context, t part, values map[string][]string) error {
	form, format, err := formFor(t)
	if err != nil {
		return err
	}
	v := map[string][]string{}
	for k, given := range values {
		v[k] = given
	}
	v[s.page.Parts.Option] = []string{t.spec}
	if form != nil && form.TimeUnit != "" {
		v["timeunit"] = []string{form.TimeUnit}
	}
	q := &page.Request{Args: []string{s.file.Name}, Files: []*load.File{s.file}, Format: format, Values: v, Confine: confine()}
	if !s.quiet {
		q.Note = func(text string) { fmt.Fprintf(s.stderr, "gpuprof: %s\n", text) }
	}
	doc, err := s.page.Do(ctx, q)
	switch {
	case errors.Is(err, page.ErrUsage) || errors.Is(err, context.Canceled):
		return err
	case err != nil:
		return &inputError{err}
	}
	if doc.Failed {
		s.status = exitFinding
	}
	table, title, words := onlyTable(doc)
	if table == nil && (form != nil || format == view.FormatCSV || t.output != "-") {
		if format != view.FormatCSV && q.Note != nil {
			q.Note(s.file.Name + ": " + t.spec + ": nothing to report, and no file written")
		}
		return nil // nothing to report; for csv a note said why
	}
	err = s.write(t, form, format, func(w io.Writer) error {
		if form != nil {
			if t.output == "-" && form.Human() && s.heading {
				fmt.Fprintf(w, " ** %s (%s):\n\n", title, t.spec)
			}
			if words != "" && form.Human() {
				_, err := fmt.Fprintf(w, "%s\n\n", words)
				return err
			}
			if err := form.Write(w, title, table, q.ViewOptions()); err != nil {
				return err
			}
			if t.output == "-" && form.Human() {
				_, err := io.WriteString(w, "\n")
				return err
			}
			return nil
		}
		return view.Render(w, doc, format, q.ViewOptions())
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w: %v", errOutput, err)
	}
	return err
}

// formFor finds the form of a table, or else the format of a document, that a
// part shall have.
func formFor(t part) (*tabular.Form, view.Format, error) {
	name := t.format
	if name == "." {
		name = "csv"
		if t.output == "-" {
			name = "text"
		}
	}
	if slices.Contains(view.Formats(), name) {
		return nil, view.Format(name), nil
	}
	form, err := tabular.Parse(name)
	if err != nil {
		return nil, "", misuse("--format: %v", err)
	}
	return form, view.FormatCSV, nil
}

// onlyTable is the table of a document of one report, with its title; where it
// is not for people to see, also what is said in its place.
func onlyTable(d *view.Document) (t *view.Table, title, words string) {
	var find func(s []view.Section)
	find = func(all []view.Section) {
		for i := range all {
			mute := false
			for _, it := range all[i].Items {
				switch {
				case it.Table != nil && t == nil:
					t, title, mute = it.Table, all[i].Title, it.For == view.Programs
				case it.Message != nil && mute:
					words = it.Message.Text
				}
			}
			if t != nil {
				return
			}
			find(all[i].Sections)
		}
	}
	find(d.Sections)
	return t, title, words
}

// write opens the output of a part.
func (s *sender) write(t part, form *tabular.Form, format view.Format, fill func(io.Writer) error) error {
	switch {
	case t.output == "-":
		if !s.first && form == nil && format != view.FormatText {
			fmt.Fprintln(s.stdout)
		}
		return fill(s.stdout)
	case strings.HasPrefix(t.output, "@"):
		return s.pipe(t.output[1:], fill)
	}
	ext := map[view.Format]string{view.FormatText: "txt", view.FormatCSV: "csv", view.FormatJSON: "json", view.FormatMarkdown: "md"}[format]
	if form != nil {
		ext = form.Ext()
	}
	name := partFile(t, s.file.Name, s.several, ext)
	err := atomicfile.Write(name, func(f *atomicfile.File) error { return fill(f) })
	if err == nil && s.heading {
		fmt.Fprintf(s.stderr, "gpuprof: %s\n", name)
	}
	return err
}

// partFile is the name of a part's file: the base, what is reported, and the
// extension of the form.
func partFile(t part, input string, several bool, ext string) string {
	own := strings.TrimSuffix(input, filepath.Ext(input))
	base := t.output
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
	}, t.spec)
	return base + "_" + clean + "." + ext
}

// pipe runs a command with the part as its input. The command is split at
// blanks; no shell sees it.
func (s *sender) pipe(command string, fill func(io.Writer) error) error {
	words := strings.Fields(command)
	if len(words) == 0 {
		return misuse("--output: @ expects a command")
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdout, cmd.Stderr = s.stdout, s.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = fill(in)
	if e := in.Close(); err == nil {
		err = e
	}
	if errors.Is(err, os.ErrClosed) || errors.Is(err, syscall.EPIPE) {
		err = nil // the command has read enough
	}
	if e := cmd.Wait(); err == nil && e != nil {
		return fmt.Errorf("%s: %w", words[0], e)
	}
	return err
}
