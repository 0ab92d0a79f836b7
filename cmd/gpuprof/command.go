package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view"
)

// app holds what the commands share.
type app struct {
	pages          page.Pages
	stdout, stderr io.Writer
	terminal       io.Writer // stderr as it is, for progress and for other programs
	status         int       // exit status of a run without error
	before         int       // operands before a --
	alone          bool      // annotations beside reports are left out
	maxUnpacked    size      // of compressed files; 0: what their formats allow
}

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
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return misuse("%s: %v%s", c.CommandPath(), err, nearestFlag(c, err))
	})
	groups := map[string]bool{}
	for _, p := range a.pages {
		if !groups[p.Group] {
			groups[p.Group] = true
			root.AddGroup(&cobra.Group{ID: p.Group, Title: p.Group + ":"})
		}
		parent(root, p).AddCommand(a.command(p))
	}
	a.pythonCommands(root)
	a.viewerCommands(root)
	a.agentCommand(root)
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
	c := &cobra.Command{Use: first, Short: p.Group, GroupID: p.Group,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return misuse("%s: %q is not a command%s", c.CommandPath(), args[0], spelling.Nearest(args[0], commandNames(c)))
			}
			return c.Help()
		}}
	root.AddCommand(c)
	return c
}

// openFlags declares the flags of how files are opened, for pages that open them.
func (a *app) openFlags(fs *pflag.FlagSet, p *page.Page) {
	if p.Needs&(load.Timeline|load.Profile) != 0 {
		fs.BoolVar(&a.alone, "no-annotations", false, "leave out annotation files (.nvtxt) that lie beside a report of Nsight Systems")
	}
	if p.MaxArgs != 0 {
		a.unpackFlag(fs)
	}
}

// unpackFlag declares the limit of what compressed files unpack to.
func (a *app) unpackFlag(fs *pflag.FlagSet) {
	fs.Var(&a.maxUnpacked, "max-unpacked", "let a compressed file unpack to `SIZE` bytes, such as 8G (default: 50 times its size or more, by format)")
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
func (a *app) importOptions(first *page.Page) []page.Option {
	out := slices.Clone(first.Options)
	choice := slices.IndexFunc(out, func(o page.Option) bool { return o.Name == "page" })
	lists := []string{"sections", "sets", "metrics"} // --list-sections, --list-sets, --query-metrics
	for _, name := range slices.Concat(out[choice].Values, lists) {
		if name == "all" {
			continue
		}
		for _, o := range a.pages.Lookup(name).Options {
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
func (a *app) command(p *page.Page) *cobra.Command {
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
			var v []string
			fs.StringArrayVarP(&v, o.Name, o.Short, nil, o.Help)
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
func (a *app) do(ctx context.Context, p *page.Page, args []string, values map[string][]string, out asked) error {
	if other := values["page"]; len(other) > 0 { // as ncu speaks
		if p = a.pages.Lookup(other[len(other)-1]); p == nil {
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
	tuneGC(args, 0)
	to := &sink{app: a, look: out.look, brief: brief, bar: newProgress(a.terminal)}
	defer to.bar.done()
	r := page.Runner{Confine: confine(), MaxUnpacked: int64(a.maxUnpacked), Alone: a.alone, Debug: debugging()}
	status, err := r.Run(ctx, page.Request{Page: p, Args: args, Before: a.before, Values: values, Forms: out.forms, Outputs: out.outputs, Replace: out.replace}, to)
	a.status = max(a.status, exits[status])
	return err
}

// tuneGC trades memory for time by the size of the inputs: small ones are done
// before collecting pays, and of large ones the data stays, so that collecting
// when the heap has grown by a third keeps a trace of 700 MB below 1 GB. More is what
// the command may take beside what it does with them, bytes.
func tuneGC(files []string, more int64) {
	if os.Getenv("GOGC") != "" {
		return
	}
	var size, room int64
	many := len(files) > 32 // of many files what is kept of each lies in memory together
	for _, name := range files {
		st, err := os.Stat(name)
		if err != nil {
			continue
		}
		many = many || st.IsDir()
		size, room = size+st.Size(), room+st.Size()
		if slices.Contains(packed, strings.ToLower(filepath.Ext(name))) {
			room += 9 * st.Size()
		}
	}
	switch {
	case size > 512<<20:
		debug.SetGCPercent(30)
	case size > 100<<20, many:
		debug.SetGCPercent(50)
	default:
		debug.SetGCPercent(200)
		debug.SetMemoryLimit(roomFree + roomFactor*room + more) // collected sooner where little would be reached with much
	}
}

// What small inputs may take before the collector works harder: with the program
// itself, of which 24 MB are in memory, 64 MB and 20 times the input; ten times
// that of formats that are packed.
const (
	roomFree   = 40 << 20
	roomFactor = 20
)

// packed are the extensions of formats that are packed.
var packed = []string{".gz", ".zst", ".nsys-rep", ".qdrep", ".ncu-repz"}

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
