package annotate

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// SessionFolderVariable is the environment variable that names the session
// folder to the program that is profiled, so that it can put its annotations
// there.
const SessionFolderVariable = "NSIGHT_ANALYSIS_SESSION_OUTPUT_PATH"

// Locate returns the annotation files that belong to a capture: those in its
// folder, then those in the session folder above it. Either name may be empty;
// a folder that does not exist has no files.
func Locate(captureFolder, sessionFolder string) ([]string, error) {
	var files []string
	seen := map[string]bool{}
	for _, dir := range []string{captureFolder, sessionFolder} {
		if dir == "" || seen[filepath.Clean(dir)] {
			continue
		}
		seen[filepath.Clean(dir)] = true
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			if !e.IsDir() && strings.EqualFold(filepath.Ext(e.Name()), ".nvtxt") {
				files = append(files, filepath.Join(dir, e.Name()))
			}
		}
	}
	return files, nil
}

// Loaded is one of several files, or why it could not be read.
type Loaded struct {
	*File
	Path string
	Err  error
}

// LoadFiles reads several files, each by itself: ids, variables and
// definitions are not shared. The result has the order of paths.
func LoadFiles(ctx context.Context, paths []string, opt LoadOptions) []Loaded {
	return each(ctx, paths, opt, true)
}

// CheckFiles is LoadFiles without keeping events.
func CheckFiles(ctx context.Context, paths []string, opt LoadOptions) []Loaded {
	return each(ctx, paths, opt, false)
}

func each(ctx context.Context, paths []string, opt LoadOptions, keep bool) []Loaded {
	out := make([]Loaded, len(paths))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, p := range paths {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			f, err := loadFile(ctx, p, opt, keep)
			out[i] = Loaded{File: f, Path: p, Err: err}
		})
	}
	wg.Wait()
	return out
}
