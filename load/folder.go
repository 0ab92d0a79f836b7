package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gpuprof/gpuprof/format/rocm"
)

// Bounds of a folder: how deep its files may lie, and how many there may be.
const (
	maxFolderDepth = 6
	maxFolderFiles = 20_000
)

// openFolder opens a folder whose files are one profile: what rocprofv3 or
// rocprof-compute wrote, or a thread trace.
func (o Options) openFolder(ctx context.Context, name string) (*File, error) {
	f := &File{Name: name, Format: "folder", opening: ctx, maxUnpacked: o.MaxUnpacked}
	defer func() { f.opening = nil }()
	files, err := f.folderFiles(ctx, name)
	if err != nil {
		return nil, err
	}
	s, err := rocm.Options{MaxUnpacked: o.MaxUnpacked}.OpenFolder(ctx, files, name)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, rocm.ErrUnknown):
		found := "none of theirs"
		if e, ok := errors.AsType[*rocm.FormatError](err); ok {
			found = e.Found
		}
		return nil, unknown(fmt.Sprintf("%s: expected a file, or a folder that rocprofv3 or rocprof-compute wrote; found %s", name, found))
	case err != nil:
		return nil, err
	}
	f.fillROCm(s)
	return f, nil
}

// folderFiles lists the regular files of a folder. Links are not followed.
func (f *File) folderFiles(ctx context.Context, root string) ([]rocm.File, error) {
	var files []rocm.File
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && path == root:
			return err
		case err != nil:
			f.problems = append(f.problems, fmt.Sprintf("%s: expected a folder or file that can be read, found %v", path, err))
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if strings.Count(rel, string(filepath.Separator)) >= maxFolderDepth {
				return fs.SkipDir
			}
			return nil
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		if len(files) == maxFolderFiles {
			f.problems = append(f.problems, fmt.Sprintf("%s: expected at most %d files, found more: the rest is not read", root, maxFolderFiles))
			return fs.SkipAll
		}
		f.Size += info.Size()
		files = append(files, rocm.File{Name: filepath.ToSlash(rel), Size: info.Size(), Open: func() (io.ReaderAt, func() error, error) {
			in, err := os.Open(path)
			if err != nil {
				return nil, nil, err
			}
			return in, in.Close, nil
		}})
		return nil
	})
	return files, err
}
