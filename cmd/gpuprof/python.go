package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/rule/python"
	"github.com/gpuprof/gpuprof/script"
	"github.com/gpuprof/gpuprof/terminal"
	"github.com/gpuprof/gpuprof/view/visible"
)

// confineCommand is the hidden command that a child process begins with: it
// confines itself and becomes Python.
const confineCommand = "confine-python"

// confine is the command line before that of a Python to be confined.
func confine() []string {
	exe, err := os.Executable()
	if err != nil {
		return nil
	}
	return []string{exe, confineCommand}
}

// pythonCommands are the commands for scripts, and what Python needs to find gpuprof.
func pythonCommands(a *terminal.App) []*cobra.Command {
	python := &cobra.Command{Use: "python", Short: "Use the module ncu_report in a Python of your own", GroupID: page.GroupInfo, RunE: terminal.FirstWord}
	python.Long = python.Short + `.

  eval "$(gpuprof python env)"        for this shell: import ncu_report works from then on
  pip install "$(gpuprof python path)"  for this Python

The module starts gpuprof to read reports. It works in Python 3.6 and later.`
	python.AddCommand(pythonPath(a), pythonEnv(a), pythonServe(a))
	confined := &cobra.Command{Use: confineCommand, Hidden: true, DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error { return confineProcess(args) }}
	return []*cobra.Command{runCommand(a), python, confined}
}

func confineProcess(args []string) error {
	return fmt.Errorf("cannot confine Python: %w", python.Confine(args)) // it returns with an error alone
}

func pythonPath(a *terminal.App) *cobra.Command {
	return &cobra.Command{Use: "path", Short: "Print the folder that holds the module, for pip or PYTHONPATH", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			dir, err := python.Install(python.CacheDir())
			if err == nil {
				_, err = fmt.Fprintln(a.Stdout, dir)
			}
			return err
		}}
}

func pythonEnv(a *terminal.App) *cobra.Command {
	return &cobra.Command{Use: "env", Short: "Print shell commands that let Python find the module", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			dir, err := python.Install(python.CacheDir())
			if err != nil {
				return err
			}
			exe, err := os.Executable()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.Stdout, "export GPUPROF=%s\nexport PYTHONPATH=%s${PYTHONPATH:+:$PYTHONPATH}\n", quote(exe), quote(dir))
			return err
		}}
}

// quote makes s one word of a POSIX shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func pythonServe(a *terminal.App) *cobra.Command {
	c := &cobra.Command{Use: "serve", Short: "Answer the module's questions on standard input and output", Args: cobra.NoArgs,
		Long: `Answer the module's questions on standard input and output.

The module starts this command; GPUPROF_MAX_UNPACKED in its environment is --max-unpacked.`}
	a.UnpackFlag(c.Flags())
	c.RunE = func(c *cobra.Command, _ []string) error {
		if text := os.Getenv("GPUPROF_MAX_UNPACKED"); text != "" && a.MaxUnpacked == 0 {
			if err := a.MaxUnpacked.Set(text); err != nil {
				return page.Usagef("GPUPROF_MAX_UNPACKED: %v", err)
			}
		}
		return host(a, "").Serve(c.Context(), os.Getenv("GPUPROF_COMPAT") == "2024.1")
	}
	return c
}

// host is what scripts run on: this Python, or "" for the one that gpuprof carries.
func host(a *terminal.App, other string) *script.Host {
	out := a.Stdout
	if terminal.IsTerminal(out) { // a script prints names, and names come from files
		out = visible.NewWriter(out)
	}
	return &script.Host{Python: other, Confine: a.Confine, In: os.Stdin, Out: out, Err: a.Stderr, MaxUnpacked: int64(a.MaxUnpacked)}
}

func runCommand(a *terminal.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "run [--python PATH] [--write DIR] SCRIPT.py [ARGUMENTS]",
		Short: "Run a Python script that reads reports with ncu_report",
		Long: `Run a Python script that reads reports with ncu_report.

Nothing has to be installed. The script sees the standard library, the files that its
command line names, and nothing else of the machine; it can write nothing. With
--write DIR it sees that folder with all that is in it, may write there, and opens the
reports there. It does not follow links there, and makes none.`,
		Example:               "  gpuprof run top_kernels.py report.ncu-rep\n  gpuprof run --write results each_report.py",
		GroupID:               page.GroupInfo,
		DisableFlagsInUseLine: true,
	}
	other := c.Flags().String("python", "", "`PATH` of the Python, 3.11 or later, to use in place of the one that gpuprof carries")
	write := c.Flags().String("write", "", "let the script write in this `DIR`, and read what is there")
	a.UnpackFlag(c.Flags())
	c.Flags().SetInterspersed(false) // what follows the script is the script's
	c.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return page.Usagef("run: expected SCRIPT.py, found nothing")
		}
		return nil
	}
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		h := host(a, *other)
		h.Write = *write
		a.Status, err = h.Run(c.Context(), args)
		return err
	}
	return c
}
