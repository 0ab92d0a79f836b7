//go:build unix

package torture

import (
	"os"
	"runtime"
	"syscall"
)

// peak is the most memory that a process that has ended had resident.
func peak(p *os.ProcessState) int64 {
	u, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return bytesOf(u)
}

// own is the most memory that this process had resident.
func own() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return bytesOf(&u)
}

func bytesOf(u *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
