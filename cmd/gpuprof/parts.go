package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
	"github.com/gpuprof/gpuprof/view/tabular"
)

// listHelp is the value of a help flag that has none.
const listHelp = "NAME"

// partsCommand adds the flags of a page with parts: forms and outputs are lists,
// and there is help on parts and forms.
func (a *app) partsCommand(c *cobra.Command, p *page.Page, values func() map[string][]string) {
	o := &output{}
	var formats, outputs []string
	var helpParts, helpForms string
	fs := c.Flags()
	lookFlags(fs, o)
	fs.StringArrayVarP(&formats, "format", "f", nil, "forms of the output: "+strings.Join(formNames(), ", ")+
		"; . is text on the terminal and csv elsewhere (default text)")
	fs.StringArrayVarP(&outputs, "output", "o", nil, "write to a file, if the name has the extension of one; a base, for files BASE_"+
		strings.ToUpper(p.Parts.Option)+".EXT; . for the input's name as base; - for the terminal; @COMMAND to pipe to a command")
	names := "help-" + p.Parts.Option + "s"
	fs.StringVar(&helpParts, names, "", "list the "+p.Parts.Option+"s, or tell of those that are named, or of ALL")
	fs.StringVar(&helpForms, "help-formats", "", "list the forms of the output")
	for _, name := range []string{names, "help-formats"} {
		fs.Lookup(name).NoOptDefVal = listHelp
		fs.Lookup(name).Value = named{fs.Lookup(name).Value, ""}
	}
	for name, arg := range map[string]string{"format": "FORM,...", "output": "OUT,..."} {
		fs.Lookup(name).Value = named{fs.Lookup(name).Value, arg}
		fs.Lookup(name).DefValue = ""
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case helpParts != "":
			return a.helpParts(p, helpParts, args)
		case helpForms != "":
			return a.helpForms(helpForms, args)
		}
		out := asked{splitList(formats), splitList(outputs), o.look}
		if o.csv {
			out.forms = []string{"csv"}
		}
		return a.do(c.Context(), p, args, values(), out)
	}
}

// formNames are the forms of documents and of tables.
func formNames() (out []string) {
	for _, t := range tabular.Forms() {
		out = append(out, t.Name)
	}
	for _, name := range view.Formats() {
		if !slices.Contains(out, name) {
			out = append([]string{name}, out...)
		}
	}
	return out
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
