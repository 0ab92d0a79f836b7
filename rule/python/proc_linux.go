//go:build !cgo

package python

import "golang.org/x/sys/unix"

// hideProcesses covers /proc with an empty folder.
func hideProcesses() error {
	return unix.Mount("none", "/proc", "tmpfs", unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "size=4k")
}
