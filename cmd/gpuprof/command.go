package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// app holds what the commands share.
type app struct {
	stdout, stderr io.Writer
	status         int // exit status of a run without error
}

// An inputError is an input that cannot be read.
type inputError struct{ err error }

func (e *inputError) Error() string { return e.err.Error() }
func (e *inputError) Unwrap() error { return e.err }

// errOutput marks an output that could not be written.
var errOutput = errors.New("output")

// root builds the tree of commands from the table of pages.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "gpuprof",
		Short: "pprof for GPUs: opens any GPU profile and shows what is in it",
		Example: `  gpuprof details report.ncu-rep                 the details page of every kernel
  gpuprof details -k sgemm --print-details all report.ncu-rep
  gpuprof raw --format json report.ncu-rep       all metrics, for programs
  gpuprof -i report.ncu-rep --page raw --csv     as ncu spells it`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
	}
	root.SetVersionTemplate("gpuprof {{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return misuse("%s: %v", c.CommandPath(), err) })
	groups := map[string]bool{}
	for _, p := range page.Pages() {
		if !groups[p.Group] {
			groups[p.Group] = true
			root.AddGroup(&cobra.Group{ID: p.Group, Title: p.Group + ":"})
		}
		root.AddCommand(a.command(p))
	}
	a.importFlag(root)
	return root
}

// importFlag lets users of ncu keep their habit: gpuprof -i FILE --page raw.
func (a *app) importFlag(root *cobra.Command) {
	p := page.Lookup("details")
	values := declare(root.Flags(), p.Options)
	out := outputFlags(root.Flags())
	file := root.Flags().StringP("import", "i", "", "open this report, as ncu does; --page chooses the page")
	root.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case *file == "" && len(args) > 0:
			return misuse("%q is not a command", args[0])
		case *file == "":
			return c.Help()
		case len(args) > 0:
			return misuse("operand %q beside --import", args[0])
		}
		return a.do(c.Context(), p, []string{*file}, values(), out)
	}
	root.Flags().VisitAll(func(f *pflag.Flag) { f.Hidden = f.Name != "import" })
}

// misuse returns an error for a mistake in the command line.
func misuse(format string, args ...any) error {
	return page.Usagef(format, args...)
}

// command makes the command of a page.
func (a *app) command(p *page.Page) *cobra.Command {
	c := &cobra.Command{
		Use:     strings.TrimSpace(p.Name + " [options] " + p.Args),
		Aliases: p.Aliases,
		Short:   p.Short,
		Long:    p.Short + ".\n\n" + p.Long,
		Example: "  " + strings.ReplaceAll(p.Example, "\n", "\n  "),
		GroupID: p.Group,

		DisableFlagsInUseLine: true,
	}
	c.Args = func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < p.MinArgs:
			return misuse("%s: expected %s, found nothing", p.Name, p.Args)
		case p.MaxArgs >= 0 && len(args) > p.MaxArgs:
			return misuse("%s: %d operands, at most %d expected", p.Name, len(args), p.MaxArgs)
		}
		return nil
	}
	values := declare(c.Flags(), p.Options)
	out := outputFlags(c.Flags())
	complete(c, p.Options)
	c.RunE = func(c *cobra.Command, args []string) error {
		return a.do(c.Context(), p, args, values(), out)
	}
	return c
}

// declare adds a flag for each option and returns a function that tells which
// were given.
func declare(fs *pflag.FlagSet, options []page.Option) func() map[string][]string {
	for _, o := range options {
		help := o.Help
		if o.Arg != "" {
			help = "`" + o.Arg + "` " + help
		}
		switch o.Kind {
		case page.Flag:
			fs.BoolP(o.Name, o.Short, false, help)
		case page.Choice:
			names := strings.Join(o.Values, "|")
			fs.StringP(o.Name, o.Short, o.Default, "`"+strings.Trim(names, "|")+"` "+o.Help)
		default:
			var v []string
			fs.StringArrayVarP(&v, o.Name, o.Short, nil, help)
		}
	}
	return func() map[string][]string {
		given := map[string][]string{}
		for _, o := range options {
			f := fs.Lookup(o.Name)
			if !f.Changed {
				continue
			}
			if s, ok := f.Value.(pflag.SliceValue); ok {
				given[o.Name] = s.GetSlice()
			} else {
				given[o.Name] = []string{f.Value.String()}
			}
		}
		return given
	}
}

// complete offers the values of choices to the shell.
func complete(c *cobra.Command, options []page.Option) {
	for _, o := range options {
		if o.Kind == page.Choice {
			// fails only for a flag that does not exist
			_ = c.RegisterFlagCompletionFunc(o.Name, cobra.FixedCompletions(o.Values, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(view.Formats(), cobra.ShellCompDirectiveNoFileComp))
}

// do opens the operands, builds the document and renders it.
func (a *app) do(ctx context.Context, p *page.Page, args []string, values map[string][]string, out *output) error {
	format, err := out.chosen()
	if err != nil {
		return err
	}
	bar := newProgress(a.stderr)
	defer bar.done()
	q := &page.Request{Args: args, Format: format, Values: values, Step: bar.step,
		Note: func(s string) { bar.done(); fmt.Fprintf(a.stderr, "gpuprof: %s\n", s) }}
	if other := values["page"]; len(other) > 0 {
		if p = page.Lookup(other[len(other)-1]); p == nil {
			return misuse("--page: there is no page %q", other[len(other)-1])
		}
	}
	if p.Load {
		for _, name := range args {
			f, err := load.Open(ctx, name)
			if err != nil {
				return &inputError{err}
			}
			defer f.Close()
			for _, note := range f.Problems() {
				q.Note(note)
				a.status = exitFinding
			}
			q.Files = append(q.Files, f)
		}
	}
	if p.Output {
		q.Output, *out.file = *out.file, ""
	}
	doc, err := p.Do(ctx, q)
	if err != nil {
		if errors.Is(err, page.ErrUsage) || errors.Is(err, context.Canceled) {
			return err
		}
		return &inputError{err}
	}
	bar.done()
	if doc.Failed {
		a.status = exitFinding
	}
	return out.write(a.stdout, doc, format, q.ViewOptions())
}

// version is the module version of a released binary, else the revision.
func version() string {
	v := "development"
	if b, ok := debug.ReadBuildInfo(); ok {
		if b.Main.Version != "" && b.Main.Version != "(devel)" {
			v = b.Main.Version
		}
		for _, s := range b.Settings {
			if s.Key == "vcs.revision" {
				v += " (" + s.Value[:min(12, len(s.Value))] + ")"
			}
		}
	}
	return v
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isTerminalFile(f)
}
