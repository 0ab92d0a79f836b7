//go:build unix

package simlog_test

import (
	"syscall"
	"time"
)

// userTime is the CPU time that this process has spent outside of the kernel.
func userTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano())
}
