package python

import (
	"archive/zip"
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

//go:embed modules
var modules embed.FS

// modulesDir is where a program finds the modules of this package.
const modulesDir = "/gpuprof"

// tree is the read-only file system that a program sees: mounted file systems
// and files by path, and the folders that lead to them.
type tree struct {
	mounts map[string]fs.FS    // folder -> content
	files  map[string]File     // path -> file
	dirs   map[string][]string // folder -> names of the mounts, files and folders in it
}

// files lays out what p sees; lib holds lib/python3.11.
func (p *Program) files(lib *zip.Reader, compiled codes) (fs.FS, error) {
	t := &tree{mounts: map[string]fs.FS{}, files: map[string]File{}, dirs: map[string][]string{".": nil}}
	std, err := fs.Sub(lib, "lib")
	if err != nil {
		return nil, err
	}
	own, err := fs.Sub(modules, "modules")
	if err != nil {
		return nil, err
	}
	t.mounts["lib"] = std
	t.link("lib")
	t.mounts[modulesDir[1:]] = moduleTree{own, compiled}
	t.link(modulesDir[1:])
	for _, f := range p.Files {
		if err := t.add(f); err != nil {
			return nil, err
		}
	}
	if p.Dir != "" {
		t.link(rel(p.Dir))
		if _, ok := t.dirs[rel(p.Dir)]; !ok {
			t.dirs[rel(p.Dir)] = nil
		}
	}
	return t, nil
}

func rel(p string) string { return path.Clean(strings.TrimPrefix(path.Clean("/"+p), "/")) }

func (t *tree) add(f File) error {
	name := rel(f.Path)
	if f.Host != "" {
		st, err := os.Stat(f.Host)
		if err != nil {
			return err
		}
		if st.IsDir() {
			root, err := os.OpenRoot(f.Host) // symbolic links do not lead out of it
			if err != nil {
				return err
			}
			t.mounts[name] = root.FS()
			t.link(name)
			return nil
		}
	}
	if _, ok := t.dirs[name]; ok {
		return fmt.Errorf("%s: a file where a folder is", f.Path)
	}
	t.files[name] = f
	t.link(name)
	return nil
}

// link enters name into the folder that it is in, and that into its own.
func (t *tree) link(name string) {
	for name != "." {
		dir, base := path.Dir(name), path.Base(name)
		if !slices.Contains(t.dirs[dir], base) {
			t.dirs[dir] = append(t.dirs[dir], base)
		}
		name = dir
	}
}

// Open implements fs.FS.
func (t *tree) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if f, ok := t.files[name]; ok {
		if f.Host != "" {
			return os.Open(f.Host)
		}
		return &textFile{Reader: bytes.NewReader(f.Text), info: info{name: path.Base(name), size: int64(len(f.Text)), mode: 0o444}}, nil
	}
	for dir := name; ; dir = path.Dir(dir) {
		if m, ok := t.mounts[dir]; ok {
			rest := strings.TrimPrefix(strings.TrimPrefix(name, dir), "/")
			if rest == "" {
				rest = "."
			}
			return m.Open(rest)
		}
		if dir == "." {
			break
		}
	}
	if _, ok := t.dirs[name]; ok {
		return &folder{t: t, path: name, info: info{name: path.Base(name), mode: fs.ModeDir | 0o555}}, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

type textFile struct {
	*bytes.Reader
	info info
}

func (f *textFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *textFile) Close() error               { return nil }

// folder is one that leads to what is mounted.
type folder struct {
	t    *tree
	path string
	info info
	read int
}

func (d *folder) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *folder) Close() error               { return nil }
func (d *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.path, Err: errors.New("is a folder")}
}

// ReadDir implements fs.ReadDirFile.
func (d *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	names := d.t.dirs[d.path][d.read:]
	if n > 0 && len(names) > n {
		names = names[:n]
	}
	d.read += len(names)
	var out []fs.DirEntry
	for _, name := range names {
		f, err := d.t.Open(path.Join(d.path, name))
		if err != nil {
			continue // gone since it was mounted
		}
		st, err := f.Stat()
		f.Close()
		if err == nil {
			out = append(out, fs.FileInfoToDirEntry(named{st, name}))
		}
	}
	if n > 0 && len(names) == 0 {
		return out, io.EOF
	}
	return out, nil
}

// named is a FileInfo under the name that it is mounted by.
type named struct {
	fs.FileInfo
	name string
}

func (n named) Name() string { return n.name }

type info struct {
	name string
	size int64
	mode fs.FileMode
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.Unix(0, 0) }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }
