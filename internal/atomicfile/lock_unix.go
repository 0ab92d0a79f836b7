//go:build unix && !solaris && !aix

package atomicfile

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// lock locks a file until what it returns is closed, which may be after the file
// is. It reports false where another has the lock. Where there are no locks it
// does nothing: removeDead then removes nothing either.
func lock(f *os.File) (io.Closer, bool) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, false
	}
	syscall.ForkLock.RLock()
	fd, err := syscall.Dup(int(f.Fd())) // has part in the lock
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return io.NopCloser(nil), true // then it ends with the file
	}
	return os.NewFile(uintptr(fd), f.Name()), true
}

// Hold makes a file that is locked until what it returns is closed or the process
// ends.
func Hold(name string) (io.Closer, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	l, ok := lock(f)
	if !ok {
		return nil, syscall.EWOULDBLOCK
	}
	return l, nil
}

// Abandoned reports whether a file is one that Hold made, and who held it is gone.
func Abandoned(name string) bool {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	st, err := f.Stat()
	return err == nil && st.Mode().IsRegular() && syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}

// removeDead removes a regular file that nobody has locked.
func removeDead(name string) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil && same(f, name) {
		os.Remove(name)
	}
}
