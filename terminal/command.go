package terminal

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// root builds the tree of commands from the table of pages.
func (a *App) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "gpuprof",
		Short: "pprof for GPUs: opens any GPU profile and shows what is in it",
		Example: `  gpuprof details report.ncu-rep                 the details page of every kernel
  gpuprof details -k sgemm --print-details all report.ncu-rep
  gpuprof raw --format json report.ncu-rep       all metrics, for programs
  gpuprof -i report.ncu-rep --page raw --csv     as ncu spells it`,
		Version:       a.version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
	}
	root.SetVersionTemplate("gpuprof {{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return misuse("%s: %v%s", c.CommandPath(), err, nearestFlag(c, err))
	})
	groups := map[string]bool{}
	for _, p := range a.Pages {
		if !groups[p.Group] {
			groups[p.Group] = true
			root.AddGroup(&cobra.Group{ID: p.Group, Title: p.Group + ":"})
		}
		parent(root, p).AddCommand(a.command(p))
	}
	for _, c := range root.Commands() {
		if a.Pages.Lookup(c.Name()) == nil { // it is only the first word of others
			c.Short = strings.Join(commandNames(c), ", ")
		}
	}
	root.AddCommand(a.commands...)
	a.importFlag(root)
	return root
}

// parent is the command below which the command of a page stands: root, or one
// that is made for the first word of a name of two.
func parent(root *cobra.Command, p *page.Page) *cobra.Command {
	first, _, nested := strings.Cut(p.Name, " ")
	if !nested {
		return root
	}
	for _, c := range root.Commands() {
		if c.Name() == first {
			return c
		}
	}
	c := &cobra.Command{Use: first, Long: p.Group + ".", GroupID: p.Group, RunE: FirstWord}
	root.AddCommand(c)
	return c
}

// FirstWord runs a command that is only the first word of others: it shows its help,
// and names the nearest where the second word is none of theirs.
func FirstWord(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return misuse("%s: %q is not a command%s", c.CommandPath(), args[0], spelling.Nearest(args[0], commandNames(c)))
	}
	return c.Help()
}

// openFlags declares the flags of how files are opened, for pages that open them.
func (a *App) openFlags(fs *pflag.FlagSet, p *page.Page) {
	if p.Needs&(load.Timeline|load.Profile) != 0 {
		fs.BoolVar(&a.alone, "no-annotations", false, "leave out annotation files (.nvtxt) that lie beside a report of Nsight Systems")
	}
	if p.MaxArgs != 0 {
		a.UnpackFlag(fs)
	}
}

// UnpackFlag declares the limit of what compressed files unpack to.
func (a *App) UnpackFlag(fs *pflag.FlagSet) {
	fs.Var(&a.MaxUnpacked, "max-unpacked", "let a compressed file unpack to `SIZE` bytes, such as 8G (default: 50 times its size or more, by format)")
}

// nearestFlag is what an unknown flag may have been meant to be.
func nearestFlag(c *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return ""
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return spelling.Nearest("--"+unknown.GetSpecifiedName(), names)
}

// commandNames are the names of the commands below one.
func commandNames(c *cobra.Command) (names []string) {
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			names = append(names, sub.Name())
		}
	}
	return names
}

// importOptions are the options of first and of the pages that its option page
// chooses among: in ncu's way of speaking the page is itself an option.
func (a *App) importOptions(first *page.Page) []page.Option {
	out := slices.Clone(first.Options)
	choice := slices.IndexFunc(out, func(o page.Option) bool { return o.Name == "page" })
	lists := []string{"sections", "sets", "metrics"} // --list-sections, --list-sets, --query-metrics
	for _, name := range slices.Concat(out[choice].Values, lists) {
		if name == "all" {
			continue
		}
		for _, o := range a.Pages.Lookup(name).Options {
			if !slices.ContainsFunc(out, func(have page.Option) bool { return have.Name == o.Name }) {
				out = append(out, o)
			}
		}
	}
	return out
}

// misuse returns an error for a mistake in the command line.
func misuse(format string, args ...any) error {
	return page.Usagef(format, args...)
}

// command makes the command of a page.
func (a *App) command(p *page.Page) *cobra.Command {
	name, group := p.Name, p.Group
	if i := strings.LastIndexByte(name, ' '); i >= 0 {
		name, group = name[i+1:], "" // of the command above
	}
	c := &cobra.Command{
		Use:     strings.TrimSpace(name + " [options] " + p.Args),
		Aliases: p.Aliases,
		Short:   p.Short,
		Long:    p.Short + ".\n\n" + p.Long,
		Example: "  " + strings.ReplaceAll(p.Example, "\n", "\n  "),
		GroupID: group,

		DisableFlagsInUseLine: true,
	}
	c.Args = cobra.ArbitraryArgs // the runner counts them
	values := declare(c.Flags(), p.Options)
	a.openFlags(c.Flags(), p)
	if p.Parts != nil {
		a.partsCommand(c, p, values)
		complete(c, p.Options)
		return c
	}
	out := outputFlags(c.Flags(), p)
	complete(c, p.Options)
	c.RunE = func(c *cobra.Command, args []string) error {
		args, a.before = divide(args)
		return a.do(c.Context(), p, args, values(), out.asked())
	}
	return c
}

// named is a value that help calls by what it is rather than by its Go type.
type named struct {
	pflag.Value
	arg string
}

func (n named) Type() string { return n.arg }

// words is the value of an option that may be given several times. The one of pflag
// has a writer of CSV print its default, which for the options of all pages together
// takes a tenth of the time in which a small command is done.
type words []string

func (w *words) String() string             { return strings.Join(*w, ",") }
func (w *words) Set(s string) error         { *w = append(*w, s); return nil }
func (w *words) Type() string               { return "stringArray" }
func (w *words) Append(s string) error      { return w.Set(s) }
func (w *words) Replace(all []string) error { *w = all; return nil }
func (w *words) GetSlice() []string         { return *w }

// declare adds a flag for each option and returns a function that tells which
// were given.
func declare(fs *pflag.FlagSet, options []page.Option) func() map[string][]string {
	for _, o := range options {
		arg := o.Arg
		switch o.Kind {
		case page.Flag:
			fs.BoolP(o.Name, o.Short, false, o.Help)
			continue
		case page.Choice:
			fs.StringP(o.Name, o.Short, o.Default, o.Help)
			arg = strings.Trim(strings.Join(o.Values, "|"), "|")
		default:
			fs.VarP(&words{}, o.Name, o.Short, o.Help)
		}
		if f := fs.Lookup(o.Name); arg != "" {
			f.Value = named{f.Value, arg}
			f.DefValue = strings.Trim(f.DefValue, "[]")
		}
	}
	return func() map[string][]string {
		given := map[string][]string{}
		for _, o := range options {
			f := fs.Lookup(o.Name)
			if !f.Changed {
				continue
			}
			v := f.Value
			if n, ok := v.(named); ok {
				v = n.Value
			}
			if s, ok := v.(pflag.SliceValue); ok {
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

// do answers a request for a page.
func (a *App) do(ctx context.Context, p *page.Page, args []string, values map[string][]string, out asked) error {
	if other := values["page"]; len(other) > 0 { // as ncu speaks
		if p = a.Pages.Lookup(other[len(other)-1]); p == nil {
			return misuse("--page: there is no page %q", other[len(other)-1])
		}
	}
	if err := out.check(); err != nil {
		return err
	}
	brief, err := out.shorten()
	if err != nil {
		return err
	}
	TuneGC(args, 0)
	to := &sink{App: a, look: out.look, brief: brief, bar: newProgress(a.terminal)}
	defer to.bar.done()
	r := page.Runner{Confine: a.Confine, MaxUnpacked: int64(a.MaxUnpacked), Alone: a.alone, Debug: Debugging()}
	status, err := r.Run(ctx, page.Request{Page: p, Args: args, Before: a.before, Values: values, Forms: out.forms, Outputs: out.outputs, Replace: out.replace}, to)
	a.Status = max(a.Status, exits[status])
	return err
}
