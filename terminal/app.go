package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/gpuprof/gpuprof/internal/carry"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/view/visible"
)

// The exit statuses.
const (
	ExitOK        = 0
	ExitFinding   = 1 // a finding or a failed check; output that could not be written
	ExitUsage     = 2 // a mistake in the command line
	ExitInput     = 3 // an input that cannot be read
	ExitUndecided = 4 // a check that could not tell

	ExitInternal    = 70  // a mistake of gpuprof itself
	ExitInterrupted = 130 // Ctrl-C, or asked to end
)

// exits are the exit statuses of what requests find.
var exits = map[page.Status]int{page.Fine: ExitOK, page.Finding: ExitFinding, page.Incomplete: ExitFinding, page.Undecided: ExitUndecided,
	page.Broken: ExitInternal}

// An App is a command line with its terminal. What is exported is for commands beside
// those of pages.
type App struct {
	Pages          page.Pages
	Stdout, Stderr io.Writer // text for people on Stderr is folded, and nothing in it is obeyed
	Status         int       // exit status of a run without error
	MaxUnpacked    Size      // of compressed files; 0: what their formats allow
	Confine        []string  // runs a program within bounds, see page.Request

	terminal io.Writer // stderr as it is, for progress and for other programs
	version  string
	commands []*cobra.Command
	before   int  // operands before a --
	alone    bool // annotations beside reports are left out
}

// New is the command line of some pages. All text for people on stderr passes one
// writer, which shows what a terminal would obey.
func New(pages page.Pages, version string, stdout, stderr io.Writer) *App {
	return &App{Pages: pages, version: version, Stdout: stdout, Stderr: visible.NewWriter(foldFor(stderr, stderr, 2)), terminal: stderr}
}

// Add adds commands that are no pages.
func (a *App) Add(commands ...*cobra.Command) { a.commands = append(a.commands, commands...) }

// Debugging reports whether the user wants to see the stacks of internal errors.
func Debugging() bool { return os.Getenv("GPUPROF_DEBUG") != "" }

// Run runs a command line and returns its exit status.
func (a *App) Run(ctx context.Context, args []string) int {
	args, unread := responded(args)
	root := a.root()
	root.SetArgs(greedy(a.Pages, sides(a.Pages, joined(args))))
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	foldHelp(root, a.Stdout)
	err := unread
	fault := carry.Catch(func() {
		if err == nil {
			err = root.ExecuteContext(ctx)
		}
	})
	if fault != nil {
		err = &page.InternalError{Page: "command line", Offset: -1, Stack: fmt.Appendf(nil, "panic: %v\n%s", fault.Value, fault.Stack)}
	}
	if err == nil {
		return a.Status
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(a.Stderr, "gpuprof: interrupted")
		return ExitInterrupted
	}
	fmt.Fprintf(a.Stderr, "gpuprof: %v\n", err)
	if e := (*page.InternalError)(nil); errors.As(err, &e) {
		if Debugging() {
			fmt.Fprintf(a.Stderr, "%s\n", e.Stack)
		}
		return ExitInternal
	}
	switch {
	case errors.Is(err, page.ErrInput):
		return ExitInput
	case errors.Is(err, page.ErrOutput):
		return ExitFinding
	case errors.Is(err, page.ErrUsage):
		fmt.Fprintln(a.Stderr, "'gpuprof help' lists the commands, 'gpuprof help COMMAND' their options.")
	}
	return ExitUsage
}
