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
	"syscall"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/page/catalogue"
)

// The exit statuses.
const (
	exitOK        = 0
	exitFinding   = 1 // a finding or a failed check; output that could not be written
	exitUsage     = 2 // a mistake in the command line
	exitInput     = 3 // an input that cannot be read
	exitUndecided = 4 // a check that could not tell
)

// exits are the exit statuses of what requests find.
var exits = map[page.Status]int{page.Fine: exitOK, page.Finding: exitFinding, page.Incomplete: exitFinding, page.Undecided: exitUndecided}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole program but for the process around it.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return (&app{pages: catalogue.Pages(), stdout: stdout, stderr: stderr}).run(ctx, args)
}

func (a *app) run(ctx context.Context, args []string) int {
	stdout, stderr := a.stdout, a.stderr
	root := a.root()
	root.SetArgs(greedy(a.pages, sides(a.pages, args)))
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return a.status
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "gpuprof: interrupted")
		return 130
	}
	fmt.Fprintf(stderr, "gpuprof: %v\n", err)
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
