package python

import (
	"io/fs"
	"os"
	"strings"

	experimentalsys "github.com/tetratelabs/wazero/experimental/sys"
	"github.com/tetratelabs/wazero/experimental/sysfs"
	"github.com/tetratelabs/wazero/sys"
)

// writable is a folder of this machine in which a program may write. The folder of
// wazero follows links wherever they lead; this one follows none, and a program can
// make none, so it does not get out.
type writable struct {
	experimentalsys.UnimplementedFS // links, modes: not permitted

	in   experimentalsys.FS
	root *os.Root
}

func newWritable(dir string) (*writable, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &writable{in: sysfs.DirFS(dir), root: root}, nil
}

// linked reports whether a path leads over a link, or out of the folder.
func (w *writable) linked(path string) bool {
	name := strings.Trim(path, "/")
	if name == "" || name == "." {
		return false
	}
	for i, c := range name + "/" {
		if c != '/' {
			continue
		}
		st, err := w.root.Lstat(name[:i])
		switch {
		case os.IsNotExist(err):
			return false // nor is what would be below it
		case err != nil || st.Mode()&fs.ModeSymlink != 0:
			return true
		}
	}
	return false
}

// OpenFile implements the file system of wazero.
func (w *writable) OpenFile(path string, flag experimentalsys.Oflag, perm fs.FileMode) (experimentalsys.File, experimentalsys.Errno) {
	if w.linked(path) {
		return nil, experimentalsys.EPERM
	}
	return w.in.OpenFile(path, flag, perm&0o666)
}

// Lstat implements the file system of wazero.
func (w *writable) Lstat(path string) (sys.Stat_t, experimentalsys.Errno) { return w.Stat(path) }

// Stat implements the file system of wazero.
func (w *writable) Stat(path string) (sys.Stat_t, experimentalsys.Errno) {
	if w.linked(path) {
		return sys.Stat_t{}, experimentalsys.EPERM
	}
	return w.in.Lstat(path)
}

// Mkdir implements the file system of wazero.
func (w *writable) Mkdir(path string, _ fs.FileMode) experimentalsys.Errno {
	if w.linked(path) {
		return experimentalsys.EPERM
	}
	return w.in.Mkdir(path, 0o755)
}

// Rename implements the file system of wazero.
func (w *writable) Rename(from, to string) experimentalsys.Errno {
	if w.linked(from) || w.linked(to) {
		return experimentalsys.EPERM
	}
	return w.in.Rename(from, to)
}

// Rmdir implements the file system of wazero.
func (w *writable) Rmdir(path string) experimentalsys.Errno {
	if w.linked(path) {
		return experimentalsys.EPERM
	}
	return w.in.Rmdir(path)
}

// Unlink implements the file system of wazero.
func (w *writable) Unlink(path string) experimentalsys.Errno {
	if w.linked(path) {
		return experimentalsys.EPERM
	}
	return w.in.Unlink(path)
}
