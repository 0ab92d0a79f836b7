package script

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/rule/python"
	"github.com/gpuprof/gpuprof/source"
)

// A Host runs scripts.
type Host struct {
	Python   string   // path of the user's Python; "": the one that gpuprof carries
	Confine  []string // the command that runs a program within bounds; nil: there is none
	In       io.Reader
	Out, Err io.Writer

	Write       string // folder in which scripts may write, and read what is there; "": none
	MaxUnpacked int64  // load.Options.MaxUnpacked
}

// memory is what a script may take, in bytes.
const memory = 2 << 30

// Run runs the script args[0] with the other arguments and returns the status with
// which it exits. Of files it sees those that args name, and the folder Write. Errors are of the kinds of
// package page.
func (h *Host) Run(ctx context.Context, args []string) (status int, err error) {
	r := &reports{allow: map[string]bool{}, options: h.opening()}
	defer r.close()
	p, err := program(args, r)
	if err != nil {
		return 0, err
	}
	if err := h.writable(&p, r); err != nil {
		return 0, err
	}
	start, closePython, err := h.open(ctx)
	if err != nil {
		return 0, err
	}
	defer closePython()
	proc, err := start(ctx, p)
	if err != nil {
		return 0, err
	}
	err = proc.Serve(ctx, h.service(r), h.output())
	var exit *python.ExitError
	if errors.As(err, &exit) {
		return exit.Status, nil
	}
	return 0, err
}

// Serve answers the questions of the module ncu_report in a Python that runs on its
// own, from In to Out. It opens every report that it is asked for.
func (h *Host) Serve(ctx context.Context, compat2024 bool) error {
	r := &reports{options: h.opening()}
	defer r.close()
	s := h.service(r)
	s.Compat2024 = compat2024
	return python.Serve(ctx, h.In, h.Out, s, python.Output{})
}

func (h *Host) opening() load.Options { return load.Options{MaxUnpacked: h.MaxUnpacked} }

func (h *Host) service(r *reports) *python.Service {
	return &python.Service{Open: r.open, SASS: source.InstructionText(), LastWins: true}
}

// note tells the user something beside the output.
func (h *Host) note(format string, args ...any) {
	fmt.Fprintf(h.Err, "gpuprof: "+format+"\n", args...)
}

// program is what to run, with the files that it may read, which r then opens.
func program(args []string, r *reports) (p python.Program, err error) {
	wd, err := os.Getwd()
	if err != nil {
		return p, err
	}
	p = python.Program{Main: "gpuprof_script", Args: args, Dir: filepath.ToSlash(wd)}
	for i, arg := range args {
		path, err := filepath.Abs(arg)
		if err != nil {
			return p, err
		}
		st, err := os.Stat(path)
		if i == 0 && err != nil {
			return p, page.Unread(err)
		}
		if err == nil && st.Mode().IsRegular() && !r.allow[path] {
			r.allow[path] = true
			p.Files = append(p.Files, python.File{Path: filepath.ToSlash(path), Host: path})
		}
	}
	return p, nil
}

// writable gives p the folder in which it may write; the reports in it may be opened.
func (h *Host) writable(p *python.Program, r *reports) error {
	if h.Write == "" {
		return nil
	}
	if h.Python != "" {
		return page.Usagef("run: --write is for the Python that gpuprof carries, not for that of --python")
	}
	path, err := filepath.Abs(h.Write)
	if err != nil {
		return err
	}
	st, err := os.Stat(path)
	if err != nil {
		return page.Unread(err)
	}
	if path == filepath.Dir(path) {
		return page.Usagef("run: --write %s: expected a folder below the root", h.Write)
	}
	if !st.IsDir() {
		return page.Usagef("run: --write %s: expected a folder, found a file", h.Write)
	}
	p.Write, r.folder = python.File{Path: filepath.ToSlash(path), Host: path}, path
	return nil
}

// open prepares Python.
func (h *Host) open(ctx context.Context) (func(context.Context, python.Program) (*python.Process, error), func() error, error) {
	limits := python.Limits{Memory: memory}
	if h.Python == "" {
		e, err := python.NewEngine(ctx, python.CacheDir(), limits)
		if err != nil {
			return nil, nil, err
		}
		return e.Start, e.Close, nil
	}
	n, err := python.NewNative(ctx, h.Python, python.CacheDir(), h.Confine, limits)
	if err != nil {
		return nil, nil, err
	}
	if w := n.Unconfined(); w != "" {
		h.note("warning: %s", w)
	}
	return n.Start, n.Close, nil
}

// output is where a script prints and what it reads.
func (h *Host) output() python.Output {
	in := bufio.NewReader(h.In)
	return python.Output{
		Print: func(stream string, text []byte) error {
			w := h.Out
			if stream == "stderr" {
				w = h.Err
			}
			_, err := w.Write(text)
			return page.Unwritten(err)
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
