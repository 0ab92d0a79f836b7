package terminal

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpuprof/gpuprof/page"
)

// listHelp is the value of a help flag that has none.
const listHelp = "NAME"

// partsCommand adds the flags of a page with parts: forms and outputs are lists,
// and there is help on parts and forms.
func (a *App) partsCommand(c *cobra.Command, p *page.Page, values func() map[string][]string) {
	o := &output{}
	var formats, outputs []string
	var helpParts, helpForms string
	fs := c.Flags()
	lookFlags(fs, o)
	ReplaceFlag(fs, &o.replace, "")
	fs.StringArrayVarP(&formats, "format", "f", nil, "forms of the output: "+strings.Join(page.FormNames(), ", ")+
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
			return a.help(p.Parts.Help, helpParts, args)
		case helpForms != "":
			return a.help(page.HelpForms, helpForms, args)
		}
		out := asked{forms: splitList(formats), outputs: splitList(outputs), replace: o.replace, look: o.look}
		if o.csv {
			out.forms = []string{"csv"}
		}
		return a.do(c.Context(), p, args, values(), out)
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

// help prints what tells of the names, of which a shell makes operands where the
// flag is not followed by = and a list.
func (a *App) help(tell func([]string) (string, error), name string, more []string) error {
	names := append(splitList([]string{name}), more...)
	names = slices.DeleteFunc(names, func(s string) bool { return s == listHelp })
	text, err := tell(names)
	if err != nil {
		return err
	}
	_, err = io.WriteString(a.Stdout, text)
	return err
}
