// Command gpuprof opens any GPU profile and shows what is in it.
//
// Its commands are the table of package page; this package turns flags into a
// page.Request and renders the Document that comes back. `gpuprof help` lists
// them, `gpuprof help COMMAND` shows options and an example.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/gpuprof/gpuprof/internal/carry"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/page/catalogue"
	"github.com/gpuprof/gpuprof/view/visible"
)

// The exit statuses.
const (
	exitOK        = 0
	exitFinding   = 1 // a finding or a failed check; output that could not be written
	exitUsage     = 2 // a mistake in the command line
	exitInput     = 3 // an input that cannot be read
	exitUndecided = 4 // a check that could not tell

	exitInternal    = 70  // a mistake of gpuprof itself
	exitInterrupted = 130 // Ctrl-C, or asked to end
)

// patience is how long work may take to end after Ctrl-C: reads of a pipe or of a
// server that is gone do not hear of it.
const patience = 2 * time.Second

// exits are the exit statuses of what requests find.
var exits = map[page.Status]int{page.Fine: exitOK, page.Finding: exitFinding, page.Incomplete: exitFinding, page.Undecided: exitUndecided,
	page.Broken: exitInternal}

func main() {
	if !debugging() {
		debug.SetTraceback("none") // a user has no use for stacks
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop() // once more ends it at once
		time.Sleep(patience)
		fmt.Fprintln(os.Stderr, "gpuprof: interrupted")
		os.Exit(exitInterrupted)
	})
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// debugging reports whether the user wants to see the stacks of internal errors.
func debugging() bool { return os.Getenv("GPUPROF_DEBUG") != "" }

// run is the whole program but for the process around it.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return newApp(catalogue.Pages(), stdout, stderr).run(ctx, args)
}

// newApp is the program with its terminal. All text for people on stderr passes
// one writer, which shows what a terminal would obey.
func newApp(pages page.Pages, stdout, stderr io.Writer) *app {
	return &app{pages: pages, stdout: stdout, stderr: visible.NewWriter(foldFor(stderr, stderr, 2)), terminal: stderr}
}

func (a *app) run(ctx context.Context, args []string) int {
	stdout, stderr := a.stdout, a.stderr
	root := a.root()
	root.SetArgs(greedy(a.pages, sides(a.pages, joined(args))))
	root.SetOut(stdout)
	root.SetErr(stderr)
	foldHelp(root, stdout)
	var err error
	if fault := carry.Catch(func() { err = root.ExecuteContext(ctx) }); fault != nil {
		err = &page.InternalError{Page: "command line", Offset: -1, Stack: fmt.Appendf(nil, "panic: %v\n%s", fault.Value, fault.Stack)}
	}
	switch {
	case err == nil:
		return a.status
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "gpuprof: interrupted")
		return exitInterrupted
	}
	fmt.Fprintf(stderr, "gpuprof: %v\n", err)
	if e := (*page.InternalError)(nil); errors.As(err, &e) {
		if debugging() {
			fmt.Fprintf(stderr, "%s\n", e.Stack)
		}
		return exitInternal
	}
	switch {
	case errors.Is(err, page.ErrInput):
		return exitInput
	case errors.Is(err, page.ErrOutput):
		return exitFinding
	case errors.Is(err, page.ErrUsage):
		fmt.Fprintln(stderr, "'gpuprof help' lists the commands, 'gpuprof help COMMAND' their options.")
	}
	return exitUsage
}
