package export

import (
	"bufio"
	"os"
	"path/filepath"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
)

// writeFile writes a file that appears only when it is whole.
func writeFile(path string, fill func(w *bufio.Writer) error) error {
	return atomicfile.Write(path, func(f *atomicfile.File) error {
		w := bufio.NewWriterSize(f, 1<<20)
		if err := fill(w); err != nil {
			return err
		}
		return w.Flush()
	})
}

// writeFolder writes the files of a folder, which appear in it when all of them
// are whole. What else is there already stays.
func writeFolder(dir string, fill func(dir string) error) error {
	dir = filepath.Clean(dir)
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := fill(tmp); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	files, err := os.ReadDir(tmp)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := os.Rename(filepath.Join(tmp, f.Name()), filepath.Join(dir, f.Name())); err != nil {
			return err
		}
	}
	return nil
}
