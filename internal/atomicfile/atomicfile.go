// Package atomicfile writes files that appear only when they are whole.
//
// What is written goes to a temporary file beside the target, which is renamed
// over it at the end. Nobody sees half a file, and what was there before stays
// when writing fails or is cancelled:
//
//	err := atomicfile.Write(name, func(f *atomicfile.File) error {
//		_, err := f.Write(data)
//		return err
//	})
//
// A target that exists keeps its permissions, and a symbolic link stays one: the
// file that it leads to is replaced. What is not a regular file, such as a pipe
// or /dev/null, cannot be replaced and is written to as it is.
//
// A process that is killed leaves its temporary file, .NAME.XXXXXXXXXXXX, behind.
// The next that writes the same target removes it: whoever writes a temporary file
// holds a lock on it, and the lock of a dead process is free. (Not on Windows, and
// not where file systems have no locks.)
package atomicfile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A File is being written. One of [File.Commit] and [File.Discard] ends it.
type File struct {
	*os.File
	name string // to rename to; "" where the file is written in place
	lock io.Closer
	done bool
}

// ErrWrite is matched by all errors of this package, but not by those of who fills
// a file.
var ErrWrite = errors.New("write")

// unwritten is err of the writing of name, which users know, and not of a name that
// they have never seen.
func unwritten(name string, err error) error {
	if err == nil || errors.Is(err, ErrWrite) {
		return err
	}
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		err = e.Err
	}
	if e := (*os.LinkError)(nil); errors.As(err, &e) {
		err = e.Err
	}
	return fmt.Errorf("%w %s: %w", ErrWrite, name, err)
}

func (f *File) known() string {
	if f.name == "" {
		return f.Name()
	}
	return f.name
}

func (f *File) Write(b []byte) (int, error) {
	n, err := f.File.Write(b)
	return n, unwritten(f.known(), err)
}

func (f *File) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

func (f *File) WriteAt(b []byte, at int64) (int, error) {
	n, err := f.File.WriteAt(b, at)
	return n, unwritten(f.known(), err)
}

// Create begins a file.
func Create(name string) (*File, error) {
	f, err := create(name)
	return f, unwritten(name, err)
}

func create(name string) (*File, error) {
	target, perm, err := resolve(name)
	if err != nil {
		return nil, err
	}
	if target == "" {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return &File{File: f}, nil
	}
	f, err := temporary(target)
	if err != nil {
		return nil, err
	}
	if perm != 0 {
		if err := f.Chmod(perm); err != nil {
			f.Discard()
			return nil, err
		}
	}
	return f, nil
}

// resolve finds the file that is to be replaced, and its permissions; 0: there
// is none yet. The target is "" where it is not a regular file.
func resolve(name string) (target string, perm fs.FileMode, err error) {
	if name == "" {
		return "", 0, errors.New("write: the name of the file is empty")
	}
	st, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// A link that leads nowhere is not followed but replaced.
		return name, 0, nil
	case err != nil:
		return "", 0, err
	case st.IsDir():
		return "", 0, &fs.PathError{Op: "write", Path: name, Err: errors.New("is a folder, expected a file")}
	case !st.Mode().IsRegular():
		return "", 0, nil
	}
	target, err = filepath.EvalSymlinks(name)
	return target, st.Mode().Perm(), err
}

// temporary makes a new file beside the target, with the permissions that new
// files have; os.CreateTemp would keep it from others. It is locked until it has
// its final name.
func temporary(target string) (*File, error) {
	dir, base := filepath.Split(target)
	base = "." + base[:min(len(base), 100)] + "." // names have an end
	sweep(dir, base)
	for range 100 {
		name := filepath.Join(dir, base+rand.Text()[:random])
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if l, ok := lock(f); ok && same(f, name) {
			return &File{File: f, name: target, lock: l}, nil
		}
		f.Close() // another took it for one of the dead, just before it was locked
	}
	return nil, fmt.Errorf("write %s: no free name for a temporary file", target)
}

// random is the number of random characters at the end of a temporary name.
const random = 12

// sweep removes the temporary files of a target whose writers are dead. What
// cannot be read or removed stays: this is no reason not to write.
func sweep(dir, base string) {
	if dir == "" {
		dir = "."
	}
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	for {
		names, err := d.Readdirnames(1000)
		for _, name := range names {
			if tail, ok := strings.CutPrefix(name, base); ok && len(tail) == random && strings.Trim(tail, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == "" {
				removeDead(filepath.Join(dir, name))
			}
		}
		if err != nil || len(names) == 0 {
			return
		}
	}
}

func same(f *os.File, name string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Lstat(name)
	return err == nil && os.SameFile(a, b)
}

// Commit puts the file in its place. If that fails nothing has changed.
func (f *File) Commit() error { return unwritten(f.known(), f.commit()) }

func (f *File) commit() error {
	f.done = true
	err := f.Close()
	if f.name == "" {
		return err
	}
	defer f.lock.Close()
	if err == nil {
		err = os.Rename(f.Name(), f.name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// Discard drops the file. After Commit it does nothing.
func (f *File) Discard() {
	if f.done {
		return
	}
	f.done = true
	f.Close()
	if f.name != "" {
		os.Remove(f.Name())
		f.lock.Close()
	}
}

// Write writes a file through fill; where fill fails the file stays as it was.
func Write(name string, fill func(*File) error) error {
	f, err := Create(name)
	if err != nil {
		return err
	}
	defer f.Discard() // also when fill panics
	if err := fill(f); err != nil {
		return err
	}
	return f.Commit()
}

// WriteBytes writes a file that holds data.
func WriteBytes(name string, data []byte) error {
	return Write(name, func(f *File) error {
		_, err := f.Write(data)
		return err
	})
}
