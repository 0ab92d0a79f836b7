package mcp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/gpuprof/gpuprof/internal/spelling"
	"github.com/gpuprof/gpuprof/page"
)

// A root is a folder below which files may be read.
type root struct {
	given string // as it was named, absolute
	real  string // without symlinks
	dir   *os.Root
}

func openRoot(name string) (*root, error) {
	given, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(given)
	if err != nil {
		return nil, fmt.Errorf("--root: %w", err)
	}
	dir, err := os.OpenRoot(real)
	if err != nil {
		return nil, fmt.Errorf("--root: %w", err)
	}
	return &root{given, real, dir}, nil
}

// A found is a file or a folder below a root.
type found struct {
	*root
	rel  string // path below the root, without symlinks
	name string // what answers call it, and what finds it again
	info fs.FileInfo
}

// path is where it lies.
func (f *found) path() string { return filepath.Join(f.real, filepath.FromSlash(f.rel)) }

// below is the path of an absolute name below a folder.
func below(folder, name string) (string, bool) {
	rel, err := filepath.Rel(folder, name)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return rel, true
}

// outside is the error for names that lead out of the roots; it tells nothing of
// what lies there.
func outside(name string) error {
	return page.Usagef("%s: expected a path below the roots, found one that leads out of them", name)
}

// find finds what a name leads to: a path below a root, or an absolute one.
func (s *Server) find(name string) (*found, error) {
	if name == "" || name == "-" || strings.ContainsRune(name, 0) {
		return nil, page.Usagef("%q: expected the path of a file", name)
	}
	var missing error
	for _, r := range s.roots {
		at := name
		if !filepath.IsAbs(name) {
			at = filepath.Join(r.given, name)
		}
		rel, ok := below(r.given, filepath.Clean(at))
		if !ok {
			rel, ok = below(r.real, filepath.Clean(at))
		}
		if !ok {
			continue
		}
		f, err := s.resolve(r, rel, name)
		if errors.Is(err, fs.ErrNotExist) {
			missing = err
			continue
		}
		return f, err
	}
	if missing != nil {
		return nil, page.Unread(fmt.Errorf("%s: no such file below the roots%s", name, s.nearest(name)))
	}
	return nil, outside(name)
}

// resolve follows the links of a path below a root, which may lead into another.
func (s *Server) resolve(r *root, rel, name string) (*found, error) {
	real, err := filepath.EvalSymlinks(filepath.Join(r.real, rel))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		return nil, page.Usagef("%s: cannot be followed", name)
	}
	for _, to := range s.roots {
		if rel, ok := below(to.real, real); ok {
			info, err := to.dir.Lstat(rel)
			if err != nil {
				return nil, err
			}
			f := &found{root: to, rel: filepath.ToSlash(rel), info: info}
			f.name = s.nameOf(f)
			return f, nil
		}
	}
	return nil, outside(name)
}

// nameOf is the path below the root, or the whole one where another root before
// has such a path, too.
func (s *Server) nameOf(f *found) string {
	for _, r := range s.roots {
		if r == f.root {
			return f.rel
		}
		if _, err := r.dir.Lstat(filepath.FromSlash(f.rel)); err == nil {
			return f.path()
		}
	}
	return f.path()
}

// open opens a regular file.
func (f *found) open() (*os.File, error) {
	if !f.info.Mode().IsRegular() {
		return nil, page.Usagef("%s: expected a file, found something else", f.name)
	}
	in, err := f.dir.OpenFile(filepath.FromSlash(f.rel), os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe that took its place keeps nobody waiting
	if err != nil {
		return nil, err
	}
	st, err := in.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = page.Usagef("%s: expected a file, found something else", f.name)
	}
	if err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// extensions are those of profiles, for the list of what there is.
var extensions = []string{".ncu-rep", ".nsight-cuprof-report", ".nsys-rep", ".sqlite", ".db", ".rpd", ".json", ".json.gz", ".atp", ".gpr", ".pickle", ".cubin", ".nvtxt"}

// mostListed bounds how many entries of the roots are looked at.
const mostListed = 20_000

// profiles are the files below a folder of a root that look like profiles by their
// names; more says that not all was looked at. Links are not followed.
func (s *Server) profiles(ctx context.Context, r *root, under string) (out []*found, more bool, err error) {
	n := 0
	err = fs.WalkDir(r.dir.FS(), under, func(p string, d fs.DirEntry, err error) error {
		switch n++; {
		case ctx.Err() != nil:
			return ctx.Err()
		case n > mostListed:
			more = true
			return fs.SkipAll
		case err != nil || d.IsDir() && p != under && strings.HasPrefix(d.Name(), "."):
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil // what cannot be looked at
		case !d.Type().IsRegular() || !slices.ContainsFunc(extensions, func(e string) bool { return strings.HasSuffix(p, e) }):
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil // gone
		}
		f := &found{root: r, rel: p, info: info}
		f.name = s.nameOf(f)
		out = append(out, f)
		return nil
	})
	return out, more, err
}

// nearest is what a wrong name may have meant.
func (s *Server) nearest(name string) string {
	var known []string
	for _, r := range s.roots {
		all, _, _ := s.profiles(context.Background(), r, ".")
		for _, f := range all {
			known = append(known, f.name)
			if path.Base(f.name) == path.Base(name) {
				return "; did you mean " + f.name + "?"
			}
		}
	}
	return spelling.Nearest(name, known)
}

// expand finds what a name or a pattern leads to, for pages that take many files and
// folders of them.
func (s *Server) expand(name string) ([]*found, error) {
	if strings.ContainsAny(name, "*?[") && !filepath.IsAbs(name) {
		var out []*found
		for _, r := range s.roots {
			names, err := fs.Glob(r.dir.FS(), path.Clean(filepath.ToSlash(name)))
			if err != nil {
				return nil, page.Usagef("%s: %v", name, err)
			}
			for _, n := range names {
				if f, err := s.resolve(r, filepath.FromSlash(n), n); err == nil && f.info.Mode().IsRegular() {
					out = append(out, f)
				}
			}
		}
		if len(out) > 0 {
			return out, nil
		}
	}
	f, err := s.find(name)
	if err != nil {
		return nil, err
	}
	return []*found{f}, nil
}
