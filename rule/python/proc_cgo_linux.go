//go:build cgo

package python

import "golang.org/x/sys/unix"

// hideProcesses covers /proc with that of the namespace, which has this process
// alone: with cgo, as the race detector needs it, landlock is set for all threads
// by way of /proc/self/task.
func hideProcesses() error {
	return unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "")
}
