//go:build linux || darwin

package python

import "golang.org/x/sys/unix"

// reserve sets apart address space that reads as zeros and takes memory as it is
// written to; nil where the system has none to give.
func reserve(size uint64) []byte {
	if size == 0 || size > 1<<40 {
		return nil
	}
	b, err := unix.Mmap(-1, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil
	}
	return b
}

func release(b []byte) {
	if b != nil {
		_ = unix.Munmap(b) // nothing can be done about it
	}
}
