package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/profile"
	"github.com/gpuprof/gpuprof/rule/python"
	"github.com/gpuprof/gpuprof/source"
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

// pythonCommands adds the commands that are no pages: scripts and what Python
// needs to find gpuprof.
func (a *app) pythonCommands(root *cobra.Command) {
	root.AddCommand(a.runCommand())
	python := &cobra.Command{Use: "python", Short: "Use the module ncu_report in a Python of your own", GroupID: page.GroupInfo}
	python.Long = python.Short + `.

  eval "$(gpuprof python env)"        for this shell: import ncu_report works from then on
  pip install "$(gpuprof python path)"  for this Python

The module starts gpuprof to read reports. It works in Python 3.6 and later.`
	python.AddCommand(a.pythonPath(), a.pythonEnv(), a.pythonServe())
	root.AddCommand(python)
	root.AddCommand(&cobra.Command{Use: confineCommand, Hidden: true, DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error { return confineProcess(args) }})
}

func confineProcess(args []string) error {
	if err := python.Confine(args); err != nil {
		return fmt.Errorf("cannot confine Python: %w", err)
	}
	return nil
}

func (a *app) pythonPath() *cobra.Command {
	return &cobra.Command{Use: "path", Short: "Print the folder that holds the module, for pip or PYTHONPATH", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			dir, err := python.Install(python.CacheDir())
			if err == nil {
				_, err = fmt.Fprintln(a.stdout, dir)
			}
			return err
		}}
}

func (a *app) pythonEnv() *cobra.Command {
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
			_, err = fmt.Fprintf(a.stdout, "export GPUPROF=%s\nexport PYTHONPATH=%s${PYTHONPATH:+:$PYTHONPATH}\n", quote(exe), quote(dir))
			return err
		}}
}

// quote makes s one word of a POSIX shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func (a *app) pythonServe() *cobra.Command {
	return &cobra.Command{Use: "serve", Short: "Answer the module's questions on standard input and output", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			r := &reports{}
			defer r.close()
			s := &python.Service{Open: r.open, Compat2024: os.Getenv("GPUPROF_COMPAT") == "2024.1",
				SASS: source.InstructionText()}
			return python.Serve(c.Context(), os.Stdin, a.stdout, s, python.Output{})
		}}
}

// note tells the user something beside the output.
func (a *app) note(format string, args ...any) {
	fmt.Fprintf(a.stderr, "gpuprof: %s\n", fmt.Sprintf(format, args...))
}

// reports are the open files of a program.
type reports struct {
	mu    sync.Mutex
	files []*load.File
	allow map[string]bool // absolute paths that may be opened; nil: all
}

func (r *reports) open(ctx context.Context, name string) (*profile.Report, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	if r.allow != nil && !r.allow[path] {
		return nil, fmt.Errorf("%s: a script may open the reports that its command line names", name)
	}
	f, err := load.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files = append(r.files, f)
	if f.Report == nil {
		return nil, fmt.Errorf("%s: expected a report of kernel launches, found %s", name, f.Kind())
	}
	return f.Report.Report, nil
}

func (r *reports) close() {
	for _, f := range r.files {
		f.Close()
	}
}

func (a *app) runCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "run [--python PATH] SCRIPT.py [ARGUMENTS]",
		Short: "Run a Python script that reads reports with ncu_report",
		Long: `Run a Python script that reads reports with ncu_report.

Nothing has to be installed. The script sees the standard library, the files that its
command line names, and nothing else of the machine; it can write nothing.`,
		Example:               "  gpuprof run top_kernels.py report.ncu-rep",
		GroupID:               page.GroupInfo,
		DisableFlagsInUseLine: true,
	}
	other := c.Flags().String("python", "", "`PATH` of the Python, 3.11 or later, to use in place of the one that gpuprof carries")
	c.Flags().SetInterspersed(false) // what follows the script is the script's
	c.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return misuse("run: expected SCRIPT.py, found nothing")
		}
		return nil
	}
	c.RunE = func(c *cobra.Command, args []string) error { return a.runScript(c.Context(), *other, args) }
	return c
}

// scriptMemory is what a script may take, in bytes.
const scriptMemory = 2 << 30

func (a *app) runScript(ctx context.Context, other string, args []string) error {
	r := &reports{allow: map[string]bool{}}
	defer r.close()
	wd, err := os.Getwd()
	if err != nil {
		return err
	}
	p := python.Program{Main: "gpuprof_script", Args: args, Dir: filepath.ToSlash(wd)}
	for i, arg := range args {
		path, err := filepath.Abs(arg)
		if err != nil {
			return err
		}
		st, err := os.Stat(path)
		if i == 0 && err != nil {
			return &inputError{err}
		}
		if err == nil && st.Mode().IsRegular() && !r.allow[path] {
			r.allow[path] = true
			p.Files = append(p.Files, python.File{Path: filepath.ToSlash(path), Host: path})
		}
	}
	start, closeHost, err := a.scriptHost(ctx, other)
	if err != nil {
		return err
	}
	defer closeHost()
	proc, err := start(ctx, p)
	if err != nil {
		return err
	}
	err = proc.Serve(ctx, &python.Service{Open: r.open, SASS: source.InstructionText()}, a.scriptOutput())
	var exit *python.ExitError
	if errors.As(err, &exit) {
		a.status = exit.Status
		return nil
	}
	return err
}

// scriptHost prepares the Python that gpuprof carries, or the user's.
func (a *app) scriptHost(ctx context.Context, other string) (func(context.Context, python.Program) (*python.Process, error), func() error, error) {
	limits := python.Limits{Memory: scriptMemory}
	if other == "" {
		e, err := python.NewEngine(ctx, python.CacheDir(), limits)
		if err != nil {
			return nil, nil, err
		}
		return e.Start, e.Close, nil
	}
	n, err := python.NewNative(ctx, other, python.CacheDir(), confine(), limits)
	if err != nil {
		return nil, nil, err
	}
	if w := n.Unconfined(); w != "" {
		fmt.Fprintf(a.stderr, "gpuprof: warning: %s\n", w)
	}
	return n.Start, n.Close, nil
}

func (a *app) scriptOutput() python.Output {
	in := bufio.NewReader(os.Stdin)
	return python.Output{
		Print: func(stream string, text []byte) error {
			w := a.stdout
			if stream == "stderr" {
				w = a.stderr
			}
			if _, err := w.Write(text); err != nil {
				return fmt.Errorf("%w: %v", errOutput, err)
			}
			return nil
		},
		Input: func() (string, error) {
			line, err := in.ReadString('\n')
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return line, err
		},
	}
}
