package script

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/gpuprof/gpuprof/load"
	"github.com/gpuprof/gpuprof/profile"
)

// reports are the open files of a program.
type reports struct {
	options load.Options

	mu    sync.Mutex
	files []*load.File
	allow map[string]bool // absolute paths that may be opened; nil: all

	folder string // a folder in which all may be opened; "": none
}

func (r *reports) open(ctx context.Context, name string) (*profile.Report, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	if r.allow != nil && !r.allow[path] && !r.within(path) {
		return nil, fmt.Errorf("%s: a script may open the reports that its command line names, and those in the folder of --write", name)
	}
	f, err := r.options.Open(ctx, path)
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

// within reports whether a path, with links followed, lies in the folder.
func (r *reports) within(path string) bool {
	if r.folder == "" {
		return false
	}
	folder, err := filepath.EvalSymlinks(r.folder)
	if err != nil {
		return false
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	in, err := filepath.Rel(folder, real)
	return err == nil && filepath.IsLocal(in)
}

func (r *reports) close() {
	for _, f := range r.files {
		f.Close()
	}
}
