// Command gpuprof opens any GPU profile and shows what is in it.
//
// Its commands are the pages of package catalogue, which package terminal turns into
// commands, and the few that are no pages: the viewer, the server for agents, Python.
// `gpuprof help` lists them, `gpuprof help COMMAND` shows options and an example.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/page/catalogue"
	"github.com/gpuprof/gpuprof/terminal"
)

// patience is how long work may take to end after Ctrl-C: reads of a pipe or of a
// server that is gone do not hear of it.
const patience = 2 * time.Second

func main() {
	if !terminal.Debugging() {
		debug.SetTraceback("none") // a user has no use for stacks
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop() // once more ends it at once
		time.Sleep(patience)
		fmt.Fprintln(os.Stderr, "gpuprof: interrupted")
		os.Exit(terminal.ExitInterrupted)
	})
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the whole program but for the process around it.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return newApp(catalogue.Pages(), stdout, stderr).Run(ctx, args)
}

// newApp is the command line of some pages, with the commands that are none.
func newApp(pages page.Pages, stdout, stderr io.Writer) *terminal.App {
	a := terminal.New(pages, version(), stdout, stderr)
	a.Confine = confine()
	a.Add(pythonCommands(a)...)
	a.Add(viewerCommands(a)...)
	a.Add(agentCommand(a))
	return a
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
