//go:build unix

package launch

import (
	"syscall"
	"testing"
)

// cpuTime is what the process has used of all processors, in user and system
// mode, in nanoseconds.
func cpuTime(b *testing.B) int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
